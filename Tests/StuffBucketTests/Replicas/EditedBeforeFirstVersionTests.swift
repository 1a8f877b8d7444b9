import Items
import StuffBucket
import TestSupport
import Testing

/// An editor changed a copy in which no sbfs had looked, and a command noted the first version after that: Documentation/Merge.md § 4.
struct EditedBeforeFirstVersionTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        a = try Replica()
        // As sbfs wrote them: `updatedAt` is 2026-11-21T10:15:00Z.
        for file in ["item.json", "text.md"] {
            try a.scratch.setModified(a.folder + "/" + file, seconds: 1_795_256_100)
        }
        b = try Replica(copyOf: a)
        try b.save("text.md", "One.\n\nTwo by hand.\n\nThree.\n")
        try b.saveTitle("Rolls", for: "Bread")
        try b.change { $0.addTag("new") }
    }

    private func hasEdits(_ one: Replica) throws {
        #expect(try one.text == "One.\n\nTwo by hand.\n\nThree.\n")
        #expect(try one.stored.item.title == "Rolls")
        #expect(try one.tags == ["dough", "new"])
        #expect(try one.names("conflicts").isEmpty)
    }

    @Test func `a merge of the unchanged copy takes nothing back`() throws {
        let report = try merge(a, into: b)
        #expect(report.joined.isEmpty)
        try hasEdits(b)
        try bothAreEqual()
        try hasEdits(a)
    }

    @Test func `the unchanged copy gets the edits`() throws {
        try merge(b, into: a)
        try hasEdits(a)
        try bothAreEqual()
        try hasEdits(b)
    }

    @Test func `a dry run tells the same`() throws {
        #expect(try b.library.mergePreview(path(a)).joined.isEmpty)
        try hasEdits(b)
    }

    @Test func `a copy whose files do not look as sbfs wrote them is joined as before`() throws {
        try a.save("text.md", "One.\n\nTwo.\n\nThree of a.\n")
        try merge(a, into: b)
        #expect(try b.text.contains("Three of a."))
    }
}
