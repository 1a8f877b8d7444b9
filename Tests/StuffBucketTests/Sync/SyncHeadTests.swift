import Files
import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Heads that are lost or damaged, and packs that no head names: what two devices wrote reaches the ones that join.
struct SyncHeadTests {
    @Test func `a folder in the place of a head is named, and the rest goes on`() throws {
        let fleet = try Fleet(2)
        let strange = "heads/00000000-0000-4000-8000-000000000001.json"
        try FileManager.default.createDirectory(
            atPath: fleet.path + "/" + strange, withIntermediateDirectories: true)
        let id = try fleet[0].addPlan("Sow in May.")
        #expect(try fleet[0].sync().left.map(\.path) == [strange])
        #expect(try fleet[1].sync().taken.added == [id])
        // An empty one in the place of its own head is no head that a device could lose.
        let own = fleet.path + "/" + ExchangeLayout.head(try #require(try fleet[0].status().device))
        try FileManager.default.removeItem(atPath: own)
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
        try fleet[0].sync()
        #expect(try fleet[1].sync().left.map(\.path) == [strange])
    }

    private let worker: CaptureWorker
    private let fleet: Fleet
    private let id: ItemID

    /// Both devices wrote, each after the other: every pack but the first follows one of the other device.
    init() throws {
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        fleet = try Fleet(1)
        let id = try fleet[0].library.change("add") { [fleet] in try $0.addSnippet("One.\(fleet.path.isEmpty)") }
        self.id = id
        try fleet[0].sync()
        try fleet.add()
        for (place, tag) in [(1, "b"), (0, "a"), (1, "bb"), (0, "aa")] {
            try fleet[place].change(id) { $0.addTag(tag) }
            try fleet[place].sync()
            try fleet[1 - place].sync()
        }
    }

    private func head(_ place: Int) throws -> String {
        try "exchange/" + ExchangeLayout.head(#require(fleet[place].status().device))
    }

    private func packs(_ place: Int) throws -> [Items.ContentHash] {
        try #require(try fleet[place].library.syncFolder(fleet[place].exchange)?.memory()).packs
    }

    /// A device that joins now gets everything, with nothing left.
    private func expectJoins(_ place: SourceLocation = #_sourceLocation) throws {
        let c = try SyncDevice(from: fleet.path)
        let report = try c.sync()
        #expect(report.left.isEmpty, "\(report.left)", sourceLocation: place)
        let tags = (try? c.stored(id).item.tags) ?? []
        #expect(Set(tags).isSuperset(of: ["a", "b", "aa", "bb"]), "\(tags)", sourceLocation: place)
        #expect(try c.files() == fleet[0].files(), sourceLocation: place)
    }

    /// Nothing more is written by a sync.
    private func expectRest(_ place: SourceLocation = #_sourceLocation) throws {
        try fleet.settle()
        let before = try fleet.names()
        for device in fleet.devices {
            let report = try device.sync()
            #expect(report.left.isEmpty && report.sent.isEmpty, "\(report)", sourceLocation: place)
        }
        #expect(try fleet.names() == before, sourceLocation: place)
        try fleet.expectEqual()
    }

    // MARK: The own head

    @Test func `a head in which any byte is flipped is written again by its device`() throws {
        let head = try head(0), other = try self.head(1)
        let whole = try fleet.scratch.bytes(head)
        for place in stride(from: 0, to: whole.count, by: 37) {
            var bytes = whole
            bytes[place] ^= 0x55
            try fleet.scratch.write(head, bytes)
            let report = try fleet[0].sync()
            #expect(report.sent.isEmpty && report.left.isEmpty, "byte \(place): \(report)")
            #expect(try fleet.scratch.bytes(head) == whole, "byte \(place)")
        }
        #expect(try Set(fleet.scratch.names("exchange/heads").map { "exchange/heads/" + $0 }) == [head, other])
        try expectJoins()
        try expectRest()
    }

    @Test func `a head that another device reads while it is damaged is named, and an empty library is no success`()
        throws
    {
        let head = try head(0)
        let whole = try fleet.scratch.bytes(head)
        for place in [40, 120] {
            var bytes = whole
            bytes[place] ^= 0x55
            try fleet.scratch.write(head, bytes)
            #expect(try fleet[1].sync().left.map { "exchange/" + $0.path } == [head])
            let c = try SyncDevice(from: fleet.path)
            #expect(try c.sync().left.contains { "exchange/" + $0.path == head })
            try fleet[0].sync()
            #expect(try c.sync().left.isEmpty)
            #expect(try c.files() == fleet[0].files())
        }
        try expectRest()
    }

    @Test func `a head that is gone is written again, and nothing else`() throws {
        let head = try head(0)
        let whole = try fleet.scratch.bytes(head)
        let objects = try fleet.objects()
        try fleet.scratch.removeFile(head)
        #expect(try fleet[0].sync().sent.isEmpty)
        #expect(try fleet.scratch.bytes(head) == whole)
        #expect(try fleet.objects() == objects)
        try fleet[1].change(id) { $0.addTag("later") }
        try fleet.settle()
        #expect(try fleet[0].stored(id).item.tags.contains("later"))
        try expectJoins()
        try expectRest()
    }

    @Test func `a head and packs that are gone are written again, and edits of the other device arrive`() throws {
        for pack in try packs(0) {
            try fleet.scratch.removeFile("exchange/" + ExchangeLayout.object(pack, .tar))
        }
        try fleet.scratch.removeFile(head(0))
        try fleet[1].change(id) { $0.addTag("later") }
        for _ in 0..<2 {
            try fleet[1].sync()
            try fleet[0].sync()
        }
        #expect(try fleet[0].stored(id).item.tags.contains("later"))
        try fleet.settle()
        try expectJoins()
        try expectRest()
    }

    // MARK: The head of another device

    @Test func `what a forgotten device wrote is named before what follows it`() throws {
        let device = try #require(try fleet[0].status().device)
        _ = try fleet[1].library.forget("\(device)", in: fleet[1].exchange, worker)
        try expectJoins()
        try fleet[0].sync()
        try expectJoins()
        try expectRest()
    }

    @Test func `a device with a damaged head is forgotten`() throws {
        let device = try #require(try fleet[0].status().device)
        try fleet.scratch.write(head(0), "{")
        _ = try fleet[1].library.forget("\(device)", in: fleet[1].exchange, worker)
        try expectJoins()
        try fleet[0].sync()
        try expectRest()
    }

    @Test(arguments: [false, true]) func `the packs of a device whose head is lost are named by another one`(
        _ areWhole: Bool
    ) throws {
        try fleet.scratch.removeFile(head(0))
        if !areWhole {
            let pack = try #require(try packs(0).first)
            try fleet.scratch.removeFile("exchange/" + ExchangeLayout.object(pack, .tar))
        }
        // The first look may be at the moment in which another program replaces it.
        for _ in 0..<3 { try fleet[1].sync() }
        try expectJoins()
        try fleet[0].sync()
        try expectJoins()
        try expectRest()
    }

    @Test(arguments: [0, 1], [false, true]) func `a pack that is lost or damaged holds up no new device`(
        _ place: Int, _ isFlipped: Bool
    ) throws {
        let object = try "exchange/" + ExchangeLayout.object(#require(packs(place).first), .tar)
        var bytes = try fleet.scratch.bytes(object)
        bytes[bytes.count / 2] ^= 0x55
        if isFlipped { try fleet.scratch.write(object, bytes) } else { try fleet.scratch.removeFile(object) }
        let c = try SyncDevice(from: fleet.path)
        #expect(try !c.sync().left.isEmpty)
        for _ in 0..<2 {
            for device in [fleet[0], fleet[1], c] { try device.sync() }
        }
        #expect(try c.sync().left.isEmpty)
        #expect(try c.files() == fleet[0].files())
        try expectJoins()
        try expectRest()
    }

    @Test func `a lost pack of a device that does not come back holds up nobody`() throws {
        let b = fleet[1]
        try fleet.scratch.removeFile("exchange/" + ExchangeLayout.object(#require(packs(0).first), .tar))
        let c = try SyncDevice(from: fleet.path)
        for _ in 0..<2 {
            try c.sync()
            try b.sync()
        }
        for tag in ["one", "two"] {
            try b.change(id) { $0.addTag(tag) }
            try b.sync()
            try c.sync()
            #expect(try c.stored(id).item.tags.contains(tag))
        }
        try c.change(id) { $0.addTag("three") }
        try c.sync()
        try b.sync()
        #expect(try b.stored(id).item.tags.contains("three"))
        // What is lost is named until the device is forgotten.
        #expect(try !c.sync().left.isEmpty)
        let device = try #require(try fleet[0].status().device)
        _ = try b.library.forget("\(device)", in: b.exchange, worker)
        for device in [b, c, b, c] { try device.sync() }
        #expect(try c.sync().left.isEmpty && c.files() == b.files())
        let d = try SyncDevice(from: fleet.path)
        #expect(try d.sync().left.isEmpty && d.files() == b.files())
    }

    @Test func `packs whose predecessors nobody writes any more are taken after a day`() throws {
        // The other device does not come back, and its head is gone.
        let c = try SyncDevice(from: fleet.path)
        try fleet.scratch.removeFile(head(0))
        #expect(try c.sync().left.map(\.reason) == [.comesLater])
        let place = try #require(try c.library.syncFolder(c.exchange))
        var memory = try #require(place.memory())
        for entry in memory.unfinished.indices {
            memory.unfinished[entry].since = memory.unfinished[entry].since.adding(seconds: -90_000)
        }
        try place.write(memory)
        try c.sync()
        #expect(try c.stored(id).item.tags.contains("bb"))
        #expect(try c.sync().left.isEmpty)
    }

    @Test func `prune deletes nothing while a head is gone, until its device is forgotten`() throws {
        let gone = try #require(fleet[0].status().device)
        let stray = SHA256.hex([1])
        try fleet.scratch.write("exchange/objects/\(stray.prefix(2))/\(stray)", [1])
        try fleet.scratch.removeFile(head(0))
        let b = fleet[1]
        func prune() throws -> PruneReport { try b.library.prune(b.exchange, worker) }
        #expect(try prune().gone == [gone])
        // As if it had been found a month ago.
        let folder = "library/.sbfs/sync/" + (try #require(try b.scratch.names("library/.sbfs/sync").first))
        let memory = try b.scratch.text(folder + "/memory.json")
        let year = try #require(memory.range(of: "\(stray)\": \"2"))
        try b.scratch.write(folder + "/memory.json", memory.replacingCharacters(in: year, with: "\(stray)\": \"1"))
        let report = try prune()
        #expect(report.unusedCount >= 1 && report.deletedCount == 0 && report.gone == [gone])
        try b.sync()
        #expect(try prune().deletedCount == 0)
        #expect(try b.library.forget(String(gone.description.suffix(8)), in: b.exchange, worker) == gone)
        #expect(try prune().gone.isEmpty && !fleet.scratch.exists("exchange/objects/\(stray.prefix(2))/\(stray)"))
        try expectJoins()
        // It comes back, and writes its head again.
        try fleet[0].sync()
        try expectJoins()
        #expect(try prune().gone.isEmpty)
    }
}
