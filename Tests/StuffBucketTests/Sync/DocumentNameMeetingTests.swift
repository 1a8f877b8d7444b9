import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// A document that one device renamed, beside other files of document/, where devices meet at an exchange: Documentation/Merge.md § 3,
/// Documentation/Exchange.md § 7.
struct DocumentNameMeetingTests {
    private let fleet: Fleet
    private let id: ItemID

    init() throws {
        fleet = try Fleet(1)
        id = try fleet[0].addPlan("one")
        try fleet[0].sync()
        try fleet.add()
        try fleet[0].sync()
    }

    /// A program may write a file under a former name for two seconds.
    private func settle() throws {
        for _ in 0..<2 {
            usleep(2_100_000)
            try fleet.settle()
        }
        try fleet.expectEqual()
    }

    private func files(_ device: SyncDevice) throws -> [String: String] {
        let folder = device.path(id, "document")
        return try Dictionary(
            uniqueKeysWithValues: device.scratch.names(folder).map { ($0, try device.scratch.text(folder + "/" + $0)) })
    }

    private func stored(_ device: SyncDevice) throws -> StoredItem { try #require(try device.library.store.item(id)) }

    @Test(arguments: [
        ("mv plan.txt t && mv b.txt plan.txt && mv t b.txt", ["plan.txt": "two", "b.txt": "one"]),
        ("mv b.txt d.txt && mv plan.txt b.txt", ["b.txt": "one", "d.txt": "two"]),
    ])
    func `a document and a file of the person's own that changed names do so on the other device`(
        _ line: String, _ expected: [String: String]
    ) throws {
        let (a, b) = (fleet[0], fleet[1])
        try b.save(id, "document/b.txt", "two")
        try settle()
        try b.shell("cd '\(b.scratch.full(b.path(id, "document")))' && \(line)")
        try settle()
        for device in [a, b] {
            #expect(try files(device) == expected)
            #expect(try device.library.conflicts(of: stored(device)).documents.isEmpty)
        }
    }

    @Test func `an edit under the old name stands over the new name, also once that was noted`() throws {
        try fleet.add()
        let (a, b, c) = (fleet[0], fleet[1], fleet[2])
        try a.sync()
        try a.scratch.rename(a.path(id, "document/plan.txt"), to: a.path(id, "document/c.txt"))
        try a.sync()
        try b.sync()
        try b.save(id, "document/own.txt", "own")
        try b.sync()
        usleep(2_100_000)
        try b.sync()
        try c.save(id, "document/plan.txt", "edited")
        try settle()
        for device in [a, b, c] {
            #expect(try files(device) == ["plan.txt": "edited", "own.txt": "own"])
            #expect(try stored(device).item.documentRelativePath == "document/plan.txt")
            #expect(try device.library.conflicts(of: stored(device)).documents.isEmpty)
        }
    }
}
