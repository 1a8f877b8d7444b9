import Files
import Glibc
import TestSupport
import Testing

@testable import Items
@testable import sbfs

/// One fault of each kind for `check`, with its place.
struct CheckTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private func findings(readsData: Bool = false, isPortable: Bool = false) throws -> [Finding] {
        try Check(try library.reopened(), readsData: readsData, isPortable: isPortable).run().findings
    }

    /// The only finding, as `severity path: message`, with the item's folder as `ITEM`.
    private func only(_ id: ItemID? = nil, readsData: Bool = false, isPortable: Bool = false) throws -> String {
        let findings = try findings(readsData: readsData, isPortable: isPortable)
        let lines = findings.map { "\($0.severity) \($0.path): \($0.wording)" }.joined(separator: "\n")
        return id.map { lines.replacing(Layout.itemFolder($0), with: "ITEM") } ?? lines
    }

    @Test func `a library as sbfs makes it has no findings`() throws {
        _ = try library.add {
            $0.text = [0x61]
            $0.documentPath = library.scratch.full("library.json")
        }
        let report = try Check(library.store, readsData: true, isPortable: true).run()
        #expect(report.findings.map(\.wording) == [])
        #expect(report.itemCount == 1)
        #expect(report.errorCount == 0 && report.warningCount == 0)
    }

    @Test func `what a dead command left and recovery does not know is named`() throws {
        let session = ".sbfs/staging/00000000deadbeef"
        let gone = StagedName(.item(.make()), file: "text.md", new: [0x61], base: [0x62])
        for name in ["of-a-later-version", gone.name, "kept-x", ItemID.make().description + "/item.json"] {
            try library.scratch.write(session + "/" + name, "c")
        }
        try library.scratch.write(".sbfs/staging/stray", "c")
        let left =
            "is left from a command that ended early, and sbfs does not know to what it belongs; look at it and remove it"
        let expected = [session + "/" + gone.name, session + "/of-a-later-version", ".sbfs/staging/stray"].map {
            "warning \($0): \(left)"
        }
        #expect(try Set(only().split(separator: "\n").map(String.init)) == Set(expected))
        // Nothing is named while its process lives.
        let open = try StagingFolder(in: Directory(path: library.scratch.full(".sbfs/staging")))
        try open.directory.createFile("unknown").write([0x61])
        #expect(try Set(only().split(separator: "\n").map(String.init)) == Set(expected))
        try open.directory.removeFile("unknown")
        for path in [session + "/" + gone.name, session + "/of-a-later-version", ".sbfs/staging/stray"] {
            try library.scratch.removeFile(path)
        }
        #expect(try only() == "")
        #expect(!library.scratch.exists(session))
    }

    @Test func `parts above a limit are named`() throws {
        let many = (0...10_000).map { "\"\($0)\"" }.joined(separator: ",")
        let id = try library.put("{\"tags\": [\(many)]}")
        #expect(
            try only(id) == "warning ITEM/item.json: has 10001 tags; the first 10000 are searched, all of them are kept"
        )
        let long = String(repeating: "x", count: 255), deep = String(repeating: "a/", count: 32) + "b"
        let limit = String(repeating: "a/", count: 31) + #"b\\/c"#
        let keys = (0..<10_000).map { "\"k\($0)\": 1" }.joined(separator: ",")
        try library.put("{\"tags\": [\"\(long)\", \"collection:\(deep)\", \"collection:\(limit)\"], \(keys)}", id: id)
        #expect(
            try only(id) == """
                warning ITEM/item.json: has 10001 keys, more than 10000
                warning ITEM/item.json: has 1 tag longer than 254 bytes; filters compare the beginning
                warning ITEM/item.json: has 1 collection of more than 32 levels; the rest after the last border is one level
                """)
        try library.put("{}", id: id)
        try library.scratch.write(Layout.itemFolder(id) + "/text.md", "")
        try #require(truncate(library.scratch.full(Layout.itemFolder(id) + "/text.md"), (64 << 20) + 1) == 0)
        #expect(
            try only(id)
                == "warning ITEM/text.md: has 67108865 bytes, more than 67108864: sbfs keeps it and does not read it as text"
        )
    }

    struct Fault: Sendable, CustomStringConvertible {
        let description: String
        let json: String
        var files: KeyValuePairs<String, String> = [:]
        let finding: String
    }

    @Test(arguments: [
        Fault(
            description: "malformed", json: "{\n\"a\": 1,}",
            finding: "error ITEM/item.json:2:8: expected a key in double quotes, found \"}\" after a trailing comma"),
        Fault(
            description: "no object", json: "[]",
            finding: "error ITEM/item.json:1:1: item.json: expected an object, found an array"),
        Fault(
            description: "wrong type", json: "{\"isPinned\": 1}",
            finding: "error ITEM/item.json:1:14: isPinned: expected true or false, found a number"),
        Fault(
            description: "hint outside", json: "{\"favicon\": \"../x\"}",
            finding: "error ITEM/item.json:1:13: favicon: expected a path inside the item's folder, found \"../x\""),
        Fault(
            description: "textContent alone", json: "{\"textContent\": \"x\"}",
            finding: "warning ITEM/item.json: textContent moves to text.md at the next write"),
        Fault(
            description: "textContent and text.md", json: "{\"textContent\": \"x\"}", files: ["text.md": "y"],
            finding: "warning ITEM/item.json: has textContent beside text.md; text.md wins, a different one goes to "
                + "conflicts/"),
        Fault(
            description: "page not here", json: "{\"htmlRelativePath\": \"page.html\"}",
            finding: "warning ITEM/page.html: is named by item.json and missing: deleted, or not here yet"),
        Fault(
            description: "document not here", json: "{\"documentRelativePath\": \"document/a\"}",
            finding: "warning ITEM/document/a: is named by item.json and missing: deleted, or not here yet"),
        Fault(
            description: "icon not here", json: "{\"favicon\": \"assets/a.png\"}",
            finding: "warning ITEM/assets/a.png: is named by item.json and missing: deleted, or not here yet"),
        Fault(
            description: "files of the page not here", json: "{}",
            files: [
                "page.html": "<img src=\"assets/0123456789abcdef.png\"><p style='a:url(assets/1123456789abcdef.css)'>"
                    + "<a href=\"https://x/assets/2123456789abcdef.png\">assets/3123456789abcdef.png.map</a>",
                "assets/1123456789abcdef.css": "@import \"4123456789abcdef.css\"; x{y:url(5123456789abcdef.woff2)}",
                "assets/5123456789abcdef.woff2": "x",
            ],
            finding:
                "warning ITEM/assets/0123456789abcdef.png: the saved page needs it and it is missing: deleted, or "
                + "not here yet\nwarning ITEM/assets/4123456789abcdef.css: the saved page needs it and it is missing: "
                + "deleted, or not here yet"),
        Fault(
            description: "archive not here", json: "{\"archiveStatus\": \"full\"}",
            finding: "warning ITEM/page.html: is named by item.json and missing: deleted, or not here yet"),
        Fault(
            description: "archive by a document", json: "{\"archiveStatus\": \"full\"}", files: ["document/a": "x"],
            finding: ""),
        Fault(
            description: "conflicts", json: "{}", files: ["conflicts/20261121T101500Z-2d711642.text.md": "x"],
            finding: "note ITEM/conflicts: 1 version to review"),
        Fault(
            description: "loose file", json: "{}", files: ["a.pdf": "x"],
            finding: "note ITEM/a.pdf: is the document; the next change by sbfs moves it into document/"),
        Fault(
            description: "loose file beside a document", json: "{}", files: ["a.pdf": "x", "document/b": "y"],
            finding: "note ITEM/a.pdf: is a loose file beside a document; it is left alone"),
        Fault(
            description: "extra document", json: "{\"documentRelativePath\": \"document/a\"}",
            files: ["document/a": "x", "document/b": "y"], finding: "note ITEM/document/b: is an extra document"),
        Fault(
            description: "document in both normal forms", json: "{\"documentRelativePath\": \"document/\u{E9}\"}",
            files: ["document/\u{E9}": "x", "document/e\u{301}": "y"],
            finding: "note ITEM/document/e\u{301}: is an extra document"),
        Fault(
            description: "several documents", json: "{}", files: ["document/a": "x", "document/b": "y"],
            finding: "note ITEM/document/a: is one of several documents, and item.json names none\n"
                + "note ITEM/document/b: is one of several documents, and item.json names none"),
        Fault(
            description: "item.json as a folder", json: "", files: ["item.json/x": "x"],
            finding: "error ITEM: cannot open ROOT/ITEM/item.json: it is a folder, not a regular file"),
        Fault(
            description: "assets as a file", json: "{}", files: ["assets": "x"],
            finding: "error ITEM/assets: is a regular file, not a folder; it is not read or followed"),
        Fault(
            description: "temporary files are no matter", json: "{}",
            files: [".item.json.swp": "x", "a~": "x", "document/.a.swp": "x", "favicon.ico": "x"], finding: ""),
    ])
    func `a fault of an item is reported with its place`(_ fault: Fault) throws {
        let id = ItemID.make()
        if !fault.files.contains(where: { $0.key == "item.json/x" }) { try library.put(fault.json, id: id) }
        for (name, text) in fault.files { try library.scratch.write(Layout.itemFolder(id) + "/" + name, text) }
        #expect(try only(id).replacing(library.path, with: "ROOT") == fault.finding)
    }

    @Test func `an item on its way is a note, a text without its item an error`() throws {
        let id = ItemID.make()
        try library.scratch.makeDirectory(Layout.itemFolder(id))
        #expect(try only(id) == "")
        try library.scratch.write(Layout.itemFolder(id) + "/text.md", "x")
        #expect(
            try only(id)
                == "error ITEM: item.json is not here: deleted, or not here yet; without it text.md is not found. "
                + "\"sbfs repair\" brings it back if history/ has it")
        try library.scratch.write(Layout.itemFolder(id) + "/.syncthing.item.json.tmp", "{}")
        #expect(try only(id) == "note ITEM: item.json is not here yet")
    }

    @Test func `links and FIFOs with a meaning are reported and not followed`() throws {
        let id = try library.put("{}")
        try library.scratch.link(Layout.itemFolder(id) + "/document", to: "/etc")
        try library.scratch.makeFIFO(Layout.itemFolder(id) + "/text.md")
        #expect(
            try only(id) == """
                error ITEM/document: is a symbolic link, not a folder; it is not read or followed
                error ITEM/text.md: is a FIFO, not a regular file; it is not read or followed
                """)
    }

    @Test func `entries that are no shard and no item are reported`() throws {
        try library.scratch.write("items/notes.txt", "x")
        try library.scratch.makeDirectory("items/C4")
        try library.scratch.write("items/00/file", "x")
        try library.scratch.makeDirectory("items/00/folder")
        try library.scratch.link("items/00/0198c0de-1234-7abc-8def-012345678900", to: "folder")
        try library.scratch.write("items/.hidden", "x")
        #expect(
            try only() == """
                warning items/00/0198c0de-1234-7abc-8def-012345678900: is a symbolic link, not an item's folder; it is not \
                read or followed
                warning items/00/file: is a regular file, not an item's folder; it is not read or followed
                warning items/00/folder: the folder's name is not a UUID, so it is not an item
                warning items/C4: not a shard (a folder named by two lower-case hexadecimal digits), so nothing in it is read
                warning items/notes.txt: not a shard (a folder named by two lower-case hexadecimal digits), so nothing in it is \
                read
                """)
    }

    @Test func `settings out of range and unknown settings are reported`() throws {
        let id = library.store.settings.id
        try library.scratch.write(
            "library.json", "{\"format\": 1, \"id\": \"\(id)\",\n\"purgeDays\": 0,\n\"command\": \"rm\"}")
        let lines = try only().split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == "warning library.json:2:14: purgeDays: expected a whole number from 1 to 3650, found 0")
        #expect(lines.last?.hasPrefix("warning library.json:3:12: command: expected a setting of this format") == true)
    }

    @Test func `files of collections, tags and smart folders are looked at`() throws {
        try library.scratch.write("tags/a.json", "{\"name\": \"Work\"}")
        try library.scratch.write("collections/b.json", "{\"colour\": \"red\"}")
        try library.scratch.write("smart/c.json", "{")
        #expect(
            try only() == """
                error collections/b.json:1:1: has no "name"
                error smart/c.json:1:2: expected a key in double quotes or "}", found the end of the file
                warning tags/a.json: should be named \(Layout.settingsFile(named: "Work"))
                """)
    }

    @Test func `a library's folder that is a link is reported`() throws {
        try library.scratch.removeEmptyDirectory("tags")
        try library.scratch.link("tags", to: "smart")
        #expect(try only() == "error tags: is a symbolic link, not a folder; it is not followed")
    }

    @Test func `tombstones are looked at`() throws {
        let id = ItemID.make()
        try library.scratch.write("tombstones/00/notes.json", "{}")
        try library.scratch.write(Layout.tombstone(id), "{}")
        let findings = try findings()
        #expect(findings.map(\.severity) == [.error, .warning])
        #expect(
            findings.map(\.wording) == ["has no time \"purgedAt\", so it purges nothing", "is not named <id>.json"])
    }

    @Test func `contents are compared with their hashes on request`() throws {
        let stored = try library.add { $0.documentPath = library.scratch.full(".gitignore") }
        try library.write(stored, "document/_.gitignore", "changed")
        try library.scratch.write(stored.folder + "/text.md", [0x61, 0x0A, 0x62, 0xFF])
        try library.write(stored, "conflicts/20261121T101500Z-00000000.text.md", "x")
        // The name of no version: a person's own file.
        try library.write(stored, "history/0000.json", "x")
        #expect(try findings().count == 1)
        #expect(
            try only(stored.id, readsData: true) == """
                error ITEM/conflicts/20261121T101500Z-00000000.text.md: does not match the hash in its name
                warning ITEM/document/_.gitignore: differs from what sbfs stored (documentSHA256): edited since, or damaged
                warning ITEM/text.md:2:2: is not UTF-8 at byte 3
                note ITEM/conflicts: 1 version to review
                """)
    }

    @Test func `names are tested against other systems on request`() throws {
        let id = try library.put("{}")
        try library.scratch.write(Layout.itemFolder(id) + "/assets/a:b.css", "x")
        #expect(try only(id) == "")
        #expect(
            try only(id, isPortable: true)
                == "warning ITEM/assets/a:b.css: the name has a :, which Windows and Android do not allow")
    }

    @Test func `a document of a terabyte that is a hole is named and not read`() throws {
        let hash = String(repeating: "ab", count: 32)
        let id = try library.put("{\"documentSHA256\": \"\(hash)\"}")
        let path = Layout.itemFolder(id) + "/document/hole.bin"
        try library.scratch.write(path, "")
        try #require(truncate(library.scratch.full(path), 1 << 40) == 0)
        #expect(
            try only(id, readsData: true)
                == "warning ITEM/document/hole.bin: has 1099511627776 bytes, more than any document that sbfs stores: it "
                + "was not read, and is not the one that sbfs stored")
    }
}
