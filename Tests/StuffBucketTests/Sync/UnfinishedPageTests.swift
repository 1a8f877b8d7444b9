import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

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
        try b.sync()
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
        let earlier = ["page.html": "<p>An earlier page.</p>", "reader.html": "<p>An earlier article.</p>"]
        let (fleet, id) = try interrupted(earlier: earlier, placed: [Self.picture] + more)
        let report = try fleet[0].sync()
        #expect(report.left.isEmpty, "\(report)")
        // The page that was there is a snapshot, as a sync without an interruption keeps it.
        try expectWhole(fleet, id, snapshots: more.count == 2 ? 0 : 1)
        try fleet.settle()
        try fleet.expectEqual()
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
