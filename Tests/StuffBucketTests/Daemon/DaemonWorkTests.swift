import Glibc
import Items
import JSONFormat
import Search
import Synchronization
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// The works of a daemon, while it runs.
struct DaemonWorkTests {
    private static let day: Int64 = 86_400
    private let sample: SampleLibrary
    private var library: Library { sample.library }
    private var scratch: ScratchDirectory { sample.scratch }

    init() throws { sample = try SampleLibrary() }

    private func run(_ works: [any RunningWork]) throws -> RunningDaemon {
        try sample.reopen()
        return try RunningDaemon(library, works, socket: scratch.full("sbfs.socket"))
    }

    private func status() -> WatchStatus? { WatchSocket(path: scratch.full("sbfs.socket")).status() }

    // MARK: Pages

    private func put(_ number: UInt16, host: String? = nil, members: [(String, JSON)] = [], age: Int64 = day) throws
        -> ItemID
    {
        let time = Timestamp.now.adding(seconds: -age).rfc3339
        let usual: [(String, JSON)] = [
            ("linkURL", .string("https://\(host ?? "host\(number)").example/\(number)")),
            ("archiveStatus", .string("pending")), ("createdAt", .string(time)), ("updatedAt", .string(time)),
        ]
        return try sample.put(
            number, nil, usual.filter { usual in !members.contains { $0.0 == usual.0 } } + members)
    }

    /// A program instead of the worker. It notes each order's time and answers all with the same failure.
    private func worker(_ kind: String = "timeout", seconds: String = "0") throws {
        try scratch.write(
            "worker",
            """
            #!/bin/sh
            while read -r order; do
            echo "begin $(date +%s%N)" >> '\(scratch.full("orders"))'; sleep \(seconds); echo "end $(date +%s%N)" >> '\(scratch.full("orders"))'
            printf '%s\\n' '{"result":{"status":"failed","kind":"\(kind)","reason":"slow"}}'
            done

            """)
        try scratch.makeProgram("worker")
    }

    /// The orders that the worker got: when each began and ended, in nanoseconds.
    private func orders() throws -> [(isBegin: Bool, time: Int64)] {
        guard scratch.exists("orders") else { return [] }
        return try scratch.text("orders").split(separator: "\n").map { line in
            (line.hasPrefix("begin"), Int64(line.split(separator: " ").last ?? "") ?? 0)
        }
    }

    private func pages(
        _ settings: BackgroundSettings = BackgroundSettings(), isOffline: Bool = false, powerFolder: String? = nil,
        _ change: (inout ArchiveSchedule.Limits) -> Void = { _ in }
    ) -> PageWork {
        var limits = ArchiveSchedule.Limits()
        limits.spaceKept = 0
        change(&limits)
        let path = scratch.full("worker")
        // No page fails because the machine is busy.
        var options = ArchiveOptions()
        options.seconds = 86_400
        return PageWork(
            settings: { settings }, isOffline: isOffline, options, limits: limits,
            powerFolder: powerFolder ?? scratch.full("none")
        ) { try? CaptureWorker(path: path) }
    }

    @Test
    func `waiting pages are tried a few at once, one at a time from each host, and failures are kept in the item`()
        async throws
    {
        try worker(seconds: "0.2")
        let ids = try (1...6).map { try put($0, host: $0 < 4 ? "same" : nil) }
        let daemon = try run([pages { $0.hostPause = 1 }])
        #expect(try await daemon.wait { daemon.done("pages") >= 6 })
        #expect(try await daemon.wait { status()?.pages?.pendingCount == 0 })
        var atOnce = 0, most = 0
        for order in try orders().sorted(by: { $0.time < $1.time }) {
            atOnce += order.isBegin ? 1 : -1
            most = max(most, atOnce)
        }
        #expect(most <= BackgroundSettings().pagesAtOnce && most > 0)
        for id in ids {
            let stored = try sample.stored(id)
            #expect(stored.item.archiveStatus == .failed && stored.archiveAttempts == 1)
            #expect(stored.item.archiveReason == "timeout" && stored.archivedAt != nil)
        }
        // No page is tried again before its time, whatever changes.
        let count = try orders().count
        try sample.put(100, "soup")
        #expect(try await daemon.wait { (try? library.find(ItemRequest()).count) == 7 })
        #expect(try orders().count == count)
        let failed = try library.failedPages(limit: 3)
        #expect(failed.pages.count == 3 && failed.retryCount == 6 && failed.finalCount == 0)
        #expect(failed.pages.allSatisfy { $0.reason == "timeout" && $0.attempts == 1 && $0.nextAttempt != nil })
        #expect(try await daemon.stop() != nil)
        #expect(try #require(try library.history()).undoable.isEmpty)
    }

