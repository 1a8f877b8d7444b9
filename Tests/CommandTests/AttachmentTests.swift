import Testing

struct AttachmentTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("text", title: "Note")
        try sandbox.file("scan.txt", "scan")
        try sandbox.file("other.txt", "other")
    }

    private func documents() throws -> [String] { try sandbox.scratch.names(sandbox.folder(id) + "/document") }

    @Test func `any item may hold a text, a link and a document`() throws {
        #expect(try sandbox.sbfs("attach", "Note", "scan.txt").err == "sbfs: attached to 1 item\n")
        try sandbox.sbfs("attach", "Note", "https://example.org")
        let item = try sandbox.item(id)
        #expect(item["type"] as? String == "snippet")
        #expect(item["linkURL"] as? String == "https://example.org")
        #expect(item["archiveStatus"] as? String == "pending")
        #expect(item["documentRelativePath"] as? String == "document/scan.txt")
        #expect(try sandbox.ids("has:text", "has:link", "has:document") == [id])
    }

    @Test func `a text is attached from standard input`() throws {
        let link = try sandbox.link("https://example.org")
        try sandbox.sbfs("attach", link, "-", input: "words\n")
        #expect(try sandbox.text(link) == "words\n")
        let run = try sandbox.sbfs(words: ["attach", link, "-"], input: [0xFF], exits: 1)
        #expect(run.err.contains("standard input is no UTF-8 text; save it to a file and attach that"))
    }

    struct Part: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let first: String
        let second: String
        let refusal: String
    }

    static let parts = [
        Part(
            testDescription: "the document", first: "scan.txt", second: "other.txt",
            refusal: "already has the document scan.txt; --replace replaces it"),
        Part(
            testDescription: "the link", first: "https://a.example", second: "https://b.example",
            refusal: "has the link https://a.example already; --replace replaces it"),
        Part(
            testDescription: "the text", first: "-", second: "-",
            refusal: "has a text already; use \"sbfs append\" or --replace"),
    ]

    @Test(arguments: parts)
    func `existing parts are only replaced on request, and the question names the item`(part: Part) throws {
        if part.first != "-" { try sandbox.sbfs("attach", id, part.first) }
        let before = try sandbox.snapshot()
        let refused = try sandbox.sbfs("attach", id, part.second, input: "new", exits: 1)
        #expect(refused.err.contains("\(id.suffix(8)) \(part.refusal)"))
        let alone = try sandbox.sbfs("attach", id, part.second, "--replace", input: "new", exits: 1)
        #expect(alone.err.contains("There is no terminal to ask on; --yes answers yes. Nothing was changed"))
        let kept = try sandbox.ask("attach", id, part.second, "--replace", typing: "n\n", input: "new", exits: 1)
        #expect(kept.terminal.contains("Replace \(part.testDescription) of \"Note\" (\(id.suffix(8)))? [y/N]"))
        #expect(kept.err.contains("nothing was changed"))
        #expect(try sandbox.changes(since: before).isEmpty)
        try sandbox.ask("attach", id, part.second, "--replace", typing: "yes\n", input: "new")
        switch part.second {
        case "-": #expect(try sandbox.text(id) == "new")
        case "other.txt": #expect(try documents() == ["other.txt"])
        default: #expect(try sandbox.item(id)["linkURL"] as? String == part.second)
        }
        #expect(try sandbox.sbfs("check", "--read-data").out.isEmpty)
    }

    @Test func `a document of the same name is replaced in place`() throws {
        try sandbox.sbfs("attach", id, "scan.txt")
        try sandbox.file("scan.txt", "new scan")
        try sandbox.sbfs("attach", id, "scan.txt", "--replace", "--yes")
        #expect(try documents() == ["scan.txt"])
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/document/scan.txt") == "new scan")
        #expect(try sandbox.sbfs("check", "--read-data").out.isEmpty)
    }

    @Test func `a word that is no file and no URL cannot be attached`() throws {
        #expect(try sandbox.sbfs("attach", id, "absent", exits: 1).err == "sbfs: absent is neither a URL nor a file\n")
        #expect(try sandbox.sbfs("attach", id, exits: 2).err.contains("attach needs an item and a file, a URL or -"))
    }

    @Test func `detach asks, names the item, and removes the part`() throws {
        try sandbox.sbfs("attach", id, "scan.txt")
        try sandbox.sbfs("attach", id, "https://example.org")
        let before = try sandbox.snapshot()
        for part in ["document", "link", "text"] {
            let alone = try sandbox.sbfs("detach", id, part, exits: 1)
            #expect(alone.err.contains("Take the \(part) out of \"Note\" (\(id.suffix(8)))?"))
            try sandbox.ask("detach", id, part, typing: "\n", exits: 1)
        }
        #expect(try sandbox.changes(since: before).isEmpty)
        #expect(try sandbox.sbfs("detach", id, "document", "--yes").err == "sbfs: took the document out of 1 item\n")
        try sandbox.sbfs("detach", id, "link", "-y")
        try sandbox.sbfs("detach", id, "text", "-y")
        let item = try sandbox.item(id)
        #expect(Set(item.keys) == ["id", "type", "title", "source", "createdAt", "updatedAt"])
        #expect(try documents().isEmpty)
        #expect(try sandbox.sbfs("check").out.isEmpty)
    }

    @Test func `the document can be copied out first, and nothing is overwritten`() throws {
        try sandbox.sbfs("attach", id, "scan.txt")
        try sandbox.scratch.makeDirectory("desk/out")
        let refused = try sandbox.sbfs("detach", id, "document", "--to", ".", "--yes", exits: 1)
        #expect(refused.err.contains("scan.txt: File exists"))
        #expect(try documents() == ["scan.txt"])
        try sandbox.sbfs("detach", id, "document", "--to", "out", "--yes")
        #expect(try sandbox.scratch.text("desk/out/scan.txt") == "scan")
        #expect(try documents().isEmpty)
    }

    @Test func `a part that an item lacks cannot be removed`() throws {
        #expect(try sandbox.sbfs("detach", id, "document", "--yes", exits: 1).err.contains("has no document"))
        #expect(try sandbox.sbfs("detach", id, "link", "--yes").err.contains("nothing to change"))
        #expect(
            try sandbox.sbfs("detach", id, "page", "--yes", exits: 2).err.contains("must be document, link or text"))
        #expect(try sandbox.sbfs("detach", id, "text", "--to", ".", exits: 2).err.contains("--to is for documents"))
    }

    @Test func `detaching a text that is not there changes nothing`() throws {
        let link = try sandbox.link("https://example.org")
        let before = try sandbox.itemText(link)
        let run = try sandbox.sbfs("detach", link, "text", "--yes", exits: nil)
        #expect(try sandbox.itemText(link) == before, "\(run)")
    }

    @Test func `a file that is dropped into the folder is the document at the next write`() throws {
        try sandbox.scratch.write(sandbox.folder(id) + "/dropped.pdf", "pdf")
        try sandbox.scratch.setModified(sandbox.folder(id) + "/dropped.pdf", seconds: 1_700_000_000)
        try sandbox.sbfs("title", id, "With a document")
        #expect(try documents() == ["dropped.pdf"])
        #expect(try sandbox.item(id)["documentRelativePath"] as? String == "document/dropped.pdf")
    }
}
