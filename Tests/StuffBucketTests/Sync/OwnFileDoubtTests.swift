import Files
import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Ways in which a file of the person's own could be removed or replaced although somebody still wants it. In each both stay.
/// Documentation/Exchange.md § 7.
struct OwnFileDoubtTests {
    let fleet: Fleet
    let id: ItemID
    let worker: CaptureWorker
    var a: SyncDevice { fleet[0] }
    var b: SyncDevice { fleet[1] }
    static let notes = "notes.txt"

    init() throws {
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        (fleet, id) = try Fleet.withItem([Self.notes: "First."])
        try fleet.add()
        try fleet.settle()
    }

    func text(_ device: SyncDevice, _ name: String = notes) throws -> String? {
        device.scratch.exists(device.path(id, name)) ? try device.scratch.text(device.path(id, name)) : nil
    }

    func save(_ device: SyncDevice, _ text: String, _ name: String = notes) throws {
        try device.save(id, name, text)
    }

    func remove(_ device: SyncDevice, _ name: String = notes) throws {
        try device.scratch.removeFile(device.path(id, name))
    }

    func loseMemory(_ device: SyncDevice) throws {
        try FileManager.default.removeItem(atPath: device.scratch.full("library/.sbfs"))
        try device.reopen()
    }

    /// The texts of the files in the item's folder whose names begin so.
    func texts(_ device: SyncDevice, _ prefix: String = "notes") throws -> Set<String> {
        let names = try device.scratch.names(device.path(id, "")).filter { $0.hasPrefix(prefix) }
        return try Set(names.compactMap { try text(device, $0) })
    }