    @Test func `a link that comes while the daemon runs is tried, and one of another device is left to it for an hour`()
        async throws
    {
        try worker()
        let daemon = try run([pages()])
        #expect(try await daemon.wait { status()?.phase == .ready })
        let elsewhere = try put(1, age: 10)
        let old = try put(2)
        #expect(try await daemon.wait { try sample.stored(old).archiveAttempts == 1 })
        #expect(try sample.stored(elsewhere).archiveAttempts == 0)
        let next = try #require(status()?.pages?.next)
        #expect(next > Timestamp.now.adding(seconds: 3000))
        #expect(try await daemon.stop() != nil)
    }

    @Test(arguments: ["switchedOff", "offline", "onBattery", "lowSpace", "consent"])
    func `pages are held, and the status says why`(_ reason: String) async throws {
        try worker()
        let count: UInt16 = reason == "consent" ? 3 : 1
        let ids = try (1...count).map { try put($0) }
        var settings = BackgroundSettings()
        settings.archives = reason != "switchedOff"
        if reason == "onBattery" {
            try scratch.write("power/BAT0/type", "Battery\n")
            try scratch.write("power/BAT0/status", "Discharging\n")
        }
        let work = pages(settings, isOffline: reason == "offline", powerFolder: scratch.full("power")) { limits in
            if reason == "lowSpace" { limits.spaceKept = .max }
            if reason == "consent" { limits.consentCount = 2 }
        }
        let daemon = try run([work])
        #expect(try await daemon.wait { status()?.pages?.hold?.word == reason })
        #expect(try orders().isEmpty)
        if reason == "consent" {
            try library.allowArchiving()
            // The consent is looked at with the next change.
            try sample.put(100, "soup")
            #expect(try await daemon.wait { try ids.allSatisfy { try sample.stored($0).archiveAttempts == 1 } })
        }
        #expect(try await daemon.stop() != nil)
    }

    @Test func `a daemon that ends does not wait for a page`() async throws {
        try worker(seconds: "86400")
        let id = try put(1)
        let daemon = try run([pages()])
        #expect(try await daemon.wait { try !orders().isEmpty })
        #expect(try await daemon.stop() != nil)
        #expect(try sample.stored(id).item.archiveStatus == .pending)
        #expect(try library.check().run().errorCount == 0)
    }

    // MARK: The trash

    /// Items that this device has seen in the trash since 11 days.
    private func trash(_ numbers: ClosedRange<Int>, beside others: Int) throws -> [ItemID] {
        for number in 0..<others { try sample.put(UInt16(1000 + number), "live \(number)") }
        let ids = try numbers.map { try sample.putTrashed(UInt16($0), "trashed \($0)") }
        try TrashLog.note(ids, at: .now.adding(seconds: -11 * Self.day), in: library.store)
        return ids
    }

    private func exists(_ id: ItemID) -> Bool { scratch.exists(sample.folder(id)) }

    private func trashWork(_ settings: BackgroundSettings = BackgroundSettings()) -> TrashWork {
        TrashWork(settings: { settings }, delay: .zero)
    }

