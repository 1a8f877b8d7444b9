import Items
import StuffBucket
import TestSupport
import Testing

/// A tool copies the library to a device that knows nothing of it, and a program edits an item there before sbfs looks:
/// Documentation/Merge.md § 2, rule 5.
struct EditedCopyTests {
    private let a: Replica

    init() throws {
        a = try Replica()
        try a.setText("One.\n\nTwo.\n")
        try a.change { $0.addTag("kept") }
        try a.settle()
    }

    private func expectAtRest(_ copy: Replica) throws {
        #expect(try copy.library.conflicts(of: copy.stored).count == 0)
        #expect(try copy.versions.count(where: \.isHead) == 1)
    }

    @Test(arguments: [true, false]) func `a tag that is taken out stays away`(_ isLast: Bool) throws {
        try a.change { $0.addTag("gone") }
        if !isLast { try a.change { $0.addTag("later") } }
        let copy = try Replica(copyOf: a)
        let item = try copy.scratch.text(copy.folder + "/item.json")
        #expect(item.contains("\"gone\""))
        let lines = item.split(separator: "\n").filter { !$0.contains("\"gone\"") }.joined(separator: "\n")
        try copy.save("item.json", lines.replacing(",\n  ]", with: "\n  ]"))
        try copy.settle()
        #expect(try copy.tags == a.tags.filter { $0 != "gone" })
        try expectAtRest(copy)
    }

    @Test func `a title that is changed is the title`() throws {
        try a.change { $0.set(.title, .string("Second")) }
        let copy = try Replica(copyOf: a)
        try copy.saveTitle("Third", for: "Second")
        try copy.settle()
        #expect(try copy.title == "Third")
        try expectAtRest(copy)
    }

    @Test func `a paragraph that is taken out stays away`() throws {
        try a.setText("One.\n\nTwo.\n\nThree.\n")
        let copy = try Replica(copyOf: a)
        try copy.save("text.md", "One.\n\nTwo.\n")
        try copy.settle()
        #expect(try copy.text == "One.\n\nTwo.\n")
        try expectAtRest(copy)
    }
}
