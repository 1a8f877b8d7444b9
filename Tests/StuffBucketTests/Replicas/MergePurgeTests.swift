import Files
import Foundation
import Items
import JSONFormat
import StuffBucket
import TestSupport
import Testing
import Time

/// `Library.merge`: what was purged in one copy.
struct MergePurgeTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
    }

    @Test(arguments: ["title", "tag", "text", "editor", "document"])
    func `an edit of an item in the trash lives though the other copy purged it later`(_ kind: String) throws {
        for isHere in [true, false] {
            let one = try Replica()
            try one.library.change("trash") { _ = try $0.trash(one.stored) }
            let other = try Replica(copyOf: one)
            try other.look()
            switch kind {
            case "title": try other.change { $0.set(.title, .string("Edited")) }
            case "tag": try other.change { $0.addTag("edited") }
            case "text": try other.setText("One.\n\nEdited.\n")
            case "editor": try other.save("text.md", "One.\n\nEdited.\n")
            default: try attach("Edited.", to: other)
            }
            try one.library.change("purge") { try $0.purge(one.stored) }
            let report = try isHere ? other.library.merge(path(one)) : one.library.merge(path(other))
            #expect(report.purgedThere.isEmpty && report.purgedHere.isEmpty, "\(kind) \(report)")
            _ = try one.library.mergeBoth(path(other))
            #expect(try one.files() == other.files())
            #expect(one.scratch.exists("library/" + Layout.tombstone(Replica.id)))
            #expect(other.scratch.exists("library/" + Layout.tombstone(Replica.id)))
            for replica in [one, other] {
                #expect(try !replica.library.store.isPurged(replica.stored))
                #expect(try replica.library.find(ItemRequest(replica.library.parse("is:trashed").query)).count == 1)
            }
        }
    }

    private func purge(_ one: Replica) throws {
        try one.library.change("trash") { _ = try $0.trash(one.stored) }
        try one.library.change("purge") { try $0.purge(one.stored) }
    }

    @Test func `what was purged here does not come back from a copy that was not changed since`() throws {
        try purge(a)
        let report = try merge(b, into: a)
        #expect(report.purgedHere == [Replica.id] && report.added.isEmpty)
        #expect(try a.library.store.item(Replica.id) == nil)
    }

    @Test func `what was purged here and edited there lives`() throws {
        try purge(a)
        try b.change { $0.addTag("rye") }
        let report = try merge(b, into: a)
        #expect(report.added == [Replica.id])
        #expect(try a.tags == ["dough", "rye"])
        try bothAreEqual()
    }

    @Test func `what was purged there goes here, unless it was edited here`() throws {
        let c = try Replica(copyOf: a)
        try c.look()
        try c.save("text.md", "One.\n\nTwo.\n\nThree.\n\nEdited.\n")
        try purge(b)
        let report = try merge(b, into: a)
        #expect(report.purgedThere == [Replica.id])
        #expect(try a.library.store.item(Replica.id) == nil)
        let other = try merge(b, into: c)
        #expect(other.purgedThere.isEmpty)
        #expect(try c.text.contains("Edited."))
    }

    @Test func `an item that a tool brought back beside its tombstone goes from both copies at once`() throws {
        try purge(a)
        try bringBack(b, into: a)
        try a.look()
        #expect(try a.library.store.item(Replica.id) != nil)
        let preview = try a.library.mergeBothPreview(path(b))
        let both = try a.library.mergeBoth(path(b))
        #expect(both.here.purgedThere == [Replica.id] && both.there.purgedThere == [Replica.id])
        #expect(both.here.sameCount == 0 && preview.here.sameCount == 0)
        #expect(preview.here.purgedThere == both.here.purgedThere)
        #expect(try a.library.store.item(Replica.id) == nil && b.library.store.item(Replica.id) == nil)
        #expect(try merge(a, into: b).hasNothing && merge(b, into: a).hasNothing)
    }

    /// Copies the folder of the item, as a tool does.
    private func bringBack(_ other: Replica, into one: Replica) throws {
        try FileManager.default.createDirectory(
            atPath: one.scratch.full("library/items/01"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: other.scratch.full(other.folder), toPath: one.scratch.full(one.folder))
    }

    @Test func `an item that only one copy has, beside its tombstone, is counted once`() throws {
        let c = try Replica(copyOf: a)
        try purge(a)
        try bringBack(b, into: a)
        try FileManager.default.removeItem(atPath: c.scratch.full(c.folder))
        let both = try a.library.mergeBoth(path(c))
        #expect(both.here.sameCount == 0 && both.here.purgedThere == [Replica.id], "\(both.here)")
        #expect(try a.library.store.item(Replica.id) == nil && c.library.store.item(Replica.id) == nil)
    }
}