    @Test func `what is due in the trash is purged, but never an item with a conflict copy`() async throws {
        let ids = try trash(1...3, beside: 100)
        try scratch.write(sample.folder(ids[1]) + "/item.sync-conflict-20261101-101010-ABCDEFG.json", "{}")
        try scratch.write(sample.folder(ids[2]) + "/conflicts/20261101T101010Z-0123abcd.text.md", "x")
        let daemon = try run([trashWork()])
        #expect(try await daemon.wait { daemon.done("trash") == 1 })
        #expect(ids.map(exists) == [false, true, true])
        #expect(scratch.exists("library/" + Layout.tombstone(ids[0])))
        #expect(try await daemon.stop() != nil)
        let history = try #require(try library.history())
        #expect(history.steps.map(\.header.isBackground) == [true] && history.undoable.isEmpty)
    }

    @Test(arguments: [(21, 1000), (6, 100)])
    func `more than 20 items, or 5 % of the library, wait for consent, which a person is asked for once`(
        _ count: Int, _ others: Int
    ) async throws {
        let ids = try trash(1...count, beside: others)
        let told = Mutex<[Consent]>([])
        let asking = { @Sendable (consent: Consent) in
            told.withLock { $0.append(consent) }
            return true
        }
        for _ in 0..<2 {
            let daemon = try run([
                trashWork(), ConsentWork(settings: { BackgroundSettings() }, delay: .zero, tell: asking),
            ])
            #expect(try await daemon.wait { told.withLock { !$0.isEmpty } })
            #expect(try await daemon.stop() != nil)
        }
        #expect(told.withLock { $0 } == [.purging(count: count, itemCount: count + others)])
        #expect(ids.allSatisfy(exists))
        #expect(try library.waiting() == told.withLock { $0 })
    }

    @Test func `a purge that is switched off purges nothing, and tells nobody where that is switched off`() async throws
    {
        let ids = try trash(1...3, beside: 100)
        var settings = BackgroundSettings()
        settings.purges = false
        settings.notifies = false
        let told = Mutex(0)
        let pending = try (1...501).map { try put(UInt16(2000 + $0)) }
        let consent = ConsentWork(settings: { [settings] in settings }, delay: .zero) { _ in
            told.withLock { $0 += 1 }
            return true
        }
        let last = NotedWork()
        let daemon = try run([trashWork(settings), consent, last])
        #expect(try await daemon.wait { daemon.done("noted") == 1 })
        #expect(ids.allSatisfy(exists) && told.withLock { $0 } == 0)
        #expect(try library.waiting(settings) == [.archiving(pendingCount: pending.count)])
        #expect(try await daemon.stop() != nil)
    }

