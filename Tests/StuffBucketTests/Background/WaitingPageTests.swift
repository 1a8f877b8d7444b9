import Glibc
import Items
import JSONFormat
import TestSupport
import Testing
import Time
import WorkerProtocol

@testable import StuffBucket

/// The pages that wait in a library, and saving one of them.
struct WaitingPageTests {
    private let sample: SampleLibrary
    private var library: Library { sample.library }

    init() throws { sample = try SampleLibrary() }

    /// An item that came from another device.
    private func put(
        _ number: UInt16, _ status: String, _ members: [(String, JSON)] = [], url: String? = nil
    ) throws -> ItemID {
        try sample.put(
            number, nil,
            [("linkURL", .string(url ?? "https://Host\(number).example/")), ("archiveStatus", .string(status))]
                + members)
    }

    private func times(_ time: Timestamp) -> [(String, JSON)] {
        [("createdAt", .string(time.rfc3339)), ("updatedAt", .string(time.rfc3339))]
    }

    /// A program instead of the worker that answers each order with the same line.
    private func worker(answering line: String) throws -> CaptureWorker {
        try sample.scratch.write("worker", "#!/bin/sh\nwhile read -r order; do\nprintf '%s\\n' '\(line)'\ndone\n")
        try sample.scratch.makeProgram("worker")
        return try CaptureWorker(path: sample.scratch.full("worker"))
    }

