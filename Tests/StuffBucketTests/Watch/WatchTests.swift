import Files
import Foundation
import Items
import JSONFormat
import Search
import TestSupport
import Testing

@testable import StuffBucket

/// A watch finds what other programs do to the files, and says what it was.
final class WatchTests {
    private let sample: SampleLibrary

    init() throws { sample = try SampleLibrary() }

    deinit { sample.library.index?.watch.withLock { $0 }?.stop() }

    private var scratch: ScratchDirectory { sample.scratch }

    private func follow(_ options: WatchOptions = Follower.quick) async throws -> Follower {
        try sample.reopen()
        _ = try sample.library.find(ItemRequest())
        return try await Follower(sample.library, options)
    }

    private func titles(_ query: String) throws -> [String] {
        try sample.library.find(ItemRequest(sample.library.parse(query).query)).rows
            .map { try sample.library.item($0).item.title ?? "" }
    }

    @Test func `the status is whole when the watch is ready`() throws {
        let id = try sample.put(1, "soup")
        try scratch.write(sample.folder(id) + "/document/notes.txt", "x")
        _ = try sample.library.find(ItemRequest())
        for _ in 0..<100 {
            let watch = try sample.library.watch(Follower.quick)
            try watch.waitUntilReady()
            let status = watch.status
            #expect(status.watchedItems == 1 && status.watches > 3 && status.sweptAt != nil)
            watch.stop()
            try watch.waitUntilEnd()
        }
    }

    @Test func `an item that a program adds is told and found`() async throws {
        let follower = try await follow()
        let id = try sample.put(1, "soup")
        #expect(try await follower.wait { $0.contains { if case .added(id) = $0 { true } else { false } } })
        #expect(try titles("soup") == ["soup"])
    }

    @Test func `an iteration has the changes since it was made, even before its first look`() async throws {
        try sample.put(1, "soup")
        try sample.reopen()
        _ = try sample.library.find(ItemRequest())
        var changes = sample.library.changes.makeAsyncIterator()
        let id = try sample.put(2, "stew")
        try sample.library.watch(Follower.quick).waitUntilReady()
        #expect(try titles("stew") == ["stew"])
        #expect(try await changes.next()?.item == id)
    }

    @Test func `the end of a watch tells its reason in words`() {
        struct Reason: Error, CustomStringConvertible { let description = "no permission" }
        let ends: [WatchEnd] = [
            .libraryGone(path: "/l"), .deviceFolderGone(path: "/l/.sbfs"), .manyItemsGone(count: 3, of: 9),
            .noIndex(path: "/l"), .unreadable(path: "/l", cause: Reason()),
        ]
        for end in ends { #expect("\(end)".contains(" ") && !"\(end)".contains("(")) }
        #expect("\(ends[4])".hasSuffix("/l cannot be followed: no permission"))
        #expect("\(DaemonFault.running(process: 7))" == "the library is watched already by process 7")
    }

    @Test func `a change names the fields and files`() async throws {
        let id = try sample.put(1, "soup", tags: ["a"], text: "old")
        let follower = try await follow()
        try sample.put(1, "stew", [("example", .bool(true))], tags: ["a"])
        try scratch.write(sample.folder(id) + "/text.md", "new words")
        #expect(
            try await follower.wait { changes in
                var all = LibraryChange.Details()
                for case .changed(id, let details) in changes {
                    all.fields.formUnion(details.fields)
                    all.files.formUnion(details.files)
                    if details.hasOtherKeys { all.hasOtherKeys = true }
                }
                return all.fields == [.title] && all.files == [.text] && all.hasOtherKeys
            })
    }

    @Test func `trash, restore and removal are told`() async throws {
        let id = try sample.put(1, "soup")
        try sample.put(2, "stew")
        let follower = try await follow()
        try sample.putTrashed(1, "soup")
        #expect(try await follower.wait { $0.contains { if case .trashed(id) = $0 { true } else { false } } })
        try sample.put(1, "soup")
        #expect(try await follower.wait { $0.contains { if case .restored(id) = $0 { true } else { false } } })
        try scratch.rename(sample.folder(id), to: "aside")
        #expect(try await follower.wait { $0.contains { if case .removed(id) = $0 { true } else { false } } })
    }

