import Items
import JSONFormat
import Merge
import Testing

/// What a tool put aside as a conflict copy is not what an edit after that came from: Documentation/Merge.md § 2, rules 4 and 5.
struct SetAsideTests {
    private static let texts = ["Root.\n", "Of this device.\n", "Of the other device.\n", "Edited.\n"].map {
        Array($0.utf8)
    }
    private static let hashes = texts.map { ContentHash(of: $0) }

    private func version(_ text: Int, _ parents: [Version]) -> Version {
        Version(
            parents: parents.map(\.name), item: [JSON.Member("title", .string("Bread"))], text: Self.hashes[text])
    }

    private func choice(_ versions: [Version]) -> ParentChoice {
        ParentChoice(VersionGraph(versions, texts: Set(Self.hashes))) { hash in
            Self.hashes.firstIndex(of: hash).map { Self.texts[$0] }
        }
    }

    /// The number of the text of the parent of an edit, where text 1 was live last and text 2 arrived.
    private func parent(setAside: Set<Int>, hasArrived: Bool = true) throws -> Int? {
        let root = version(0, []), here = version(1, [root])
        let all = [root, here] + (hasArrived ? [version(2, [root])] : [])
        let name = try choice(all).ofLocal(
            .text(Self.texts[3]), at: here.name, setAside: Set(setAside.map { Self.hashes[$0] }))
        return all.first { $0.name == name }?.text.flatMap { Self.hashes.firstIndex(of: $0) }
    }

    @Test func `an edit comes from the state that no copy has`() throws {
        #expect(try parent(setAside: []) == 1)
        #expect(try parent(setAside: [1]) == 2)
        #expect(try parent(setAside: [2]) == 1)
    }

    @Test func `where copies have all of them, it comes from what they came from`() throws {
        #expect(try parent(setAside: [1, 2]) == 0)
        #expect(try parent(setAside: [1], hasArrived: false) == 0)
        // Nothing is left: the last state known here.
        #expect(try parent(setAside: [0, 1, 2]) == 1)
    }

    @Test func `what arrived before a state that was set aside was never live here`() throws {
        let root = version(0, []), here = version(1, [root]), arrived = version(3, [root]),
            aside = version(2, [arrived])
        let name = try choice([root, here, arrived, aside]).ofLocal(
            .text(Array("Edited again.\n".utf8)), at: here.name, setAside: [Self.hashes[2]])
        #expect(name == here.name)
        #expect(
            try choice([root, here, arrived]).ofLocal(.text(Self.texts[3] + Array("More.\n".utf8)), at: here.name)
                == arrived.name)
    }

    @Test func `earlier bytes were not put back in their own place`() throws {
        let root = version(0, []), here = version(1, [root]), arrived = version(2, [root])
        let name = try choice([root, here, arrived, version(3, [arrived])]).ofLocal(
            .text(Self.texts[2]), at: here.name, setAside: [Self.hashes[1]], found: [arrived.name])
        #expect(name == version(3, [arrived]).name)
    }

    @Test func `a copy does not come from the head that it lies beside`() throws {
        let root = version(0, []), head = version(1, [root])
        let copy = ParentChoice.Bytes.text(Self.texts[3])
        func parent(_ versions: [Version], live: Int) throws -> ContentHash? {
            try choice(versions).ofArrival(copy, time: nil, isCopy: true, live: Self.hashes[live])?.parent
        }
        #expect(try parent([root, head], live: 1) == root.name)
        #expect(try parent([root], live: 0) == nil)
        #expect(try parent([root], live: 2) == root.name)
        // What is no copy may be an edit of the head.
        #expect(try choice([root]).ofArrival(copy, time: nil, live: Self.hashes[0])?.parent == root.name)
    }
}
