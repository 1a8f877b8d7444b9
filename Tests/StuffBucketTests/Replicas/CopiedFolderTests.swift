import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

/// A program edits a file that sbfs wrote, and a person copies the folder before sbfs looks: Documentation/Merge.md § 2, rules 4 and 5.
struct CopiedFolderTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
        try attach("Plan.", to: a)
    }

    private func expectEdit(in one: Replica) throws {
        #expect(try one.stored.document?.name == "plan.txt" && document(one, "plan.txt") == "Plan by hand.")
        #expect(try one.names("document") == ["plan.txt"] && one.names("conflicts").isEmpty)
        #expect(try one.library.conflicts(of: one.stored).count == 0)
    }

    @Test func `an edited document of a folder that was copied is an edit`() throws {
        try a.settle()
        try a.save("document/plan.txt", "Plan by hand.")
        try a.backUp()
        try a.putBack()
        try a.settle()
        try expectEdit(in: a)
        try meetAll()
        for one in [a, b] { try expectEdit(in: one) }
    }

    @Test func `and of a library that was copied to a device that knows nothing of it`() throws {
        try a.save("document/plan.txt", "Plan by hand.")
        let copy = try Replica(copyOf: a)
        try copy.settle()
        try copy.change { $0.addTag("new") }
        try expectEdit(in: copy)
        #expect(try copy.versions.count(where: \.isHead) == 1)
    }

    @Test func `an edited text of a folder that was copied does not wait`() throws {
        try a.settle()
        try a.setText("One.\n\nTwo.\n\nThree of a.\n")
        try a.settle()
        try a.save("text.md", "One by hand.\n\nTwo.\n\nThree of a.\n")
        try a.backUp()
        try a.putBack()
        try a.settle()
        #expect(try a.library.waitingJoin(of: a.stored).isEmpty)
        try meetAll()
        for one in [a, b] { #expect(try one.text == "One by hand.\n\nTwo.\n\nThree of a.\n") }
    }

    @Test func `a folder of before the first version does not take an edit of the document back`() throws {
        try a.settle()
        try a.backUp()
        try a.save("document/plan.txt", "Plan by hand.")
        try a.settle()
        try a.putBack()
        try a.settle()
        try expectEdit(in: a)
        try meetAll()
        for one in [a, b] { try expectEdit(in: one) }
    }
}
