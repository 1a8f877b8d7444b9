import Files
import Items
import Search
import Synchronization
import TestSupport
import Testing

@testable import StuffBucket

/// When the files are compared with the index, and the notice if they are not.
final class FreshnessTests {
    private let sample: SampleLibrary
    private let starts = Counter()

    init() throws { sample = try SampleLibrary() }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    /// Opens the library as if it were a large one.
    private func open(_ socket: String? = nil) throws -> Library {
        let store = try ItemStore(path: sample.scratch.full("library"))
        let starts = starts
        let index = LibraryIndex(store, sweepLimit: 1, socket: socket.map { WatchSocket(path: $0) }) { starts.add() }
        return Library(store, index)
    }

    private func search(_ library: Library, _ text: String, isFresh: Bool = false) throws -> ItemAnswer {
        var request = ItemRequest(library.parse(text).query, order: .relevance)
        request.isFresh = isFresh
        return try library.find(request)
    }

    /// Makes the last sweep appear old.
    private func age(_ library: Library) throws {
        let index = try #require(library.index)
        var state = try #require(SweepState.read(in: index.place))
        state.begunAt = state.begunAt.adding(seconds: -60)
        state.write(in: index.place)
    }

    @Test func `a large library answers at once, and is compared after the answer`() throws {
        try sample.put(1, "soup")
        let library = try open()
        #expect(try search(library, "soup").count == 1)
        #expect(try search(library, "soup").caveat == nil && starts.count == 0)
        try age(library)
        try sample.put(2, "soup too")
        let answer = try search(library, "soup")
        #expect(answer.count == 1 && answer.caveat != nil)
        _ = try search(library, "soup")
        #expect(starts.count == 1)
        #expect(try open().sweepInBackground())
        #expect(try search(library, "soup").count == 2)
    }

    @Test func `a daemon that does not answer in time is no reason to miss a change`() throws {
        try sample.put(1, "soup")
        let socket = sample.scratch.full("daemon.socket")
        let daemon = try LocalListener(path: socket)
        defer { withExtendedLifetime(daemon) {} }
        let library = try open(socket)
        #expect(try search(library, "soup").count == 1)
        try age(library)
        try sample.put(2, "soup too")
        let answer = try search(library, "soup")
        #expect(answer.count == 2 && answer.caveat == nil && starts.count == 0)
    }

    @Test func `who waits finds everything`() throws {
        let id = try sample.put(1, "soup")
        let library = try open()
        #expect(try search(library, "soup").count == 1)
        try age(library)
        try sample.put(2, "soup too")
        try sample.scratch.write(sample.folder(id) + "/text.md", "stew")
        let answer = try search(library, "soup", isFresh: true)
        #expect(answer.count == 2 && answer.caveat == nil && starts.count == 0)
        #expect(try search(library, "stew").count == 1)
    }

    @Test func `shown items are as in the files, even if the answer does not wait`() throws {
        let id = try sample.put(1, "soup")
        let other = try sample.put(2, "soup too")
        let library = try open()
        #expect(try search(library, "soup").count == 2)
        try age(library)
        try sample.put(1, "stew")
        try sample.scratch.rename(sample.folder(other), to: "aside")
        #expect(try search(library, "soup").count == 0)
        #expect(try search(library, "stew").hits.map(\.row.id) == [id])
    }

    @Test func `no sweep is started while a watch follows the files, and everything is found`() throws {
        try sample.put(1, "soup")
        let library = try open()
        #expect(try search(library, "soup").count == 1)
        try age(library)
        let watch = try library.watch(WatchOptions())
        try watch.waitUntilReady()
        try age(library)
        try sample.put(2, "soup too")
        let answer = try search(library, "soup")
        #expect(answer.count == 2 && answer.caveat == nil && starts.count == 0)
        watch.stop()
    }

    @Test func `own changes are found at once`() throws {
        let id = try sample.put(1, "soup")
        let library = try open()
        #expect(try search(library, "stew").count == 0)
        try age(library)
        var edit = ItemEdit(base: try sample.stored(id).json)
        edit.set(.title, .string("stew"))
        try library.session.update(try sample.stored(id), edit)
        #expect(try search(library, "stew").count == 1)
        _ = try library.add([Addition(.text(Array("more stew".utf8)))])
        #expect(try search(library, "stew").count == 2)
        _ = try library.trash(try sample.stored(id))
        #expect(try search(library, "stew").count == 1 && search(library, "stew is:trashed").count == 1)
    }

    @Test func `changes made while another process writes the index are noted, and the next one adds them`() throws {
        try sample.put(1, "soup")
        let library = try open()
        #expect(try search(library, "soup").count == 1)
        try age(library)
        let folder = try #require(try library.index?.place.indexFolder())
        do {
            let writer = try IndexWriter.open(folder)
            #expect(writer != nil)
            let other = try open()
            _ = try other.add([Addition(.text(Array("soup too".utf8)))])
            other.settle()
            withExtendedLifetime(writer) {}
        }
        #expect(try search(library, "soup").count == 2)
        #expect(!sample.scratch.exists("library/.sbfs/pending"))
    }

    @Test func `a change within the clock's grain of the last reading is found`() throws {
        let id = try sample.put(1, "soup", text: "aaaa", modified: 1_900_000_000)
        #expect(try sample.titles("aaaa") == ["soup"])
        // Same size, same time, same inode: only the time of change differs, and with a coarse clock it would not.
        try sample.scratch.write(sample.folder(id) + "/text.md", "bbbb")
        try sample.scratch.setModified(sample.folder(id) + "/text.md", seconds: 1_900_000_000)
        #expect(try sample.titles("bbbb") == ["soup"])
        #expect(try sample.titles("aaaa").isEmpty)
    }

    @Test func `an item that breaks stays searchable, and its fault is reported`() throws {
        let id = try sample.put(1, "soup")
        #expect(try sample.titles("soup") == ["soup"])
        try sample.scratch.write(sample.folder(id) + "/item.json", "{")
        for _ in 0..<2 {
            let listing = try sample.library.find(ItemRequest(sample.library.parse("soup").query))
            #expect(listing.rows.map(\.id) == [id])
            #expect(listing.faults.count == 1 && listing.faults[0].description.contains("item.json:1:2"))
        }
    }

    @Test func `reindex verifies unchanged-looking items by content`() throws {
        try sample.put(1, "soup")
        let library = try open()
        #expect(try search(library, "soup").count == 1)
        let report = try #require(try library.reindex(.verify))
        #expect(report.count == 1 && report.added + report.changed + report.removed == 0)
    }
}
