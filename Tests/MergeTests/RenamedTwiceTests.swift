import Items
import JSONFormat
import Merge
import Testing

/// A document that one side or both renamed: Documentation/Merge.md § 3, the document and files of a unit. `b` is the later side.
struct RenamedTwiceTests {
    private static let hashes = ["first", "other"].map { ContentHash(of: Array($0.utf8)) }

    private func state(_ document: (path: String, hash: Int)?, name: String? = "document/plan.txt") -> ItemState {
        let members = name.map { [JSON.Member("documentRelativePath", .string($0))] } ?? []
        let files = document.map { [Version.File(path: $0.path, sha256: Self.hashes[$0.hash], size: 5)] } ?? []
        return ItemState(members: members, text: nil, files: files)
    }

    private func name(_ merged: Merged) -> JSON? {
        merged.state.members.first { $0.key == "documentRelativePath" }?.value
    }

    @Test func `item json names the document that stands`() {
        let base = state(("document/plan.txt", 0))
        for bWins in [true, false] {
            let merged = ItemState.merge(
                base: base, state(("document/a.txt", 0)), state(("document/b.txt", 0)), aWins: !bWins)
            let standing = bWins ? "document/b.txt" : "document/a.txt"
            #expect(merged.state.files.map(\.path) == [standing])
            #expect(name(merged) == .string(standing))
        }
    }

    @Test(arguments: [
        // One side renamed it, both to the same, one or both changed it.
        (("document/a.txt", 0), ("document/plan.txt", 0)), (("document/a.txt", 0), ("document/a.txt", 0)),
        (("document/a.txt", 1), ("document/plan.txt", 0)), (("document/a.txt", 1), ("document/plan.txt", 1)),
    ])
    func `else the name stays as it was`(_ a: (String, Int), _ b: (String, Int)) {
        let merged = ItemState.merge(base: state(("document/plan.txt", 0)), state(a), state(b), aWins: true)
        #expect(name(merged) == .string("document/plan.txt"))
    }

    @Test(arguments: ["document/plan.txt", "document/b.txt"], [false, true])
    func `an edit stands, and the new name of the other side gives way`(_ edited: String, _ isA: Bool) {
        let sides = [state(("document/a.txt", 0), name: "document/a.txt"), state((edited, 1))]
        for aWins in [true, false] {
            let merged = ItemState.merge(
                base: state(("document/plan.txt", 0)), sides[isA ? 1 : 0], sides[isA ? 0 : 1], aWins: aWins)
            #expect(merged.state.files == sides[1].files && name(merged) == .string(edited))
            #expect(merged.losers.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `a new name that one side noted gives way to an edit, whose name item json has`(_ isA: Bool) {
        let base = state(("document/new.txt", 0))
        let sides = [state(("document/new.txt", 0), name: "document/new.txt"), state(("document/plan.txt", 1))]
        for aWins in [true, false] {
            let merged = ItemState.merge(base: base, sides[isA ? 1 : 0], sides[isA ? 0 : 1], aWins: aWins)
            #expect(merged.state.files == sides[1].files && name(merged) == .string("document/plan.txt"))
        }
    }

    @Test(arguments: [false, true])
    func `a name that one side noted is that of the document, which the other side renamed since`(_ isA: Bool) {
        let base = state(("document/new.txt", 0))
        let sides = [state(("document/new.txt", 0), name: "document/new.txt"), state(("document/newer.txt", 0))]
        for aWins in [true, false] {
            let merged = ItemState.merge(base: base, sides[isA ? 1 : 0], sides[isA ? 0 : 1], aWins: aWins)
            #expect(merged.state.files == sides[1].files && name(merged) == .string("document/newer.txt"))
        }
    }

    @Test func `an item that names no document gets no name`() {
        let merged = ItemState.merge(
            base: state(("document/plan.txt", 0), name: nil), state(("document/a.txt", 0), name: nil),
            state(("document/b.txt", 0), name: nil), aWins: true)
        #expect(name(merged) == nil)
    }
}
