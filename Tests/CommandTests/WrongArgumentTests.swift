import Testing

/// A command with one wrong argument changes nothing; and which words of a line are items and which are tags.
struct WrongArgumentTests {
    let sandbox: Sandbox
    private let soup: String
    private let bread: String

    init() throws {
        sandbox = try Sandbox()
        soup = try sandbox.snippet("x", title: "Soup", tags: "old")
        bread = try sandbox.snippet("y", title: "Bread", tags: "old")
        try sandbox.sbfs("collection", "add", soup, "Work")
        try sandbox.sbfs("smart", "add", "All", "soup OR bread")
        try sandbox.sbfs("trash", bread)
        try sandbox.file("a.txt")
    }

    @Test(arguments: [
        "tag add Soup nobody x", "tag rm Soup nobody old", "tag set Soup nobody x",
        "collection add Soup nobody Home", "collection rm Soup nobody Work", "collection set Soup nobody Home",
        "tag delete old nosuch", "tag merge old nosuch new", "collection delete Work Nosuch", "smart rm All Nosuch",
        "trash Soup nobody", "restore Bread nobody", "pin Soup nobody", "unpin Soup nobody", "favorite Soup nobody",
        "unfavorite Soup nobody", "move Bread Soup nobody --first", "move Soup --before nobody",
        "title Soup nobody New",
        "set Soup nobody description=x", "set Soup description=x isPinned=perhaps", "append Soup nobody more",
        "attach Soup nobody a.txt", "attach Soup absent.txt", "detach Soup nobody text --yes",
        "purge Bread Soup --now --yes", "purge Bread nobody --now --yes", "archive Soup nobody", "favicon Soup nobody",
        "check-links Soup nobody", "edit Soup nobody", "restore-snapshot Soup nobody latest", "add a.txt absent.txt",
        "collection new Home 'a//b'", "trash Soup @9", "bulk --items Soup nobody", "tag add Soup Bread",
    ])
    func `nothing is changed`(line: String) throws {
        let before = try sandbox.snapshot()
        let run = try sandbox.shell("sbfs \(line) < /dev/null", exits: line == "tag add Soup Bread" ? 0 : nil)
        if line == "tag add Soup Bread" {
            // The last word is a tag, even if an item has that title.
            #expect(try sandbox.tags(soup) == ["old", "collection:Work", "Bread"])
            return
        }
        #expect(run.status != 0, "\(run)")
        // Without the files of this device.
        let changes = try sandbox.changes(since: before, in: "library").filter { !$0.hasPrefix("library/.sbfs") }
        #expect(changes.isEmpty, "\(changes) \(run)")
        #expect(!run.err.isEmpty && !run.err.contains("Fatal"))
    }

    @Test func `after an id, a row or a URL several words are several tags`() throws {
        try sandbox.sbfs("tag", "add", soup, "x", "y z", "u,v")
        #expect(try sandbox.tags(soup) == ["old", "collection:Work", "x", "y z", "u", "v"])
        try sandbox.sbfs("tag", "rm", String(soup.suffix(8)), "x", "y z")
        #expect(try sandbox.tags(soup) == ["old", "collection:Work", "u", "v"])
        try sandbox.shell("sbfs list -s title > list && sbfs tag set @1 one two")
        #expect(try sandbox.tags(soup) == ["collection:Work", "one", "two"])
        let link = try sandbox.link("https://example.org/a", title: "A link")
        try sandbox.sbfs("collection", "add", "https://example.org/a", soup, "Home", "Work/Ideas")
        #expect(try sandbox.tags(link) == ["collection:Home", "collection:Work/Ideas"])
        try sandbox.sbfs("tag", "add", "-", "p", "q", input: soup + "\n")
        try sandbox.sbfs("tag", "add", "-q", "type:link", "r", "s")
        #expect(try sandbox.tags(soup).suffix(2) == ["p", "q"])
        #expect(try sandbox.tags(link).suffix(2) == ["r", "s"])
    }

    @Test func `a word that could be an item or a tag is refused`() throws {
        try sandbox.snippet("z", title: "Winter")
        for words in [[soup, "Winter", "x"], [soup, "x", "Winter", "y"]] {
            let run = try sandbox.sbfs(words: ["tag", "add"] + words, exits: 2)
            #expect(
                run.err.contains("\"Winter\" is the name of an item, and could be a tag as well; nothing was changed"))
        }
        // After a title, only the last word is a tag.
        #expect(try sandbox.sbfs("tag", "add", "Soup", "x", "y", exits: 3).err.contains("nothing is named \"x\""))
        for last in ["@2", "-", Self.absent] {
            #expect(try sandbox.sbfs("tag", "add", soup, last, exits: 2).err.contains("\"\(last)\" names items"))
        }
        #expect(try sandbox.tags(soup) == ["old", "collection:Work"])
        // A year is a tag, and so is a word like the digits of an id that no item has.
        try sandbox.sbfs("tag", "add", soup, "2026", "20261121", "travel")
        #expect(try sandbox.tags(soup).suffix(3) == ["2026", "20261121", "travel"])
        // The last word is a tag, whatever items have that title.
        try sandbox.sbfs("tag", "add", soup, "Winter")
        #expect(try sandbox.tags(soup).last == "Winter")
    }

    private static let absent = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"

    /// Mostly a variable of the shell without a value.
    @Test func `an empty argument is refused, and never means all items`() throws {
        let before = try sandbox.snapshot()
        for words in [
            ["list", ""], ["list", "soup", " "], ["recent", ""], ["search", ""], ["search", "soup", ""], ["show", ""],
            ["show", "Soup", "\t"], ["trash", ""], ["restore", ""], ["purge", ""], ["export", ""], ["tags", ""],
            ["collections", ""], ["stats", ""], ["bulk", ""], ["pick", ""], ["tag", "add", "Soup", ""],
            ["tag", "rm", "Soup", ""], ["tag", "rename", "", "x"], ["archive", ""], ["check-links", ""], ["open", ""],
            ["read", ""], ["help", ""], ["new", ""], ["add", ""], ["import", ""], ["reindex", ""],
            ["smart", "add", "X", ""],
        ] {
            let run = try sandbox.sbfs(words: words, exits: 2)
            #expect(run.err.contains("is empty; leave it out") || run.err.contains("takes no"), "\(words): \(run)")
            #expect(run.out.isEmpty, "\(words): \(run)")
        }
        for words in [
            ["show", "-q", ""], ["trash", "--query", " "], ["tag", "add", "x", "-q", ""], ["open", "-q", ""],
            ["read", "--query="], ["path", "-q", ""], ["title", "-q", "", "x"], ["export", "-o", ""],
            ["--library", "", "list"],
            ["export", "--full", ""], ["import", "--from", ""], ["list", "--sort", ""],
        ] {
            let run = try sandbox.sbfs(words: words, exits: 2)
            #expect(run.err.contains("is empty; leave the option out"), "\(words): \(run)")
            #expect(run.out.isEmpty, "\(words): \(run)")
        }
        #expect(try sandbox.changes(since: before, in: "library").isEmpty)
        // Where an empty text means none, it stays so.
        try sandbox.sbfs("title", "Soup", "")
        try sandbox.sbfs("add", "https://example.org/", "--title", "", "--tag", "")
    }
}
