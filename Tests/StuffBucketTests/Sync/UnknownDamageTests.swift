import Files
import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Damage of files of which a device remembers nothing: its `.sbfs` is gone, or the exchange is another one.
/// Documentation/Exchange.md § 6.
struct UnknownDamageTests {
    private let worker: CaptureWorker
    private let fleet: Fleet
    private let id: ItemID
    private static let document = "document/plan.txt"

    init() throws {
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        fleet = try Fleet(1)
        let a = fleet[0]
        try a.scratch.write("plan.txt", "Sow in May.")
        id = try a.library.change("add") { try $0.addDocument(at: a.scratch.full("plan.txt")) }
        try a.sync()
        try fleet.add()
    }

    private func bytes(_ device: SyncDevice, _ name: String = document) throws -> String {
        try device.scratch.text(device.path(id, name))
    }

    private func loseMemory(_ device: SyncDevice) throws {
        try FileManager.default.removeItem(atPath: device.scratch.full("library/.sbfs"))
        try device.reopen()
    }

    private func edit() throws {
        try fleet[0].change(id) { $0.set(.title, .string("Plan")) }
        try fleet.settle()
    }

    @Test(arguments: [Damage.flipped, .cut])
    func `of a page of which no version tells, what other devices have tells damage`(_ damage: Damage) throws {
        let page = "page.html", whole = "<p>Bread of the house</p>"
        let (fleet, id) = try Fleet.withItem([page: whole])
        try fleet.add()
        let a = fleet[0], b = fleet[1]
        try #require(!a.scratch.exists(a.path(id, "history")))
        try loseMemory(a)
        try damage.happen(to: a.path(id, page), in: a.scratch)
        for _ in 0..<2 {
            #expect(try a.sync().damaged == [Layout.itemFolder(id) + "/" + page])
            try b.sync()
        }
        #expect(try b.scratch.text(b.path(id, page)) == whole)
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).repaired.count == 1)
        #expect(try a.scratch.text(a.path(id, page)) == whole)
        try fleet.settle()
        try fleet.expectEqual()
    }

    @Test(arguments: Damage.toldByItem, [false, true])
    func `a device that lost its memory does not write a damaged document, and repair brings it back`(
        _ damage: Damage, _ hasVersions: Bool
    ) throws {
        if hasVersions { try edit() }
        let a = fleet[0], b = fleet[1]
        try loseMemory(a)
        try damage.happen(to: a.path(id, Self.document), in: a.scratch)
        let rotten = try bytes(a)
        let path = Layout.itemFolder(id) + "/" + Self.document
        for _ in 0..<2 {
            #expect(try a.sync().damaged == [path])
            try b.sync()
        }
        #expect(try bytes(b) == "Sow in May.")
        #expect(try bytes(a) == rotten)
        try a.change(id) { $0.addTag("may") }
        _ = try a.sync()
        try b.sync()
        #expect(try b.stored(id).item.tags == ["may"] && bytes(b) == "Sow in May.")
        let report = try a.library.repair(from: [.exchange(a.exchange)], worker)
        #expect(report.repaired.map(\.path) == [path] && report.lost.isEmpty, "\(report)")
        #expect(try bytes(a) == "Sow in May.")
        #expect(try a.sync().damaged.isEmpty)
        try fleet.settle()
        try fleet.expectEqual()
        let check = try a.library.check(.data).run()
        #expect(check.findings.isEmpty, "\(check)")
    }

    /// An edit of one size is damage where a version tells of the document.
    @Test(arguments: [
        ("Sow in Mai.", false), ("Sow in May, and water it.", false), ("Sow in May, and water it.", true),
    ])
    func `an edit that leaves the time of the document arrives, and the other device keeps what it had`(
        _ text: String, _ hasVersions: Bool
    ) throws {
        if hasVersions { try edit() }
        let a = fleet[0], b = fleet[1]
        try loseMemory(b)
        // The new memory begins with what is there.
        _ = try b.library.find(ItemRequest(b.library.parse("").query))
        let path = b.path(id, Self.document)
        let modified = try b.scratch.directory().fileForWriting(path).status().modified
        try b.scratch.write(path, text)
        try b.scratch.directory().fileForWriting(path).setModified(modified)
        #expect(try b.sync().damaged.isEmpty)
        #expect(try a.sync().left.isEmpty)
        try a.change(id) { $0.addTag("may") }
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try b.stored(id).item.tags == ["may"])
        for device in [a, b] {
            #expect(try bytes(device) == text)
            let names = try device.library.store.names(in: Layout.itemFolder(id) + "/document")
            let kept = try #require(names.first { $0 != "plan.txt" })
            #expect(try bytes(device, "document/" + kept) == "Sow in May.")
        }
    }

    @Test(arguments: Damage.toldByItem, [false, true])
    func `a damaged document is written to no exchange`(_ damage: Damage, _ hasVersions: Bool) throws {
        if hasVersions { try edit() }
        let a = fleet[0]
        let second = ExchangeFolder(path: fleet.scratch.full("second"))
        _ = try a.library.makeExchange(at: second.path)
        try damage.happen(to: a.path(id, Self.document), in: a.scratch)
        let path = Layout.itemFolder(id) + "/" + Self.document
        for exchange in [a.exchange, second, a.exchange, second] {
            #expect(try a.library.sync(with: exchange, worker).damaged == [path])
        }
        let c = try SyncDevice(from: second.path)
        try c.sync()
        #expect(try c.library.store.item(id)?.document == nil)
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).repaired.count == 1)
        #expect(try a.library.sync(with: second, worker).damaged.isEmpty)
        try c.sync()
        #expect(try bytes(c) == "Sow in May.")
    }

    @Test func `a page of an item without versions that is damaged is written to no second exchange`() throws {
        let a = fleet[0]
        try a.save(id, "page.html", "<p>Bread of the house</p>")
        try a.sync()
        let second = ExchangeFolder(path: fleet.scratch.full("second"))
        _ = try a.library.makeExchange(at: second.path)
        try Damage.flipped.happen(to: a.path(id, "page.html"), in: a.scratch)
        #expect(try a.library.sync(with: second, worker).damaged == [Layout.itemFolder(id) + "/page.html"])
    }

    @Test func `a document that an editor saved, and that rotted later, is not written either`() throws {
        let a = fleet[0], b = fleet[1]
        try a.save(id, Self.document, "Sow in JUN.")
        try a.sync()
        try b.sync()
        try loseMemory(a)
        try Damage.flipped.happen(to: a.path(id, Self.document), in: a.scratch)
        for _ in 0..<2 {
            #expect(try a.sync().damaged == [Layout.itemFolder(id) + "/" + Self.document])
            try b.sync()
        }
        #expect(try bytes(b) == "Sow in JUN.")
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).repaired.count == 1)
        try fleet.settle()
        #expect(try bytes(a) == "Sow in JUN.")
        try fleet.expectEqual()
    }

    @Test func `a new file of the size of another device's is not damaged, and both are kept`() throws {
        let (fleet, id) = try Fleet.withItem()
        let (a, b, c) = (fleet[0], try fleet.add(), try fleet.add())
        try a.change(id) { $0.set(.title, .string("New")) }
        for (device, text) in [(b, "From b."), (c, "From c.")] {
            try device.save(id, "document/x.txt", text)
            // Another device's version is later.
            usleep(20_000)
        }
        for device in [a, c, b] + [a, c, b] + [a, c, b] { #expect(try device.sync().damaged.isEmpty) }
        try fleet.expectEqual()
        let texts = try a.scratch.names(a.path(id, "document")).map { try a.scratch.text(a.path(id, "document/" + $0)) }
        #expect(texts.sorted() == ["From b.", "From c."])
    }

    @Test(arguments: [false, true]) func `an edit in a copy without memory travels`(_ hasVersions: Bool) throws {
        if hasVersions { try edit() }
        let a = fleet[0], b = fleet[1]
        try loseMemory(a)
        try a.save(id, Self.document, "Sow in JUN.")
        #expect(try a.sync().damaged.isEmpty)
        try b.sync()
        #expect(try bytes(b) == "Sow in JUN.")
    }
}
