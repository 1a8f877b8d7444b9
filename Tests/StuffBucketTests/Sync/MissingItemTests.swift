import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Items whose folders are gone on a device, as after its items/ was put back from a backup that lacks them.
struct MissingItemTests {
    @Test func `an item whose folder is gone is named by each sync until a repair brings it back`() throws {
        let (fleet, id) = try Fleet.withItem(["notes": "Mine."])
        let b = try fleet.add()
        #expect(try b.sync().missing.isEmpty)
        try FileManager.default.removeItem(atPath: b.scratch.full(b.path(id, "")))
        #expect(try b.sync().missing == [id])
        #expect(try b.sync().missing == [id])
        #expect(try fleet[0].sync().missing.isEmpty)
        #expect(try fleet[0].scratch.text(fleet[0].path(id, "notes")) == "Mine.")
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        _ = try b.library.repair(from: [.exchange(b.exchange)], worker)
        #expect(try b.sync().missing.isEmpty)
        try fleet.expectEqual()
    }

    @Test func `a document that the exchange lacks when its item comes back is named, asked for, and comes`() throws {
        let (fleet, id, object) = try removedPlan()
        let a = fleet[0], b = fleet[1]
        try FileManager.default.removeItem(atPath: object)
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        let report = try b.library.repair(from: [.exchange(b.exchange)], worker)
        #expect(report.broughtBack == [id])
        #expect(report.lost.map(\.path) == [Layout.itemFolder(id) + "/document/plan.txt"])
        #expect(report.lost.allSatisfy { $0.isMissing })
        #expect(try b.sync().left.contains { $0.path.hasPrefix("objects/") && $0.reason == .notHereYet })
        #expect(try b.status().unfinished.count == 1)
        try a.sync()
        #expect(FileManager.default.fileExists(atPath: object))
        #expect(try b.sync().left.isEmpty)
        #expect(try b.scratch.text(b.path(id, "document/plan.txt")) == "Sow in May.")
        #expect(try b.status().unfinished.isEmpty && b.sync().sent.isEmpty)
    }

    /// Two devices with one item that has a document; its folder is gone on the second one. With the document's object.
    private func removedPlan() throws -> (fleet: Fleet, id: ItemID, object: String) {
        let fleet = try Fleet(1)
        let id = try fleet[0].addPlan("Sow in May.")
        try fleet[0].sync()
        let b = try fleet.add()
        try FileManager.default.removeItem(atPath: b.scratch.full(b.path(id, "")))
        let hash = Items.ContentHash(of: Array("Sow in May.".utf8))
        return (fleet, id, fleet.path + "/" + ExchangeLayout.object(hash, .raw))
    }

    @Test func `a repair from an exchange with which the device never synced says so`() throws {
        let (fleet, _) = try Fleet.withItem()
        let b = try SyncDevice(from: fleet.path)
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        #expect(try b.library.repair(from: [.exchange(b.exchange)], worker).unsynced == [fleet.path])
        try b.sync()
        #expect(try b.library.repair(from: [.exchange(b.exchange)], worker).unsynced.isEmpty)
    }

    @Test func `a purged item whose tombstone a person removes comes back to other devices`() throws {
        let (fleet, id) = try Fleet.withItem()
        let a = fleet[0], b = try fleet.add()
        let (folder, backup) = ("'\(a.scratch.full(a.path(id, "")))'", "'\(a.scratch.full("backup"))'")
        try a.shell("cp -a \(folder) \(backup)")
        _ = try b.library.change("trash") { try $0.trash(b.stored(id)) }
        _ = try b.library.change("purge") { try $0.purge(b.stored(id)) }
        try fleet.settle()
        #expect(try a.library.store.item(id) == nil)
        try a.shell("cp -a \(backup) \(folder)")
        let report = try a.sync()
        #expect(report.broughtBack == [id], "\(report)")
        _ = try a.library.change("check") { try $0.repair(.removeTombstone(id)) }
        try fleet.settle()
        #expect(try b.stored(id).item.tags == a.stored(id).item.tags)
        #expect(try a.stored(id).text != nil && b.stored(id).text != nil)
        #expect(try a.sync().broughtBack.isEmpty && b.sync().broughtBack.isEmpty)
    }

    @Test func `a whole folder items that is gone is named, and a purged item is not`() throws {
        let (fleet, id) = try Fleet.withItem()
        let other = try fleet[0].library.change("add") { try $0.addSnippet("Other.") }
        try fleet[0].sync()
        let b = try fleet.add()
        _ = try b.library.change("trash") { try $0.trash(b.stored(other)) }
        _ = try b.library.change("purge") { try $0.purge(b.stored(other)) }
        #expect(try b.sync().missing.isEmpty)
        try FileManager.default.removeItem(atPath: b.scratch.full("library/items"))
        #expect(try b.sync().missing == [id])
    }
}
