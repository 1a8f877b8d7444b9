import Files
import Foundation
import StuffBucket
import TestSupport
import Testing

/// Devices that lose their memory or share it, that are forgotten, and what an emptied or pruned exchange has then.
struct SyncMembershipTests {
    @Test func `an old copy of a head, or an empty one, is replaced by its device`() throws {
        let (fleet, _) = try Fleet.withItem()
        let head = "exchange/heads/" + (try #require(try fleet.scratch.names("exchange/heads").first))
        let old = try fleet.scratch.bytes(head)
        _ = try fleet[0].library.change("add") { try $0.addSnippet("More.") }
        try fleet[0].sync()
        let new = try fleet.scratch.bytes(head)
        for bytes in [old, []] {
            try fleet.scratch.write(head, bytes)
            #expect(try fleet[0].sync().sent.isEmpty)
            #expect(try fleet.scratch.bytes(head) == new)
        }
        #expect(try fleet.scratch.names("exchange/heads").count == 1)
    }

    @Test func `an emptied exchange is filled again`() throws {
        let (fleet, id) = try Fleet.withItem(["document/a.txt": "A document."])
        try FileManager.default.removeItem(atPath: fleet.path)
        _ = try fleet[0].library.makeExchange(at: fleet.path)
        #expect(try fleet[0].sync().sent == [id])
        let b = try fleet.add()
        #expect(try b.scratch.text(b.path(id, "document/a.txt")) == "A document.")
    }

    @Test func `a device whose memory is gone reads everything again and changes nothing`() throws {
        let (fleet, id) = try Fleet.withItem(["document/a.txt": "A document."])
        let b = try fleet.add()
        try b.change(id) { $0.addTag("rye") }
        try fleet.settle()
        let before = try b.files()
        try FileManager.default.removeItem(atPath: b.scratch.full("library/.sbfs/sync"))
        try b.reopen()
        let report = try b.sync()
        #expect(report.sent.isEmpty && report.taken.hasNothing, "\(report)")
        #expect(try b.files() == before)
        try fleet.settle()
        try fleet.expectEqual()
    }

    @Test func `two devices with one memory get two names, and lose nothing`() throws {
        let (fleet, id) = try Fleet.withItem()
        let a = fleet[0]
        let b = try fleet.add()
        // A clone: the same memory in another library folder.
        let twin = try SyncDevice(from: fleet.path)
        try twin.sync()
        let memory = "library/.sbfs/sync"
        try FileManager.default.removeItem(atPath: twin.scratch.full(memory))
        try FileManager.default.copyItem(atPath: b.scratch.full(memory), toPath: twin.scratch.full(memory))
        try b.change(id) { $0.addTag("one") }
        try twin.change(id) { $0.addTag("two") }
        for _ in 0..<3 { for device in [b, twin, a] { try device.sync() } }
        for device in [a, b, twin] { #expect(try Set(device.stored(id).item.tags) == ["one", "two"]) }
    }

    @Test func `a device that is forgotten leaves what it wrote`() throws {
        let (fleet, _) = try Fleet.withItem()
        let b = try fleet.add()
        let id = try b.library.change("add") { try $0.addSnippet("Only of the second device.") }
        try b.sync()
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        let device = try #require(try b.status().device)
        #expect(throws: PruneError.self) { try fleet[0].library.forget("\(device)", in: fleet[0].exchange, worker) }
        try fleet[0].sync()
        #expect(try fleet[0].library.forget(String("\(device)".suffix(8)), in: fleet[0].exchange, worker) == device)
        let c = try SyncDevice(from: fleet.path)
        #expect(try c.sync().left.isEmpty)
        #expect(try c.library.store.item(id) != nil)
        // It comes back under a new name.
        try b.sync()
        try fleet.settle()
        try fleet.expectEqual()
    }

    @Test func `prune finds what nothing names, and deletes it after 30 days`() throws {
        let (fleet, id) = try Fleet.withItem(["document/a.txt": "A document."])
        let stray = SHA256.hex([1])
        try fleet.scratch.write("exchange/objects/\(stray.prefix(2))/\(stray)", [1])
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        let report = try fleet[0].library.prune(fleet[0].exchange, worker)
        #expect(report.unusedCount == 1 && report.unusedByteCount == 1 && report.deletedCount == 0)
        #expect(report.devices.count == 1 && report.nextDeletion != nil)
        // As if it had been found a month ago.
        let folder = "library/.sbfs/sync/" + (try #require(try fleet[0].scratch.names("library/.sbfs/sync").first))
        let memory = try fleet[0].scratch.text(folder + "/memory.json")
        let year = try #require(memory.range(of: "\(stray)\": \"2"))
        try fleet[0].scratch.write(
            folder + "/memory.json", memory.replacingCharacters(in: year, with: "\(stray)\": \"1"))
        #expect(try fleet[0].library.prune(fleet[0].exchange, worker, .dry).deletedCount == 1)
        // Nothing goes by a clock that jumped, or from a remote that this device only reads.
        let clock = "library/.sbfs/clock"
        try fleet[0].scratch.write(
            clock, #"{"newest": {"time": "2020-01-01T00:00:00.000Z", "boot": "another", "uptime": 5}}"#)
        let doubtful = try fleet[0].library.prune(fleet[0].exchange, worker)
        #expect(doubtful.deletedCount == 0 && doubtful.doubt != nil)
        try fleet[0].scratch.removeFile(clock)
        var reading = fleet[0].exchange
        reading.isReadOnly = true
        #expect(throws: PruneError.self) { try fleet[0].library.prune(reading, worker) }
        #expect(throws: PruneError.self) { try fleet[0].library.forget("abcd", in: reading, worker) }
        #expect(fleet.scratch.exists("exchange/objects/\(stray.prefix(2))/\(stray)"))
        #expect(try fleet[0].library.prune(fleet[0].exchange, worker).deletedCount == 1)
        #expect(!fleet.scratch.exists("exchange/objects/\(stray.prefix(2))/\(stray)"))
        let b = try fleet.add()
        #expect(try b.scratch.text(b.path(id, "document/a.txt")) == "A document.")
    }
}
