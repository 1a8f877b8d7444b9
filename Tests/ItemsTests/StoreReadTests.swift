import Files
import TestSupport
import Testing
import Time

@testable import Items

/// Items written by hand.
struct StoreReadTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    @Test func `an item without an id has that of its folder`() throws {
        let stored = try library.stored(#"{"title": "by hand"}"#)
        #expect(stored.item.title == "by hand")
        #expect(stored.createdAt == stored.id.creation)
        #expect(stored.folder == Layout.itemFolder(stored.id))
    }

    @Test func `an id in upper case is the same id`() throws {
        let id = ItemID.make()
        try library.put("{\"id\": \"\(id.description.uppercased())\"}", id: id)
        #expect(try library.item(id).id == id)
    }

    @Test(arguments: [
        "\"0198c0de-1234-7abc-8def-0123456789ab\"", "\"\"", "5", "\"00000000-0000-0000-0000-000000000000\"",
    ])
    func `an id that contradicts the folder makes it no item`(_ spelling: String) throws {
        let id = try library.put("{\n \"id\": \(spelling)}")
        let error = #expect(throws: ItemError.self) { _ = try library.store.item(id) }
        guard case .fault(let path, let fault)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path.hasSuffix("/item.json"))
        #expect(fault.key == "id")
        #expect(fault.position.line == 2)
    }

    @Test(arguments: ["[]", "5", "null"])
    func `a file that holds no object makes it no item`(_ text: String) throws {
        let id = try library.put(text)
        #expect(throws: ItemError.self) { _ = try library.store.item(id) }
    }

    @Test func `a malformed file is reported with line and column`() throws {
        let id = try library.put("{\n  \"title\": \"x\",\n}")
        let error = #expect(throws: ItemError.self) { _ = try library.store.item(id) }
        #expect(
            error?.description.hasSuffix(
                "/item.json:3:1: expected a key in double quotes, found \"}\" after a trailing comma") == true)
    }

    @Test func `a folder without item.json is not here yet`() throws {
        let id = ItemID.make()
        #expect(try library.store.item(id) == nil)
        try library.scratch.write(Layout.itemFolder(id) + "/text.md", "x")
        #expect(try library.store.item(id) == nil)
    }

    @Test func `an item.json that is a link or a FIFO is not read or waited for`() throws {
        let (first, second) = (ItemID.make(), ItemID.make())
        try library.scratch.write("secret", "{}")
        try library.scratch.makeDirectory(Layout.itemFolder(first))
        try library.scratch.makeDirectory(Layout.itemFolder(second))
        try library.scratch.link(Layout.itemFolder(first) + "/item.json", to: "../../../secret")
        try library.scratch.makeFIFO(Layout.itemFolder(second) + "/item.json")
        #expect(throws: ItemError.self) { _ = try library.store.item(first) }
        #expect(throws: ItemError.self) { _ = try library.store.item(second) }
    }

    @Test func `an item in the wrong shard is found and updated there`() throws {
        let stored = try library.add { $0.title = "x" }
        let wrong = stored.id.shard == "00" ? "01" : "00"
        try library.scratch.makeDirectory("items/" + wrong)
        let folder = "items/\(wrong)/\(stored.id)"
        try library.scratch.rename(stored.folder, to: folder)
        let found = try library.item(stored.id)
        #expect(found.folder == folder)
        var edit = ItemEdit(base: found.json)
        edit.set(.title, .string("y"))
        #expect(try library.session.update(found, edit))
        #expect(try library.scratch.text(folder + "/item.json").contains("\"title\": \"y\""))
    }

    @Test func `text.md wins over textContent`() throws {
        let stored = try library.stored(#"{"textContent": "old"}"#)
        #expect(try library.store.text(of: stored) == Array("old".utf8))
        try library.write(stored, "text.md", "new")
        #expect(try library.store.text(of: library.item(stored.id)) == Array("new".utf8))
    }

    @Test func `the document is the only file in its folder, or the one that is named`() throws {
        let stored = try library.stored("{}")
        #expect(stored.document == nil)
        try library.write(stored, "document/b.pdf", "b")
        try library.write(stored, "document/.b.pdf.swp", "b")
        try library.scratch.makeDirectory(stored.folder + "/document/folder")
        #expect(try library.item(stored.id).document?.name == "b.pdf")
        #expect(try library.item(stored.id).kind == .document)
        try library.write(stored, "document/a.pdf", "a")
        #expect(try library.item(stored.id).document == nil)
        try library.write(stored, "item.json", #"{"documentRelativePath": "document/a.pdf"}"#)
        #expect(try library.item(stored.id).document?.name == "a.pdf")
        try library.write(stored, "item.json", #"{"documentRelativePath": "document/c.pdf"}"#)
        #expect(try library.item(stored.id).document == nil)
    }

    @Test(arguments: [
        "document/../../../../outside.pdf", "document/../text.md", "document/folder/c.pdf", "outside.pdf",
        "/etc/hostname",
        "../../../outside.pdf",
    ])
    func `a path in item json names nothing outside document`(path: String) throws {
        let stored = try library.stored("{\"documentRelativePath\": \"\(path)\"}")
        try library.scratch.write("outside.pdf", "outside")
        try library.write(stored, "text.md", "text")
        try library.write(stored, "document/folder/c.pdf", "c")
        #expect(try library.item(stored.id).document == nil)
        try library.write(stored, "document/a.pdf", "a")
        #expect(try library.item(stored.id).document?.name == "a.pdf")
    }

    @Test func `a document is named in either normal form`() throws {
        let stored = try library.stored("{\"documentRelativePath\": \"document/\u{E9}.pdf\"}")
        try library.write(stored, "document/e\u{301}.pdf", "x")
        try library.write(stored, "document/other.pdf", "x")
        let name = try library.item(stored.id).document?.name
        #expect(name.map { Array($0.unicodeScalars) } == ["e", "\u{301}", ".", "p", "d", "f"])
    }

    @Test func `a link to a document is no document`() throws {
        try library.scratch.write("outside/secret.pdf", "secret")
        let stored = try library.stored(#"{"documentRelativePath": "document/secret.pdf"}"#)
        try library.scratch.link(stored.folder + "/document", to: "../../../outside")
        #expect(try library.item(stored.id).document == nil)
        let other = try library.stored(#"{"documentRelativePath": "document/secret.pdf"}"#)
        try library.scratch.makeDirectory(other.folder + "/document")
        try library.scratch.link(other.folder + "/document/secret.pdf", to: "../../../../outside/secret.pdf")
        #expect(try library.item(other.id).document == nil)
    }

    @Test func `a blank title gives way to the text`() throws {
        let stored = try library.stored(#"{"title": "  ", "linkTitle": "Page"}"#)
        try library.write(stored, "text.md", "# First line\n")
        #expect(library.store.displayTitle(of: try library.item(stored.id)) == "First line")
    }

    @Test func `the effective time follows the files beside item.json`() throws {
        let stored = try library.stored(#"{"updatedAt": "2020-01-01T00:00:00Z", "createdAt": "3000-01-01T00:00:00Z"}"#)
        let now = Timestamp.now
        #expect(stored.createdAt <= now)
        let future = now.adding(seconds: 1000).milliseconds / 1000
        try library.write(stored, "text.md", "x")
        try library.scratch.setModified(stored.folder + "/item.json", seconds: 1_577_836_800)
        try library.scratch.setModified(stored.folder + "/text.md", seconds: Int(future))
        let later = try #require(
            try library.store.item(stored.id, in: stored.folder, now: now.adding(seconds: 2000)))
        #expect(later.effectiveUpdatedAt == Timestamp(milliseconds: future * 1000))
    }

    @Test func `shards list items in order, and strays separately`() throws {
        let ids = [ItemID(high: 2, low: 0), ItemID(high: 1, low: 0)]
        for id in ids { try library.put("{}", id: id) }
        try library.scratch.write("items/00/notes.txt", "x")
        try library.scratch.makeDirectory("items/00/not an id")
        try library.scratch.makeDirectory("items/XX")
        try library.scratch.link("items/11", to: "00")
        let (names, strays) = try library.store.shards()
        #expect(names == ["00"])
        #expect(strays.map(\.name.repaired).sorted() == ["11", "XX"])
        let shard = try library.store.shard("00")
        #expect(shard.ids == ids.reversed())
        #expect(shard.strays.map(\.name.repaired).sorted() == ["not an id", "notes.txt"])
    }
}