    /// After all devices synced, each has these texts and nothing is left.
    func expect(_ wanted: Set<String>, _ place: SourceLocation = #_sourceLocation) throws {
        try fleet.settle()
        for device in fleet.devices { #expect(try texts(device) == wanted, sourceLocation: place) }
        try fleet.expectEqual(place)
        for device in fleet.devices {
            let report = try device.sync()
            #expect(report.left.isEmpty && report.taken.left.isEmpty, sourceLocation: place)
        }
    }

    @Test func `a backup beside the file does not make an older file that came back a new one`() throws {
        let past = Int64(Date.now.timeIntervalSince1970 - 3600) * 1_000_000_000
        func setBack(_ name: String) throws { try a.scratch.directory().file(a.path(id, name)).setModified(past) }
        try save(a, "First.", "notes-1.txt")
        for name in [Self.notes, "notes-1.txt"] { try setBack(name) }
        try fleet.settle()
        try save(b, "Second.")
        try fleet.settle()
        try save(a, "First.")
        try setBack(Self.notes)
        usleep(10_000)
        try fleet.settle()
        for device in fleet.devices { #expect(try texts(device) == ["First.", "Second."]) }
    }

    // MARK: The same bytes again

    @Test func `who goes back to what was is not overrun by who removes or changes the later one`() throws {
        try save(a, "Second.")
        try expect(["Second."])
        try save(a, "First.")
        try remove(b)
        try a.sync()
        #expect(try b.sync().stayingOwnFiles.count == 1)
        try expect(["First."])
        try save(a, "Second.")
        try expect(["Second."])
        try save(a, "First.")
        try save(b, "Third.")
        try expect(["First.", "Third."])
    }

    @Test func `a file that both made again is not removed by one`() throws {
        try remove(a)
        try expect([])
        try save(a, "First.")
        try save(b, "First.")
        try a.sync()
        try remove(a)
        try expect(["First."])
        try remove(a)
        try expect([])
        try save(b, "First.")
        try expect(["First."])
        try remove(b)
        try expect([])
    }

    @Test func `a file of whose past a device knows nothing is not removed by another one, and follows an edit`() throws
    {
        try remove(a)
        try a.sync()
        try loseMemory(b)
        #expect(try b.sync().stayingOwnFiles == [Layout.itemFolder(id) + "/" + Self.notes])
        try expect(["First."])
        try remove(a)
        try expect([])
        try save(a, "First.")
        try expect(["First."])
        try save(a, "Second.")
        try a.sync()
        try loseMemory(b)
        try expect(["Second."])
        try save(b, "Third.")
        try expect(["Third."])
    }

    @Test func `a device that lost its memory and saves without a sync loses nothing`() throws {
        try save(a, "Second.")
        try a.sync()
        try loseMemory(b)
        try save(b, "Third.")
        try expect(["Second.", "Third."])
    }

    @Test func `a restored old file travels as an edit, and one that was removed comes again`() throws {
        try save(a, "Second.")
        try expect(["Second."])
        try save(b, "First.")
        try expect(["First."])
        try remove(a)
        try expect([])
        try save(b, "First.")
        try expect(["First."])
    }

    @Test func `an item's folder from an old backup removes no newer file, and replaces none`() throws {
        let folder = a.scratch.full(a.path(id, "")), backup = a.scratch.full("backup")
        try a.shell("cp -a '\(folder)' '\(backup)'")
        try save(a, "Second.")
        try save(a, "New.", "new.txt")
        try save(a, "Changed once.", "other.txt")
        try a.change(id) { $0.addTag("may") }
        try fleet.settle()
        try save(a, "Changed twice.", "other.txt")
        try fleet.settle()
        try a.shell("rm -r '\(folder)' && cp -a '\(backup)' '\(folder)'")
        try expect(["Second."])
        for device in fleet.devices {
            #expect(try text(device, "new.txt") == "New." && text(device, "other.txt") == "Changed twice.")
        }
    }

    @Test func `a folder from a backup of an item of which only a person's own files changed removes none`() throws {
        let folder = a.scratch.full(a.path(id, "")), backup = a.scratch.full("backup")
        try save(a, "Sub.", "sub/deep.txt")
        try fleet.settle()
        try a.shell("cp -a '\(folder)' '\(backup)' && touch -d '1 hour ago' '\(backup)/notes.txt'")
        try save(b, "Second.")
        try save(b, "New.", "new.txt")
        try save(a, "New below.", "sub/new.txt")
        try fleet.settle()
        try a.shell("rm -r '\(folder)' && cp -a '\(backup)' '\(folder)'")
        try expect(["First.", "Second."])
        for device in fleet.devices {
            #expect(try text(device, "new.txt") == "New." && text(device, "sub/new.txt") == "New below.")
        }
        try remove(a, "new.txt")
        try remove(a, "sub/deep.txt")
        try fleet.settle()
        for device in fleet.devices {
            #expect(try text(device, "new.txt") == nil && text(device, "sub/deep.txt") == nil)
        }
    }

    @Test func `an item's folder from a backup with new times removes no file, and replaces none`() throws {
        let folder = a.scratch.full(a.path(id, "")), backup = a.scratch.full("backup")
        try a.shell("cp -a '\(folder)' '\(backup)'")
        try save(b, "Second.")
        try save(b, "New.", "new.txt")
        try fleet.settle()
        try a.shell("rm -r '\(folder)' && cp -r '\(backup)' '\(folder)'")
        try expect(["Second."])
        for device in fleet.devices { #expect(try text(device, "new.txt") == "New.") }
        // The folder is not new any more.
        try remove(a, "new.txt")
        try fleet.settle()
        for device in fleet.devices { #expect(try text(device, "new.txt") == nil) }
    }

    @Test(arguments: ["files", "items"])
    func `a backup that was made before a file came removes no file, however it was put back`(_ way: String) throws {
        try save(a, "Kept.", "sub/kept.txt")
        try fleet.settle()
        let items = a.scratch.full("library/items"), folder = a.scratch.full(a.path(id, ""))
        let backup = a.scratch.full("backup")
        try a.shell("cp -a '\(way == "items" ? items : folder)' '\(backup)'")
        try save(b, "New.", "new.txt")
        try save(b, "New below.", "sub/new.txt")
        try fleet.settle()
        if way == "items" {
            try a.shell("mv '\(items)' '\(items).away' && mv '\(backup)' '\(items)'")
        } else {
            try a.shell("rm -rf '\(folder)'/* && cp -r '\(backup)'/. '\(folder)'")
        }
        try expect(["First."])
        for device in fleet.devices {
            #expect(try text(device, "new.txt") == "New." && text(device, "sub/new.txt") == "New below.")
        }
        for name in ["new.txt", "sub/new.txt"] { try remove(a, name) }
        try fleet.settle()
        for device in fleet.devices {
            #expect(try text(device, "new.txt") == nil && text(device, "sub/new.txt") == nil)
            #expect(try text(device, "sub/kept.txt") == "Kept.")
        }
    }

    @Test func `a file that a person removes goes, though a program saved another one without a change`() throws {
        try save(a, "Second.", "other.txt")
        try fleet.settle()
        try save(a, "First.")
        try remove(a, "other.txt")
        try fleet.settle()
        for device in fleet.devices { #expect(try text(device, "other.txt") == nil) }
    }

    @Test func `a purge removes no file that it did not see`() throws {
        try a.library.change("trash") { _ = try $0.trash(a.stored(id)) }
        try fleet.settle()
        try save(b, "Of b alone.", "new.txt")
        try a.library.change("purge") { try $0.purge(a.stored(id)) }
        try a.sync()
        #expect(try b.sync().hidden == [id])
        // The folder comes back, and is hidden: nothing was added that a person sees.
        let report = try a.sync()
        #expect(report.hidden == [id] && report.taken.added.isEmpty)
        #expect(try a.sync().hidden.isEmpty && b.sync().hidden.isEmpty)
        try fleet.settle()
        #expect(try text(b, "new.txt") == "Of b alone." && text(a, "new.txt") == "Of b alone.")
        // So is every edit that comes later, once on each device.
        try save(b, "Of b once more.", "new.txt")
        #expect(try b.sync().hidden == [id])
        #expect(try a.sync().hidden == [id])
        #expect(try a.sync().hidden.isEmpty && b.sync().hidden.isEmpty)
        try save(a, "Of a.", "new.txt")
        #expect(try a.sync().hidden == [id])
        #expect(try b.sync().hidden == [id])
        try fleet.settle()
        #expect(try a.sync().hidden.isEmpty && b.sync().hidden.isEmpty)
    }

    // MARK: The exchange

    @Test func `an exchange that was emptied removes and replaces nothing`() throws {
        try save(a, "Second.")
        try a.sync()
        _ = try a.library.empty(a.exchange, worker)
        try expect(["Second."])
        try remove(a)
        try a.sync()
        _ = try a.library.empty(a.exchange, worker)
        try expect([])
        try save(a, "Fourth.")
        try save(b, "Fifth.")
        _ = try a.library.empty(a.exchange, worker)
        try expect(["Fourth.", "Fifth."])
    }

    @Test func `a device that only reads follows edits and removals, and keeps what is its own`() throws {
        b.exchange.isReadOnly = true
        try save(a, "Second.")
        try fleet.settle()
        #expect(try texts(b) == ["Second."])
        try save(b, "Mine.")
        try save(a, "Third.")
        try fleet.settle()
        #expect(try texts(b) == ["Mine.", "Third."] && texts(a) == ["Third."])
        for edit in ["Fourth.", "Fifth."] {
            let own = try #require(try text(b))
            try save(b, own + " Edited.")
            try save(a, edit)
            try fleet.settle()
            #expect(try texts(b).isSuperset(of: [own + " Edited.", edit]))
        }
        try save(b, "Last.")
        try remove(a)
        try fleet.settle()
        #expect(try texts(b).contains("Last.") && texts(a) == [])
    }

    @Test func `what a device that only reads removed stays away, and an edit of it comes`() throws {
        b.exchange.isReadOnly = true
        try remove(b)
        try a.change(id) { $0.addTag("may") }
        try fleet.settle()
        #expect(try texts(b) == [] && texts(a) == ["First."])
        try save(a, "Second.")
        try fleet.settle()
        #expect(try texts(b) == ["Second."])
    }

    @Test func `an old state in another exchange takes nothing back`() throws {
        let second = ExchangeFolder(path: fleet.scratch.full("second"))
        _ = try a.library.makeExchange(at: second.path)
        func syncSecond(_ device: SyncDevice) throws -> SyncReport { try device.library.sync(with: second, worker) }
        for device in [a, b, a] { _ = try syncSecond(device) }
        try save(a, "Second.")
        try a.sync()
        _ = try syncSecond(a)
        try save(a, "Third.")
        try a.sync()
        try b.sync()
        #expect(try syncSecond(b).keptOwnFiles.isEmpty)
        #expect(try text(b) == "Third.")
        try remove(a)
        try a.sync()
        try b.sync()
        _ = try syncSecond(b)
        #expect(try text(b) == nil)
        _ = try syncSecond(a)
        for device in [a, b] { _ = try syncSecond(device) }
        try expect([])
    }

    @Test func `a device that joins knows what was, and its edits follow`() throws {
        try save(a, "Second.")
        try expect(["Second."])
        try remove(b)
        try b.sync()
        let c = try fleet.add()
        #expect(try texts(c) == [])
        try save(c, "Third.")
        try expect(["Third."])
        let d = try fleet.add()
        try save(d, "Fourth.")
        try expect(["Fourth."])
    }

    @Test func `three devices that change a file at once keep all three`() throws {
        try fleet.add()
        for (number, device) in fleet.devices.enumerated() { try save(device, "Edit \(number).") }
        try expect(["Edit 0.", "Edit 1.", "Edit 2."])
        try save(a, "One.")
        try fleet.settle()
        for device in fleet.devices { #expect(try text(device) == "One.") }
    }

    @Test func `a clock in 2099 changes nothing`() throws {
        try save(a, "Second.")
        try a.scratch.setModified(a.path(id, Self.notes), seconds: 4_090_000_000)
        try expect(["Second."])
        try save(b, "Third.")
        try expect(["Third."])
        try save(a, "Fourth.")
        try save(b, "Fifth.")
        try a.scratch.setModified(a.path(id, Self.notes), seconds: 4_090_000_000)
        try expect(["Fourth.", "Fifth."])
    }

    // MARK: Chance

    @Test(arguments: 1...12) func `whatever three devices do, no file is lost that nobody replaced or removed`(
        _ seed: UInt64
    ) throws {
        try fleet.add()
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func next(_ limit: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % limit)
        }
        var made: Set<String> = ["First."]
        var replaced: Set<String> = []
        for step in 0..<40 {
            let device = fleet[next(3)]
            switch next(13) {
            case 0...5: try device.sync()
            case 6: try loseMemory(device)
            case 7...9:
                if let old = try text(device) { replaced.insert(old) }
                try save(device, "Edit \(step).")
                made.insert("Edit \(step).")
            default:
                guard let old = try text(device) else { continue }
                replaced.insert(old)
                try remove(device)
            }
        }
        try fleet.settle()
        try fleet.expectEqual()
        let here = try texts(a)
        #expect(here.isSuperset(of: made.subtracting(replaced)), "\(seed)")
        for device in fleet.devices {
            let report = try device.sync()
            #expect(report.left.isEmpty && report.taken.left.isEmpty && report.sent.isEmpty, "\(seed)")
        }
    }
}
