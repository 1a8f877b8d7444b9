import Files
import TestSupport
import Testing
import Time

@testable import Items
@testable import sbfs

/// The repairs of `check --repair`, and nothing beyond them.
struct RepairTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private func findings(readsData: Bool = false) throws -> [Finding] {
        try Check(library.store, readsData: readsData).run().findings
    }

    /// Makes the repair of the only finding, and checks again.
    private func repair(readsData: Bool = false) throws -> (offer: String, left: [Finding]) {
        let found = try findings(readsData: readsData)
        let repair = try #require(found.first?.repair)
        #expect(found.count == 1)
        _ = try library.session.repair(repair)
        return (repair.wording, try findings(readsData: readsData))
    }

    @Test func `an item in the wrong shard moves to its own`() throws {
        let id = ItemID(high: 7, low: 0xAB)
        try library.scratch.write("items/00/\(id)/item.json", "{\"title\": \"x\"}")
        try library.scratch.write("items/00/\(id)/assets/a", "a")
        let (offer, left) = try repair()
        #expect(offer == "move it to items/ab/\(id)")
        #expect(left.isEmpty)
        #expect(try library.scratch.text("items/ab/\(id)/assets/a") == "a")
        #expect(try library.scratch.names("items/00").isEmpty)
    }

    @Test func `an item in two shards is named and offers no repair`() throws {
        let id = try library.put("{}", id: ItemID(high: 7, low: 0xAB))
        try library.scratch.write("items/00/\(id)/item.json", "{}")
        let found = try findings()
        #expect(found.map(\.wording) == ["is in items/ab/\(id) too; sbfs changes neither until one is removed"])
        #expect(found.first?.repair == nil)
        #expect(throws: ItemError.self) {
            _ = try library.session.repair(.moveToShard(folder: "items/00/\(id)", id: id))
        }
        #expect(library.scratch.exists("items/00/\(id)/item.json"))
    }

    @Test func `a folder in upper case beside that of its id is named with what to do, and offers no repair`() throws {
        let id = ItemID(high: 0xABCD, low: 0xAB)
        try library.scratch.write("items/ab/\(id.description.uppercased())/item.json", "{}")
        try library.scratch.write("items/ab/\(id)/item.json", "{}")
        let found = try findings()
        #expect(found.count == 1 && found.first?.repair == nil)
        #expect(found.first?.wording.contains("and items/ab/\(id) is the item of this id") == true)
    }

    @Test func `a folder in upper case gets its name in lower case`() throws {
        let id = ItemID(high: 0xABCD, low: 0xAB)
        try library.scratch.write("items/ab/\(id.description.uppercased())/item.json", "{}")
        let found = try findings()
        #expect(found.map(\.wording) == ["the folder's name is not in lower case, so it is not an item"])
        let (_, left) = try repair()
        #expect(left.isEmpty)
        #expect(try library.scratch.names("items/ab") == [id.description])
    }

    @Test(arguments: [true, false])
    func `a copied folder gets an id of its own, the original keeps its`(_ isNamedByUUID: Bool) throws {
        let id = ItemID(high: 7, low: 0xAB)
        let text = "{\"id\": \"\(id)\", \"title\": \"x\", \"mine\": 1.0}"
        try library.put(text, id: id)
        let copy = isNamedByUUID ? ItemID(high: 8, low: 0xAB).description : "\(id) copy"
        try library.scratch.write("items/ab/\(copy)/item.json", text)
        try library.scratch.write("items/ab/\(copy)/text.md", "text")
        let (offer, left) = try repair()
        #expect(offer == "give it an id of its own")
        #expect(left.isEmpty)
        #expect(!library.scratch.exists("items/ab/\(copy)"))
        #expect(try library.scratch.text("items/ab/\(id)/item.json") == text)
        let ids = try library.store.shards().names.flatMap { try library.store.shard($0).ids }
        #expect(ids.count == 2)
        let other = try #require(ids.first { $0 != id })
        let item = try library.item(other)
        #expect(item.item.title == "x")
        #expect(try library.store.text(of: item) == Array("text".utf8))
        #expect(try library.text(item, "item.json").contains("\"mine\": 1.0"))
    }

    @Test(arguments: ["{", "[1, 2]"])
    func `a copy whose item.json cannot be used stays as it is`(_ text: String) throws {
        try library.scratch.write("items/ab/copy/item.json", text)
        let repair = try #require(try findings().first?.repair)
        #expect(throws: ItemError.self) { _ = try library.session.repair(repair) }
        #expect(try library.scratch.text("items/ab/copy/item.json") == text)
    }

    @Test func `a tombstone whose item lives is removed`() throws {
        let stored = try library.add()
        try library.scratch.write(Layout.tombstone(stored.id), "{\"purgedAt\": \"2026-11-21T10:15:00Z\"}")
        let (offer, left) = try repair()
        #expect(offer == "remove the tombstone")
        #expect(left.isEmpty)
        #expect(!library.scratch.exists(Layout.tombstone(stored.id)))
        #expect(try library.store.item(stored.id) != nil)
    }

    @Test func `a tombstone of an item that is gone stays`() throws {
        try library.scratch.write(Layout.tombstone(.make()), "{\"purgedAt\": \"2026-11-21T10:15:00Z\"}")
        #expect(try findings().isEmpty)
    }

    @Test func `a document that was changed on purpose is recorded`() throws {
        let stored = try library.add { $0.documentPath = library.scratch.full("library.json") }
        try library.write(stored, "document/library.json", "edited")
        let (offer, left) = try repair(readsData: true)
        #expect(offer == "record the document as it is now")
        #expect(left.isEmpty)
        #expect(try library.item(stored.id).item.documentSHA256 == SHA256.hex(Array("edited".utf8)))
        #expect(try library.text(stored, "document/library.json") == "edited")
    }

    @Test func `a repair of an entry that is gone is refused`() throws {
        #expect(throws: ItemError.self) { _ = try library.session.repair(.recordHash(.make(), sha256: "")) }
        #expect(throws: ItemError.self) { _ = try library.session.repair(.removeTombstone(.make())) }
        #expect(throws: ItemError.self) { _ = try library.session.repair(.newID(folder: "items/00/absent")) }
        #expect(throws: ItemError.self) {
            _ = try library.session.repair(.moveToShard(folder: "items/00/absent", id: .make()))
        }
    }
}
