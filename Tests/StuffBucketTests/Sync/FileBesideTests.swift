import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// A file of one's own beside a document, which was the document while that was taken out: Documentation/Merge.md § 2.
struct FileBesideTests {
    @Test(arguments: [true, false]) func `it stays when the document comes back and is renamed`(_ isSyncedBetween: Bool)
        throws
    {
        let fleet = try Fleet(1)
        let a = fleet[0], id = try a.addPlan("Sow in May.")
        try a.sync()
        let b = try fleet.add()
        try a.save(id, "document/own.txt", "Of mine.")
        usleep(2_100_000)
        try fleet.settle()
        _ = try a.library.change("detach") { try $0.detachDocument(from: a.stored(id)) }
        let step = try #require(try a.library.history()?.undoable.first?.number)
        if isSyncedBetween { try fleet.settle() }
        #expect(try a.library.undo([step], StepHeader(command: "undo")).changedCount == 1)
        try fleet.settle()
        usleep(2_100_000)
        let folder = a.scratch.full(a.path(id, "document"))
        try a.shell("mv '\(folder)/plan.txt' '\(folder)/renamed.txt'")
        usleep(2_100_000)
        try fleet.settle()
        try fleet.expectEqual()
        for device in [a, b] {
            #expect(try device.scratch.names(device.path(id, "document")).sorted() == ["own.txt", "renamed.txt"])
        }
    }
}