    private func steps() throws -> [StepList.Step] { try #require(try library.history()).steps }

    @Test func `a page that was still loading is tried again, other partial pages are not`() throws {
        let now = Timestamp.now
        let old = times(now.adding(seconds: -86_400)) + [("archivedAt", .string(now.adding(seconds: -7200).rfc3339))]
        let unfinished = try put(
            1, "partial", old + [("archiveAttempts", .integer(1)), ("archiveReason", .string("timeout"))])
        let login = try put(
            2, "partial", old + [("archiveAttempts", .integer(1)), ("archiveReason", .string("login"))])
        let given = try put(
            3, "partial", old + [("archiveAttempts", .integer(10)), ("archiveReason", .string("timeout"))])
        for id in [unfinished, login, given] {
            try sample.scratch.write(sample.folder(id) + "/page.html", "<p>Loading")
        }
        let waiting = try library.waitingPages(at: now)
        #expect(waiting.pages.map(\.row.id) == [unfinished])
        #expect(waiting.pages.map(\.isRetry) == [true])
    }

    @Test func `pending and failed pages wait, others do not`() throws {
        let now = Timestamp.now
        let old = times(now.adding(seconds: -86_400))
        let pending = try put(1, "pending", old)
        let hourAgo: JSON = .string(now.adding(seconds: -1800).rfc3339)
        let failed = try put(
            2, "failed",
            old + [("archiveAttempts", .integer(1)), ("archivedAt", hourAgo), ("archiveReason", .string("timeout"))])
        _ = try put(
            3, "failed",
            old + [("archiveAttempts", .integer(1)), ("archivedAt", hourAgo), ("archiveReason", .string("http_404"))])
        _ = try put(4, "full", old)
        _ = try sample.put(5, nil, [("archiveStatus", .string("pending"))] + old)
        _ = try sample.put(
            6, nil, [("linkURL", .string("https://t.example/")), ("archiveStatus", .string("pending"))] + old,
            tags: ["trashcan"])
        let waiting = try library.waitingPages(at: now)
        #expect(waiting.pages.map(\.row.id) == [pending, failed])
        #expect(waiting.pages.map(\.host) == ["host1.example", "host2.example"])
        #expect(waiting.pages.map(\.isRetry) == [false, true])
        #expect(waiting.pages[0].due <= now)
        let due = now.adding(seconds: 1800)
        #expect(waiting.pages[1].due >= due && waiting.pages[1].due < due.adding(seconds: Library.deviceSpread))
        #expect(try library.waitingPages(limit: 1, at: now).pages.map(\.row.id) == [pending])
        #expect(try library.waitingPage(failed, at: now) == waiting.pages[1])
        #expect(try library.waitingPage(SampleLibrary.id(4), at: now) == nil)
        #expect(try library.waitingPage(SampleLibrary.id(99), at: now) == nil)
    }

    @Test func `the device that made a link saves its page first, another one after an hour`() throws {
        let other = try SampleLibrary()
        let now = Timestamp.now
        let id = try library.addLink("https://example.org/")
        var edit = ItemEdit(base: try sample.stored(id).json)
        edit.set(.archiveStatus, .string("pending"))
        try library.change("wait") { try $0.update(sample.stored(id), edit) }
        try other.scratch.write(
            other.folder(id) + "/item.json", try sample.scratch.bytes(sample.folder(id) + "/item.json"))
        let here = try #require(try library.waitingPage(id, at: now.adding(seconds: 1)))
        #expect(here.due <= now.adding(seconds: 1 + Library.commandPatience))
        let there = try #require(try other.library.waitingPage(id, at: now.adding(seconds: 1)))
        #expect(there.due >= now.adding(seconds: 3600))
        #expect(there.due <= now.adding(seconds: 3602 + Library.deviceSpread))
        // After the hour the item's age decides; no journal is asked.
        let later = try #require(try other.library.waitingPage(id, at: now.adding(seconds: 3700)))
        #expect(later.due <= now.adding(seconds: 3700))
        // Without its journal, this device cannot know either.
        try #require(try library.history()).clear()
        #expect(try #require(try library.waitingPage(id, at: now.adding(seconds: 1))).due >= now.adding(seconds: 3600))
    }

    @Test func `a page is saved as a background step, also while a person's step is open`() throws {
        let id = try put(1, "pending", times(.now.adding(seconds: -86_400)))
        let page = try #require(try library.waitingPage(id))
        let worker = try worker(answering: #"{"result":{"status":"failed","kind":"timeout","reason":"slow"}}"#)
        defer { worker.end() }
        try library.change("mine") { step in
            _ = try step.addSnippet("note", title: nil, tags: [])
            let attempt = library.saveWaitingPage(page, ArchiveOptions(), worker, command: "sbfs watch: save a page")
            guard case .saved(.failed(let report)) = attempt.end else {
                Issue.record("\(attempt)")
                return
            }
            #expect(report.kind == .timeout)
            #expect(attempt.next?.isRetry == true)
        }
        #expect(try sample.stored(id).archiveAttempts == 1)
        #expect(try steps().map(\.header.isBackground) == [false, true])
        #expect(try steps().map(\.header.command) == ["mine", "sbfs watch: save a page"])
        #expect(try #require(try library.history()).undoable.map(\.header.command) == ["mine"])
    }

    @Test func `a host that fails for ever is tried less and less, and then no more`() throws {
        var now = Timestamp.now
        let id = try put(1, "pending", times(now.adding(seconds: -86_400)))
        let worker = try worker(answering: #"{"result":{"status":"failed","kind":"no_connection","reason":"refused"}}"#)
        defer { worker.end() }
        var schedule = ArchiveSchedule()
        schedule.replace(try library.waitingPages(at: now))
        var delays: [Int64] = []
        while schedule.pageCount > 0, delays.count < 20 {
            switch schedule.next(at: now, ArchiveSchedule.Conditions()) {
            case .save(let page):
                let attempt = library.saveWaitingPage(page, ArchiveOptions(), worker, command: "save", at: now)
                schedule.ended(page, attempt, at: now)
                // A restart forgets nothing.
                schedule = ArchiveSchedule()
                schedule.replace(try library.waitingPages(at: now))
            case .wait(let until?):
                delays.append((until.milliseconds - now.milliseconds) / 1000)
                now = until
            default:
                Issue.record("neither saved nor waiting")
                return
            }
        }
        let spread = library.store.spread(of: id, below: Library.deviceSpread)
        #expect(delays == [1, 4, 16, 64, 256, 720, 720, 720, 720].map { $0 * 3600 + spread })
        #expect(try sample.stored(id).archiveAttempts == ArchiveBackOff.attemptLimit)
        #expect(try sample.stored(id).item.archiveStatus == .failed)
    }

    @Test func `background steps do not end the watch of the library`() async throws {
        let follower = try await Follower(library)
        let snippet = try library.inBackground("background") { step in
            try step.addSnippet("note", title: "by itself", tags: [])
        }
        #expect(try await follower.wait { $0.contains { if case .added(snippet) = $0 { true } else { false } } })
        let id = try sample.put(1, "soup")
        #expect(try await follower.wait { $0.contains { if case .added(id) = $0 { true } else { false } } })
        follower.stop()
    }

    @Test func `an item that no longer waits is left alone`() throws {
        let id = try put(1, "pending", times(.now.adding(seconds: -86_400)))
        let page = try #require(try library.waitingPage(id))
        _ = try library.trash(sample.stored(id))
        let worker = try worker(answering: "{}")
        guard case .notWaiting = library.saveWaitingPage(page, ArchiveOptions(), worker, command: "x").end else {
            Issue.record("saved")
            return
        }
    }

    @Test func `a page that another process saves now is left to it`() throws {
        let id = try put(1, "pending", times(.now.adding(seconds: -86_400)))
        let page = try #require(try library.waitingPage(id))
        let other = try Library(path: library.path)
        let staged = try other.session.stageArchive(of: id)
        defer { other.session.discard(staged) }
        let attempt = library.saveWaitingPage(page, ArchiveOptions(), try worker(answering: "{}"), command: "x")
        guard case .busy = attempt.end else {
            Issue.record("\(attempt)")
            return
        }
        #expect(attempt.next == page)
    }

    @Test func `a count of attempts that no number holds is counted on`() throws {
        let huge = ["9223372036854775807", "1e400", "99999999999999999999999"]
        let worker = try worker(answering: #"{"result":{"status":"failed","kind":"timeout","reason":"slow"}}"#)
        defer { worker.end() }
        for (index, number) in huge.enumerated() {
            let id = try put(UInt16(index + 1), "pending", times(.now.adding(seconds: -86_400)))
            let path = sample.folder(id) + "/item.json"
            let text = try sample.scratch.text(path)
            try sample.scratch.write(path, "{\"archiveAttempts\": \(number)," + text.dropFirst())
            let row = try #require(try library.waitingPage(id)).row
            try library.change("save") { _ = try $0.archive(row, ArchiveOptions(), worker) }
            #expect(try sample.stored(id).item.archiveStatus == .failed)
        }
    }

    @Test func `consent is for the pages that wait now, and ends when few are left`() throws {
        let old = times(.now.adding(seconds: -86_400))
        for number in 1...600 { _ = try put(UInt16(number), "pending", old) }
        #expect(try library.waiting() == [.archiving(pendingCount: 600)])
        #expect(library.archiveConsent == 0)
        #expect(try library.allowArchiving() == 600)
        #expect(try library.waiting() == [])
        #expect(try Library(path: library.path).archiveConsent == 600)
        _ = try put(601, "pending", old)
        #expect(try library.waiting() == [.archiving(pendingCount: 601)])
        var off = BackgroundSettings()
        off.archives = false
        #expect(try library.waiting(off) == [])
        for number in 1...101 {
            try sample.scratch.removeFile(sample.folder(SampleLibrary.id(UInt16(number))) + "/item.json")
        }
        #expect(try library.waiting() == [])
        #expect(library.archiveConsent == 0)
    }

    @Test func `a person is told once for each kind, and again when it waits again later`() throws {
        var told: [Consent] = []
        let (pages, trash) = (Consent.archiving(pendingCount: 600), Consent.purging(count: 30, itemCount: 100))
        func tell(_ waiting: [Consent], _ works: Bool = true) throws {
            try library.tellOnce(of: waiting) {
                told.append($0)
                return works
            }
        }
        try tell([pages], false)
        try tell([pages])
        try tell([.archiving(pendingCount: 700), trash])
        try sample.reopen()
        try tell([pages, trash])
        #expect(told == [pages, pages, trash])
        try tell([])
        try tell([pages])
        #expect(told == [pages, pages, trash, pages])
    }
}
