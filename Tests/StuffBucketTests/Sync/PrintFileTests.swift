import Items
import TestSupport
import Testing

@testable import StuffBucket

/// page.pdf and page.png, which are changed or removed on a device: Documentation/Exchange.md § 7.
struct PrintFileTests {
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }
    private var b: SyncDevice { fleet[1] }

    init() throws {
        (fleet, id) = try Fleet.withItem([
            "page.html": "<p>First.", "page.pdf": "First print.", "page.png": "First picture.",
        ])
        try fleet.add()
        try fleet.settle()
    }

    private func text(_ device: SyncDevice, _ name: String) throws -> String? {
        device.scratch.exists(device.path(id, name)) ? try device.scratch.text(device.path(id, name)) : nil
    }

    private func expect(_ name: String, _ wanted: String?, _ place: SourceLocation = #_sourceLocation) throws {
        try fleet.settle()
        for device in fleet.devices {
            #expect(try text(device, name) == wanted, sourceLocation: place)
            let report = try device.sync()
            #expect(report.left.isEmpty && report.taken.left.isEmpty, "\(report)", sourceLocation: place)
        }
        try fleet.expectEqual(place)
    }

    @Test(arguments: ["page.pdf", "page.png"]) func `a change travels, and so does a removal`(_ name: String) throws {
        try a.save(id, name, "Second.")
        try a.sync()
        let report = try b.sync()
        #expect(report.taken.joined == [id] && report.taken.left.isEmpty && report.left.isEmpty, "\(report)")
        try expect(name, "Second.")
        try b.save(id, name, "Third.")
        try expect(name, "Third.")
        try a.scratch.removeFile(a.path(id, name))
        try expect(name, nil)
        try b.save(id, name, "Fourth.")
        try expect(name, "Fourth.")
    }

    @Test func `of two changes both are kept, and named`() throws {
        try a.save(id, "page.pdf", "Of a.")
        try b.save(id, "page.pdf", "Of b.")
        try a.sync()
        #expect(try b.sync().keptOwnFiles.count == 1)
        try fleet.settle()
        try fleet.expectEqual()
        let names = try a.scratch.names(a.path(id, "")).filter { $0.hasSuffix(".pdf") }
        #expect(names.count == 2)
        #expect(try Set(names.compactMap { try text(a, $0) }) == ["Of a.", "Of b."])
    }

    @Test(arguments: [false, true]) func `a page that is saved again comes with its print, and leaves one snapshot`(
        _ isEditedElsewhere: Bool
    ) throws {
        try a.change(id) { $0.addTag("first") }
        try fleet.settle()
        try a.library.session.keepPage(of: a.stored(id), at: .now)
        try a.save(id, "page.html", "<p>Second.")
        try a.save(id, "page.pdf", "Second print.")
        try a.scratch.removeFile(a.path(id, "page.png"))
        if isEditedElsewhere { try b.change(id) { $0.addTag("may") } }
        try expect("page.pdf", "Second print.")
        #expect(try text(b, "page.html") == "<p>Second." && text(b, "page.png") == nil)
        let snapshots = try b.scratch.names(b.path(id, "snapshots"))
        #expect(snapshots.count == 1)
        let snapshot = "snapshots/" + (snapshots.first ?? "")
        #expect(try text(b, snapshot + "/page.pdf") == "First print.")
        #expect(try text(b, snapshot + "/page.png") == "First picture.")
    }
}
