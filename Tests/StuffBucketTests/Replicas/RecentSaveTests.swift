import Files
import Foundation
import Glibc
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// What a program saved while a daemon runs, and a copying program replaced before its version was noted, is lost in no copy:
/// Documentation/Merge.md § 2, rule 4.
struct RecentSaveTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
    }

    private var item: Sweep.Hint { Sweep.Hint(id: Replica.id, shard: Replica.id.shardNumber) }

    /// Saves in b, lets the watch of b see it, and saves in a, whose files then come to b.
    private func replace(_ name: String, in saves: RecentSaves, b saved: () throws -> Void, a later: () throws -> Void)
        throws
    {
        try saved()
        saves.keep(name == Layout.itemFile ? .item : .text, of: item)
        usleep(20_000)
        try later()
        try a.settle()
        try a.meet(b)
    }

    private func settle(_ saves: RecentSaves) throws {
        try b.look()
        try b.library.replicas.settle(saves: saves)
    }

    @Test func `a text that was replaced before it was noted is joined`() throws {
        let saves = RecentSaves(b.library.store)
        try replace(Layout.textFile, in: saves) {
            try b.save("text.md", "One.\n\nTwo.\n\nThree by b.\n")
        } a: {
            try a.save("text.md", "One by a.\n\nTwo.\n\nThree.\n")
        }
        #expect(try b.text == "One by a.\n\nTwo.\n\nThree.\n")
        try settle(saves)
        #expect(try b.text == "One by a.\n\nTwo.\n\nThree by b.\n")
        try meetAll()
        #expect(try a.text == "One by a.\n\nTwo.\n\nThree by b.\n")
        #expect(try a.names("conflicts").isEmpty)
    }

    @Test func `a save that the next one replaced, or that is gone, was written here`() throws {
        let folder = Layout.itemFolder(Replica.id), store = a.library.store
        try a.save("text.md", "One by a.\n")
        let live = try #require(try store.live(Replica.id, in: folder))
        usleep(60_000)
        try a.save("text.md", "Two by a.\n")
        #expect(try store.isWrittenHere(.text, of: live))
        try FileManager.default.removeItem(atPath: a.scratch.full(a.folder + "/text.md"))
        #expect(try store.isWrittenHere(.text, of: live))
    }

    @Test func `a command between the two does not make the save a step back`() throws {
        try b.setText("One.\n\nTwo.\n\nThree.\n\nFour.\n")
        try meetAll()
        let saves = RecentSaves(b.library.store)
        try replace(Layout.textFile, in: saves) {
            try b.save("text.md", "One.\n\nTwo.\n\nThree by b.\n\nFour.\n")
        } a: {
            try a.save("text.md", "One by a.\n\nTwo.\n\nThree.\n\nFour.\n")
        }
        // It joins what is there, and knows nothing of the save.
        try b.settle()
        #expect(try b.text == "One by a.\n\nTwo.\n\nThree.\n\nFour.\n")
        try settle(saves)
        #expect(try b.text == "One by a.\n\nTwo.\n\nThree by b.\n\nFour.\n")
    }

    @Test func `fields that were replaced before they were noted are joined`() throws {
        let saves = RecentSaves(b.library.store)
        try replace(Layout.itemFile, in: saves) {
            try b.save(
                "item.json", b.scratch.text(b.folder + "/item.json").replacing("\"dough\"", with: "\"dough\", \"by b\"")
            )
        } a: {
            try a.saveTitle("Sourdough", for: "Bread")
        }
        #expect(try b.tags == ["dough"])
        try settle(saves)
        #expect(try Set(b.tags) == ["dough", "by b"])
        #expect(try b.title == "Sourdough")
    }

    @Test func `a save that older bytes replaced stands`() throws {
        let saves = RecentSaves(b.library.store)
        let old = try a.scratch.bytes(a.folder + "/text.md")
        try b.save("text.md", "One.\n\nTwo by b.\n\nThree.\n")
        saves.keep(.text, of: item)
        // `rsync -a` without `-u`: a new file with the times of the old one.
        try b.scratch.write(b.folder + "/.part", String(decoding: old, as: UTF8.self))
        let times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, b.scratch.full(b.folder + "/.part"), times, 0) == 0)
        try b.scratch.rename(b.folder + "/.part", to: b.folder + "/text.md")
        try settle(saves)
        #expect(try b.text == "One.\n\nTwo by b.\n\nThree.\n")
    }

    @Test func `a save stays in memory if the call ends before it comes to the item`() throws {
        let saves = RecentSaves(b.library.store)
        try replace(Layout.textFile, in: saves) {
            try b.save("text.md", "One.\n\nTwo.\n\nThree by b.\n")
        } a: {
            try a.save("text.md", "One by a.\n\nTwo.\n\nThree.\n")
        }
        try b.look()
        let monitor = Monitor()
        monitor.cancel()
        #expect(throws: ItemError.self) { try b.library.replicas.settle(monitor, saves: saves) }
        try settle(saves)
        #expect(try b.text == "One by a.\n\nTwo.\n\nThree by b.\n")
        #expect(saves.takeReplaced().isEmpty)
    }

    @Test func `what arrived, an empty text and what nobody replaced are no saves`() throws {
        let saves = RecentSaves(b.library.store)
        saves.keep(.text, of: item)
        #expect(saves.takeReplaced().isEmpty)
        try b.save("text.md", "")
        saves.keep(.text, of: item)
        try b.save("text.md", "One.\n")
        #expect(saves.takeReplaced().isEmpty)
        saves.keep(.text, of: item)
        #expect(saves.takeReplaced().isEmpty)
        try b.save("text.md", "Two.\n")
        #expect(saves.takeReplaced()[Replica.id]?[.text]?.bytes == Array("One.\n".utf8))
        #expect(saves.takeReplaced().isEmpty)
    }

    @Test func `a watch keeps what is saved long before the item is at rest`() throws {
        var options = WatchOptions()
        options.quiet = .seconds(600)
        options.longestWait = .seconds(600)
        options.keepsSaves = true
        let watch = try b.library.watch(options)
        defer { watch.stop() }
        try watch.waitUntilReady()
        let saves = try #require(watch.saves)
        var taken: [String] = []
        // On a machine that is busy, the thread of the watch may be late.
        for round in 1...20 where taken.isEmpty {
            try b.save("text.md", "Saved \(round).\n")
            usleep(UInt32(round) * 50_000)
            try FileManager.default.removeItem(atPath: b.scratch.full(b.folder + "/text.md"))
            taken = saves.takeReplaced()[Replica.id]?[.text].map { [String(decoding: $0.bytes, as: UTF8.self)] } ?? []
        }
        #expect(taken.first?.hasPrefix("Saved ") == true)
    }
}
