import Glibc
import StuffBucket
import TestSupport
import Testing

/// A folder of before the item had its document that takes the place of the item: Documentation/Merge.md § 2, rule 8.
struct PutBackBeforeDocumentTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        a = try Replica(isAsWritten: true)
        b = try Replica(copyOf: a)
        try a.change { $0.set(.title, .string("First")) }
        try meetAll()
        try a.backUp()
        usleep(1_100_000)
    }

    @Test func `the document comes back with item json`() throws {
        try attach("The plan.", to: a)
        try meetAll()
        try a.putBack()
        try a.settle()
        #expect(try a.stored.item.documentRelativePath == "document/plan.txt")
        #expect(try document(a, "plan.txt") == "The plan.")
        try meetAll()
        #expect(try a.files() == b.files())
    }

    @Test func `a document that was removed by hand stays away`() throws {
        try attach("The plan.", to: a)
        try meetAll()
        try a.scratch.removeFile(a.folder + "/document/plan.txt")
        try a.settle()
        #expect(try a.stored.item.documentRelativePath == "document/plan.txt")
        #expect(!a.scratch.exists(a.folder + "/document/plan.txt"))
    }
}
