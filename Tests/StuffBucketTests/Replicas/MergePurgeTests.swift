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

    /// As `rsync --delete` does.
    @Test(arguments: ["", "text", "document"])
    func `an edit that the purge did not see stays with the device if a program removes the folder`(_ edit: String)
        throws
    {
        switch edit {
        case "text":
            try b.save("text.md", "One.\n\nOf b.\n\nThree.\n")
            try b.settle()
        case "document": try attach("Of b.", to: b)
        default: break
        }
        try purge(a)
        let tombstone = "library/" + Layout.tombstone(Replica.id)
        try FileManager.default.removeItem(atPath: b.scratch.full(b.folder))
        try b.scratch.write(tombstone, a.scratch.bytes(tombstone))
        _ = b.library.takeNotices()
        try b.look()
        let kept = b.library.takeNotices().compactMap { notice in
            if case .purgedUnseen(Replica.id, let kept, _) = notice { kept } else { nil }
        }
        #expect(kept.count == (edit.isEmpty ? 0 : 1))
        for path in kept { #expect(b.scratch.exists("library/" + path)) }
        let shard = (try? b.scratch.names("library/.sbfs/known/" + Replica.id.shard)) ?? []
        let texts = try shard.filter { $0.hasSuffix(".md") }.map {
            try b.scratch.text("library/.sbfs/known/\(Replica.id.shard)/\($0)")
        }
        #expect(texts.contains { $0.contains("Of b.") } == (edit == "text"))
    }

    /// As Syncthing does with a folder in which it has to keep a file that was changed here.
    @Test func `if the program removes item.json alone, the notice names the command that brings the item back`() throws
    {
        try b.save("text.md", "One.\n\nOf b.\n\nThree.\n")
        try b.settle()
        try purge(a)
        let tombstone = "library/" + Layout.tombstone(Replica.id)
        try FileManager.default.removeItem(atPath: b.scratch.full(b.folder + "/item.json"))
        try b.scratch.write(tombstone, a.scratch.bytes(tombstone))
        _ = b.library.takeNotices()
        try b.look()
        let notices = b.library.takeNotices().filter {
            if case .purgedUnseen(Replica.id, _, hasFolder: true) = $0 { true } else { false }
        }
        #expect(notices.count == 1)
        _ = try b.library.repair(from: [], CaptureWorker(path: BuiltProgram.path("sbfs-worker")))
        #expect(try b.text == "One.\n\nOf b.\n\nThree.\n" && b.title == "Bread")
    }

    @Test func `a purge before the first index leaves nothing of the item in the device's folder`() throws {
        try b.change { $0.addTag("rye") }
        try FileManager.default.removeItem(atPath: b.scratch.full("library/.sbfs/index"))
        let fresh = try Library(path: b.scratch.full("library"))
        try fresh.change("trash") { _ = try $0.trash(b.stored) }
        try fresh.change("purge") { try $0.purge(b.stored) }
        let known = (try? b.scratch.names("library/.sbfs/known/" + Replica.id.shard)) ?? []
        #expect(known.filter { $0.hasPrefix(Replica.id.description) }.isEmpty)
        let states = (try? b.scratch.bytes("library/.sbfs/states/" + Replica.id.shard)) ?? []
        #expect(!String(decoding: states, as: UTF8.self).contains("Two."))
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

    /// Both have the item in the trash, a purged it, and a tool carried all files both ways.
    private func purgeInA() throws {
        try a.library.change("trash") { _ = try $0.trash(a.stored) }
        try meetAll()
        try a.library.change("purge") { try $0.purge(a.stored) }
        try a.meet(b)
        #expect(a.scratch.exists(a.folder) && b.scratch.exists(b.folder))
    }

    @Test func `what the trash of both copies had and one purged goes from both, whatever a tool brings`() throws {
        try purgeInA()
        for one in [a, b] {
            try one.settle()
            #expect(!one.scratch.exists(one.folder))
            #expect(one.scratch.exists("library/" + Layout.tombstone(Replica.id)))
        }
        try a.meet(b)
        #expect(!a.scratch.exists(a.folder) && !b.scratch.exists(b.folder))
    }

    @Test(arguments: ["own.txt", "conflicts/0123456789abcdef.json", "document/other.txt", "text (1).md", "text.md"])
    func `what the purge did not see stays, and is named`(_ name: String) throws {
        try purgeInA()
        try b.scratch.write(b.folder + "/" + name, "Of the person.\n")
        let bytes = try b.scratch.bytes(b.folder + "/" + name)
        try b.settle()
        #expect(try b.scratch.bytes(b.folder + "/" + name) == bytes)
        let isEdit = name == "text.md"
        let expected =
            isEdit
            ? "note tombstoneOfLiving \(Layout.tombstone(Replica.id))" : "warning purgedInPart \(b.folder.dropFirst(8))"
        let found = try kinds(b)
        #expect(found.contains(expected), "\(found)")
    }

    /// What a check of one copy finds.
    private func kinds(_ one: Replica) throws -> [String] {
        try Check(one.library.store).run().findings.map { "\($0.severity) \($0.kind) \($0.path)" }
    }

    @Test func `what was purged before the other copy had it in the trash is named there`() throws {
        try purge(a)
        try a.meet(b)
        try b.settle()
        #expect(try b.library.store.item(Replica.id) != nil)
        let folder = try b.stored.folder
        #expect(try kinds(b).contains("warning broughtBack \(folder)"))
        #expect(try b.library.waitingJoin(of: b.stored).isPurgedElsewhere)
        #expect(try b.library.waitingJoins().map(\.id) == [Replica.id])
        try b.change { $0.addTag("rye") }
        #expect(try !kinds(b).contains("warning broughtBack \(folder)"))
        #expect(try b.library.waitingJoins().isEmpty && b.library.waitingJoin(of: b.stored).isEmpty)
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
