import Items
import StuffBucket
import Testing

/// One conflict that two copies resolved before they met: Documentation/Merge.md § 3.
struct ResolvedTwiceTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
        try a.change { $0.set(.title, .string("By a")) }
        try b.change { $0.set(.title, .string("By b")) }
        try meetAll()
    }

    private func resolve(_ value: String, in one: Replica) throws {
        let stored = try one.stored
        let conflict = try #require(try one.library.conflicts(of: stored).conflicts.first)
        let place = try #require(conflict.values.firstIndex { $0 == .string(value) })
        _ = try one.library.change("resolve") { try $0.resolve(conflict, in: stored, .take(place)) }
        for one in [a, b] { _ = one.library.takeNotices() }
    }

    @Test func `the copy whose choice does not stand is told, and both have the same`() throws {
        let standing = try #require(try a.title), other = standing == "By a" ? "By b" : "By a"
        try resolve(standing, in: a)
        try resolve(other, in: b)
        try meetAll()
        for one in [a, b] {
            #expect(try one.title == other)
            #expect(try one.names("conflicts").isEmpty)
        }
        #expect(a.library.takeNotices() == [.resolvedTwice(Replica.id)])
        #expect(b.library.takeNotices().isEmpty)
    }

    @Test func `the copy whose choice does not stand is told, also if the other one joined both before`() throws {
        let standing = try #require(try a.title), other = standing == "By a" ? "By b" : "By a"
        try resolve(standing, in: a)
        try resolve(other, in: b)
        _ = try merge(a, into: b)
        #expect(b.library.takeNotices().isEmpty)
        _ = try merge(b, into: a)
        #expect(try a.title == other)
        #expect(a.library.takeNotices() == [.resolvedTwice(Replica.id)])
        try b.change { $0.addTag("rye") }
        _ = try merge(b, into: a)
        #expect(a.library.takeNotices().isEmpty)
    }

    @Test func `a merge of both tells that the choice of the other copy does not stand`() throws {
        let standing = try #require(try a.title), other = standing == "By a" ? "By b" : "By a"
        try resolve(standing, in: b)
        try resolve(other, in: a)
        _ = try a.library.mergeBoth(path(b))
        #expect(try a.title == other && b.title == other)
        #expect(a.library.takeNotices() == [.inCopy(path: path(b), .resolvedTwice(Replica.id))])
    }

    @Test func `nobody is told of a later choice that knew of the earlier one`() throws {
        let standing = try #require(try a.title), other = standing == "By a" ? "By b" : "By a"
        try resolve(standing, in: a)
        _ = try merge(a, into: b)
        try b.change { $0.set(.title, .string(other)) }
        _ = try merge(b, into: a)
        #expect(try a.title == other)
        for one in [a, b] { #expect(one.library.takeNotices().isEmpty) }
    }

    @Test func `a resolved conflict comes to a copy without the folder of conflicts`() throws {
        let standing = try #require(try a.title), other = standing == "By a" ? "By b" : "By a"
        try resolve(other, in: a)
        // Copying programs leave out empty folders, and an exchange has none.
        for name in try b.names("conflicts") { try b.scratch.removeFile(b.folder + "/conflicts/" + name) }
        try a.meet(b)
        try b.scratch.removeEmptyDirectory(b.folder + "/conflicts")
        try b.settle()
        #expect(try b.title == other)
        #expect(try a.files() == b.files())
    }

    @Test func `nobody is told if both chose the same, or the other copy only edits`() throws {
        let standing = try #require(try a.title), other = standing == "By a" ? "By b" : "By a"
        try resolve(other, in: a)
        try resolve(other, in: b)
        try b.change { $0.addTag("rye") }
        try meetAll()
        #expect(try a.title == other && a.tags == ["dough", "rye"])
        for one in [a, b] { #expect(one.library.takeNotices().isEmpty) }
    }
}
