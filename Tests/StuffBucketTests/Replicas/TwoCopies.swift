import Glibc
import StuffBucket
import Testing

/// Tests of two copies of one library that meet.
protocol TwoCopies {
    var a: Replica { get }
    var b: Replica { get }
}

extension TwoCopies {
    func path(_ replica: Replica) -> String { replica.scratch.full("library") }

    /// Carries files both ways until nobody has anything new.
    func meetAll() throws {
        for _ in 0..<3 {
            try a.meet(b)
            try a.settle()
            try b.settle()
        }
        try a.meet(b)
    }

    @discardableResult
    func merge(_ other: Replica, into one: Replica) throws -> MergeReport {
        try one.library.merge(path(other))
    }

    /// Both hold the same afterwards, and joining them again finds nothing.
    func bothAreEqual() throws {
        _ = try a.library.mergeBoth(path(b))
        #expect(try a.files() == b.files())
        for report in [try a.library.merge(path(b)), try b.library.merge(path(a)), try a.library.mergePreview(path(b))]
        {
            #expect(report.hasNothing && report.left.isEmpty, "\(report)")
        }
    }

    /// Saves a file in both copies in one second, which is later than now.
    func saveInOneSecond(_ name: String, _ ours: String, _ theirs: String) throws {
        usleep(1_100_000)
        var seconds: Set<Int64> = []
        repeat {
            try a.save(name, ours)
            try b.save(name, theirs)
            seconds = try Set([a, b].map { try modified(name, $0) / 1_000_000_000 })
        } while seconds.count > 1
    }

    /// Nanoseconds since 1970.
    func modified(_ name: String, _ one: Replica) throws -> Int64 {
        try one.scratch.directory().file(one.folder + "/" + name).status().modified
    }

    func attach(_ text: String, named name: String = "plan.txt", to one: Replica) throws {
        try one.scratch.write(name, text)
        _ = try one.library.change("attach") { try $0.attach(one.scratch.full(name), to: one.stored, .replace) }
    }

    func document(_ one: Replica, _ name: String) throws -> String {
        try one.scratch.text(one.folder + "/document/" + name)
    }
}
