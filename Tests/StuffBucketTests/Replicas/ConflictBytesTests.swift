import Items
import StuffBucket
import TestSupport
import Testing

/// A conflict of paragraphs that are not UTF-8. Its file has U+FFFD, and a resolution has the bytes.
struct ConflictBytesTests: TwoCopies {
    let a: Replica, b: Replica
    private static let ofA = latin("caf\u{E9} of a."), ofB = latin("caf\u{E9} of b.")

    init() throws {
        (a, b) = try Replica.pair()
        for (one, paragraph) in [(a, Self.ofA), (b, Self.ofB)] {
            let text = Self.latin("One.\n\n") + paragraph + Self.latin("\n\nThree.\n")
            try one.scratch.write(one.folder + "/text.md", text)
            try one.settle()
        }
        try meetAll()
    }

    private static func latin(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

    private func paragraphs() throws -> [[UInt8]] {
        try a.scratch.bytes(a.folder + "/text.md").split(separator: 0x0A).map(Array.init)
    }

    private func resolve(_ resolution: (ItemConflict) throws -> ConflictResolution) throws {
        let conflict = try #require(try a.library.conflicts(of: a.stored).conflicts.first)
        #expect(conflict.field == "text")
        _ = try a.library.change("resolve") { try $0.resolve(conflict, in: a.stored, resolution(conflict)) }
    }

    @Test func `both paragraphs keep their bytes`() throws {
        try resolve { _ in .both }
        #expect(try Set(paragraphs()) == [Self.ofA, Self.ofB, Self.latin("One."), Self.latin("Three.")])
    }

    @Test func `the other paragraph comes from history`() throws {
        let standing = try paragraphs()[1]
        try resolve { .take(try #require($0.standing) == 0 ? 1 : 0) }
        #expect(try paragraphs()[1] == (standing == Self.ofA ? Self.ofB : Self.ofA))
    }

    @Test func `an editor is given the bytes`() throws {
        let conflict = try #require(try a.library.conflicts(of: a.stored).conflicts.first)
        let bytes = try conflict.values.map { a.library.paragraph($0, of: try a.stored) }
        #expect(Set(bytes) == [Self.ofA, Self.ofB])
    }
}
