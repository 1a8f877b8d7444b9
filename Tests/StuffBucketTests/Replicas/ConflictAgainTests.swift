import Foundation
import Items
import StuffBucket
import Testing

/// A conflict that was ended, and comes again: Documentation/Merge.md § 3.
struct ConflictAgainTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws { (a, b) = try Replica.pair() }

    private func resolveAll(in one: Replica) throws {
        let stored = try one.stored
        for conflict in try one.library.conflicts(of: stored).conflicts {
            _ = try one.library.change("resolve") { try $0.resolve(conflict, in: stored, .take(0)) }
        }
    }

    @Test func `the same two edits, made again after a resolution, are a conflict each time`() throws {
        let title = try #require(try a.title)
        var seen: Set<String> = []
        for _ in 0..<3 {
            try a.change { $0.set(.title, .string("By a")) }
            try b.change { $0.set(.title, .string("By b")) }
            try meetAll()
            let names = try a.names("conflicts")
            #expect(try names.count == 1 && names == b.names("conflicts"))
            #expect(seen.isDisjoint(with: names))
            seen.formUnion(names)
            let found = try b.library.conflicts(of: b.stored)
            #expect(found.strangers.isEmpty && found.conflicts.map(\.base) == [.string(title)])
            try resolveAll(in: b)
            try meetAll()
            for one in [a, b] { #expect(try one.names("conflicts").isEmpty) }
            try a.change { $0.set(.title, .string(title)) }
            try meetAll()
        }
        #expect(try a.files() == b.files())
    }

    @Test func `a resolved conflict that an old copy brings goes`() throws {
        try a.change { $0.set(.title, .string("By a")) }
        try b.change { $0.set(.title, .string("By b")) }
        try meetAll()
        let name = try #require(try a.names("conflicts").first)
        let bytes = try a.scratch.text(a.folder + "/conflicts/" + name)
        try resolveAll(in: a)
        try meetAll()
        try b.change { $0.addTag("rye") }
        try meetAll()
        try a.scratch.write(a.folder + "/conflicts/" + name, bytes)
        try a.change { $0.addTag("oats") }
        try meetAll()
        for one in [a, b] { #expect(try one.names("conflicts").isEmpty) }
    }

    @Test func `a document that lost again stays until a person deletes it again`() throws {
        try attach("first plan", to: a)
        try meetAll()
        for _ in 0..<2 {
            // The document that won has the time of the next second, so that rsync carries it.
            Thread.sleep(forTimeInterval: 1.1)
            try attach("plan of a", to: a)
            try attach("plan of b", to: b)
            try meetAll()
            let lost = try a.names("document").filter { $0.contains(".conflict-") }
            #expect(try lost.count == 1 && lost == b.names("document").filter { $0.contains(".conflict-") })
            for one in [a, b] { try one.settle() }
            #expect(try a.names("document").count == 2)
            for name in lost { try a.scratch.removeFile(a.folder + "/document/" + name) }
            try a.settle()
            _ = try merge(a, into: b)
            try meetAll()
            for one in [a, b] { #expect(try one.names("document") == ["plan.txt"]) }
            Thread.sleep(forTimeInterval: 1.1)
            try attach("first plan", to: a)
            try meetAll()
        }
        #expect(try a.files() == b.files())
    }
}
