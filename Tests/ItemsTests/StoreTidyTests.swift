import Files
import Glibc
import TestSupport
import Testing

@testable import Items

/// The first write after a person's edit tidies: textContent, and loose files.
struct StoreTidyTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private func update(_ stored: StoredItem) throws {
        var edit = ItemEdit(base: stored.json)
        edit.set(.title, .string("new"))
        try library.session.update(stored, edit)
    }

    @Test func `textContent alone moves to text.md, byte for byte`() throws {
        let stored = try library.stored(#"{"textContent": "line\r\nlast é"}"#)
        try update(stored)
        #expect(try library.text(stored, "text.md") == "line\r\nlast é")
        #expect(try library.item(stored.id).item.textContent == nil)
        #expect(try library.conflicts(stored).isEmpty)
    }

    @Test func `textContent that is being changed is kept as it is wanted, and moves with the next change`() throws {
        let stored = try library.stored(#"{"textContent": "old"}"#)
        var edit = ItemEdit(base: stored.json)
        edit.set(.textContent, .string("new"))
        try library.session.update(stored, edit)
        let changed = try library.item(stored.id)
        #expect(changed.item.textContent == "new")
        try update(changed)
        #expect(try library.text(stored, "text.md") == "new")
        #expect(try library.conflicts(stored).isEmpty)
    }

    @Test func `textContent that equals text.md is dropped`() throws {
        let stored = try library.stored(#"{"textContent": "same"}"#)
        try library.write(stored, "text.md", "same")
        try update(try library.item(stored.id))
        #expect(try library.text(stored, "text.md") == "same")
        #expect(try library.item(stored.id).item.textContent == nil)
        #expect(try library.conflicts(stored).isEmpty)
    }

    @Test func `textContent that differs goes to conflicts, text.md wins`() throws {
        let stored = try library.stored(#"{"textContent": "old"}"#)
        try library.write(stored, "text.md", "new")
        try update(try library.item(stored.id))
        #expect(try library.text(stored, "text.md") == "new")
        #expect(try library.item(stored.id).item.textContent == nil)
        #expect(try library.conflicts(stored) == ["old"])
    }

    @Test func `a text.md that appeared since the item was read wins, and textContent is kept`() throws {
        let stored = try library.stored(#"{"textContent": "old"}"#)
        try library.write(stored, "text.md", "new")
        try update(stored)
        #expect(try library.text(stored, "text.md") == "new")
        #expect(try library.conflicts(stored) == ["old"])
    }

    @Test func `textContent stays if text.md is a link or a FIFO`() throws {
        let first = try library.stored(#"{"textContent": "precious"}"#)
        try library.scratch.link(first.folder + "/text.md", to: "nowhere")
        let second = try library.stored(#"{"textContent": "precious"}"#)
        try library.scratch.makeFIFO(second.folder + "/text.md")
        for stored in [first, second] {
            try update(try library.item(stored.id))
            let item = try library.item(stored.id)
            #expect(item.item.title == "new")
            #expect(item.item.textContent == "precious")
        }
        #expect(!library.scratch.exists(first.folder + "/nowhere"))
    }

    @Test func `textContent that was changed since the item was read is not dropped`() throws {
        let stored = try library.stored(#"{"textContent": "old"}"#)
        try library.write(stored, "item.json", #"{"textContent": "newer"}"#)
        try update(stored)
        #expect(try library.item(stored.id).item.textContent == "newer")
        #expect(try library.text(stored, "text.md") == "old")
    }

    /// As if the file had been written long ago.
    private func settle(_ stored: StoredItem, _ name: String) throws {
        try library.scratch.setModified(stored.folder + "/" + name, seconds: 1_700_000_000)
    }

    @Test func `a loose file that was just written waits`() throws {
        let stored = try library.stored("{}")
        try library.write(stored, "Paper.pdf", "content")
        try update(try library.item(stored.id))
        #expect(try library.item(stored.id).document?.path == "Paper.pdf")
    }

    @Test func `a loose file becomes the document`() throws {
        let stored = try library.stored("{}")
        try library.write(stored, "Paper.pdf", "content")
        try settle(stored, "Paper.pdf")
        let loose = try library.item(stored.id).document
        #expect(loose?.name == "Paper.pdf" && loose?.path == "Paper.pdf")
        try update(try library.item(stored.id))
        let item = try library.item(stored.id)
        #expect(item.document?.name == "Paper.pdf" && item.document?.path == "document/Paper.pdf")
        #expect(item.item.documentRelativePath == "document/Paper.pdf")
        #expect(try library.text(stored, "document/Paper.pdf") == "content")
        #expect(try library.scratch.names(stored.folder) == ["document", "item.json"])
    }

    @Test(arguments: ["texts.md", "text.txt", "itemized.json", "textbook.md", "page.htm"])
    func `a name that only begins like one with a meaning is loose`(_ name: String) throws {
        let stored = try library.stored("{}")
        try library.write(stored, name, "x")
        try settle(stored, name)
        try update(try library.item(stored.id))
        #expect(try library.item(stored.id).document?.path == "document/" + name)
    }

    /// The program may be about to rename it.
    @Test func `a loose file that a program writes stays where it is until it is closed`() throws {
        let stored = try library.stored("{}")
        try library.write(stored, "Paper.pdf", "content")
        try settle(stored, "Paper.pdf")
        do {
            let file = try #require(fopen(library.scratch.full(stored.folder + "/Paper.pdf"), "a"))
            defer { fclose(file) }
            try update(try library.item(stored.id))
            #expect(try library.text(stored, "Paper.pdf") == "content")
            #expect(try library.item(stored.id).document?.path == "Paper.pdf")
        }
        try update(try library.item(stored.id))
        #expect(try library.item(stored.id).document?.path == "document/Paper.pdf")
    }

    @Test func `the file to which text.md leads is not adopted`() throws {
        let stored = try library.stored("{}")
        try library.write(stored, "real.md", "content")
        try library.scratch.link(stored.folder + "/text.md", to: "real.md")
        try update(try library.item(stored.id))
        #expect(try library.text(stored, "real.md") == "content")
    }

    @Test func `a loose file beside a document is left alone`() throws {
        let stored = try library.stored("{}")
        try library.write(stored, "document/a.pdf", "a")
        try library.write(stored, "b.pdf", "b")
        try update(try library.item(stored.id))
        #expect(try library.scratch.names(stored.folder) == ["b.pdf", "document", "item.json"])
        #expect(try library.scratch.names(stored.folder + "/document") == ["a.pdf"])
    }

    @Test func `of several loose files one is adopted and none is lost`() throws {
        let stored = try library.stored("{}")
        try library.write(stored, "b.pdf", "b")
        try library.write(stored, "a.pdf", "a")
        try update(try library.item(stored.id))
        #expect(try library.item(stored.id).document?.name == "a.pdf")
        #expect(try library.text(stored, "b.pdf") == "b")
    }

    @Test func `a loose file is replaced and removed like any document`() throws {
        let stored = try library.stored("{}")
        try library.write(stored, "a.pdf", "a")
        let other = library.scratch.full("other.pdf")
        try library.scratch.write("other.pdf", "other")
        #expect(throws: ItemError.self) {
            try library.session.attach(other, to: try library.item(stored.id), isReplacing: false)
        }
        #expect(try library.text(stored, "a.pdf") == "a")
        try library.session.attach(other, to: try library.item(stored.id), isReplacing: true)
        #expect(try library.item(stored.id).document?.path == "document/other.pdf")
        #expect(try library.scratch.names(stored.folder) == ["document", "item.json"])
        try library.session.detachDocument(from: try library.item(stored.id))
        try library.write(stored, "b.pdf", "b")
        try library.session.detachDocument(from: try library.item(stored.id))
        #expect(try library.item(stored.id).document == nil)
        #expect(!library.scratch.exists(stored.folder + "/b.pdf"))
    }

    @Test(arguments: [
        (#"{"documentRelativePath": "document/x"}"#, ["a.pdf"]), ("{}", ["a.pdf", "document/.b.part"]),
        ("{}", ["a.pdf", "document"]), ("{}", ["a.pdf", "document/b", "document/c"]),
    ])
    func `a loose file is not the document where another may be`(_ json: String, _ files: [String]) throws {
        let stored = try library.stored(json)
        for file in files { try library.write(stored, file, "x") }
        #expect(try library.item(stored.id).document == nil)
        try update(try library.item(stored.id))
        #expect(try library.text(stored, "a.pdf") == "x")
    }

    @Test(arguments: [
        "page.html", "reader.html", ".item.json.swp", "item.json~", "sedAb3dEf", "favicon.png", "x.part",
        "text.md.new", "text.md-new", "text.md.AbCdEf", "text 2.md", "text-LAPTOP.md", "text (conflict copy).md",
        "item.json.bak", "item-2.json", "page.html.orig", "reader.html.1",
    ])
    func `names with a meaning and temporary ones are not adopted`(_ name: String) throws {
        let stored = try library.stored("{}")
        try library.write(stored, name, "x")
        try settle(stored, name)
        try update(try library.item(stored.id))
        #expect(try library.text(stored, name) == "x")
        #expect(try library.item(stored.id).document == nil)
    }

    @Test func `links and folders are not adopted`() throws {
        let stored = try library.stored("{}")
        try library.scratch.link(stored.folder + "/link.pdf", to: "/etc/hostname")
        try library.scratch.makeDirectory(stored.folder + "/folder")
        try update(try library.item(stored.id))
        #expect(try library.scratch.names(stored.folder) == ["folder", "item.json", "link.pdf"])
    }
}
