import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// Items that people made as folders, without an `updatedAt` and the hash of a document, and that two devices change after a sync:
/// Documentation/Merge.md § 2, rule 2.
struct HandMadeItemTests {
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }
    private var b: SyncDevice { fleet[1] }

    init() throws {
        fleet = try Fleet(2)
        id = ItemID(high: 0x6e02_9ffe_6fcb_46ea, low: 0xa192_3545_dda2_6702)
    }

    private func make(_ files: [String: String]) throws {
        try a.save(id, "item.json", #"{"title": "Two", "tags": ["x", "y"]}"# + "\n")
        try a.save(id, "text.md", "p1\n\np2\n\np3\n")
        for (name, text) in files { try a.save(id, name, text) }
        try fleet.settle()
        // What was there at a sync was not saved in the moment after.
        usleep(2_100_000)
    }

    private func edit() throws {
        try a.save(id, "item.json", "{\n  \"title\": \"New\",\n  \"tags\": [\n    \"y\"\n  ]\n}\n")
        try a.save(id, "text.md", "p1\n\np3\n")
    }

    private func expectEdits() throws {
        try fleet.expectEqual()
        for device in fleet.devices {
            let stored = try device.stored(id)
            #expect(stored.item.title == "New" && stored.item.tags == ["y"])
            #expect(try device.scratch.text(device.path(id, "text.md")) == "p1\n\np3\n")
            #expect(try device.library.conflicts(of: stored).count == 0)
        }
    }

    @Test func `a document that the other device edited is no conflict, and what was taken out stays away`() throws {
        try make(["document/d.txt": "doc"])
        try b.save(id, "document/d.txt", "doc of b")
        try edit()
        try fleet.settle()
        try expectEdits()
        #expect(try a.scratch.text(a.path(id, "document/d.txt")) == "doc of b")
    }

    @Test func `an extra file in document is not the document`() throws {
        try make(["document/d.txt": "doc", "document/side.txt": "side"])
        try b.save(id, "document/side.txt", "side of b")
        try edit()
        try fleet.settle()
        try expectEdits()
        #expect(try a.scratch.text(a.path(id, "document/side.txt")) == "side of b")
    }

    @Test func `a page that the other device edited stands, and what was taken out stays away`() throws {
        try make(["page.html": "<p>one</p>", "assets/x.css": "a"])
        try b.save(id, "page.html", "<p>two</p>")
        try edit()
        try fleet.settle()
        try expectEdits()
        #expect(try a.scratch.text(a.path(id, "page.html")) == "<p>two</p>")
    }
}
