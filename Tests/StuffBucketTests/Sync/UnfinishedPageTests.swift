import Glibc
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A device on which a sync was killed between the files of a page: its versions are in history/, and some files are in place.
struct UnfinishedPageTests {
    private static let picture = "assets/0123456789abcdef.png"

    /// Makes the state of the other device after it saved a page, and of this one after the interruption.
    private func interrupted(
        earlier: [String: String] = [:], placed: [String]
    ) throws -> (fleet: Fleet, id: ItemID) {
        let (fleet, id) = try Fleet.withItem(earlier)
        let (a, b) = (fleet[0], try fleet.add())
        try a.change(id) { $0.addTag("first") }
        try fleet.settle()
        usleep(1_100_000)
        try b.save(id, Self.picture, "PNG")
        try b.save(id, "page.html", "<p>pageword</p><img src='\(Self.picture)'>")
        try b.save(id, "reader.html", "<p>articleword</p>")
        try b.shell("rm -f '\(b.scratch.full(b.path(id, "assets/fedcba9876543210.png")))'")
        try b.sync()
        // The interrupted call had kept the page of before.
        if !earlier.isEmpty { try a.library.session.keepPage(of: a.stored(id), at: .now) }
        let from = b.scratch.full(b.path(id, "")), to = a.scratch.full(a.path(id, ""))
        try a.shell("cp -n '\(from)'/history/* '\(to)'/history/")
        try a.shell("mkdir -p '\(to)/assets'")
        for name in placed {
            try a.shell("cp -p '\(from)/\(name)' '\(to)/\(name).new' && mv '\(to)/\(name).new' '\(to)/\(name)'")
        }
        return (fleet, id)
    }

    private func expectWhole(_ fleet: Fleet, _ id: ItemID, snapshots: Int) throws {
        let a = fleet[0]
        #expect(try a.scratch.text(a.path(id, "page.html")).contains("pageword"))
        #expect(try a.scratch.text(a.path(id, "reader.html")).contains("articleword"))
        let kept = a.path(id, "snapshots")
        #expect(try (a.scratch.exists(kept) ? a.scratch.names(kept) : []).count == snapshots)
        #expect(!a.scratch.exists(a.path(id, "conflicts")))
    }

    @Test(arguments: [[], ["page.html"]])
    func `the next sync places the rest, and notes nothing`(_ more: [String]) throws {
        let (fleet, id) = try interrupted(placed: [Self.picture] + more)
        let report = try fleet[0].sync()
        #expect(report.sent.isEmpty && report.left.isEmpty, "\(report)")
        try expectWhole(fleet, id, snapshots: 0)
        try fleet.settle()
        try fleet.expectEqual()
    }

    @Test(arguments: [[], ["page.html"], ["page.html", "reader.html"]])
    func `so it does where an earlier page makes way`(_ more: [String]) throws {
        let earlier = [
            "page.html": "<p>An earlier page.</p><img src='assets/fedcba9876543210.png'>",
            "reader.html": "<p>An earlier article.</p>", "assets/fedcba9876543210.png": "GNP",
        ]
        let (fleet, id) = try interrupted(earlier: earlier, placed: [Self.picture] + more)
        let report = try fleet[0].sync()
        #expect(report.left.isEmpty, "\(report)")
        try expectWhole(fleet, id, snapshots: 1)
        try fleet.settle()
        try fleet.expectEqual()
        let a = fleet[0], kept = a.path(id, "snapshots")
        let snapshot = try #require(try a.scratch.names(kept).first)
        #expect(try a.scratch.text(kept + "/\(snapshot)/reader.html") == "<p>An earlier article.</p>")
        #expect(try a.scratch.names(a.path(id, "assets")) == ["0123456789abcdef.png"])
    }

    @Test func `while the exchange lacks the bundle nothing of the page is noted, and other edits travel`() throws {
        let (fleet, id) = try interrupted(placed: [Self.picture, "page.html"])
        let (a, b) = (fleet[0], fleet[1])
        let other = try a.addPlan("Sow in May.")
        let hidden = a.scratch.full("hidden"), exchange = fleet.path
        // No head names a bundle.
        let hide =
            "cd '\(exchange)/objects' && for f in */*.tar.zst; do n=${f#*/}; grep -rqs ${n%.tar.zst} ../heads || mv $f '\(hidden)'; done"
        try a.shell("mkdir '\(hidden)'; " + hide)
        // The device that has the page does not come back.
        let c = try fleet.add()
        try a.change(id) { $0.addTag("second") }
        try c.change(id) { $0.set(.title, .string("Page")) }
        for device in [a, c, a, c] { try device.sync() }
        #expect(!a.scratch.exists(a.path(id, "reader.html")))
        #expect(try !a.scratch.names("hidden").isEmpty)
        // Other edits of the item are joined, and the page is named.
        for device in [a, c] {
            #expect(try device.stored(id).item.title == "Page")
            #expect(try device.stored(id).item.tags == ["first", "second"])
        }
        #expect(try a.sync().left.contains { $0.lacking?.item == id && $0.lacking?.file == "page.html" })
        try a.shell("cd '\(hidden)' && for f in *; do mv $f '\(exchange)/objects/'${f%${f#??}}/; done")
        try fleet.settle()
        try expectWhole(fleet, id, snapshots: 0)
        try fleet.expectEqual()
        #expect(b.scratch.exists(b.path(other, "document/plan.txt")))
    }

    @Test func `a command in between notes nothing either`() throws {
        let (fleet, id) = try interrupted(placed: [Self.picture, "page.html"])
        try fleet[0].change(id) { $0.addTag("second") }
        #expect(!fleet[0].scratch.exists(fleet[0].path(id, "reader.html")))
        try fleet[0].sync()
        try expectWhole(fleet, id, snapshots: 0)
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try fleet[1].stored(id).item.tags == ["first", "second"])
    }

    @Test func `what a person saved meanwhile is an edit`() throws {
        let (fleet, id) = try interrupted(placed: [Self.picture, "page.html"])
        let a = fleet[0]
        try a.save(id, "reader.html", "<p>Of mine.</p>")
        try fleet.settle()
        try fleet.expectEqual()
        let texts = try a.files().filter { $0.key.hasSuffix("reader.html") }.map {
            String(decoding: $0.value, as: UTF8.self)
        }
        #expect(Set(texts) == ["<p>Of mine.</p>", "<p>articleword</p>"])
    }
}
