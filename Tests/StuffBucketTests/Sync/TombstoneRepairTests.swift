import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Tombstones that are damaged or gone: what was purged stays away, and an exchange or a copy brings them back.
struct TombstoneRepairTests {
    private let fleet: Fleet
    private let id: ItemID
    private let worker: CaptureWorker
    private var a: SyncDevice { fleet[0] }
    private var tombstone: String { "library/" + Layout.tombstone(id) }

    init() throws {
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        (fleet, id) = try Fleet.withItem()
        try fleet.add()
        _ = try a.library.change("trash") { try $0.trash(a.stored(id)) }
        _ = try a.library.change("purge") { try $0.purge(a.stored(id)) }
        try fleet.settle()
    }

    private func repair(_ mode: ChangeMode = .real) throws -> RepairReport {
        try a.library.repair(from: [.exchange(a.exchange)], worker, mode)
    }

    @Test func `a damaged tombstone comes back from the exchange`() throws {
        let whole = try a.scratch.bytes(tombstone)
        try a.scratch.write(tombstone, "{")
        for _ in 0..<2 { #expect(try a.sync().damaged == [Layout.tombstone(id)]) }
        #expect(try repair(.dry).repaired.map(\.path) == [Layout.tombstone(id)])
        let report = try repair()
        #expect(report.repaired.map(\.path) == [Layout.tombstone(id)] && report.broughtBack.isEmpty, "\(report)")
        #expect(try a.scratch.bytes(tombstone) == whole)
        #expect(try a.sync().damaged.isEmpty && a.library.store.item(id) == nil)
    }

    @Test func `a damaged tombstone comes back from another copy`() throws {
        let whole = try a.scratch.bytes(tombstone)
        try a.scratch.write(tombstone, "")
        let report = try a.library.repair(from: [.copy(fleet[1].scratch.full("library"))], worker)
        #expect(report.repaired.map(\.path) == [Layout.tombstone(id)], "\(report)")
        #expect(try a.scratch.bytes(tombstone) == whole)
    }

    @Test(arguments: [false, true])
    func `a repair brings no purged item back where its tombstone is gone, but the tombstone`(_ isFolder: Bool) throws {
        let whole = try a.scratch.bytes(tombstone)
        let gone = isFolder ? "library/" + Layout.tombstones : tombstone
        try FileManager.default.removeItem(atPath: a.scratch.full(gone))
        let report = try repair()
        #expect(report.broughtBack.isEmpty && report.absent.isEmpty, "\(report)")
        #expect(report.repaired.map(\.path) == [Layout.tombstone(id)] && report.repaired.allSatisfy(\.isMissing))
        #expect(try a.scratch.bytes(tombstone) == whole && a.library.store.item(id) == nil)
        try fleet.settle()
        for device in fleet.devices { #expect(try device.library.store.item(id) == nil) }
    }

    @Test func `a tombstone that no pack has any more is named as lost`() throws {
        try FileManager.default.removeItem(atPath: a.scratch.full(tombstone))
        for object in try fleet.objects() {
            try FileManager.default.removeItem(atPath: fleet.scratch.full("exchange/" + object))
        }
        let report = try repair()
        #expect(report.lost.map(\.path) == [Layout.tombstone(id)] && report.broughtBack.isEmpty, "\(report)")
    }
}
