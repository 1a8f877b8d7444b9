import Files
import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

@testable import StuffBucket

/// Heads of devices that wrote many packs.
struct PackListTests {
    private func hashes(_ count: Int) -> [Items.ContentHash] {
        (0..<count).map { Items.ContentHash(of: Array("\($0)".utf8)) }
    }

    @Test func `all but the last 256 to 511 packs are in lists of 256`() {
        for (count, lists) in [(0, 0), (511, 0), (512, 1), (767, 1), (768, 2), (10_000, 38)] {
            let packs = hashes(count)
            let listed = PackLists.listed(of: packs)
            #expect(listed.count == lists && listed.allSatisfy { $0.count == 256 }, "\(count)")
            #expect(listed.flatMap { $0 } == Array(packs.prefix(lists * 256)), "\(count)")
            #expect(
                listed.flatMap { PackLists.packs(in: PackLists.bytes(of: $0)) ?? [] }
                    == Array(packs.prefix(lists * 256)))
        }
    }

    @Test(arguments: [
        "", "\n", "0\n", "x", "\(String(repeating: "a", count: 64))", "\(String(repeating: "g", count: 64))\n",
    ])
    func `bytes that are no list are refused`(_ text: String) { #expect(PackLists.packs(in: Array(text.utf8)) == nil) }

    /// Lets the packs that a device wrote, or took of another one, be so many: those that there are, again and again.
    private func repeatPacks(of device: SyncDevice, _ count: Int) throws {
        let path = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: device.scratch.full("library/.sbfs/sync")).first {
                $0.hasSuffix("memory.json")
            })
        let file = device.scratch.full("library/.sbfs/sync/" + path)
        var memory = try #require(SyncMemory(Array(Data(contentsOf: URL(fileURLWithPath: file)))))
        func repeated(_ packs: [Items.ContentHash]) -> [Items.ContentHash] {
            packs.isEmpty ? [] : Array(repeating: packs[0], count: max(0, count - packs.count)) + packs
        }
        memory.packs = repeated(memory.packs)
        memory.taken = memory.taken.mapValues(repeated)
        try Data(memory.bytes).write(to: URL(fileURLWithPath: file))
        try device.reopen()
    }

    @Test func `a head stays small, and a list that is gone is written again`() throws {
        let fleet = try Fleet(2)
        let id = try fleet[0].library.change("add") { try $0.addSnippet("0") }
        try fleet[0].sync()
        // Some years later: a pack may be named again and again.
        try repeatPacks(of: fleet[0], 300)
        try fleet[0].change(id) { $0.set(.title, .string("Title")) }
        try fleet[0].sync()
        try fleet[1].sync()
        try repeatPacks(of: fleet[1], 300)
        try repeatPacks(of: fleet[0], 530)
        try fleet[0].change(id) { $0.set(.title, .string("Title 519")) }
        try fleet[0].sync()
        let sizes = try fleet.names().filter { $0.hasPrefix("heads/") }.map(\.utf8.count)
        #expect(sizes.allSatisfy { $0 < 512 * 80 }, "\(sizes)")
        let lists = try fleet.objects().filter { !$0.hasSuffix(".zst") }
        #expect(lists.count == 1)
        let list = try #require(lists.first)

        // A device that knows the packs of a list does not read it.
        let whole = try fleet.scratch.bytes("exchange/" + list)
        try fleet.scratch.removeFile("exchange/" + list)
        #expect(try fleet[1].sync().left.isEmpty)
        #expect(try fleet[1].stored(id).item.title == "Title 519")

        // A new one names it and asks for it; the one that wrote it writes it again.
        let new = try SyncDevice(from: fleet.path)
        #expect(try new.sync().left.map(\.path) == [list])
        try fleet[0].sync()
        #expect(try fleet.scratch.bytes("exchange/" + list) == whole)
        #expect(try new.sync().left.isEmpty)
        #expect(try new.stored(id).item.title == "Title 519")

        // One that was damaged is named, and nothing is deleted while it is.
        try fleet.scratch.write("exchange/" + list, Array(whole.dropLast(3)))
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        let other = try SyncDevice(from: fleet.path)
        #expect(try other.sync().left.map(\.path) == [list])
        #expect(try other.library.prune(other.exchange, worker).unreadable.count == 1)
        try fleet[0].sync()
        #expect(try fleet[0].library.prune(fleet[0].exchange, worker).unusedCount == 0)
        #expect(try other.sync().left.isEmpty)
        try fleet.settle()
        try fleet.expectEqual()
    }
}
