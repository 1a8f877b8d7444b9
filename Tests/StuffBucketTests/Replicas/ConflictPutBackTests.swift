import StuffBucket
import TestSupport
import Testing

/// An older folder of an item that takes the place of one with an open conflict: Documentation/Exchange.md § 7.
struct ConflictPutBackTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        a = try Replica(isAsWritten: true)
        b = try Replica(copyOf: a)
        try a.backUp()
        try a.change { $0.set(.title, .string("By a")) }
        try b.change { $0.set(.title, .string("By b")) }
        try meetAll()
    }

    @Test func `an older folder takes no open conflict away`() throws {
        let names = try a.names("conflicts")
        #expect(names.count == 1)
        try a.putBack()
        try a.settle()
        #expect(try a.names("conflicts") == names)
        try meetAll()
        #expect(try a.files() == b.files())
        #expect(try b.names("conflicts") == names)
    }

    @Test func `a conflict that was deleted by hand, and seen, stays away`() throws {
        for name in try a.names("conflicts") { try a.scratch.removeFile(a.folder + "/conflicts/" + name) }
        try a.settle()
        try a.putBack()
        try a.settle()
        #expect(try a.names("conflicts").isEmpty)
    }
}
