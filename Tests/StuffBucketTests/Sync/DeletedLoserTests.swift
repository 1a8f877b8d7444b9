import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A document that lost in a join ends as a conflict when a person deletes it, on every device. Documentation/Merge.md § 3.
struct DeletedLoserTests {
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }
    private var b: SyncDevice { fleet[1] }
    private static let document = "document/plan.txt"

    /// Two devices replaced the document, and met.
    init() throws {
        (fleet, id) = try Fleet.withTwoDocuments(at: Self.document)
    }

    private func losers(_ device: SyncDevice) throws -> [String] {
        try device.scratch.names(device.path(id, "document")).filter { $0.contains(".conflict-") }
    }

    private func delete(_ device: SyncDevice) throws {
        for name in try losers(device) { try device.scratch.removeFile(device.path(id, "document/" + name)) }
    }

    private func expectNone() throws {
        for device in fleet.devices {
            #expect(try losers(device).isEmpty)
            #expect(try device.library.conflicts(of: device.stored(id)).count == 0)
        }
        try fleet.expectEqual()
    }

    @Test(arguments: [0, 1], [false, true]) func `it goes on the other device and does not come back`(
        _ number: Int, _ isChangedFirst: Bool
    ) throws {
        try fleet.settle()
        #expect(try losers(a).count == 1 && losers(b).count == 1)
        let winner = try a.scratch.text(a.path(id, Self.document))
        try delete(fleet[number])
        // A command that changes the item looks at it before any sweep.
        if isChangedFirst { try fleet[number].change(id) { $0.addTag("may") } }
        try fleet.settle()
        try expectNone()
        #expect(try a.scratch.text(a.path(id, Self.document)) == winner)
        try b.change(id) { $0.set(.title, .string("Plan")) }
        try fleet.settle()
        try expectNone()
    }

    @Test func `an edit of the other device at the same time is there`() throws {
        try fleet.settle()
        try delete(a)
        try b.change(id) { $0.set(.title, .string("Plan")) }
        try fleet.settle()
        try expectNone()
        #expect(try a.stored(id).item.title == "Plan")
    }

    @Test func `both delete it`() throws {
        try fleet.settle()
        try delete(a)
        try delete(b)
        try fleet.settle()
        try expectNone()
    }

    @Test func `one that a person renames over the document while another device edits it is no damage`() throws {
        try fleet.settle()
        let name = try #require(try losers(a).first)
        try a.save(id, "document/" + name, "edit 58 a")
        try a.save(id, Self.document, "plan 58 a")
        let folder = a.scratch.full(a.path(id, "document"))
        try a.shell("touch -r '\(folder)/\(name)' '\(folder)/plan.txt'")
        try fleet.settle()
        try b.scratch.rename(b.path(id, "document/" + name), to: b.path(id, Self.document))
        try a.save(id, "document/" + name, "edit 59 c")
        try a.sync()
        for _ in 0..<2 { #expect(try b.sync().damaged == []) }
        try fleet.settle()
        for device in fleet.devices {
            #expect(try device.scratch.text(device.path(id, Self.document)) == "edit 58 a")
        }
        try fleet.expectEqual()
    }

    @Test func `a loser that somebody edited since stays`() throws {
        try fleet.settle()
        let name = try #require(try losers(b).first)
        try b.save(id, "document/" + name, "Edited since.")
        try delete(a)
        try fleet.settle()
        for device in fleet.devices {
            #expect(try device.scratch.text(device.path(id, "document/" + name)) == "Edited since.")
        }
        try fleet.expectEqual()
        try b.save(id, "document/" + name, "Edited once more.")
        try fleet.settle()
        #expect(try a.scratch.text(a.path(id, "document/" + name)) == "Edited once more.")
        try fleet.add()
        try fleet.expectEqual()
    }

    @Test(arguments: [false, true]) func `a loser that somebody edited comes when its deletion was synced, too`(
        _ isSyncedFirst: Bool
    ) throws {
        try fleet.settle()
        let name = try #require(try losers(b).first)
        try delete(a)
        try a.sync()
        try b.save(id, "document/" + name, "Edited since.")
        if isSyncedFirst { try b.change(id) { $0.addTag("may") } }
        try fleet.settle()
        for device in fleet.devices {
            #expect(try device.scratch.text(device.path(id, "document/" + name)) == "Edited since.")
        }
        try fleet.expectEqual()
        #expect(try a.sync().taken.left.isEmpty)
    }

    @Test(arguments: [0, 1]) func `a loser that somebody edited goes when a person deletes it after that`(_ number: Int)
        throws
    {
        try fleet.settle()
        let name = try #require(try losers(b).first)
        try b.save(id, "document/" + name, "Edited since.")
        if number == 0 { try delete(a) }
        try fleet.settle()
        try delete(fleet[number])
        try fleet.settle()
        try expectNone()
        try fleet[1 - number].change(id) { $0.addTag("may") }
        try fleet.settle()
        try expectNone()
        try fleet.add()
        try expectNone()
    }

    @Test func `an edit of an edited loser wins over its removal`() throws {
        try fleet.settle()
        let name = try #require(try losers(b).first)
        try b.save(id, "document/" + name, "Edited since.")
        try fleet.settle()
        try delete(a)
        try b.save(id, "document/" + name, "Edited once more.")
        try fleet.settle()
        for device in fleet.devices {
            #expect(try device.scratch.text(device.path(id, "document/" + name)) == "Edited once more.")
        }
        try fleet.expectEqual()
    }

    @Test func `a later conflict with other bytes is one again`() throws {
        try fleet.settle()
        try delete(a)
        try fleet.settle()
        try a.save(id, Self.document, "Sow in March.")
        try b.save(id, Self.document, "Sow in July, or later.")
        try fleet.settle()
        #expect(try losers(a).count == 1 && losers(b).count == 1)
        try fleet.expectEqual()
    }

    @Test func `a device that joins later gets no loser`() throws {
        try fleet.settle()
        try delete(b)
        try fleet.settle()
        try fleet.add()
        try fleet.settle()
        try expectNone()
    }

    @Test func `a copy that a merge brings has it no more, either`() throws {
        try fleet.settle()
        try FileManager.default.copyItem(atPath: a.scratch.full("library"), toPath: a.scratch.full("copy"))
        try delete(a)
        _ = try a.library.merge(a.scratch.full("copy"))
        #expect(try losers(a).isEmpty)
        _ = try a.library.mergeBoth(a.scratch.full("copy"))
        let folder = "copy/" + Layout.itemFolder(id) + "/document"
        #expect(try a.scratch.names(folder) == ["plan.txt"])
    }

    @Test func `one that goes together with history is not taken for deleted`() throws {
        try fleet.settle()
        let name = try #require(try losers(a).first)
        try delete(a)
        for file in try a.scratch.names(a.path(id, "history")) {
            try a.scratch.removeFile(a.path(id, "history/" + file))
        }
        try fleet.settle()
        #expect(try losers(b) == [name])
        #expect(try b.library.conflicts(of: b.stored(id)).count == 1)
    }
}
