import Foundation
import Glibc
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Files that are not as they seem: damaged, being written, renamed, of a name like another one's, or a folder now.
extension OwnFileDoubtTests {
    @Test func `a damaged file is no edit, and no edit takes its place before it is mended`() throws {
        try Damage.flipped.happen(to: a.path(id, Self.notes), in: a.scratch)
        let rotten = try #require(try text(a))
        #expect(try a.sync().damaged.count == 1)
        try save(b, "Second.")
        try b.sync()
        _ = try a.sync()
        #expect(try texts(a) == [rotten] && texts(b) == ["Second."])
        try remove(b)
        try b.sync()
        _ = try a.sync()
        #expect(try texts(a) == [rotten])
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).repaired.count == 1)
        try expect([])
    }

    @Test func `a file that rotted on a device without a memory takes the place of none`() throws {
        try Damage.flipped.happen(to: a.path(id, Self.notes), in: a.scratch)
        try loseMemory(a)
        for _ in 0..<2 { #expect(try a.sync().damaged == [Layout.itemFolder(id) + "/" + Self.notes]) }
        try b.sync()
        #expect(try texts(b) == ["First."])
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).repaired.count == 1)
        try expect(["First."])
    }

    @Test func `a file that a program writes waits for its successor`() throws {
        let file = try #require(fopen(b.scratch.full(b.path(id, Self.notes)), "r+e"))
        for change in 0..<2 {
            if change == 0 { try save(a, "Second.") } else { try remove(a) }
            try a.sync()
            let report = try b.sync()
            #expect(report.left.contains { $0.path.hasSuffix(Self.notes) && $0.reason == .isWritten })
            #expect(try text(b) == "First.")
        }
        fclose(file)
        try expect([])
    }

    @Test(arguments: [("notes.txt", "Notes.txt"), ("caf\u{e9}.txt", "cafe\u{301}.txt")])
    func `a name that differs in case or form is another file`(_ one: String, _ other: String) throws {
        try save(a, "Mine.", one)
        try fleet.settle()
        try a.scratch.rename(a.path(id, one), to: a.path(id, other))
        try save(b, "Edited.", one)
        try fleet.settle()
        for device in fleet.devices {
            #expect(try text(device, other) == "Mine." && text(device, one) == "Edited.")
        }
        try fleet.expectEqual()
    }

    @Test func `a folder takes the place of a file, and a file that of a folder`() throws {
        try remove(a)
        try save(a, "Inner.", "notes.txt/inner.txt")
        try fleet.settle()
        #expect(try text(b, "notes.txt/inner.txt") == "Inner.")
        try fleet.expectEqual()
        try FileManager.default.removeItem(atPath: b.scratch.full(b.path(id, Self.notes)))
        try save(b, "Again.")
        try fleet.settle()
        #expect(try text(a) == "Again.")
        try fleet.expectEqual()
        for device in fleet.devices { #expect(try device.sync().taken.left.isEmpty) }
    }

    @Test func `a folder does not take the place of a file that was changed`() throws {
        try remove(a)
        try save(a, "Inner.", "notes.txt/inner.txt")
        try save(b, "Second.")
        try a.sync()
        try b.sync()
        _ = try a.sync()
        #expect(try text(a, "notes.txt/inner.txt") == "Inner." && text(b) == "Second.")
    }

    @Test func `in a work tree of git, a file that is gone was not removed`() throws {
        try FileManager.default.createDirectory(
            atPath: a.scratch.full("library/.git"), withIntermediateDirectories: false)
        try remove(a)
        try a.change(id) { $0.addTag("may") }
        try a.sync()
        try b.sync()
        #expect(try text(b) == "First.")
    }

    @Test func `a file that was renamed and changed goes when the new one has arrived`() throws {
        try remove(a)
        try save(a, "Plan.", "plan.txt")
        try a.sync()
        let object = "exchange/" + ExchangeLayout.object(Items.ContentHash(of: Array("Plan.".utf8)), .raw)
        try fleet.scratch.rename(object, to: "object")
        _ = try b.sync()
        #expect(try text(b) == "First." && text(b, "plan.txt") == nil)
        try fleet.scratch.rename("object", to: object)
        try expect([])
        #expect(try text(b, "plan.txt") == "Plan.")
    }

    @Test func `a loose file that becomes the document on one device goes, and stays where it was changed`() throws {
        let (fleet, id) = try Fleet.withItem()
        for (name, isEdited) in [("plan.txt", false), ("notes.txt", true)] {
            let id = isEdited ? id : try fleet[0].library.change("add") { try $0.addSnippet("Other text.") }
            try fleet[0].save(id, name, "First.")
            // A program may still be saving a file of now.
            try fleet[0].scratch.setModified(fleet[0].path(id, name), seconds: 1_700_000_000)
            try fleet[0].sync()
        }
        try fleet.add()
        let other = try #require(try fleet[0].library.ids().first { $0 != id })
        try fleet[0].change(other) { $0.addTag("may") }
        try fleet[0].change(id) { $0.addTag("may") }
        try fleet[1].save(id, Self.notes, "Second.")
        try fleet.settle()
        let moved = fleet[1].scratch
        #expect(try moved.text(fleet[1].path(other, "document/plan.txt")) == "First.")
        #expect(!moved.exists(fleet[1].path(other, "plan.txt")))
        for device in fleet.devices {
            #expect(try device.scratch.text(device.path(id, "document/notes.txt")) == "First.")
            #expect(try device.scratch.text(device.path(id, Self.notes)) == "Second.")
        }
        try fleet.expectEqual()
    }
}
