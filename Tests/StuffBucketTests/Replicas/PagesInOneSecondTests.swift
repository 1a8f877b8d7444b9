import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

/// A copying program that compares whole seconds and sizes takes two saved pages for the same: Documentation/Merge.md § 3.
struct PagesInOneSecondTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        a = try Replica()
        try a.save("page.html", "<p>first")
        try a.change {
            $0.set(.archiveStatus, .string("full"))
            $0.set(.archivedAt, .string("2026-11-22T00:00:00.000Z"))
        }
        b = try Replica(copyOf: a)
        try b.settle()
        (a.comparesSeconds, b.comparesSeconds) = (true, true)
    }

    @Test func `pages of one size that editors saved in one second meet`() throws {
        try saveInOneSecond("page.html", "<p>by a!", "<p>by b!")
        try a.change { $0.addTag("a") }
        usleep(20_000)
        try b.change { $0.addTag("b") }
        try meetAll()
        try meetAll()
        let pages = try Set([a, b].map { try $0.scratch.text($0.folder + "/page.html") })
        #expect(pages.count == 1, "\(pages)")
        #expect(try modified("page.html", a) == modified("page.html", b))
        let snapshots = try [a, b].flatMap { one in
            try one.names("snapshots").map { try one.scratch.text(one.folder + "/snapshots/\($0)/page.html") }
        }
        #expect(Set(snapshots).union(pages) == ["<p>by a!", "<p>by b!"], "\(snapshots)")
    }

    @Test(arguments: ["page.html", "document/plan.txt"])
    func `a file that was saved twice in one second, with a meeting between, comes`(_ name: String) throws {
        if name != "page.html" { try attach("first..", to: a) }
        try a.save(name, "<p>one!")
        try a.settle()
        try meetAll()
        #expect(try b.scratch.text(b.folder + "/" + name) == "<p>one!")
        try a.save(name, "<p>two!")
        let second = try modified(name, a) / 1_000_000_000 * 1_000_000_000
        try b.scratch.directory().file(b.folder + "/" + name).setModified(second)
        try a.settle()
        try meetAll()
        for one in [a, b] { #expect(try one.scratch.text(one.folder + "/" + name) == "<p>two!") }
        // One of the two is as old as before in the next meeting.
        try meetAll()
        #expect(try a.files() == b.files())
    }
}