    /// Work of least importance: when it runs, all others have.
    private final class NotedWork: RunningWork {
        let name = "noted"
        private let isDone = Mutex(false)
        func note(_ changes: [LibraryChange]) {}
        func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            isDone.withLock { $0 } ? nil : now
        }
        func run(_ library: Library, _ monitor: Monitor) throws -> Int {
            isDone.withLock { $0 = true }
            return 1
        }
    }

    // MARK: The index

    /// An index that has a merge to do: most of its documents are gone.
    private func makeMergeable() throws {
        for number in 1...40 { try sample.put(UInt16(number), "item \(number)", text: "words of \(number)") }
        #expect(try library.find(ItemRequest()).count == 40)
        let index = try #require(library.index)
        do {
            let writer = try #require(try IndexWriter.open(index.place.indexFolder()))
            try writer.merge(threads: 1)
        }
        for number in 1...30 {
            try scratch.rename(sample.folder(SampleLibrary.id(UInt16(number))), to: "aside-\(number)")
        }
        _ = try library.reindex(.changes)
        #expect(try isMergeable())
    }

    private func isMergeable() throws -> Bool {
        let index = try #require(library.index)
        return try #require(try IndexWriter.open(index.place.indexFolder())).needsMerge
    }

    @Test func `segments are merged while nothing changes`() async throws {
        try makeMergeable()
        let daemon = try run([IndexWork(quiet: .milliseconds(50))])
        #expect(try await daemon.wait { daemon.done("index") > 0 })
        #expect(try await daemon.wait { try !isMergeable() })
        #expect(try library.find(ItemRequest()).count == 10)
        #expect(try await daemon.stop() != nil)
    }

    @Test func `a merge ends early when it is cancelled, and leaves the index as it was`() throws {
        try makeMergeable()
        let index = try #require(library.index)
        do {
            let writer = try #require(try IndexWriter.open(index.place.indexFolder()))
            for stop in [1, 2] {
                let asked = Mutex(0)
                #expect(throws: MergeCancelled.self) {
                    try writer.merge(threads: 1) {
                        asked.withLock { asked in
                            asked += 1
                            return asked == stop
                        }
                    }
                }
                #expect(writer.needsMerge)
            }
        }
        let monitor = Monitor()
        monitor.cancel()
        guard case .busy = try library.careForIndex(monitor) else {
            Issue.record("not cancelled")
            return
        }
        #expect(try isMergeable())
        #expect(try library.find(ItemRequest()).count == 10)
        // No file of a merge that ended early is left.
        let files = try scratch.names("library/.sbfs/index").count
        #expect(try library.careForIndex() == .merged)
        #expect(try scratch.names("library/.sbfs/index").count <= files)
        #expect(try library.find(ItemRequest()).count == 10)
    }

    // MARK: Verification

    private func rot(_ path: String) throws {
        var status = stat()
        try #require(stat(scratch.full(path), &status) == 0)
        var bytes = try scratch.bytes(path)
        bytes[bytes.count - 1] ^= 1
        try scratch.write(path, bytes)
        let times = [status.st_atim, status.st_mtim]
        try #require(utimensat(AT_FDCWD, scratch.full(path), times, 0) == 0)
    }

    @Test func `damage that neither size nor time shows is told, shown by status and check, and its end is told`()
        async throws
    {
        let id = try sample.put(1, "soup", text: "a text that rots")
        try sample.put(2, "stew", text: "a text that does not")
        let path = sample.folder(id) + "/text.md"
        let told = Mutex<[(ItemID, Int)]>([])
        func work() throws -> VerifyWork {
            try VerifyWork(
                settings: { BackgroundSettings() }, delay: .zero, powerFolder: scratch.full("none")
            ) { result in told.withLock { $0.append((result.id, result.findings.count)) } }
        }
        var daemon = try run([try work()])
        #expect(try await daemon.wait { try library.verificationStatus().share == 1 })
        #expect(try await daemon.stop() != nil)
        #expect(told.withLock { $0.isEmpty })
        try rot(path)
        // A month later.
        let now = Timestamp.now.adding(seconds: 31 * Self.day)
        do {
            let verifier = try #require(library.verifier())
            let turn = try verifier.run(byteBudget: 1 << 20, at: now)
            #expect(turn.results.map(\.id) == [id])
            verifier.rest()
        }
        #expect(try library.verificationStatus(at: now).faulty == [id])
        let findings = try library.check().run().findings
        #expect(findings.contains { $0.path == "items/\(id.shard)/\(id)" && $0.severity == .warning })
        // A new process tells what an earlier one found, and reads the item again as soon as it changed.
        daemon = try run([try work()])
        #expect(try await daemon.wait { told.withLock { $0.contains { $0 == (id, 1) } } })
        try scratch.write(path, "the text of a copy")
        #expect(try await daemon.wait { told.withLock { $0.contains { $0 == (id, 0) } } })
        #expect(try await daemon.stop() != nil)
        #expect(try library.verificationStatus(at: now).faulty.isEmpty)
        #expect(try library.check().run().findings.allSatisfy { $0.severity == .note })
    }

    @Test func `nothing is read on battery, or where it is switched off`() async throws {
        try sample.put(1, "soup", text: "text")
        try scratch.write("power/BAT0/type", "Battery\n")
        try scratch.write("power/BAT0/status", "Discharging\n")
        var off = BackgroundSettings()
        off.verifies = false
        for (settings, power) in [(BackgroundSettings(), "power"), (off, "none")] {
            let work = try VerifyWork(settings: { settings }, delay: .zero, powerFolder: scratch.full(power))
            let daemon = try run([work, NotedWork()])
            #expect(try await daemon.wait { daemon.done("noted") == 1 })
            #expect(try await daemon.stop() != nil)
            #expect(try library.verificationStatus().verifiedCount == 0)
        }
    }
}
