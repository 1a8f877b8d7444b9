import Files
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A saved page that a sync waits for. Documentation/Exchange.md § 7.
struct AwaitedPageTests {
    private func capture(_ id: ItemID, _ page: String, on device: SyncDevice) throws {
        let staged = try device.library.session.stageArchive()
        try Directory(path: staged.path).writeFile("page.html", Array(page.utf8))
        let stored = try device.stored(id)
        var edit = ItemEdit(base: stored.json)
        edit.set(.archiveStatus, .string("full"))
        try device.library.change("archive") { _ in
            _ = try device.library.session.install(staged, in: stored, edit)
        }
    }

    @Test(arguments: [true, false])
    func `no capture replaces it before it is here`(hasEarlier: Bool) throws {
        let (fleet, id) = try Fleet.withItem()
        let a = fleet[0]
        if hasEarlier { try capture(id, "<p>The first page.", on: a) }
        try a.sync()
        let b = try fleet.add()
        try capture(id, "<p>The new page.", on: a)
        try a.sync()
        let state = try #require(try a.library.syncFolder(a.exchange)?.states(id.shard)[id])
        let page = try #require(state.bundles.first { $0.folder.isEmpty })
        let bundle = ExchangeLayout.object(page.sha256, .tar)
        try fleet.scratch.rename("exchange/" + bundle, to: "hidden")
        try b.sync()
        do {
            try capture(id, "<p>Captured.", on: b)
            Issue.record("nothing was refused")
        } catch ItemError.refused(.notArrived(id, path: "page.html")) {
        } catch {
            Issue.record(error)
        }
        try fleet.scratch.rename("hidden", to: "exchange/" + bundle)
        try fleet.settle()
        try fleet.expectEqual()
        try capture(id, "<p>Captured.", on: b)
        try fleet.settle()
        try fleet.expectEqual()
        let folder = a.path(id, "snapshots")
        let snapshots = try a.scratch.names(folder).map { try a.scratch.text(folder + "/\($0)/page.html") }
        #expect(Set(snapshots) == Set((hasEarlier ? ["<p>The first page."] : []) + ["<p>The new page."]))
        #expect(try a.scratch.text(a.path(id, "page.html")) == "<p>Captured.")
    }
}
