import Testing

struct ShowTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `show prints the fields and the text`() throws {
        let id = try sandbox.snippet("# Soup\n\nwith salt", tags: "food,Winter")
        let run = try sandbox.sbfs("show", id)
        #expect(run.lines.first == "Soup")
        #expect(run.out.contains("\nid          \(id)\n"))
        #expect(run.out.contains("\nkind        snippet\n"))
        #expect(run.out.contains("\ntags        food, Winter\n"))
        #expect(run.out.contains("\nfolder      \(sandbox.library)/items/\(id.suffix(2))/\(id)\n"))
        #expect(run.out.hasSuffix("\n\n# Soup\n\nwith salt\n"))
    }

    @Test func `show prints the link, the archive, the document and the state`() throws {
        try sandbox.file("scan.txt", "12345")
        let id = try sandbox.link("https://example.org/a")
        try sandbox.sbfs("attach", id, "scan.txt")
        try sandbox.sbfs(
            "set", id, "isPinned=yes", "isFavorite=1", "linkAuthor=Ann", "linkSite=Example", "description=About it")
        try sandbox.sbfs("trash", id)
        let out = try sandbox.sbfs("show", id).out
        for line in [
            "link        https://example.org/a", "archive     pending", "site        Example", "author      Ann",
            "document    scan.txt, 5 bytes", "about       About it",
            "state       pinned, favourite, in the trash since ",
        ] { #expect(out.contains("\n" + line), "\(line)") }
    }

    struct Archive: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let shown: String
    }

    @Test(arguments: [
        Archive(testDescription: "pending", shown: "pending; a page is saved locally"),
        Archive(testDescription: "full", shown: "archived: this page is saved locally"),
        Archive(testDescription: "partial", shown: "partial: this page is saved locally"),
        Archive(testDescription: "failed", shown: "failed; a page is saved locally"),
        Archive(testDescription: "", shown: "partial: this page is saved locally"),
    ])
    func `the archive's status is printed in words`(archive: Archive) throws {
        let id = try sandbox.link("https://example.org/a")
        try sandbox.scratch.write(sandbox.folder(id) + "/page.html", "<p>page")
        try sandbox.sbfs("set", id, "archiveStatus=\(archive.testDescription)")
        #expect(try sandbox.sbfs("show", id).out.contains("\narchive     \(archive.shown)\n"))
    }

    @Test func `several items are shown one after another`() throws {
        let one = try sandbox.snippet("one"), two = try sandbox.snippet("two")
        let run = try sandbox.sbfs("show", two, one, two)
        #expect(run.lines.filter { $0.hasPrefix("id ") } == ["id          \(two)", "id          \(one)"])
        #expect(try sandbox.sbfs("show", "--ndjson", one, two).stream().count == 2)
    }

    @Test func `a value that does not fit its field is reported`() throws {
        let id = try sandbox.snippet("x")
        try sandbox.plant(id, "{\n  \"isPinned\": \"yes\"\n}\n")
        #expect(
            try sandbox.sbfs("show", id).out.contains("item.json:2:15: isPinned: expected true or false, found \"yes\"")
        )
    }

    @Test func `text in item.json is shown as the item's text`() throws {
        let id = try sandbox.snippet("x")
        try sandbox.scratch.removeFile(sandbox.folder(id) + "/text.md")
        try sandbox.plant(id, #"{"textContent": "Line one\nLine two"}"#)
        #expect(try sandbox.sbfs("show", "Line one").out.hasSuffix("\n\nLine one\nLine two\n"))
    }

    @Test func `path prints the folder and the files in it`() throws {
        try sandbox.file("scan.txt")
        let id = try sandbox.snippet("text")
        try sandbox.sbfs("attach", id, "scan.txt")
        #expect(try sandbox.sbfs("path", id).out == sandbox.path(id, "").dropLast() + "\n")
        #expect(try sandbox.sbfs("path", id, "--item").out == sandbox.path(id, "item.json") + "\n")
        #expect(try sandbox.sbfs("path", id, "--text").out == sandbox.path(id, "text.md") + "\n")
        #expect(try sandbox.sbfs("path", id, "--document").out == sandbox.path(id, "document/scan.txt") + "\n")
    }

    @Test func `path is absolute however the library was named`() throws {
        let id = try sandbox.snippet("text")
        #expect(try sandbox.sbfs("--library", "../library", "path", id).out == sandbox.path(id, "").dropLast() + "\n")
    }

    @Test func `path of a file that is not there ends with 3`() throws {
        let id = try sandbox.link("https://example.org")
        for option in ["--text", "--document", "--page", "--reader"] {
            let run = try sandbox.sbfs("path", id, option, exits: 3)
            #expect(run.out.isEmpty)
            #expect(run.err.contains("\(id.suffix(8)) has no such file"))
        }
    }

    @Test func `read shows highlights and notes behind the text`() throws {
        let id = try sandbox.snippet("The text.", title: "Note")
        try sandbox.plant(
            id,
            #"{"title":"Note","annotations":["A note on all of it.",{"quote":"the words","note":"my thought"},{"quote":"alone"}]}"#
        )
        let shown = "Highlights and notes\n\nA note on all of it.\n\n> the words\n  my thought\n\n> alone\n"
        #expect(try sandbox.sbfs("read", id).out == "The text.\n\n" + shown)
        #expect(try !sandbox.sbfs("preview", id).out.contains("my thought"))
        let link = try sandbox.link("https://example.org/")
        #expect(try sandbox.sbfs("read", link, exits: 3).out.isEmpty)
        try sandbox.plant(link, #"{"linkURL":"https://example.org/","annotations":[{"quote":"alone"}]}"#)
        #expect(try sandbox.sbfs("read", link).out == "Highlights and notes\n\n> alone\n")
    }
}