    @Test func `an item that an editor renames away for a moment is not gone`() async throws {
        let id = try sample.put(1, "soup")
        var options = Follower.quick
        options.absence = .seconds(60)
        let follower = try await follow(options)
        let file = sample.folder(id) + "/item.json"
        try scratch.rename(file, to: sample.folder(id) + "/item.json~")
        try await Task.sleep(for: .milliseconds(150))
        #expect(try sample.library.find(ItemRequest(sample.library.parse("soup").query)).count == 1)
        try sample.put(1, "stew")
        #expect(try await follower.wait { $0.contains { if case .changed(id, _) = $0 { true } else { false } } })
        #expect(!follower.changes.contains { if case .removed = $0 { true } else { false } })
    }

    @Test func `a text that an editor deletes and writes again is not gone meanwhile`() async throws {
        let id = try sample.put(1, "soup")
        try scratch.write(sample.folder(id) + "/text.md", "Leek.\n")
        var options = Follower.quick
        options.absence = .seconds(60)
        let follower = try await follow(options)
        try FileManager.default.removeItem(atPath: scratch.full(sample.folder(id) + "/text.md"))
        try await Task.sleep(for: .milliseconds(500))
        #expect(follower.changes.isEmpty)
        try scratch.write(sample.folder(id) + "/text.md", "Leek and potato.\n")
        #expect(try await follower.wait { $0.contains { if case .changed(id, _) = $0 { true } else { false } } })
    }

