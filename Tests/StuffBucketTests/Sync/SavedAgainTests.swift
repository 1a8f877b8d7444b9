import Items
import StuffBucket
import TestSupport
import Testing

/// A page or a document of an item without versions that an editor saves again, while another device made a version of the save
/// before: Documentation/Merge.md § 2, rule 2, and Documentation/Exchange.md § 6.
struct SavedAgainTests {
    private static let document = "document/plan.txt"

    private func expectSettled(_ fleet: Fleet, _ id: ItemID, _ name: String, _ text: String) throws {
        try fleet.settle()
        try fleet.expectEqual()
        for device in [fleet[0], fleet[1]] {
            #expect(try device.scratch.text(device.path(id, name)) == text)
            #expect(try device.library.conflicts(of: device.stored(id)).conflicts.isEmpty)
        }
    }

    @Test(arguments: ["<p>June</p>", "<p>September</p>"])
    func `a page`(_ text: String) throws {
        let (fleet, id) = try Fleet.withItem(["page.html": "<p>May.</p>"])
        try fleet.add()
        let a = fleet[0], b = fleet[1]
        try a.save(id, "page.html", "<p>July</p>")
        try a.sync()
        try b.sync()
        try a.save(id, "page.html", text)
        let report = try a.sync()
        #expect(report.damaged.isEmpty, "\(report.damaged)")
        try expectSettled(fleet, id, "page.html", text)
    }

    @Test(arguments: ["Sow in Jan.", "Sow in September.", "Sow in May."])
    func `a document, also as it was first`(_ text: String) throws {
        let fleet = try Fleet(1)
        let a = fleet[0]
        let id = try a.addPlan("Sow in May.")
        try a.sync()
        let b = try fleet.add()
        try a.save(id, Self.document, "Sow in Apr.")
        try a.sync()
        try b.sync()
        try a.save(id, Self.document, text)
        let report = try a.sync()
        #expect(report.damaged.isEmpty, "\(report.damaged)")
        try expectSettled(fleet, id, Self.document, text)
    }

    @Test func `a document that goes back to its first bytes after both devices noted the next ones`() throws {
        let fleet = try Fleet(1)
        let a = fleet[0]
        let id = try a.addPlan("Sow in May.")
        try a.sync()
        let b = try fleet.add()
        try a.save(id, Self.document, "Sow in Apr.")
        try fleet.settle()
        try a.save(id, Self.document, "Sow in May.")
        try expectSettled(fleet, id, Self.document, "Sow in May.")
        try b.save(id, Self.document, "Sow in Apr.")
        try expectSettled(fleet, id, Self.document, "Sow in Apr.")
    }
}
