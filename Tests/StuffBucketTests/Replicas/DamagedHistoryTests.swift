import Files
import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

/// Files of history/ that lost a bit on one device, whose second names lost it with them: Documentation/Merge.md § 2.
struct DamagedHistoryTests: TwoCopies {
    let a: Replica, b: Replica

    /// Three versions of the title and two texts, in both copies.
    init() throws {
        (a, b) = try Replica.pair()
        try a.change { $0.set(.title, .string("One")) }
        try a.setText("First.\n\nSecond.\n\nThird.\n")
        try meetAll()
    }

    /// The names of the versions on the first device: the root, and those that come from it, the latest last.
    private func versions() throws -> [String] { try a.versions.map { $0.name + ".json" }.reversed() }

    /// Flips a bit of a file in history/ of the first device, which was written an hour ago on both.
    ///
    /// - Returns: the bytes as they were.
    private func damage(_ name: String) throws -> [UInt8] {
        let path = a.folder + "/history/" + name
        let whole = try a.scratch.bytes(path)
        var bytes = whole
        bytes[bytes.count / 2] ^= 1
        let modified = try a.scratch.directory().file(path).status().modified - 3_600_000_000_000
        try a.scratch.write(path, bytes)
        for one in [a, b] { try one.scratch.directory().fileForWriting(path).setModified(modified) }
        return whole
    }

    @Test func `a check names a damaged version with its file`() throws {
        #expect(try a.library.check([]).run().errorCount == 0)
        let name = try versions()[1]
        _ = try damage(name)
        let errors = try a.library.check([]).run().findings.filter { $0.severity == .error }
        #expect(errors.map(\.path).allSatisfy { $0.contains("/history/" + name) } && errors.count == 1)
    }

    private func expectEqual(_ place: SourceLocation = #_sourceLocation) throws {
        let (one, two) = (try a.files(), try b.files())
        let differing = Set(one.keys).union(two.keys).filter { one[$0] != two[$0] && !$0.hasSuffix(".damaged") }
        #expect(differing.isEmpty, "\(differing)", sourceLocation: place)
        #expect(try a.title == b.title, sourceLocation: place)
    }

    @Test(arguments: 0..<3, ["meet", "merge", "other merge"])
    func `edits on both devices meet though a version is damaged on one`(_ number: Int, _ how: String) throws {
        let name = try versions()[number]
        let whole = try damage(name)
        try a.change { $0.set(.title, .string("Here")) }
        try b.change {
            $0.set(.title, .string("There"))
            $0.addTag("rye")
        }
        switch how {
        case "meet": for _ in 0..<2 { try meetAll() }
        case "merge": _ = try a.library.mergeBoth(path(b))
        default: _ = try b.library.mergeBoth(path(a))
        }
        try expectEqual()
        #expect(try ["Here", "There"].contains(a.title) && a.tags.contains("rye"))
        #expect(try a.names("conflicts").count == 1)
        #expect(try a.scratch.bytes(a.folder + "/history/" + name) == whole)
    }

    @Test func `a damaged version of what is live is written again, and makes no conflict`() throws {
        let name = try #require(try versions().last)
        let whole = try damage(name)
        try a.change { $0.addTag("rye") }
        #expect(try a.scratch.bytes(a.folder + "/history/" + name) == whole)
        #expect(try a.names("history").allSatisfy { !$0.hasSuffix(".damaged") } && a.names("conflicts").isEmpty)
        #expect(try a.versions.count(where: \.isHead) == 1)
    }

    @Test func `a damaged text is no empty text, and edits of the text are joined with the whole one`() throws {
        let name = try #require(
            try a.names("history").filter { $0.hasSuffix(".md") }.first {
                try a.scratch.text(a.folder + "/history/" + $0).hasPrefix("First")
            })
        let whole = try damage(name)
        try a.setText("First.\n\nSecond, here.\n\nThird.\n")
        try b.setText("First.\n\nThird.\n\nFourth.\n")
        for _ in 0..<2 { try meetAll() }
        try expectEqual()
        #expect(try a.text == "First.\n\nSecond, here.\n\nThird.\n\nFourth.\n")
        #expect(try a.scratch.bytes(a.folder + "/history/" + name) == whole)
    }

    @Test func `a version that is damaged in every copy stands aside, is named, and counts when it is mended`() throws {
        let name = try versions()[0], path = a.folder + "/history/" + name
        let whole = try damage(name)
        let modified = try a.scratch.directory().file(path).status().modified
        try b.scratch.write(path, a.scratch.bytes(path))
        try b.scratch.directory().fileForWriting(path).setModified(modified)
        try a.change { $0.set(.title, .string("Here")) }
        try b.change { $0.addTag("rye") }
        for _ in 0..<2 { try meetAll() }
        #expect(try a.names("history").contains(name + ".damaged"))
        let findings = try a.library.check(.data).run().findings
        #expect(findings.contains { $0.path.hasSuffix(name + ".damaged") }, "\(findings)")
        // A person finds the whole one in a backup.
        try a.scratch.write(a.folder + "/history/" + name, whole)
        for _ in 0..<2 { try meetAll() }
        try expectEqual()
        #expect(try a.title == "Here" && a.tags.contains("rye"))
    }
}
