import Testing

/// `--dry-run` of every writing command reports what would be done and changes no byte.
struct DryRunTests {
    struct Line: CustomTestStringConvertible, Sendable {
        let words: [String]
        /// Part of the message; empty if none is expected.
        var says = "would "
        var testDescription: String { words.joined(separator: " ") }
    }

    static let lines: [Line] = [
        Line(words: ["init", "new-library"], says: "would make a library in new-library"),
        Line(words: ["add", "https://example.org/new", "--tag", "x"], says: "would add link"),
        Line(words: ["add", "https://example.org", "--tag", "x", "-m", "'note'"]),
        Line(words: ["add", "https://example.org/trashed", "--restore"]),
        Line(words: ["add", "a.txt"], says: "would add document"),
        Line(words: ["add", "-"], says: "would add snippet"), Line(words: ["add", "--input", "list"], says: "2 added"),
        Line(words: ["append", "Note", "more"], says: "would change"),
        Line(words: ["attach", "Note", "a.txt"], says: "would change"),
        Line(words: ["attach", "Note", "https://example.org"], says: "would change"),
        Line(words: ["attach", "Note", "-", "--replace"], says: "would change"),
        Line(words: ["title", "Note", "New"], says: "would change"),
        Line(words: ["title", "-q", "tag:food", ""], says: "would change"),
        Line(words: ["set", "Note", "isPinned=true"], says: "would change"),
        Line(words: ["tag", "add", "Note", "x"], says: "would change"),
        Line(words: ["tag", "rm", "Note", "food"], says: "would change"),
        Line(words: ["tag", "set", "Note", ""], says: "would change"),
        Line(words: ["collection", "add", "Note", "x"], says: "would change"),
        Line(words: ["collection", "rm", "Note", "Work"], says: "would change"),
        Line(words: ["collection", "set", "Note", "x"], says: "would change"),
        Line(words: ["pin", "Note"], says: "would change"), Line(words: ["favorite", "Note"], says: "would change"),
        Line(words: ["move", "Note", "--last"], says: "would change"),
        Line(words: ["tag", "rename", "food", "meals"], says: "would change"),
        Line(words: ["tag", "merge", "food", "drinks"], says: "would change"),
        Line(words: ["tag", "delete", "food"], says: "would change"),
        Line(words: ["tag", "colour", "food", "red"], says: "would set"),
        Line(words: ["collection", "new", "Garden"], says: "would make"),
        Line(words: ["collection", "rename", "Work", "Job"], says: "would change"),
        Line(words: ["collection", "move", "Work", "--into", "Home"], says: "would change"),
        Line(words: ["collection", "delete", "Work"], says: "would change"),
        Line(words: ["collection", "icon", "Work", "x"], says: "would set"),
        Line(words: ["smart", "add", "Soups", "soup"], says: "would keep"),
        Line(words: ["smart", "rename", "Today", "Now"], says: "would rename"),
        Line(words: ["smart", "rm", "Today"], says: "would remove"),
        Line(words: ["trash", "Note"], says: "would change"),
        Line(words: ["undo"], says: "would undo"),
        Line(words: ["undo", "3"], says: "would change"),
        Line(words: ["restore", "Old"], says: "would change"),
        Line(words: ["detach", "Note", "text"], says: "would change"),
        Line(words: ["purge", "Old", "--now"], says: "would purge"),
        Line(words: ["purge", "--now"], says: "would purge"),
        Line(words: ["purge"], says: ""), Line(words: ["config", "purgeDays", "30"], says: ""),
        Line(words: ["config", "purgeDays", "--unset"], says: ""), Line(words: ["config", "editor", "vim"], says: ""),
    ]

    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.file("a.txt")
        try sandbox.file("list", "https://example.org/1\nhttps://example.org/2\n")
        let id = try sandbox.snippet("text", title: "Note", tags: "food")
        try sandbox.sbfs("collection", "add", id, "Work")
        try sandbox.link("https://example.org", title: "Known")
        try sandbox.link("https://example.org/trashed", title: "Gone")
        try sandbox.snippet("old", title: "Old")
        try sandbox.sbfs("trash", "Old", "Gone")
        return sandbox
    }

    @Test(arguments: lines)
    func `a dry run changes not one byte`(line: Line) throws {
        let sandbox = try sandbox()
        let before = try sandbox.snapshot()
        for option in ["--dry-run", "-n"] {
            let run = try sandbox.sbfs(words: line.words + [option], input: Array("input\n".utf8))
            #expect(run.out.isEmpty)
            if !line.says.isEmpty { #expect(run.err.contains(line.says), "\(run)") }
        }
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `a dry run refuses the same as the real run`() throws {
        let sandbox = try sandbox()
        let before = try sandbox.snapshot()
        try sandbox.sbfs("add", "absent", "-n", exits: 1)
        try sandbox.sbfs("trash", "nobody", "-n", exits: 3)
        try sandbox.sbfs("config", "purgeDays", "0", "-n", exits: 1)
        try sandbox.sbfs("attach", "Note", "absent", "-n", exits: 1)
        try sandbox.sbfs("purge", "Old", "-n", exits: 1)
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `a dry run of append refuses an item in two places, and a text that would be too large`() throws {
        let sandbox = try sandbox()
        let large = try sandbox.snippet("text", title: "Large")
        let text = sandbox.scratch.full(sandbox.folder(large)) + "/text.md"
        try sandbox.shell("head -c $((64 << 20)) /dev/zero | tr '\\0' x >'\(text)'")
        let id = try #require(try sandbox.sbfs("list", "--ids", "title:Note").lines.first), own = id.suffix(2)
        let other = own == "00" ? "01" : "00"
        try sandbox.shell("cd '\(sandbox.library)/items' && mkdir -p \(other) && cp -a \(own)/\(id) \(other)/\(id)")
        for name in [id, large] {
            let dry = try sandbox.sbfs("append", name, "more", "-n", exits: nil)
            let real = try sandbox.sbfs("append", name, "more", exits: nil)
            #expect(dry.status != 0 && dry.status == real.status && dry.err == real.err, "\(dry), \(real)")
        }
    }

    @Test func `a dry run refuses a file that would be too large, or none`() throws {
        let sandbox = try sandbox()
        try sandbox.sbfs("config", "maxFileSizeMB", "50")
        try sandbox.shell("truncate -s 51M large.bin && mkdir folder")
        try sandbox.sbfs("add", "large.bin", "-n", exits: 7)
        try sandbox.sbfs("add", "folder", "-n", exits: 1)
    }

    @Test func `a dry run of init refuses a folder that holds other files`() throws {
        let sandbox = try Sandbox(isLibraryMade: false)
        try sandbox.scratch.write("library/holiday.jpg", "x")
        try sandbox.sbfs("init", "--dry-run", exits: 1)
    }
}
