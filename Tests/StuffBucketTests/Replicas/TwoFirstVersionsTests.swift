import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

/// An editor changes a copy before its first command there, and both copies note a first version without each other:
/// Documentation/Merge.md § 2, rule 2.
struct TwoFirstVersionsTests: TwoCopies {
    let a: Replica, b: Replica
    private let id: ItemID

    init() throws {
        a = try Replica()
        id = try a.library.change("add") { try $0.addSnippet("One.\n\nTwo.\n\nThree.\n") }
        b = try Replica(copyOf: a)
        try b.scratch.write(file(".edit.tmp"), "One.\n\nTwo by hand.\n")
        try b.scratch.rename(file(".edit.tmp"), to: file("text.md"))
        for (one, tag) in [(a, "a"), (b, "b")] {
            let stored = try #require(try one.library.store.item(id))
            _ = try one.library.change("tag") { try $0.edit(stored) { $0.addTag(tag) } }
        }
    }

    private func file(_ name: String) -> String { "library/\(Layout.itemFolder(id))/\(name)" }

    private func expectEdit() throws {
        for one in [a, b] {
            #expect(try one.scratch.text(file("text.md")) == "One.\n\nTwo by hand.\n")
            let stored = try #require(try one.library.store.item(id))
            #expect(Set(stored.item.tags) == ["a", "b"])
            #expect(try one.library.conflicts(of: stored).count == 0)
        }
    }

    @Test(arguments: [false, true]) func `a copying program brings both, and what was replaced stays away`(
        _ isOtherFirst: Bool
    ) throws {
        try a.meet(b)
        for one in isOtherFirst ? [b, a] : [a, b] { try one.settle() }
        try meetAll()
        try expectEdit()
    }

    @Test func `one copy joins both before the other one looks`() throws {
        try a.meet(b)
        try b.settle()
        try a.meet(b)
        try a.settle()
        try meetAll()
        try expectEdit()
    }

    @Test(arguments: [false, true]) func `so does a merge`(_ isOtherFirst: Bool) throws {
        let (one, other) = isOtherFirst ? (b, a) : (a, b)
        #expect(try one.library.mergePreview(path(other)).joined == [id])
        try merge(other, into: one)
        try bothAreEqual()
        try expectEdit()
    }
}
