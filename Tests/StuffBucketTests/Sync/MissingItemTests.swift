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
