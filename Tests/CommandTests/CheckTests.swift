import Testing

/// The message of `check` for each kind of damage.
struct CheckTests {
    static let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
    static let folder = "items/c4/01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"

    struct Damage: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Files below the library, with their contents.
        let files: [String: String]
        /// The line of `check --notes`.
        let says: String
    }

    static let damages: [Damage] = [
        Damage(
            testDescription: "JSON that does not parse",
            files: [folder + "/item.json": "{\n  \"title\": \"x\"\n  \"tags\": []\n}"],
            says: "error: \(folder)/item.json:3:3: expected \",\" or \"}\", found "),
        Damage(
            testDescription: "a key twice", files: [folder + "/item.json": #"{"a": 1, "a": 2}"#],
            says:
                "error: \(folder)/item.json:1:10: expected a key that this object does not have yet, found \"a\" a second time"
        ),
        Damage(
            testDescription: "an empty item.json", files: [folder + "/item.json": ""],
            says: "error: \(folder)/item.json:1:1: expected a JSON value, found the end of the file"),
        Damage(
            testDescription: "a value of the wrong type", files: [folder + "/item.json": #"{"title": 5}"#],
            says: "error: \(folder)/item.json:1:11: title: expected a string, found a number"),
        Damage(
            testDescription: "a root that is no object", files: [folder + "/item.json": "[]"],
            says: "error: \(folder)/item.json:1:1: item.json: expected an object, found an array"),
        Damage(
            testDescription: "another id",
            files: [folder + "/item.json": #"{"id": "01a19b7c-a680-7000-8f3e-000000000001"}"#],
            says: "error: \(folder)/item.json:1:8: id: expected the folder's name \(id), found "
                + "\"01a19b7c-a680-7000-8f3e-000000000001\" (a copied folder?), so it is not an item [--repair]"),
        Damage(
            testDescription: "a folder that is no UUID", files: ["items/c4/copy of soup/item.json": "{}"],
            says:
                "error: items/c4/copy of soup: holds an item.json, but the folder's name is not a UUID (a copy?), so it is "
                + "not an item [--repair]"),
        Damage(
            testDescription: "a folder that is no UUID and no item", files: ["items/c4/stuff/readme": "x"],
            says: "warning: items/c4/stuff: the folder's name is not a UUID, so it is not an item"),
        Damage(
            testDescription: "a file among items", files: ["items/c4/readme": "x"],
            says: "warning: items/c4/readme: is a regular file, not an item's folder; it is not read or followed"),
        Damage(
            testDescription: "a folder that is no shard", files: ["items/zz/readme": "x"],
            says:
                "warning: items/zz: not a shard (a folder named by two lower-case hexadecimal digits), so nothing in it is read"
        ),
        Damage(
            testDescription: "the wrong shard", files: ["items/00/\(id)/item.json": "{}"],
            says: "warning: items/00/\(id): belongs into shard c4, the last two digits of its id [--repair]"),
        Damage(
            testDescription: "two shards", files: ["items/00/\(id)/item.json": "{}", folder + "/item.json": "{}"],
            says: "error: items/00/\(id): is in \(folder) too; sbfs changes neither until one is removed"),
        Damage(
            testDescription: "item.json not here yet",
            files: [folder + "/text.md": "x", folder + "/.syncthing.item.json.tmp": "{"],
            says: "note: \(folder): item.json is not here yet"),
        Damage(
            testDescription: "item.json gone", files: [folder + "/text.md": "x", folder + "/document/a.pdf": ""],
            says:
                "error: \(folder): item.json is not here: deleted, or not here yet; without it text.md, document are not found. \"sbfs repair\" brings it back if history/ has it"
        ),
        Damage(
            testDescription: "a document not here yet",
            files: [folder + "/item.json": #"{"documentRelativePath": "document/a.pdf"}"#],
            says: "warning: \(folder)/document/a.pdf: is named by item.json and missing: deleted, or not here yet"),
        Damage(
            testDescription: "a page not here yet", files: [folder + "/item.json": #"{"archiveStatus": "full"}"#],
            says: "warning: \(folder)/page.html: is named by item.json and missing: deleted, or not here yet"),
        Damage(
            testDescription: "an extra document",
            files: [
                folder + "/item.json": #"{"documentRelativePath": "document/a"}"#, folder + "/document/a": "",
                folder + "/document/b": "",
            ], says: "note: \(folder)/document/b: is an extra document"),
        Damage(
            testDescription: "several documents",
            files: [folder + "/item.json": "{}", folder + "/document/a": "", folder + "/document/b": ""],
            says: "note: \(folder)/document/a: is one of several documents, and item.json names none"),
        Damage(
            testDescription: "a loose file", files: [folder + "/item.json": "{}", folder + "/loose.pdf": ""],
            says: "note: \(folder)/loose.pdf: is the document; the next change by sbfs moves it into document/"),
        Damage(
            testDescription: "text in item.json", files: [folder + "/item.json": #"{"textContent": "x"}"#],
            says: "warning: \(folder)/item.json: textContent moves to text.md at the next write"),
        Damage(
            testDescription: "a tombstone without a time", files: ["tombstones/c4/\(id).json": "{}"],
            says: "error: tombstones/c4/\(id).json: has no time \"purgedAt\", so it purges nothing"),
        Damage(
            testDescription: "a tombstone that does not parse", files: ["tombstones/c4/\(id).json": "{"],
            says: "error: tombstones/c4/\(id).json:1:2: "),
        Damage(
            testDescription: "a tombstone of a living item",
            files: [
                folder + "/item.json": "{}", "tombstones/c4/\(id).json": #"{"purgedAt": "2026-01-01T00:00:00Z"}"#,
            ],
            says:
                "note: tombstones/c4/\(id).json: the item was restored or changed after it was purged elsewhere, and stays [--repair]"
        ),
        Damage(
            testDescription: "a tombstone of another name", files: ["tombstones/c4/x.json": "{}"],
            says: "warning: tombstones/c4/x.json: is not named <id>.json"),
        Damage(
            testDescription: "a smart folder without a name", files: ["smart/x.json": "{}"],
            says: "error: smart/x.json:1:1: has no \"name\""),
        Damage(
            testDescription: "a collection under another name", files: ["collections/x.json": #"{"name": "Work"}"#],
            says: "warning: collections/x.json: should be named work-00e13ed7.json"),
        Damage(
            testDescription: "a tag that does not parse", files: ["tags/x.json": "{\n,}"],
            says: "error: tags/x.json:2:1: expected a key in double quotes or \"}\", found \",\""),
    ]

    @Test(arguments: damages)
    func `each kind of damage is named with its place`(damage: Damage) throws {
        let sandbox = try Sandbox()
        try sandbox.sbfs("list")
        for (path, text) in damage.files { try sandbox.scratch.write("library/" + path, text) }
        let isError = damage.says.hasPrefix("error")
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs("check", "--notes", exits: isError ? 1 : 0)
        #expect(run.lines.contains { $0.hasPrefix(damage.says) }, "\(run)")
        #expect(try sandbox.changes(since: before).isEmpty)
        let quick = try sandbox.sbfs("check", exits: isError ? 1 : 0)
        #expect(quick.out.contains("note: ") == false)
        let findings = try sandbox.sbfs("check", "--json", exits: isError ? 1 : 0).array()
        let severity = try #require(damage.says.split(separator: ":").first.map(String.init))
        #expect(findings.contains { $0["severity"] as? String == severity })
    }

    @Test func `a sound library has nothing to say`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("a.txt")
        try sandbox.sbfs("add", "a.txt", "https://example.org")
        try sandbox.snippet("text")
        let run = try sandbox.sbfs("check", "--notes", "--read-data", "--portable")
        #expect(run.out.isEmpty)
        #expect(run.err == "sbfs: 3 items: 0 errors, 0 warnings, 0 notes\n")
        #expect(try sandbox.sbfs("check", "--json").array().isEmpty)
    }

    @Test func `files of editors and replication in mid-work are passed over`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("x")
        for name in [".item.json.swp", "item.json~", "#item.json#", "4913", ".item.json.Ab3dEf", "sedAb3dEf"] {
            try sandbox.scratch.write(sandbox.folder(id) + "/" + name, "{")
        }
        try sandbox.scratch.write("library/items/\(id.suffix(2))/.~tmp~/x", "{")
        #expect(try sandbox.sbfs("check", "--notes").out.isEmpty)
    }

    @Test func `--read-data finds bytes that changed`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("a.txt", "abc")
        let id = try #require(try sandbox.sbfs("add", "a.txt").lines.first)
        try sandbox.scratch.write(sandbox.folder(id) + "/document/a.txt", "abd")
        try sandbox.scratch.write(sandbox.folder(id) + "/text.md", [0x61, 0x0A, 0x62, 0xFF])
        try sandbox.scratch.write(sandbox.folder(id) + "/conflicts/20260101T000000Z-deadbeef.item.json", "{}")
        #expect(try sandbox.sbfs("check").out.isEmpty)
        let lines = try sandbox.sbfs("check", "--read-data", exits: 1).lines
        let folder = "items/\(id.suffix(2))/\(id)"
        for line in [
            "warning: \(folder)/document/a.txt: differs from what sbfs stored (documentSHA256): edited since, or damaged [--repair]",
            "warning: \(folder)/text.md:2:2: is not UTF-8 at byte 3",
            "error: \(folder)/conflicts/20260101T000000Z-deadbeef.item.json: does not match the hash in its name",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    @Test func `--read-data names a file of the person's own that rotted, though a note says that it lies there`()
        throws
    {
        let sandbox = try Sandbox()
        try sandbox.file("plan.txt", "Sow in May.")
        let id = try #require(try sandbox.sbfs("add", "plan.txt").lines.first)
        let path = "items/\(id.suffix(2))/\(id)/notes.txt"
        try sandbox.shell("printf 'Mine, all of it.' > '\(sandbox.library)/\(path)'")
        try sandbox.sbfs("remote", "add", "cloud", sandbox.scratch.full("exchange"))
        try sandbox.sbfs("sync")
        try sandbox.shell(
            "cd '\(sandbox.library)' && touch -r \(path) ../time && printf X | dd of=\(path) conv=notrunc bs=1 2>/dev/null "
                + "&& touch -r ../time \(path)")
        #expect(try sandbox.sbfs("check", "--read-data", exits: 1).out.contains("error: \(path): "))
    }

    @Test func `--read-data tells an edit that a version has from damage`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("a.txt", "abc")
        let id = try #require(try sandbox.sbfs("add", "a.txt").lines.first)
        try sandbox.sbfs("tag", "add", id, "x")
        try sandbox.scratch.write(sandbox.folder(id) + "/document/a.txt", "abcdef")
        func told() throws -> Run { try sandbox.sbfs("check", "--read-data", exits: 0) }
        #expect(try told().out.hasPrefix("warning: "))
        try sandbox.sbfs("tag", "add", id, "y")
        let run = try told()
        #expect(
            run.out.hasPrefix("note: ") && run.out.contains("/document/a.txt: was edited since sbfs stored it"),
            "\(run)")
        #expect(!run.err.contains("sbfs repair"), "\(run)")
        try sandbox.sbfs("check", "--read-data", "--repair", "--yes")
        #expect(try told().out.isEmpty)
    }

    @Test func `--portable reports names that other disks cannot hold`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("x")
        for name in ["a:b.txt", "CON.txt", "dot.", "Case.txt", "case.txt"] {
            try sandbox.scratch.write(sandbox.folder(id) + "/document/" + name, "")
        }
        #expect(!(try sandbox.sbfs("check").out.contains("Windows")))
        let out = try sandbox.sbfs("check", "--portable").out
        for words in [
            "a:b.txt: the name has a :, which Windows and Android do not allow",
            "CON.txt: the name CON is a device on Windows",
            "dot.: the name ends in a dot or space, which Windows drops", "only in case or normalisation",
        ] { #expect(out.contains(words), "\(words)") }
    }

    @Test func `folders that a purge left are no items`() throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("One.", title: "One")
        try sandbox.shell(
            "mkdir -p \"$SBFS_LIBRARY/\(Self.folder)/history\" \"$SBFS_LIBRARY/items/c5/\(Self.id.dropLast(2))c5\"")
        #expect(try sandbox.sbfs("check").err.contains("1 item: 0 errors"))
    }

    @Test func `a folder that may not be read is named`() throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("One.", title: "One")
        try sandbox.shell("mkdir -p \"$SBFS_LIBRARY/items/00\" \"$SBFS_LIBRARY/tags\" \"$SBFS_LIBRARY/tombstones\"")
        let folders = ["tags", "collections", "smart", "tombstones", "items/00"]
        for folder in folders { try sandbox.shell("chmod 000 \"$SBFS_LIBRARY/\(folder)\"") }
        defer { for folder in folders { _ = try? sandbox.shell("chmod 755 \"$SBFS_LIBRARY/\(folder)\"") } }
        let run = try sandbox.shell(Sbfs.bound + "'\(Sbfs.binary)' check", exits: 1)
        for folder in folders {
            #expect(
                run.lines.contains { $0.hasPrefix("error: \(folder): cannot ") && $0.hasSuffix(": Permission denied") },
                "\(folder) \(run)")
        }
        #expect(run.err.contains("1 item: 5 errors"), "\(run)")
    }

    @Test func `items that is a symbolic link is named as one`() throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("One.", title: "One")
        try sandbox.shell("cd \"$SBFS_LIBRARY\" && mv items elsewhere && ln -s elsewhere items")
        let run = try sandbox.sbfs("check", exits: 1)
        #expect(run.lines.contains("error: items: is a symbolic link, not a folder; it is not followed"), "\(run)")
        #expect(run.err.contains("0 items: 1 error"), "\(run)")
        let list = try sandbox.sbfs("list", exits: nil)
        #expect(!list.err.contains("Too many levels"), "\(list)")
    }

    @Test func `a file that may not be read is named`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("plan.txt", "abc")
        let plan = try #require(try sandbox.sbfs("add", "plan.txt").lines.first)
        let snippet = try sandbox.snippet("One.", title: "One")
        for path in [sandbox.folder(snippet) + "/text.md", sandbox.folder(plan) + "/document/plan.txt"] {
            try sandbox.shell("chmod 000 '\(sandbox.scratch.full(path))'")
        }
        let run = try sandbox.shell(Sbfs.bound + "'\(Sbfs.binary)' check", exits: 1)
        #expect(run.out.contains("/text.md: may not be read, so search does not find its words"), "\(run)")
        #expect(run.out.contains("/document/plan.txt: may not be read"), "\(run)")
        #expect(run.err.contains("2 items: 2 errors"), "\(run)")
    }
}
