import Files
import Foundation
import Glibc
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Files of the person's own that are changed or removed on one device: Documentation/Exchange.md § 7.
struct OwnFileChangeTests {
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }
    private var b: SyncDevice { fleet[1] }
    private static let notes = "own/notes.txt"

    init() throws {
        (fleet, id) = try Fleet.withItem([Self.notes: "First."])
        try fleet.add()
        try fleet.settle()
    }

    private func text(_ device: SyncDevice, _ name: String = notes) throws -> String? {
        device.scratch.exists(device.path(id, name)) ? try device.scratch.text(device.path(id, name)) : nil
    }

    private func remove(_ device: SyncDevice, _ name: String = notes) throws {
        try device.scratch.removeFile(device.path(id, name))
    }

    private func expect(_ wanted: String?, _ place: SourceLocation = #_sourceLocation) throws {
        try fleet.settle()
        for device in fleet.devices { #expect(try text(device) == wanted, sourceLocation: place) }
        try fleet.expectEqual(place)
        for device in fleet.devices {
            let report = try device.sync()
            #expect(report.left.isEmpty && report.taken.left.isEmpty, sourceLocation: place)
        }
    }

    /// Gives files one time of modification, as a program does that writes several in one tick of the clock.
    private func inOneTick(_ names: [String]) throws {
        for name in names { try a.scratch.setModified(a.path(id, name), seconds: 1_795_256_100) }
        let first = try a.scratch.directory().file(a.path(id, names[0])).status().modified
        for name in names {
            try a.scratch.directory().fileForWriting(a.path(id, name)).setModified(first + 123_456_789)
        }
    }

    @Test(arguments: [false, true])
    func `a file that is renamed over another one of one time, or swapped with it, is no damage`(_ isSwapped: Bool)
        throws
    {
        let other = "own/other.txt"
        try a.save(id, other, "Another one.")
        try inOneTick([Self.notes, other])
        try fleet.settle()
        let (one, two) = (a.scratch.full(a.path(id, Self.notes)), a.scratch.full(a.path(id, other)))
        if isSwapped {
            try a.shell("mv '\(one)' '\(one).x' && mv '\(two)' '\(one)' && mv '\(one).x' '\(two)'")
        } else {
            try a.shell("mv '\(two)' '\(one)'")
        }
        #expect(try a.sync().damaged.isEmpty)
        try expect("Another one.")
        for device in fleet.devices { #expect(try text(device, other) == (isSwapped ? "First." : nil)) }
    }

    @Test func `a file that a power cut emptied is damaged, also beside an empty one`() throws {
        try a.save(id, "own/empty.txt", "")
        try fleet.settle()
        let path = a.path(id, Self.notes)
        let modified = try a.scratch.directory().file(path).status().modified
        try a.scratch.write(path, "")
        try a.scratch.directory().fileForWriting(path).setModified(modified)
        #expect(try a.sync().damaged == ["items/\(id.shard)/\(id)/" + Self.notes])
        try b.sync()
        #expect(try text(b) == "First.")
    }

    @Test func `an edit travels, and the next one of the other device, and one that brings back what was`() throws {
        try a.save(id, Self.notes, "Second.")
        try a.sync()
        #expect(try b.sync().taken.joined == [id])
        try expect("Second.")
        try b.save(id, Self.notes, "Third.")
        try expect("Third.")
        try b.save(id, Self.notes, "Second.")
        try expect("Second.")
        try a.save(id, Self.notes, "Third.")
        try expect("Third.")
    }

    @Test func `an edit and a removal of a file several folders deep travel`() throws {
        let deep = "own/2026/may/plan.txt"
        func expect(_ wanted: String?, _ place: SourceLocation = #_sourceLocation) throws {
            try fleet.settle()
            for device in fleet.devices { #expect(try text(device, deep) == wanted, sourceLocation: place) }
            try fleet.expectEqual(place)
        }
        try a.save(id, deep, "First.")
        try expect("First.")
        try b.save(id, deep, "Second.")
        try expect("Second.")
        try remove(a, deep)
        try expect(nil)
        #expect(!b.scratch.exists(b.path(id, "own/2026")))
        #expect(try text(b) == "First.")
    }

    @Test func `an edit of a document that lost travels`() throws {
        let (fleet, id) = try Fleet.withTwoDocuments(at: "document/plan.txt")
        try fleet.settle()
        let name = try #require(
            try fleet[0].scratch.names(fleet[0].path(id, "document")).first { $0.contains(".conflict-") })
        try fleet[0].save(id, "document/" + name, "Sow, edited.")
        try fleet.settle()
        #expect(try fleet[1].scratch.text(fleet[1].path(id, "document/" + name)) == "Sow, edited.")
        try fleet.expectEqual()
        #expect(try fleet[1].sync().taken.left.isEmpty)
    }

    @Test func `what another device wrote before it saw the edit takes it back on none`() throws {
        try a.save(id, Self.notes, "Second.")
        try b.change(id) { $0.addTag("may") }
        try b.sync()
        try expect("Second.")
        #expect(try a.stored(id).item.tags == ["may"])
    }

    @Test func `a removal travels, and the file does not come back`() throws {
        try b.change(id) { $0.addTag("may") }
        try remove(a)
        try b.sync()
        try expect(nil)
        #expect(!b.scratch.exists(b.path(id, "own")))
        try b.change(id) { $0.addTag("june") }
        try expect(nil)
        try fleet.add()
        try expect(nil)
        try a.save(id, Self.notes, "First.")
        try expect("First.")
    }

    @Test(arguments: [false, true])
    func `a removal that no sync saw holds in an exchange that is new or was emptied, and an edit comes back`(
        _ isNew: Bool
    ) throws {
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        try a.save(id, "other.txt", "First.")
        try fleet.settle()
        if isNew {
            let path = fleet.scratch.full("second")
            _ = try a.library.makeExchange(at: path)
            for device in fleet.devices { device.exchange = ExchangeFolder(path: path) }
        } else {
            _ = try a.library.empty(a.exchange, worker)
        }
        try remove(a)
        try remove(a, "other.txt")
        try b.save(id, "other.txt", "Second.")
        try a.sync()
        let report = try b.sync()
        #expect(report.removedOwnFiles.count == 1 && report.stayingOwnFiles.count == 1)
        try expect(nil)
        for device in fleet.devices { #expect(try text(device, "other.txt") == "Second.") }
    }

    @Test func `an older folder that came back while the exchange was empty removes nothing`() throws {
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        try fleet[0].shell("cp -a '\(a.scratch.full(a.path(id, "")))' '\(a.scratch.full("backup"))'")
        try a.save(id, "other.txt", "First.")
        try fleet.settle()
        _ = try a.library.empty(a.exchange, worker)
        let folder = a.scratch.full(a.path(id, ""))
        try fleet[0].shell("rm -r '\(folder)' && cp -r '\(a.scratch.full("backup"))' '\(folder)'")
        try fleet.settle()
        for device in fleet.devices { #expect(try text(device, "other.txt") == "First.") }
    }

    @Test func `an edit wins over a removal that did not see it`() throws {
        try remove(a)
        try b.save(id, Self.notes, "Second.")
        try expect("Second.")
        try b.save(id, Self.notes, "Third.")
        try b.sync()
        try remove(a)
        try expect("Third.")
    }

    @Test func `of two edits both are kept`() throws {
        try a.save(id, Self.notes, "Second, here.")
        try b.save(id, Self.notes, "Second, there.")
        try a.sync()
        #expect(try b.sync().keptOwnFiles.count == 1)
        try fleet.settle()
        try fleet.expectEqual()
        let names = try a.scratch.names(a.path(id, "own"))
        #expect(names.count == 2)
        let texts = try Set(names.map { try text(a, "own/" + $0) })
        #expect(texts == ["Second, here.", "Second, there."])
        try b.save(id, Self.notes, "Third.")
        try expect("Third.")
    }

    @Test func `a file that was kept beside another one is named on each device, once`() throws {
        try fleet.add()
        try a.save(id, Self.notes, "Second, here.")
        try b.save(id, Self.notes, "Second, there.")
        for (device, count) in [(a, 0), (b, 1), (a, 1), (fleet[2], 1), (a, 0), (b, 0), (fleet[2], 0)] {
            #expect(try device.sync().keptOwnFiles.count == count)
        }
        #expect(try fleet.add().sync().keptOwnFiles.isEmpty)
    }

    @Test(arguments: [String(repeating: "n", count: 255), String(repeating: "é", count: 120) + ".md"])
    func `of two edits of a file with a long name both are kept`(_ name: String) throws {
        try a.save(id, name, "First.")
        try fleet.settle()
        try a.save(id, name, "Second, here.")
        try b.save(id, name, "Second, there.")
        try a.sync()
        #expect(try b.sync().keptOwnFiles.count == 1)
        try fleet.settle()
        try fleet.expectEqual()
        let names = try a.scratch.names(a.path(id, "")).filter { $0.hasPrefix("n") || $0.hasPrefix("é") }
        #expect(names.count == 2)
        #expect(try Set(names.map { try text(a, $0) }) == ["Second, here.", "Second, there."])
    }

    @Test func `what a link hides, or what is above the limit, is not removed`() throws {
        let folder = a.scratch.full(a.path(id, "own"))
        try FileManager.default.moveItem(atPath: folder, toPath: a.scratch.full("moved"))
        try #require(symlink("/nowhere", folder) == 0)
        try a.change(id) { $0.addTag("may") }
        try fleet.settle()
        #expect(try text(b) == "First.")
    }

    @Test func `a device that lacks a file still says of none that it was removed`() throws {
        try a.save(id, "new.txt", "New.")
        try a.sync()
        let object = "exchange/" + ExchangeLayout.object(Items.ContentHash(of: Array("New.".utf8)), .raw)
        let bytes = try fleet.scratch.bytes(object)
        try fleet.scratch.removeFile(object)
        #expect(try b.sync().left.count == 1)
        try b.change(id) { $0.addTag("may") }
        try b.sync()
        try a.sync()
        #expect(try text(a, "new.txt") == "New.")
        if !fleet.scratch.exists(object) {
            try FileManager.default.createDirectory(
                atPath: fleet.scratch.full(object.split(separator: "/").dropLast().joined(separator: "/")),
                withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(fileURLWithPath: fleet.scratch.full(object)))
        }
        try fleet.settle()
        #expect(try text(b, "new.txt") == "New.")
    }

    @Test func `a name of another form of normalisation comes with the same bytes`() throws {
        try a.save(id, "caf\u{e9}.txt", "Mine.")
        try fleet.settle()
        try a.scratch.rename(a.path(id, "caf\u{e9}.txt"), to: a.path(id, "cafe\u{301}.txt"))
        try fleet.settle()
        for device in fleet.devices { #expect(try text(device, "cafe\u{301}.txt") == "Mine.") }
        try fleet.expectEqual()
    }
}
