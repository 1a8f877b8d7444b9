import Files
import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Files of a device that lost their bytes without having been saved: they do not travel. Documentation/Exchange.md § 6.
struct SyncDamageTests {
    private let worker: CaptureWorker
    private let fleet: Fleet
    private let id: ItemID
    private static let document = "document/plan.txt"
    private static let page = "page.html"
    private static let own = "own.txt"

    init() throws {
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        fleet = try Fleet(1)
        let a = fleet[0]
        id = try a.addPlan("Sow in May.")
        try a.save(id, Self.page, "<p>Bread of the house</p>")
        try a.save(id, Self.own, "Mine.")
        try a.sync()
        try fleet.add()
    }

    private func damage(_ device: SyncDevice, _ name: String, _ damage: Damage = .flipped) throws {
        try damage.happen(to: device.path(id, name), in: device.scratch)
    }

    @Test func `an exchange that has the good bytes of a damaged file is not emptied`() throws {
        let a = fleet[0]
        try damage(a, Self.document)
        try a.sync()
        let reset = try a.library.empty(a.exchange, worker)
        #expect(reset.losesFiles && !reset.isDone && reset.away == [id])
        let report = try a.library.repair(from: [.exchange(a.exchange)], worker)
        #expect(report.repaired.count == 1, "\(report)")
        #expect(try !a.library.empty(a.exchange, worker, .dry).losesFiles)
    }

    private func bytes(_ device: SyncDevice, _ name: String) throws -> String {
        try device.scratch.text(device.path(id, name))
    }

    /// Gives the item versions on both devices.
    private func edit() throws {
        try fleet[0].change(id) { $0.set(.title, .string("Plan")) }
        try fleet.settle()
    }

    /// Damages a file of the item on the first device.
    ///
    /// - Returns: both devices, and the file as it was.
    private func damage(
        _ name: String, _ hasVersions: Bool, _ kind: Damage = .flipped
    ) throws -> (a: SyncDevice, b: SyncDevice, whole: String) {
        if hasVersions { try edit() }
        let whole = try bytes(fleet[0], name)
        try damage(fleet[0], name, kind)
        return (fleet[0], fleet[1], whole)
    }

