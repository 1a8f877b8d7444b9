import Testing

struct AddTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `a URL becomes a link that waits for its page`() throws {
        let run = try sandbox.sbfs(
            "add", "https://Example.org/a?b=c#d", "--tag", "swift, Language", "-c", "Work/Projects")
        let id = try #require(run.lines.first)
        let item = try sandbox.item(id)
        #expect(run.lines.count == 1)
        #expect(item["type"] as? String == "link")
        #expect(item["linkURL"] as? String == "https://Example.org/a?b=c#d")
        #expect(item["archiveStatus"] as? String == "pending")
        #expect(item["source"] as? String == "cli")
        #expect(try sandbox.tags(id) == ["swift", "Language", "collection:Work/Projects"])
    }

    @Test func `a link that is not to be archived has no archive status`() throws {
        let id = try #require(try sandbox.sbfs("add", "https://example.org", "--no-archive").lines.first)
        #expect(try sandbox.item(id)["archiveStatus"] == nil)
    }

    @Test func `a file becomes a document with its name, bytes and hash`() throws {
        try sandbox.file("Report 2026.txt", "abc")
        let id = try #require(try sandbox.sbfs("add", "Report 2026.txt").lines.first)
        let item = try sandbox.item(id)
        #expect(item["type"] as? String == "document")
        #expect(item["documentRelativePath"] as? String == "document/Report 2026.txt")
        #expect(
            item["documentSHA256"] as? String == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/document/Report 2026.txt") == "abc")
        #expect(try sandbox.scratch.text("desk/Report 2026.txt") == "abc")
    }

    @Test func `standard input becomes a snippet, byte for byte`() throws {
        let text = "# Soup\r\n\r\nwith salt"
        let id = try #require(try sandbox.sbfs("add", "-", "--title", "Dinner", input: text).lines.first)
        #expect(try sandbox.text(id) == text)
        #expect(try sandbox.title(id) == "Dinner")
        #expect(try sandbox.item(id)["type"] as? String == "snippet")
    }

    @Test func `text that is only a URL becomes a link, unless --type asks for a snippet`() throws {
        let link = try #require(try sandbox.sbfs("add", "-", input: "  https://example.org/x \n").lines.first)
        #expect(try sandbox.item(link)["linkURL"] as? String == "https://example.org/x")
        let text = try #require(
            try sandbox.sbfs("add", "-", "--type", "snippet", input: "https://example.org/x\n").lines.first)
        #expect(try sandbox.text(text) == "https://example.org/x\n")
    }

    @Test func `several things are added at once, in order`() throws {
        try sandbox.file("a.txt")
        let run = try sandbox.sbfs("add", "https://example.org", "a.txt", "-", "--tag", "new", input: "words")
        let kinds = try run.lines.map { try sandbox.item($0)["type"] as? String }
        #expect(kinds == ["link", "document", "snippet"])
        #expect(try sandbox.ids("tag:new") == Set(run.lines))
    }

    @Test func `if one name is wrong, nothing is added`() throws {
        try sandbox.file("a.txt")
        let run = try sandbox.sbfs("add", "missing.txt", "a.txt", "ftp://example.org/", exits: 1)
        #expect(run.lines.isEmpty)
        #expect(run.err.contains("missing.txt is neither a URL nor a file"))
        #expect(
            run.err.contains("ftp://example.org/: only http and https URLs") && run.err.contains("nothing was added"))
        #expect(try sandbox.ids().isEmpty)
    }

    @Test func `a list of names is read from a file or from standard input`() throws {
        try sandbox.file("doc.txt")
        try sandbox.file("list", "https://example.org/1\n\n  https://example.org/2 \ndoc.txt\nhttps://example.org/1\n")
        let run = try sandbox.sbfs("add", "--input", "list", "--tag", "many")
        #expect(run.err.contains("3 added, 1 known already"))
        #expect(try sandbox.ids("tag:many").count == 3)
        let piped = try sandbox.sbfs("add", "-i", "-", input: "https://example.org/1\nhttps://example.org/3")
        #expect(piped.err.contains("1 added, 1 known already"))
    }

    @Test func `a list names the line that cannot be added`() throws {
        try sandbox.file("list", "https://example.org/1\nhttps://\n")
        let run = try sandbox.sbfs("add", "--input", "list", exits: 4)
        #expect(run.err.contains("list:2: https://: only http and https URLs with a host"))
        #expect(try sandbox.sbfs("add", "--input", "absent", exits: 1).err.contains("cannot open absent"))
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://a.b/", "mailto:a@b.c", "http://",
    ])
    func `a URL that is not http or https is refused`(url: String) throws {
        let run = try sandbox.sbfs("add", url, exits: 1)
        #expect(run.err.contains("\(url): only http and https URLs with a host can be kept as links"))
        #expect(run.out.isEmpty)
        #expect(try sandbox.ids().isEmpty)
    }

    @Test func `binary standard input is refused and nothing is written`() throws {
        for bytes: [UInt8] in [[0x50, 0x4B, 0x00, 0x01], [0x66, 0xFF, 0x66]] {
            let run = try sandbox.sbfs(words: ["add", "-"], input: bytes, exits: 1)
            #expect(run.err.contains("standard input is no UTF-8 text; to keep it as it is, add it as a file"))
        }
        #expect(try sandbox.sbfs("add", "-", exits: 1).err.contains("standard input is empty; nothing was added"))
        #expect(try sandbox.ids().isEmpty)
    }

    @Test func `anything but a regular file is refused`() throws {
        try sandbox.scratch.makeDirectory("desk/folder")
        try sandbox.scratch.makeFIFO("desk/pipe")
        #expect(try sandbox.sbfs("add", "folder", exits: 1).err.contains("folder: it is a folder, not a regular file"))
        #expect(try sandbox.sbfs("add", "pipe", exits: 1).err.contains("pipe: it is a FIFO, not a regular file"))
        #expect(try sandbox.ids().isEmpty)
    }

    @Test func `for a name that looks like a host, the error says how to write a link`() throws {
        let run = try sandbox.sbfs("add", "example.org/page", exits: 1)
        #expect(
            run.err.contains("example.org/page is neither a URL nor a file; for a link write https://example.org/page"))
    }

    @Test func `default tags come first`() throws {
        try sandbox.sbfs("config", "defaultTags", "inbox, New")
        let id = try sandbox.snippet("x", tags: "a,NEW")
        #expect(try sandbox.tags(id) == ["inbox", "New", "a"])
    }

    @Test func `names that are hard on disks are kept`() throws {
        let long = String(repeating: "a", count: 250) + ".pdf"
        let names = ["-dash.txt", "a\nb.txt", long, "café.txt"]
        for name in names { try sandbox.file(name) }
        let run = try sandbox.sbfs(words: ["add", "--"] + names)
        let items = try run.lines.map { try sandbox.item($0) }
        #expect(
            items.map { $0["documentRelativePath"] as? String } == [
                "document/-dash.txt", "document/a_b.txt", "document/" + String(repeating: "a", count: 196) + ".pdf",
                "document/café.txt",
            ])
        #expect(items.map { $0["documentName"] as? String } == [nil, "a\\x0ab.txt", long, nil])
        #expect(try sandbox.sbfs("check", "--portable").out.isEmpty)
    }

    @Test(arguments: [".hidden", "draft~", "#note#", "notes.tmp", "a.sync-conflict-1.md"])
    func `a file that looks temporary is stored under a name that does not`(name: String) throws {
        try sandbox.file(name)
        let id = try #require(try sandbox.sbfs("add", name).lines.first)
        #expect(try sandbox.item(id)["documentName"] as? String == name)
        #expect(try sandbox.ids("has:document") == [id])
        // Even without any field in item.json.
        try sandbox.plant(id, "{}")
        #expect(try sandbox.ids("has:document") == [id])
    }
}
