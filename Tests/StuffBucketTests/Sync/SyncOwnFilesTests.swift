import Foundation
import Glibc
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Files of the person's own in the folder of an item, and what stands in the place of others. Documentation/Exchange.md § 3.
struct SyncOwnFilesTests {
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }
    private var b: SyncDevice { fleet[1] }

    init() throws {
        fleet = try Fleet(1)
        id = try fleet[0].addPlan("Sow in May.")
        try fleet[0].save(id, "text.md", "A text.")
        try fleet[0].sync()
        try fleet.add()
    }

    private func here(_ device: SyncDevice, _ name: String) throws -> String? {
        device.scratch.exists(device.path(id, name)) ? try device.scratch.text(device.path(id, name)) : nil
    }

    @Test(arguments: ["notes.txt", "document/extra.txt"])
    func `a file that is put into an item comes to a device that has the item`(_ name: String) throws {
        try a.save(id, name, "Mine.")
        try a.sync()
        #expect(try b.sync().taken.joined == [id])
        #expect(try here(b, name) == "Mine.")
        #expect(try b.sync().taken.joined.isEmpty)
        try fleet.settle()
        try fleet.expectEqual()
    }

    @Test func `a link, a FIFO and a folder below too many others do not travel, and are named`() throws {
        let deep = Array(repeating: "d", count: FullExportPlace.depthLimit).joined(separator: "/")
        try a.shell("cd '\(a.scratch.full(a.path(id, "")))' && ln -s /etc link && mkfifo pipe && mkdir -p own/\(deep)")
        try a.save(id, "notes.txt", "Mine.")
        let left = try a.sync().leftOut
        #expect(left.map { "\($0.path.prefix(5)) \($0.reason)" }.sorted() == ["link kind", "own/d depth", "pipe kind"])
        #expect(try Set(a.status().leftOut.map(\.path)) == Set(left.map(\.path)))
        try b.sync()
        #expect(try here(b, "notes.txt") == "Mine." && here(b, "link") == nil && here(b, "pipe") == nil)
        try fleet.settle()
        // Once they are gone, nothing is named any more.
        try a.shell("cd '\(a.scratch.full(a.path(id, "")))' && rm -r link pipe own")
        #expect(try a.sync().leftOut.isEmpty && a.status().leftOut.isEmpty)
    }

    @Test func `a merge brings it, too`() throws {
        try b.save(id, "notes.txt", "Mine.")
        _ = try a.library.merge(b.scratch.full("library"))
        #expect(try here(a, "notes.txt") == "Mine.")
    }

    @Test func `a repository of git does not come in parts, nor a name that programs act on`() throws {
        for names in [["own/objects/x", "own/refs/x"], ["own/HEAD"], ["other/.envrc"]] {
            for name in names { try b.save(id, name, "Theirs.") }
            _ = try a.library.merge(b.scratch.full("library"))
        }
        try b.change(id) { $0.addTag("may") }
        let left = try a.library.merge(b.scratch.full("library")).left
        #expect(left.map { $0.path.split(separator: "/").last } == ["HEAD"], "\(left)")
        #expect(try here(a, "own/objects/x") == "Theirs.")
        #expect(try here(a, "own/HEAD") == nil && here(a, "other/.envrc") == nil)
    }

    @Test func `of names of two forms of normalisation, none is damage of the other one, and a repair changes neither`()
        throws
    {
        try b.save(id, "\u{fc}.txt", "Composed, of b.")
        try a.save(id, "u\u{308}.txt", "Decomposed, by a.")
        try fleet.settle()
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        for device in fleet.devices {
            #expect(try device.sync().damaged.isEmpty)
            #expect(try device.library.repair(from: [.exchange(device.exchange)], worker).repaired.isEmpty)
        }
        try fleet.settle()
        for device in fleet.devices {
            #expect(try device.sync().damaged.isEmpty)
            #expect(try device.scratch.text(device.path(id, "\u{fc}.txt")) == "Composed, of b.")
            #expect(try device.scratch.text(device.path(id, "u\u{308}.txt")) == "Decomposed, by a.")
        }
        try fleet.expectEqual()
    }

    @Test func `a document that is renamed to another form of normalisation has that name on all devices`() throws {
        let names = ["document/\u{fc}.txt", "document/u\u{308}.txt"]
        try a.scratch.rename(a.path(id, "document/plan.txt"), to: a.path(id, names[0]))
        try fleet.settle()
        for (device, name) in [(a, 1), (b, 0)] {
            try device.scratch.rename(device.path(id, names[1 - name]), to: device.path(id, names[name]))
            #expect(try fleet.settle() < 4)
            for device in fleet.devices {
                let folder = device.path(id, "document")
                #expect(
                    try device.scratch.names(folder).map { Array("document/\($0)".utf8) } == [Array(names[name].utf8)])
                #expect(try device.sync().hasNothing)
            }
            try fleet.expectEqual()
        }
    }

    @Test func `names of two forms of normalisation are two files`() throws {
        let names = ["document/caf\u{e9}.txt", "document/cafe\u{301}.txt", "caf\u{e9}", "cafe\u{301}"]
        for (number, name) in names.enumerated() { try a.save(id, name, "\(number)") }
        try fleet.settle()
        try fleet.add()
        try fleet.settle()
        for device in fleet.devices {
            for (number, name) in names.enumerated() { #expect(try here(device, name) == "\(number)") }
            #expect(try device.sync().left.isEmpty)
        }
    }

    @Test(arguments: [S_IFLNK, S_IFDIR]) func `what stands in the place of the text removes none`(
        _ kind: mode_t
    ) throws {
        try a.change(id) { $0.addTag("may") }
        try fleet.settle()
        let path = a.scratch.full(a.path(id, "text.md"))
        try FileManager.default.removeItem(atPath: path)
        try #require((kind == S_IFLNK ? symlink("/nowhere", path) : mkdir(path, 0o755)) == 0)
        for _ in 0..<2 {
            #expect(try a.sync().unreadable == [id])
            try b.sync()
        }
        try a.change(id) { $0.addTag("june") }
        _ = try a.sync()
        try b.sync()
        #expect(try here(b, "text.md") == "A text.")
        try FileManager.default.removeItem(atPath: path)
        try a.save(id, "text.md", "A text.")
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try b.stored(id).item.tags == ["may", "june"])
    }

    @Test(arguments: [S_IFLNK, S_IFDIR]) func `what stands in the place of the document is named, and removes none`(
        _ kind: mode_t
    ) throws {
        let path = a.scratch.full(a.path(id, "document/plan.txt"))
        try FileManager.default.removeItem(atPath: path)
        try #require((kind == S_IFLNK ? symlink("/nowhere", path) : mkdir(path, 0o755)) == 0)
        for _ in 0..<2 { #expect(try a.sync().notFiles == [Layout.itemFolder(id) + "/document/plan.txt"]) }
        try a.change(id) { $0.addTag("may") }
        #expect(try a.sync().notFiles.count == 1)
        try b.sync()
        #expect(try here(b, "document/plan.txt") == "Sow in May.")
        #expect(try a.status().itemCount == 0)
    }

    @Test func `a folder in the place of the document makes no pack that others refuse`() throws {
        let path = a.path(id, "document/plan.txt")
        try a.scratch.removeFile(path)
        try a.save(id, "document/plan.txt/in.txt", "Mine.")
        try a.sync()
        let other = try a.addPlan("Another plan.")
        try a.sync()
        #expect(try b.sync().left.isEmpty)
        #expect(try here(b, "document/plan.txt") == "Sow in May.")
        #expect(try b.stored(other).item.id == other)
        #expect(try a.status().leftOut.contains { "\($0)".contains("document/plan.txt/in.txt") })
    }

    @Test func `an item whose item json is missing gets later what came meanwhile`() throws {
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        try a.change(id) { $0.addTag("may") }
        try fleet.settle()
        try a.scratch.removeFile(a.path(id, "item.json"))
        try b.save(id, "text.md", "A text.\n\nMore.\n")
        try b.sync()
        #expect(try a.sync().left.count == 1)
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).broughtBack == [id])
        try fleet.settle()
        #expect(try here(a, "text.md") == "A text.\n\nMore.\n")
        try fleet.expectEqual()
    }

    @Test func `repair names an item without an item json that no copy has`() throws {
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        let id = try a.library.change("add") { try $0.addSnippet("Text.") }
        try a.scratch.removeFile(a.path(id, "item.json"))
        // The device knew it, too.
        try FileManager.default.removeItem(atPath: a.scratch.full("library/.sbfs/states"))
        let report = try a.library.repair(from: [.exchange(a.exchange)], worker)
        #expect(report.lost.map(\.path) == [Layout.itemFolder(id) + "/item.json"] && report.lost[0].isMissing)
    }
}