    @Test(arguments: [document, page, own], [(Damage.flipped, false), (.flipped, true), (.cut, false), (.cut, true)])
    func `a file whose bytes changed though nobody saved it does not travel, and repair brings it back`(
        _ name: String, _ how: (kind: Damage, hasVersions: Bool)
    ) throws {
        let (a, b, whole) = try damage(name, how.hasVersions, how.kind)
        let rotten = try bytes(a, name)
        let objects = try fleet.objects()
        for _ in 0..<2 {
            #expect(try a.sync().damaged == [Layout.itemFolder(id) + "/" + name])
            #expect(try b.sync().sent.isEmpty)
        }
        #expect(try fleet.objects() == objects)
        #expect(try bytes(a, name) == rotten)
        #expect(try bytes(b, name) == whole)
        let report = try a.library.repair(from: [.exchange(a.exchange)], worker)
        #expect(report.repaired.map(\.path) == [Layout.itemFolder(id) + "/" + name] && report.lost.isEmpty)
        #expect(try bytes(a, name) == whole)
        #expect(try a.sync().damaged.isEmpty && a.sync().sent.isEmpty)
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try bytes(b, name) == whole)
    }

    @Test(arguments: [document, page], [false, true]) func `a file that is empty now does not travel`(
        _ name: String, _ hasVersions: Bool
    ) throws {
        let (a, b, whole) = try damage(name, hasVersions, .emptied)
        #expect(try a.sync().damaged.count == 1)
        try b.sync()
        #expect(try bytes(b, name) == whole)
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).repaired.count == 1)
        #expect(try bytes(a, name) == whole)
        #expect(try a.sync().damaged.isEmpty)
    }

    @Test(arguments: [document, page], [false, true]) func `a change beside a damaged file travels without it`(
        _ name: String, _ hasVersions: Bool
    ) throws {
        let (a, b, whole) = try damage(name, hasVersions)
        try a.change(id) { $0.addTag("may") }
        #expect(try a.sync().damaged.count == 1)
        try b.sync()
        #expect(try b.stored(id).item.tags == ["may"])
        #expect(try bytes(b, name) == whole)
        try b.change(id) { $0.addTag("june") }
        try b.sync()
        #expect(try a.sync().damaged.count == 1)
        #expect(try a.stored(id).item.tags == ["may", "june"])
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).repaired.count == 1)
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try bytes(a, name) == whole)
    }

    @Test(arguments: [document, page])
    func `an edit from elsewhere does not replace a damaged file before it is mended`(
        _ name: String
    ) throws {
        try edit()
        let a = fleet[0], b = fleet[1]
        try damage(a, name)
        let rotten = try bytes(a, name)
        try b.save(id, name, "The edit of the second device.")
        try b.sync()
        #expect(try a.sync().damaged.count == 1)
        #expect(try bytes(a, name) == rotten)
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).repaired.count == 1)
        try fleet.settle()
        #expect(try bytes(a, name) == "The edit of the second device.")
        try fleet.expectEqual()
    }

    @Test(arguments: [false, true])
    func `a document that was cut replaces none without a word: the whole one stays beside it`(
        _ hasVersions: Bool
    ) throws {
        if hasVersions { try edit() }
        let a = fleet[0], b = fleet[1]
        let whole = String(repeating: "Sow in May.\n", count: 200)
        try a.save(id, Self.document, whole)
        try fleet.settle()
        try a.save(id, Self.document, String(whole.prefix(1024)))
        #expect(try a.sync().damaged.isEmpty)
        let report = try b.sync()
        #expect(report.taken.conflicted == [id])
        #expect(try bytes(b, Self.document) == whole.prefix(1024))
        try fleet.settle()
        for device in fleet.devices {
            let names = try device.scratch.names(device.path(id, "document")).filter { $0.contains(".conflict-") }
            #expect(names.count == 1)
            #expect(try names.allSatisfy { try bytes(device, "document/" + $0) == whole })
        }
        try fleet.expectEqual()
    }

    @Test(arguments: [document, page], [false, true])
    func `a file that was removed by hand is repaired after a sync, too`(
        _ name: String, _ hasVersions: Bool
    ) throws {
        let a = fleet[0], b = fleet[1]
        try a.change(id) { $0.set(.archiveStatus, .string("full")) }
        try fleet.settle()
        if !hasVersions {
            for device in fleet.devices {
                try FileManager.default.removeItem(atPath: device.scratch.full(device.path(id, "history")))
            }
        }
        let whole = try bytes(a, name)
        let objects = try fleet.objects()
        try a.scratch.removeFile(a.path(id, name))
        for _ in 0..<2 { #expect(try a.sync().sent.isEmpty) }
        #expect(try fleet.objects() == objects)
        try b.change(id) { $0.addTag("may") }
        try b.sync()
        try a.sync()
        try a.change(id) { $0.addTag("june") }
        try a.sync()
        _ = try a.library.repair(from: [.exchange(a.exchange)], worker)
        #expect(try bytes(a, name) == whole)
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try b.stored(id).item.tags == ["may", "june"] && bytes(b, name) == whole)
    }

    @Test func `an item whose folder was removed by hand comes back with its history`() throws {
        try edit()
        let a = fleet[0], b = fleet[1]
        try b.save(id, "text.md", "Of the second device.")
        try fleet.settle()
        let other = try a.library.change("add") { try $0.addSnippet("Another one.") }
        let purged = try a.library.change("add") { try $0.addSnippet("Purged.") }
        try fleet.settle()
        try a.library.change("trash") { _ = try $0.trash(a.stored(purged)) }
        try a.library.change("purge") { try $0.purge(a.stored(purged)) }
        try a.save(other, "text.md", "Not written yet.")
        // A repair notes it in history/, as each step does.
        try a.library.takeInChanges()
        let before = try a.files()
        try FileManager.default.removeItem(atPath: a.scratch.full("library/" + Layout.itemFolder(id)))
        try a.reopen()
        let dry = try a.library.repair(from: [.exchange(a.exchange)], worker, .dry)
        #expect(dry.broughtBack == [id] && dry.absent.isEmpty, "\(dry)")
        #expect(try a.library.store.item(id) == nil)
        let report = try a.library.repair(from: [.exchange(a.exchange)], worker)
        #expect(report.broughtBack == [id] && report.absent.isEmpty && report.lost.isEmpty, "\(report)")
        let after = try a.files()
        #expect(Set(after.keys) == Set(before.keys))
        #expect(after.filter { before[$0.key] != $0.value }.keys.sorted() == [])
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try b.scratch.text(b.path(other, "text.md")) == "Not written yet.")
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).broughtBack.isEmpty)
    }

    @Test(arguments: [false, true]) func `an item whose item json was removed by hand comes back`(
        _ hasVersions: Bool
    ) throws {
        if hasVersions { try edit() }
        let a = fleet[0]
        let path = a.path(id, "item.json")
        let whole = try a.scratch.bytes(path)
        try a.scratch.removeFile(path)
        try a.reopen()
        try a.sync()
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker, .dry).broughtBack == [id])
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).broughtBack == [id])
        #expect(try a.scratch.bytes(path) == whole)
        try fleet.settle()
        try fleet.expectEqual()
    }

    @Test func `an edit of the same size travels`() throws {
        let a = fleet[0], b = fleet[1]
        try a.save(id, Self.document, "Sow in JUN.")
        #expect(try a.sync().damaged.isEmpty)
        try b.sync()
        #expect(try bytes(b, Self.document) == "Sow in JUN.")
    }
}
