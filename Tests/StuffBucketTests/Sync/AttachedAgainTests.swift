import Items
import StuffBucket
import TestSupport
import Testing

/// A command that changes item.json and a file of which it found none: Documentation/Merge.md § 2, rule 3.
struct AttachedAgainTests {
    private let fleet: Fleet
    private let id: ItemID

    init() throws {
        fleet = try Fleet(1)
        id = try fleet[0].addPlan("one")
        try fleet[0].sync()
        try fleet.add()
        _ = try fleet[0].library.change("edit") { try $0.edit(fleet[0].stored(id)) { $0.addTag("may") } }
        try fleet.settle()
    }

    @Test func `a document that is attached after its file was removed stands on all devices`() throws {
        let b = fleet[1]
        try b.scratch.removeFile(b.path(id, "document/plan.txt"))
        try b.scratch.write("new.txt", "two")
        _ = try b.library.change("attach") { try $0.attach(b.scratch.full("new.txt"), to: b.stored(id), .replace) }
        try fleet.settle()
        try fleet.expectEqual()
        for device in fleet.devices {
            #expect(try device.scratch.names(device.path(id, "document")) == ["new.txt"])
            #expect(try device.scratch.text(device.path(id, "document/new.txt")) == "two")
            #expect(try device.stored(id).item.documentRelativePath == "document/new.txt")
            #expect(try device.library.conflicts(of: device.stored(id)).count == 0)
        }
    }
}
