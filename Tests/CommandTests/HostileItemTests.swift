import Glibc
import TestSupport
import Testing

/// Items that a hostile replica may bring: reported, never followed, and nothing else is affected.
struct HostileItemTests {
    static let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
    static let folder = "items/c4/" + id
    static let itemFile = folder + "/item.json"

    struct Trap: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Sets the trap.
        let lay: @Sendable (Sandbox) throws -> Void
        /// The line of `check`.
        let says: String
    }

    /// Shell in the library's folder.
    private static func trap(_ name: String, _ script: String, says: String) -> Trap {
        Trap(
            testDescription: name,
            lay: { sandbox in
                try sandbox.shell("cd '\(sandbox.library)' && mkdir -p \(folder) && rm -f \(itemFile) && \(script)")
            }, says: says)
    }

    static let traps: [Trap] = [
        trap("FIFO", "mkfifo \(itemFile)", says: "item.json: it is a FIFO, not a regular file"),
        trap("folder", "mkdir \(itemFile)", says: "item.json: it is a folder, not a regular file"),
        trap("link out", "ln -s '../../../../home/secret' \(itemFile)", says: folder),
        trap("link to a device", "ln -s /dev/zero \(itemFile)", says: folder),
        trap(
            "100 MB of [", "head -c 100000000 /dev/zero | tr '\\0' '[' > \(itemFile)",
            says: "100000000 bytes are more than the limit"),
        trap(
            "deep nesting", "head -c 100000 /dev/zero | tr '\\0' '[' > \(itemFile)",
            says: "item.json:1:65: expected at most 64 nested levels"),
        trap(
            "NUL", "printf '{\"title\": \"a\\000b\"}' > \(itemFile)",
            says: "item.json:1:13: expected an escape such as \\u0000"),
        trap("NULs only", "head -c 4096 /dev/zero > \(itemFile)", says: "item.json:1:1: expected a JSON value"),
        trap(
            "invalid UTF-8", "printf '{\"title\": \"a\\377b\"}' > \(itemFile)",
            says: "item.json:1:13: expected valid UTF-8"),
        trap(
            "overlong UTF-8", "printf '{\"title\": \"\\300\\257\"}' > \(itemFile)",
            says: "item.json:1:12: expected valid UTF-8"),
        trap(
            "path upwards", "echo '{\"documentRelativePath\": \"../../x\"}' > \(itemFile)",
            says: "documentRelativePath: expected a path inside the item's folder, found \"../../x\""),
        trap(
            "absolute path", "echo '{\"htmlRelativePath\": \"/etc/passwd\"}' > \(itemFile)",
            says: "htmlRelativePath: expected a path inside the item's folder, found \"/etc/passwd\""),
        trap(
            "path with a NUL", "echo '{\"favicon\": \"a\\u0000b\"}' > \(itemFile)",
            says: "favicon: expected a path inside the item's folder"),
        trap(
            "document/ is a link",
            "echo '{\"documentRelativePath\": \"document/secret\"}' > \(itemFile) && ln -s ../../../../home \(folder)/document",
            says: "\(folder)/document: is a symbolic link, not a folder; it is not read or followed"),
        trap(
            "the document is a link",
            "echo '{}' > \(itemFile) && mkdir \(folder)/document && ln -s ../../../../../home/secret \(folder)/document/secret",
            says: "\(folder)/document/secret: is a symbolic link, not a document; it is not read or followed"),
        trap(
            "text.md is a link", "echo '{}' > \(itemFile) && ln -s ../../../../home/secret \(folder)/text.md",
            says: "\(folder)/text.md: is a symbolic link, not a regular file; it is not read or followed"),
        trap(
            "text.md is a FIFO", "echo '{}' > \(itemFile) && mkfifo \(folder)/text.md",
            says: "\(folder)/text.md: is a FIFO, not a regular file; it is not read or followed"),
        trap(
            "conflicts/ is a link", "echo '{}' > \(itemFile) && ln -s ../../../../home \(folder)/conflicts",
            says: "\(folder)/conflicts: is a symbolic link, not a folder; it is not read or followed"),
        trap(
            "the item is a link",
            "rmdir \(folder) && mkdir -p ../home/elsewhere && echo '{\"title\": \"top secret\"}' > ../home/elsewhere/item.json "
                + "&& ln -s ../../../home/elsewhere \(folder)",
            says: "\(folder): is a symbolic link, not an item's folder; it is not read or followed"),
        trap(
            "a shard is a link", "mkdir -p ../home/aa && ln -s ../../home/aa items/aa",
            says: "items/aa: not a shard"),
        trap("a newline in a name", "mkdir \"items/c4/a\nb\"", says: "items/c4/a\\nb: the folder's name is not a UUID"),
        trap(
            "a name that is not UTF-8", "echo '{}' > \(itemFile) && touch \"\(folder)/$(printf 'f\\377')\"",
            says: "the name is not UTF-8, so the file is not read"),
    ]

    private func sandbox() throws -> (Sandbox, String) {
        let sandbox = try Sandbox()
        try sandbox.scratch.write("home/secret", "top secret\n")
        return (sandbox, try sandbox.snippet("good", title: "Good"))
    }

    @Test(arguments: traps)
    func `each trap is named by check, and nothing else is affected`(trap: Trap) throws {
        let (sandbox, good) = try sandbox()
        try trap.lay(sandbox)
        let run = try sandbox.sbfs("check", "--notes", "--read-data", exits: nil)
        #expect(run.lines.contains { $0.contains(trap.says) }, "\(run)")
        let text =
            try sandbox.sbfs("list", "--json", "trashcan OR not trashcan").out
            + (try sandbox.sbfs("show", Self.id, exits: nil)).out
        #expect(text.contains(good))
        #expect(!text.contains("top secret"), "\(text)")
        try sandbox.sbfs("title", good, "Better")
        // No command leaves the library because of the trap.
        for words in [
            ["title", Self.id, "x"], ["append", Self.id, "x"], ["detach", Self.id, "document", "--yes"],
            ["trash", Self.id],
        ] {
            try sandbox.sbfs(words: words, exits: nil)
        }
        try sandbox.sbfs("purge", Self.id, "--now", "--yes", exits: nil)
        #expect(try sandbox.scratch.text("home/secret") == "top secret\n")
        let outside = try sandbox.scratch.names("home")
        #expect(Set(outside).isSubset(of: ["secret", "state", "elsewhere", "aa"]))
        #expect(try sandbox.ids("Better") == [good])
    }

    @Test(.enabled(if: Machine.runsAsRoot, "only root can make a device"))
    func `a device in an item's place is not read`() throws {
        let (sandbox, good) = try sandbox()
        try sandbox.shell("cd '\(sandbox.library)' && mkdir -p \(Self.folder) && mknod \(Self.itemFile) c 1 5")
        #expect(try sandbox.sbfs("check", exits: 1).out.contains("item.json: it is a device, not a regular file"))
        #expect(try sandbox.ids() == [good])
    }

    @Test func `a change that would make item json too large to be read is refused`() throws {
        let (sandbox, _) = try sandbox()
        // 62 nested arrays: canonical indentation makes 60 times as many bytes.
        let numbers = Array(repeating: "1", count: 200_000).joined(separator: ",")
        let nested = String(repeating: "[", count: 62) + numbers + String(repeating: "]", count: 62)
        try sandbox.plant(Self.id, "{\"title\":\"Deep\",\"x\":\(nested)}")
        let before = try sandbox.itemText(Self.id)
        let run = try sandbox.sbfs("tag", "add", Self.id, "q", exits: 1)
        #expect(run.err.contains("longer than 16777216 bytes, the most that is read; nothing was changed"), "\(run)")
        #expect(try sandbox.itemText(Self.id) == before)
        #expect(try sandbox.ids("Deep") == [Self.id])
    }

    @Test(arguments: [
        ("library.json", #""format": 1, "id": "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4""#, ["config", "name", "Mine"]),
        ("tags/a-ca978112.json", #""name": "a""#, ["tag", "colour", "a", "red"]),
        ("tags/a-ca978112.json", #""name": "a""#, ["tag", "rename", "a", "b"]),
        ("smart/a-ca978112.json", #""name": "a", "query": "x""#, ["smart", "rename", "a", "b"]),
    ])
    func `a change that would make a file beside the items too large to be read is refused`(
        _ path: String, members: String, words: [String]
    ) throws {
        let (sandbox, good) = try sandbox()
        try sandbox.sbfs("tag", "add", good, "a")
        let numbers = Array(repeating: "1", count: 20_000).joined(separator: ",")
        let nested = String(repeating: "[", count: 60) + numbers + String(repeating: "]", count: 60)
        try sandbox.scratch.write("library/" + path, "{\(members), \"x\": \(nested)}")
        let before = try sandbox.scratch.text("library/" + path)
        let run = try sandbox.sbfs(words: words, exits: 1)
        #expect(run.err.contains(path + ": the change would make the file longer than 1048576 bytes"), "\(run)")
        #expect(try sandbox.scratch.text("library/" + path) == before)
        #expect(try sandbox.ids() == [good])
    }

    @Test func `attaching to an item whose document folder leads outside changes nothing there`() throws {
        let (sandbox, _) = try sandbox()
        try sandbox.plant(Self.id, "{}")
        try sandbox.scratch.link("library/\(Self.folder)/document", to: sandbox.home)
        try sandbox.file("a.txt")
        let run = try sandbox.sbfs("attach", Self.id, "a.txt", exits: 1)
        #expect(run.err.contains(Self.folder + "/document"))
        #expect(!sandbox.scratch.exists("home/a.txt"))
    }

    @Test func `names of 255 bytes are kept and shown`() throws {
        let (sandbox, _) = try sandbox()
        try sandbox.plant(Self.id, "{}")
        let name = String(repeating: "ä", count: 125) + ".pdf" + "x"
        #expect(name.utf8.count == 255)
        try sandbox.scratch.write("library/\(Self.folder)/document/\(name)", "x")
        #expect(try sandbox.sbfs("show", Self.id).lines.first == name)
        try sandbox.sbfs("title", Self.id, "Long")
        #expect(sandbox.scratch.exists("library/\(Self.folder)/document/\(name)"))
        try sandbox.sbfs("check")
    }
}
