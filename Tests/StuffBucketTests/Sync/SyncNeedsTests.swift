import Files
import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Objects that are missing or damaged in an exchange: who finds it, who asks, and who writes them again.
struct SyncNeedsTests {
    private let worker: CaptureWorker
    private let fleet: Fleet
    private let id: ItemID
    private static let names = ["document/plan.txt", "page.html"]

    init() throws {
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        fleet = try Fleet(1)
        let a = fleet[0]
        id = try a.addPlan("Sow in May.")
        try a.save(id, "page.html", "<p>Bread of the house</p>")
        _ = try a.library.change("edit") { try $0.edit(a.stored(id)) { $0.set(.archiveStatus, .string("full")) } }
        try a.sync()
    }

    /// The objects of the page and the document.
    private func objects() throws -> [String] {
        let a = fleet[0]
        let place = try #require(try a.library.syncFolder(a.exchange))
        let state = try #require(place.states(id.shard)[id])
        return state.bundles.map { ExchangeLayout.object($0.sha256, .tar) }
            + state.files.filter { $0.path == Self.names[0] }.map { ExchangeLayout.object($0.sha256, .raw) }
    }

    private func damage(_ isFlipped: Bool) throws {
        for object in try objects() {
            var bytes = try fleet.scratch.bytes("exchange/" + object)
            bytes[bytes.count / 2] ^= 1
            try fleet.scratch.removeFile("exchange/" + object)
            if isFlipped { try fleet.scratch.write("exchange/" + object, bytes) }
        }
    }

    private func expectWhole(_ device: SyncDevice, _ place: SourceLocation = #_sourceLocation) throws {
        for name in Self.names {
            let bytes = try? device.scratch.bytes(device.path(id, name))
            #expect(try bytes == fleet[0].scratch.bytes(fleet[0].path(id, name)), "\(name)", sourceLocation: place)
        }
    }

    private func rows(_ device: SyncDevice) throws -> [Row] {
        try device.library.find(ItemRequest(device.library.parse("").query)).rows
    }

    /// The object of the document as a device wrote it last.
    private func document(_ device: SyncDevice) throws -> String {
        let place = try #require(try device.library.syncFolder(device.exchange))
        let file = try #require(place.states(id.shard)[id]?.files.first { $0.path == Self.names[0] })
        return "exchange/" + ExchangeLayout.object(file.sha256, .raw)
    }

    @Test func `nobody waits for a document that was replaced since, also where another device named it last`() throws {
        try fleet.add()
        try fleet.settle()
        let (a, b) = (fleet[0], fleet[1])
        try b.save(id, Self.names[0], "Sow in June.")
        try b.sync()
        let object = try document(b)
        try fleet.scratch.write(object, "Other bytes.")
        _ = try a.library.change("edit") { try $0.edit(a.stored(id)) { $0.addTag("may") } }
        #expect(try !a.sync().left.isEmpty)
        try b.save(id, Self.names[0], "Sow in July.")
        for _ in 0..<2 {
            try b.sync()
            try a.sync()
        }
        for device in [a, b] {
            #expect(try device.sync().left.isEmpty)
            #expect(try device.scratch.text(device.path(id, Self.names[0])) == "Sow in July.")
        }
    }