    @Test func `a fault is told, the last good version is found, and its end is told`() async throws {
        let id = try sample.put(1, "soup")
        let follower = try await follow()
        try scratch.write(sample.folder(id) + "/item.json", "{\"title\": \"so")
        #expect(
            try await follower.wait { changes in
                changes.contains { if case .fault(let fault) = $0 { fault.folder.hasSuffix("\(id)") } else { false } }
            })
        let answer = try sample.library.find(ItemRequest(sample.library.parse("soup").query))
        #expect(answer.count == 1 && answer.faults.count == 1)
        try sample.put(1, "stew")
        #expect(try await follower.wait { $0.contains { if case .faultGone(id) = $0 { true } else { false } } })
        #expect(try titles("stew") == ["stew"])
    }

    @Test func `a question finds what was changed just before it, without waiting for rest`() async throws {
        var options = WatchOptions()
        options.quiet = .seconds(30)
        options.longestWait = .seconds(60)
        let id = try sample.put(1, "soup")
        let follower = try await follow(options)
        for number in 0..<20 {
            try scratch.write(sample.folder(id) + "/text.md", "version\(number)")
            #expect(try titles("version\(number)") == ["soup"])
        }
        follower.stop()
    }

    @Test func `folders that appear with everything in them are found`() async throws {
        let follower = try await follow()
        let id = try SampleLibrary.id(7)
        try scratch.write("new/\(id)/item.json", "{\"title\": \"soup\"}")
        try scratch.write("new/\(id)/document/notes.txt", "x")
        try scratch.makeDirectory("library/items")
        try scratch.rename("new", to: "library/items/\(id.shard)")
        #expect(try await follower.wait { $0.contains { if case .added(id) = $0 { true } else { false } } })
        // The new item and its document's folder are watched, too.
        follower.forget()
        try scratch.write(sample.folder(id) + "/document/notes.txt", "longer")
        #expect(
            try await follower.wait { changes in
                changes.contains {
                    if case .changed(id, let details) = $0 { details.files.contains(.document) } else { false }
                }
            })
    }

    @Test func `what other processes index is told as well`() async throws {
        let follower = try await follow()
        let other = try Library(path: scratch.full("library"))
        let found = try other.change("test") { step in try step.add([Addition(.text(Array("soup".utf8)))]) }
        other.settle()
        #expect(found.count == 1)
        #expect(try await follower.wait { $0.contains { if case .added = $0 { true } else { false } } })
    }

    @Test func `collections, settings and the inbox are told`() async throws {
        let follower = try await follow()
        try scratch.write("library/collections/work-12345678.json", "{}")
        try scratch.write("library/inbox/deep/er/page.url", "x")
        try scratch.write("library/library.json", try scratch.text("library/library.json") + "\n")
        #expect(
            try await follower.wait { changes in
                let hasNames = changes.contains { if case .names(.collections) = $0 { true } else { false } }
                let hasInbox = changes.contains { if case .inbox = $0 { true } else { false } }
                let hasSettings = changes.contains { if case .settings = $0 { true } else { false } }
                return hasNames && hasInbox && hasSettings
            })
        follower.forget()
        try scratch.write("library/inbox/deep/er/other.url", "x")
        #expect(try await follower.wait { $0.contains { if case .inbox = $0 { true } else { false } } })
    }

    @Test func `without events, files are compared at intervals`() async throws {
        var options = Follower.quick
        options.isPolling = true
        options.pollInterval = .milliseconds(100)
        let follower = try await follow(options)
        let id = try sample.put(1, "soup")
        #expect(try await follower.wait { $0.contains { if case .added(id) = $0 { true } else { false } } })
        let status = try #require(sample.library.watchStatus())
        #expect(status.isPolling && status.watches == 0)
        // The index may be behind, so a question compares the files itself.
        try sample.put(2, "stew")
        #expect(try titles("stew") == ["stew"])
    }

    @Test
    func `without enough watches, the items that changed last have them, and the others are compared at intervals`()
        async throws
    {
        for number in 1...20 { try sample.put(UInt16(number), "item \(number)", modified: 1_000_000 * number) }
        var options = Follower.quick
        options.watchLimit = 512 + 40
        options.pollInterval = .milliseconds(100)
        let follower = try await follow(options)
        let status = try #require(sample.library.watchStatus())
        #expect(status.watchedItems > 0 && status.unwatchedItems > 0)
        #expect(status.watchedItems + status.unwatchedItems == 20)
        for number in [1, 20] {
            let id = try sample.put(UInt16(number), "changed \(number)")
            #expect(try await follower.wait { $0.contains { if case .changed(id, _) = $0 { true } else { false } } })
        }
    }

    @Test func `the watch ends when the library moves away`() async throws {
        let follower = try await follow()
        try scratch.rename("library", to: "elsewhere")
        let end = try #require(try await follower.waitForEnd())
        #expect(throws: WatchEnd.libraryGone(path: scratch.full("library"))) { try end.get() }
        try scratch.rename("elsewhere", to: "library")
    }

    @Test func `the watch goes on when library.json is replaced`() async throws {
        var options = Follower.quick
        // Other tests may take the thread that goes on below for any time.
        options.absence = .seconds(3600)
        let follower = try await follow(options)
        try scratch.rename("library/library.json", to: "library/library.json~")
        try await Task.sleep(for: .milliseconds(100))
        try scratch.rename("library/library.json~", to: "library/library.json")
        #expect(try await follower.wait { $0.contains { if case .settings = $0 { true } else { false } } })
    }

    @Test func `the watch ends when library.json stays away`() async throws {
        let follower = try await follow()
        try scratch.rename("library/library.json", to: "library/library.json~")
        let end = try #require(try await follower.waitForEnd())
        #expect(throws: WatchEnd.libraryGone(path: scratch.full("library"))) { try end.get() }
    }

    @Test func `the watch ends before the index forgets a large part of the library`() async throws {
        for number in 1...30 { try sample.put(UInt16(number), "item \(number)") }
        let follower = try await follow()
        try scratch.rename("library/items", to: "library/items-away")
        let end = try #require(try await follower.waitForEnd())
        let why = #expect(throws: WatchEnd.self) { try end.get() }
        // Shards are compared in groups; the first ones are enough.
        guard case .manyItemsGone(let count, of: 30) = why else {
            Issue.record("\(String(describing: why))")
            return
        }
        #expect(count > 10)
        let snapshot = try #require(try sample.library.index?.place.indexFolder().snapshot())
        #expect(snapshot.documentCount == 30)
    }

    @Test func `an item without a document needs one watch`() async throws {
        for number in 1...30 { try sample.put(UInt16(number), "item \(number)") }
        var follower = try await follow()
        let watches = try #require(sample.library.watchStatus()).watches
        follower.stop()
        sample.library.index?.watch.withLock { $0 }?.stop()
        var options = Follower.quick
        options.watchLimit = watches + 512
        follower = try await follow(options)
        let status = try #require(sample.library.watchStatus())
        #expect(status.watchedItems == 30 && status.unwatchedItems == 0)
        // A watched item that changes needs no new watch.
        try sample.put(1, "soup")
        #expect(try await follower.wait { !$0.isEmpty })
        #expect(try #require(sample.library.watchStatus()).unwatchedItems == 0)
    }

    @Test func `a document that came while nothing watched is watched`() async throws {
        let id = try sample.put(1, "soup")
        try sample.put(2, "stew")
        _ = try sample.library.find(ItemRequest())
        try scratch.write(sample.folder(id) + "/document/plan.txt", "first")
        try sample.reopen()
        let follower = try await Follower(sample.library)
        for text in ["second version", "third and last version"] {
            follower.forget()
            // In place: only the folder document/ has an event.
            try scratch.write(sample.folder(id) + "/document/plan.txt", text)
            #expect(
                try await follower.wait { changes in
                    changes.contains { change in
                        if case .changed(id, let details) = change { details.files.contains(.document) } else { false }
                    }
                })
        }
    }

    @Test func `programs that replace items do not end the watch`() async throws {
        for number in 1...20 { try sample.put(UInt16(number), "item \(number)") }
        let follower = try await follow()
        for round in 1...3 {
            for number in 1...15 {
                let before = UInt16((round - 1) * 100 + number)
                try scratch.rename(sample.folder(SampleLibrary.id(before)), to: "aside-\(before)")
                try sample.put(UInt16(round * 100 + number), "round \(round)")
            }
            try #require(
                await follower.wait { changes in
                    let added = changes.count { if case .added = $0 { true } else { false } }
                    let removed = changes.count { if case .removed = $0 { true } else { false } }
                    return added >= round * 15 && removed >= round * 15
                })
            #expect(try titles("round \(round)").count == 15)
        }
    }

    /// Whether the watching program answers that the index is current. Beside many tests that may take longer than a command waits for.
    private func hasCaughtUp(_ asking: WatchSocket) -> Bool {
        for _ in 0..<30 {
            let answer = asking.catchUp()
            if answer != .silence { return answer == .current }
        }
        return false
    }

    @Test func `other programs ask on the socket`() async throws {
        let socket = scratch.full("sbfs.socket")
        var options = WatchOptions()
        options.quiet = .seconds(30)
        options.longestWait = .seconds(60)
        options.socketPath = socket
        let id = try sample.put(1, "soup")
        let follower = try await follow(options)
        let asking = WatchSocket(path: socket)
        try scratch.write(sample.folder(id) + "/text.md", "peas")
        #expect(hasCaughtUp(asking))
        let snapshot = try #require(try sample.library.index?.place.indexFolder().snapshot())
        #expect(try Searcher(snapshot).search(SearchRequest(.word("peas"))).hits.count == 1)
        let status = try #require(asking.status())
        #expect(status.phase == .ready && status.watchedItems == 1)
        // A request that nobody knows ends the connection, and nothing else.
        let stranger = try #require(LocalConnection(path: socket))
        #expect(stranger.send(Array("what\n".utf8)) && stranger.line(within: .seconds(300)) == nil)
        #expect(hasCaughtUp(asking))
        try sample.library.watch(options).stop()
        #expect(try await follower.waitForEnd() != nil)
        #expect(asking.catchUp() == .nobody && asking.status() == nil)
    }

    @Test func `events that the kernel drops lose nothing`() async throws {
        let ids = try (1...40).map { try sample.put(UInt16($0), "item \($0)") }
        let follower = try await follow()
        // More events than the queue of the kernel has room for, while the loop is busy with them.
        for round in 0..<60 {
            for id in ids { try scratch.write(sample.folder(id) + "/text.md", "round\(round)") }
        }
        for id in ids { try scratch.write(sample.folder(id) + "/text.md", "final words") }
        #expect(
            try await follower.wait { _ in (try? titles("final")).map { $0.count == 40 } ?? false })
        follower.stop()
    }
}
