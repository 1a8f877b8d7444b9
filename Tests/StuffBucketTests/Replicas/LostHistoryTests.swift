import Foundation
import Items
import JSONFormat
import StuffBucket
import Testing

/// Files of history/ that somebody deleted or that a power cut emptied: Documentation/Merge.md § 2.
struct LostHistoryTests {
    let a: Replica, b: Replica

    init() throws {
        a = try Replica()
        try a.change { $0.set(.title, .string("One")) }
        try a.setText("First.\n\nSecond.\n\nThird.\n")
        try a.change { $0.addTag("rye") }
        b = try Replica(copyOf: a)
        try b.settle()
    }

    private func history(_ one: Replica) throws -> [String: [UInt8]] {
        try one.files().filter { $0.key.hasPrefix("history/") }
    }

    private func removeHistory(_ one: Replica) throws {
        try FileManager.default.removeItem(atPath: one.scratch.full(one.folder + "/history"))
    }

    @Test func `a history that was deleted comes back`() throws {
        for one in [a, b] {
            let before = try history(one)
            #expect(before.count >= 5)
            try removeHistory(one)
            try one.settle()
            #expect(try history(one) == before)
        }
    }

    @Test func `a deleted history brings no replaced paragraph back`() throws {
        try b.setText("First.\n\nThird.\n")
        try removeHistory(a)
        try a.setText("First.\n\nSecond.\n\nThird.\n\nFourth.\n")
        try removeHistory(b)
        for _ in 0..<3 {
            try a.meet(b, without: "history")
            try a.settle()
            try b.settle()
            try a.meet(b)
        }
        try a.settle()
        try b.settle()
        try a.meet(b)
        for one in [a, b] { #expect(try one.text == "First.\n\nThird.\n\nFourth.\n") }
        #expect(try a.files() == b.files())
    }

    @Test func `a version or a text that is empty after a power cut is right again`() throws {
        let before = try history(a)
        for path in before.keys where path.hasSuffix(".json") {
            try a.scratch.removeFile(a.folder + "/" + path)
            try a.scratch.write(a.folder + "/" + path, "")
        }
        try a.settle()
        #expect(try history(a) == before)
    }

    @Test func `a damaged second name brings nothing back, and nothing is lost`() throws {
        let known = a.scratch.full("library/.sbfs/known/\(Replica.id.shard)")
        for name in try FileManager.default.contentsOfDirectory(atPath: known) where name.hasSuffix(".json") {
            try Data("{}".utf8).write(to: URL(fileURLWithPath: known + "/" + name))
        }
        try removeHistory(a)
        try a.settle()
        #expect(try a.title == "One" && a.text == "First.\n\nSecond.\n\nThird.\n")
        #expect(try history(a).values.allSatisfy { !$0.elementsEqual("{}".utf8) })
    }

    @Test func `in a work tree of git a deleted history stays away`() throws {
        try FileManager.default.createDirectory(
            atPath: a.scratch.full("library/.git"), withIntermediateDirectories: true)
        let before = try history(a)
        try removeHistory(a)
        try a.settle()
        #expect(try history(a).count < before.count)
    }

    @Test func `a purge leaves no version behind`() throws {
        _ = try a.library.change("trash") { _ = try $0.trash(a.stored) }
        _ = try a.library.change("purge") { _ = try $0.purge(a.stored) }
        try a.look()
        #expect(try a.scratch.names("library/.sbfs/known/\(Replica.id.shard)").isEmpty)
    }

    @Test func `a merge brings the text that an interrupted copy left out`() throws {
        let a = try Replica()
        try a.setText("One.\n\nTwo.\n")
        try a.setText("One.\n\nTwo.\n\nFour.\n")
        let left = ContentHash(of: Array("One.\n\nTwo.\n".utf8)).hex + ".md"
        let c = try Replica(copyOf: a)
        try c.scratch.removeFile(c.folder + "/history/" + left)
        try a.save("text.md", "One of a.\n\nTwo.\n\nFour.\n")
        try a.settle()
        let path = a.scratch.full("library")
        #expect(try c.library.mergePreview(path).joined == [Replica.id])
        #expect(try c.library.merge(path).joined == [Replica.id])
        #expect(try c.text == "One of a.\n\nTwo.\n\nFour.\n")
        #expect(try c.names("history").contains(left))
        #expect(try a.files() == c.files())
    }
}