    @Test func `a device that waits for an object writes nothing about other items of its pack`() throws {
        try fleet.add()
        let other = try fleet[0].addPlan("Another.")
        try fleet[0].save(other, "own.md", "Own.")
        try fleet.settle()
        try fleet[0].save(other, "own.md", "Own, changed.")
        try fleet[0].save(id, "document/plan.txt", "Sow in April.")
        try fleet[0].sync()
        try fleet.scratch.removeFile("exchange/" + objects().last!)
        try fleet[1].sync()
        try fleet[0].scratch.removeFile(fleet[0].path(other, "own.md"))
        try fleet[0].sync()
        // It asks for the object, and is not answered.
        for _ in 0..<2 { try fleet[1].sync() }
        for _ in 0..<3 { #expect(try fleet[1].sync().sent.isEmpty) }
    }

    @Test(arguments: [false, true]) func `a device that joins gets what others have and the exchange lost`(
        _ isFlipped: Bool
    ) throws {
        try fleet.add()
        try fleet.settle()
        try damage(isFlipped)
        let c = try SyncDevice(from: fleet.path)
        #expect(try !c.sync().left.isEmpty)
        // What the new device writes lacks the files; those who have them still know.
        for _ in 0..<2 {
            try fleet[0].sync()
            try fleet[1].sync()
            try c.sync()
        }
        #expect(try c.sync().left.isEmpty)
        try expectWhole(c)
        try expectWhole(fleet[0])
    }

    // MARK: Files that are away

    @Test func `a thin device asks for an object that is gone, and opens it when it is written again`() throws {
        let thin = try fleet.addThin()
        try damage(false)
        let report = try thin.sync()
        #expect(Set(report.left.map(\.path)) == Set(try objects()), "\(report)")
        #expect(Set(try thin.status().unfinished) == Set(try objects()))
        try fleet[0].sync()
        #expect(try thin.sync().left.isEmpty)
        #expect(try thin.status().unfinished.isEmpty)
        // Its head says the same again when they go once more.
        usleep(20_000)
        try damage(false)
        #expect(try !thin.sync().left.isEmpty)
        try fleet[0].sync()
        #expect(try thin.sync().left.isEmpty)
        #expect(try thin.library.keep(rows(thin), from: [thin.exchange], worker).left.isEmpty)
        try expectWhole(thin)
    }

    @Test(arguments: ["open", "keep", "repair"]) func `a thin device that finds a damaged object asks for it`(
        _ verb: String
    ) throws {
        let thin = try fleet.addThin()
        try damage(true)
        // Names and sizes tell nothing.
        #expect(try thin.sync().left.isEmpty)
        switch verb {
        case "open":
            for file in [OpenableFile.page, .document] {
                let found = try thin.library.resolve(file, of: thin.stored(id), from: [thin.exchange], { worker })
                guard case .unavailable? = found else {
                    Issue.record("\(String(describing: found))")
                    continue
                }
            }
        case "keep":
            #expect(try thin.library.keep(rows(thin), from: [thin.exchange], worker).left.count == 2)
        default:
            let report = try thin.library.repair(from: [.exchange(thin.exchange)], worker)
            #expect(report.lost.count == 2, "\(report)")
        }
        #expect(Set(try thin.sync().left.map(\.path)) == Set(try objects()))
        try fleet[0].sync()
        #expect(try thin.sync().left.isEmpty)
        #expect(try thin.library.keep(rows(thin), from: [thin.exchange], worker).left.isEmpty)
        try expectWhole(thin)
    }

    @Test func `a device that finds damage when it drops writes the objects again`() throws {
        try damage(true)
        let a = fleet[0]
        #expect(try a.library.drop(rows(a), to: [a.exchange], worker).left.count == 2)
        #expect(try a.sync().left.isEmpty)
        let report = try a.library.drop(rows(a), to: [a.exchange], worker)
        #expect(report.left.isEmpty && report.done == [id], "\(report)")
    }

    @Test func `an object of an item that was purged is not missed any more`() throws {
        let thin = try fleet.addThin()
        try damage(false)
        #expect(try !thin.sync().left.isEmpty)
        try thin.library.change("trash") { _ = try $0.trash(thin.stored(id)) }
        try thin.library.change("purge") { try $0.purge(thin.stored(id)) }
        #expect(try thin.sync().left.isEmpty && thin.status().unfinished.isEmpty)
    }

    @Test func `what another exchange holds is not asked of this one`() throws {
        let thin = try fleet.addThin()
        var second = ExchangeFolder(path: fleet.scratch.full("second"))
        second.isThin = true
        _ = try thin.library.makeExchange(at: second.path)
        for _ in 0..<2 { #expect(try thin.library.sync(with: second, worker).left.isEmpty) }
        #expect(try thin.sync().left.isEmpty)
    }

    // MARK: Packs

    @Test func `packs of two devices that are damaged hold up no new device for longer than they need to be written`()
        throws
    {
        let b = try fleet.add()
        let other = try b.library.change("add") { try $0.addSnippet("Of the second.") }
        try fleet.settle()
        try fleet[0].change(id) { $0.set(.title, .string("Changed")) }
        try fleet.settle()
        let bundles = try objects()
        for object in try fleet.objects(".tar.zst") where !bundles.contains(object) {
            let bytes = try fleet.scratch.bytes("exchange/" + object)
            try fleet.scratch.write("exchange/" + object, Array(bytes.dropLast(20)))
        }
        let c = try SyncDevice(from: fleet.path)
        #expect(try !c.sync().left.isEmpty)
        for _ in 0..<2 {
            try fleet[0].sync()
            try b.sync()
            try c.sync()
        }
        let report = try c.sync()
        #expect(report.left.isEmpty, "\(report)")
        #expect(try c.status().unfinished.isEmpty)
        #expect(try c.stored(id).item.title == "Changed" && c.library.store.item(other) != nil)
        try expectWhole(c)
    }

    @Test func `a sync that has nothing else to do writes what packs held that somebody removed`() throws {
        let (fleet, id) = try Fleet.withItem()
        try fleet[0].change(id) { $0.addTag("may") }
        try fleet[0].sync()
        let packs = try fleet.objects(".tar.zst")
        #expect(packs.count == 3)
        for pack in packs { try fleet.scratch.removeFile("exchange/" + pack) }
        #expect(try fleet[0].sync().left.isEmpty)
        #expect(try fleet[0].sync().hasNothing)
        #expect(try fleet.add().stored(id).item.tags == ["may"])
    }

    @Test(arguments: [false, true]) func `a device writes what packs held of one that does not come back, once`(
        _ isFlipped: Bool
    ) throws {
        let b = try fleet.add()
        let bundles = try objects()
        for object in try fleet.objects(".tar.zst") where !bundles.contains(object) {
            let bytes = try fleet.scratch.bytes("exchange/" + object)
            try fleet.scratch.removeFile("exchange/" + object)
            if isFlipped { try fleet.scratch.write("exchange/" + object, Array(bytes.dropLast(20))) }
        }
        let c = try SyncDevice(from: fleet.path)
        #expect(try !c.sync().left.isEmpty && c.library.store.item(id) == nil)
        #expect(try b.sync().sent == [id])
        for _ in 0..<2 {
            try c.sync()
            #expect(try b.sync().sent.isEmpty)
        }
        try expectWhole(c)
        try c.change(id) { $0.addTag("c") }
        try c.sync()
        try b.sync()
        #expect(try b.stored(id).item.tags == ["c"])
        // What is lost is named until its device is forgotten; after a day, that is said.
        #expect(try !c.sync().left.isEmpty && c.sync().notHeardOf.isEmpty)
        let place = try #require(try c.library.syncFolder(c.exchange))
        var memory = try #require(place.memory())
        for entry in memory.unfinished.indices {
            memory.unfinished[entry].since = memory.unfinished[entry].since.adding(seconds: -90_000)
        }
        try place.write(memory)
        let device = try #require(try fleet[0].status().device)
        for _ in 0..<2 { #expect(try !c.sync().left.isEmpty && c.sync().notHeardOf == [device]) }
        _ = try b.library.forget("\(device)", in: b.exchange, worker)
        for device in [b, c] { try device.sync() }
        #expect(try c.sync().left.isEmpty && c.sync().notHeardOf.isEmpty && c.status().unfinished.isEmpty)
        #expect(try c.files() == b.files())
    }
}
