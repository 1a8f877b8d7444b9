import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A thin replica whose sync is killed.
struct InterruptedThinTests {
    @Test func `what was brought to be kept before a join goes again after it`() throws {
        let (fleet, id) = try Fleet.withItem(["page.html": "<p>First."])
        let full = fleet[0], thin = try fleet.addThin()
        let page = thin.path(id, "page.html")
        #expect(!thin.scratch.exists(page))
        try full.change(id) { $0.addTag("may") }
        try fleet.settle()
        try full.save(id, "page.html", "<p>Second.")
        try full.sync()
        // A sync is killed when it has brought the page that would lose.
        try bringAway("<p>Second.", id, thin)
        try thin.sync()
        #expect(!thin.scratch.exists(page))
        #expect(try thin.scratch.names(thin.path(id, "snapshots")).count == 1)
        try fleet.settle()
        #expect(!thin.scratch.exists(page))
        // Also where nothing of the item comes any more.
        try bringAway("<p>Third.", id, thin)
        try thin.sync()
        #expect(!thin.scratch.exists(page))
        #expect(try thin.stored(id).isPageAway)
    }

    /// Brings what is away of an item back, as a sync does before it joins the state of a device with another page.
    private func bringAway(_ text: String, _ id: ItemID, _ thin: SyncDevice) throws {
        let library = thin.library
        let place = try #require(try library.syncFolder(thin.exchange))
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        let run = SyncRun(library, thin.exchange, try library.exchange(thin.exchange), place, worker, Monitor())
        var state = try #require(run.state(of: id))
        let bytes = Array(text.utf8)
        state.files = state.files.map {
            .init(path: $0.path, sha256: Items.ContentHash(of: bytes), size: bytes.count, modified: $0.modified)
        }
        #expect(try run.bringAway(for: state) == nil)
        #expect(thin.scratch.exists(thin.path(id, "page.html")))
        try thin.reopen()
    }
}
