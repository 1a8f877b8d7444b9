import Files
import TestSupport
import Testing

@testable import Items

/// Documents attached to and detached from items.
struct StoreDocumentTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private func source(_ name: String, _ text: String) throws -> String {
        try library.scratch.write("source/" + name, text)
        return library.scratch.full("source/" + name)
    }

    private func documents(_ stored: StoredItem) throws -> [String] {
        try library.scratch.names(stored.folder + "/document")
    }

    @Test func `a document is attached with name and hash`() throws {
        let stored = try library.add()
        try library.session.attach(try source("a.pdf", "a"), to: stored, isReplacing: false)
        let item = try library.item(stored.id)
        #expect(item.document?.name == "a.pdf")
        #expect(item.item.documentSHA256 == SHA256.hex([0x61]))
        #expect(try library.leftovers().isEmpty)
        #expect(try library.scratch.text("source/a.pdf") == "a")
    }

    @Test func `a second document is refused unless it replaces the first`() throws {
        let stored = try library.add()
        try library.session.attach(try source("a.pdf", "a"), to: stored, isReplacing: false)
        let first = try library.item(stored.id)
        #expect(throws: ItemError.self) {
            try library.session.attach(try source("b.pdf", "b"), to: first, isReplacing: false)
        }
        #expect(try documents(first) == ["a.pdf"])
        try library.session.attach(try source("b.pdf", "b"), to: first, isReplacing: true)
        let second = try library.item(stored.id)
        #expect(second.document?.name == "b.pdf")
        #expect(second.item.documentSHA256 == SHA256.hex([0x62]))
        #expect(try documents(second) == ["b.pdf"])
        try library.session.attach(try source("b.pdf", "newer"), to: second, isReplacing: true)
        #expect(try library.text(second, "document/b.pdf") == "newer")
        #expect(try documents(second) == ["b.pdf"])
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a document of the same size is of a later second, so that rsync carries it`() throws {
        let stored = try library.add()
        var last: Int64 = 0
        for text in ["one", "two", "six"] {
            try library.session.attach(
                try source("a.txt", text), to: try library.item(stored.id), isReplacing: last > 0)
            let status = try #require(try library.item(stored.id).document?.status)
            #expect(status.modified / 1_000_000_000 > last)
            last = status.modified / 1_000_000_000
        }
        #expect(try library.text(library.item(stored.id), "document/a.txt") == "six")
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a document with the same name in another normal form is replaced`() throws {
        let stored = try library.stored("{}")
        try library.write(stored, "document/e\u{301}.pdf", "old")
        let path = try source("\u{E9}.pdf", "new")
        try library.session.attach(path, to: try library.item(stored.id), isReplacing: true)
        let item = try library.item(stored.id)
        let name = try #require(item.document?.name)
        #expect(Array(name.unicodeScalars).first == "\u{E9}")
        #expect(try documents(item).count == 1)
        #expect(try library.text(item, "document/" + name) == "new")
    }

    @Test func `a document that was changed meanwhile is not replaced or removed`() throws {
        let stored = try library.add { $0.documentPath = try? source("a.pdf", "a") }
        try library.write(stored, "document/a.pdf", "by hand")
        try library.scratch.setModified(stored.folder + "/document/a.pdf", seconds: 1_000_000_000)
        #expect(throws: ItemError.self) {
            try library.session.attach(try source("a.pdf", "new"), to: stored, isReplacing: true)
        }
        #expect(throws: ItemError.self) { try library.session.detachDocument(from: stored) }
        #expect(try library.text(stored, "document/a.pdf") == "by hand")
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `an extra file with the document's name is not overwritten`() throws {
        let stored = try library.stored(#"{"documentRelativePath": "document/a.pdf"}"#)
        try library.write(stored, "document/a.pdf", "a")
        try library.write(stored, "document/b.pdf", "extra")
        do throws(ItemError) {
            let path = try? source("b.pdf", "new")
            try library.session.attach(path ?? "", to: try library.store.item(stored.id) ?? stored, isReplacing: true)
            Issue.record("replaced")
        } catch {
            guard case .refused(.besideDocument(stored.id, "document/b.pdf")) = error else { throw error }
        }
        #expect(try library.text(stored, "document/a.pdf") == "a")
        #expect(try library.text(stored, "document/b.pdf") == "extra")
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a file that cannot be copied leaves the item unchanged`() throws {
        let stored = try library.add()
        let before = try library.snapshot("items")
        for path in [library.scratch.full("absent"), library.scratch.full("items"), "/dev/null"] {
            #expect(throws: ItemError.self) { try library.session.attach(path, to: stored, isReplacing: false) }
        }
        #expect(try library.snapshot("items") == before)
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a document folder that is a link is not written through`() throws {
        let stored = try library.add()
        try library.scratch.makeDirectory("outside")
        try library.scratch.link(stored.folder + "/document", to: "../../../outside")
        #expect(throws: ItemError.self) {
            try library.session.attach(try source("a.pdf", "a"), to: stored, isReplacing: false)
        }
        #expect(try library.scratch.names("outside").isEmpty)
    }

    @Test func `detaching removes the file and its fields`() throws {
        let stored = try library.add { $0.documentPath = try? source("a\nb.pdf", "a") }
        #expect(stored.item.documentName == #"a\x0ab.pdf"#)
        try library.session.detachDocument(from: stored)
        let item = try library.item(stored.id)
        #expect(item.document == nil)
        #expect(
            item.item.documentRelativePath == nil && item.item.documentName == nil && item.item.documentSHA256 == nil)
        #expect(try documents(item).isEmpty)
        #expect(throws: ItemError.self) { try library.session.detachDocument(from: item) }
    }
}
