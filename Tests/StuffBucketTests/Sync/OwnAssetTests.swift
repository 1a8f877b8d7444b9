import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Files in assets/ that no capture made are the person's own: FORMAT.md § 8.3.
struct OwnAssetTests {
    @Test(arguments: [[:], ["page.html": "<p>Bread</p>"]])
    func `two devices put a file of one name into assets, and both files are on both`(_ page: [String: String]) throws {
        let (fleet, id) = try Fleet.withItem(page)
        let (a, b) = (fleet[0], try fleet.add())
        try a.save(id, "assets/notes.txt", "Of a.")
        try b.save(id, "assets/notes.txt", "Of b.")
        try a.change(id) { $0.addTag("a") }
        try b.change(id) { $0.addTag("b") }
        try fleet.settle()
        try a.change(id) { $0.addTag("later") }
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try Set(b.stored(id).item.tags) == ["a", "b", "later"])
        let texts = try a.scratch.names(a.path(id, "assets")).map { try a.scratch.text(a.path(id, "assets/" + $0)) }
        #expect(Set(texts) == ["Of a.", "Of b."])
        #expect(!a.scratch.exists(a.path(id, "snapshots")))
    }

    @Test func `a file in the assets of a page travels, changes and goes, and the page is no edit`() throws {
        let (fleet, id) = try Fleet.withItem(["page.html": "<p>Bread</p>"])
        let (a, b) = (fleet[0], try fleet.add())
        try a.save(id, "assets/notes.txt", "Mine.")
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try b.scratch.text(b.path(id, "assets/notes.txt")) == "Mine.")
        try b.scratch.write(b.path(id, "assets/notes.txt"), "Mine, in place.")
        try fleet.settle()
        #expect(try a.scratch.text(a.path(id, "assets/notes.txt")) == "Mine, in place.")
        try a.scratch.removeFile(a.path(id, "assets/notes.txt"))
        try fleet.settle()
        try fleet.expectEqual()
        #expect(!b.scratch.exists(b.path(id, "assets/notes.txt")))
        #expect(!a.scratch.exists(a.path(id, "snapshots")) && !b.scratch.exists(b.path(id, "snapshots")))
    }

    @Test func `a page that is away leaves a file in its assets here`() throws {
        let (fleet, id) = try Fleet.withItem(["page.html": "<p>Bread</p>", "assets/notes.txt": "Mine."])
        let (a, c) = (fleet[0], try fleet.addThin())
        #expect(!c.scratch.exists(c.path(id, "page.html")))
        try c.save(id, "assets/notes.txt", "Of c.")
        try fleet.settle()
        #expect(try a.scratch.text(a.path(id, "assets/notes.txt")) == "Of c.")
        #expect(try a.scratch.text(a.path(id, "page.html")) == "<p>Bread</p>")
    }

    @Test func `two devices that get different icons of an item without a page come to rest`() throws {
        let (fleet, id) = try Fleet.withItem()
        let (a, b) = (fleet[0], try fleet.add())
        try a.save(id, "assets/0123456789abcdef.png", "Of a.")
        try b.save(id, "assets/fedcba9876543210.png", "Of b.")
        try fleet.settle()
        try a.change(id) { $0.addTag("later") }
        try fleet.settle()
        #expect(try b.stored(id).item.tags == ["later"])
    }

    @Test func `a merge brings a file in assets`() throws {
        let (fleet, id) = try Fleet.withItem(["page.html": "<p>Bread</p>"])
        let (a, b) = (fleet[0], try fleet.add())
        try b.save(id, "assets/notes.txt", "Mine.")
        _ = try a.library.merge(b.scratch.full("library"))
        #expect(try a.scratch.text(a.path(id, "assets/notes.txt")) == "Mine.")
    }

    @Test func `a file in snapshots that is of no capture travels, changes and goes`() throws {
        let (fleet, id) = try Fleet.withItem(["page.html": "<p>Bread</p>"])
        let (a, b) = (fleet[0], try fleet.add())
        let names = ["snapshots/notes.txt", "snapshots/mine/page.html"]
        for name in names { try a.save(id, name, "Mine.") }
        try fleet.settle()
        try fleet.expectEqual()
        for name in names {
            #expect(try b.scratch.text(b.path(id, name)) == "Mine.")
            try b.scratch.write(b.path(id, name), "Mine, in place.")
        }
        try fleet.settle()
        for name in names {
            #expect(try a.scratch.text(a.path(id, name)) == "Mine, in place.")
            try a.scratch.removeFile(a.path(id, name))
        }
        try fleet.settle()
        try fleet.expectEqual()
        for name in names { #expect(!b.scratch.exists(b.path(id, name))) }
    }

    @Test func `what does not travel of history and conflicts is said`() throws {
        let (fleet, id) = try Fleet.withItem()
        let a = fleet[0]
        try a.change(id) { $0.addTag("may") }
        for name in ["history/notes.txt", "history/.tmp", "history/x.md.damaged"] { try a.save(id, name, "Mine.") }
        let report = try a.sync()
        #expect(report.leftOut.map(\.path) == ["history/notes.txt"] && report.leftOut.map(\.reason) == [.name])
        #expect(try a.sync().hasNothing)
    }
}
