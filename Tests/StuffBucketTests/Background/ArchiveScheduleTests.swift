import Items
import Testing
import Time
import WorkerProtocol

@testable import StuffBucket

/// Which waiting page comes next, and when: without a library, a clock or a network.
struct ArchiveScheduleTests {
    private static let start = Timestamp(milliseconds: 1_795_256_100_000)

    private static func time(_ seconds: Int64) -> Timestamp { start.adding(seconds: seconds) }

    private static func page(
        _ number: UInt64, _ host: String = "a", due: Int64 = 0, isRetry: Bool = false
    ) -> WaitingPage {
        let id = ItemID(high: 1, low: number)
        return WaitingPage(
            row: Row(id: id, folder: Layout.itemFolder(id), isTrashed: false), host: host, due: time(due),
            isRetry: isRetry)
    }

    private static func schedule(_ pages: [WaitingPage]) -> ArchiveSchedule {
        var schedule = ArchiveSchedule()
        schedule.replace(WaitingPages(pages: pages, pendingCount: pages.count { !$0.isRetry }))
        return schedule
    }

    private let saved = PageAttempt(.saved(.saved(CaptureReport(.full), snapshot: nil)))

    private func failed(_ reason: CaptureReason, next: WaitingPage? = nil) -> PageAttempt {
        PageAttempt(.saved(.failed(.failed(reason, CaptureDetail(.words, "no")))), next: next)
    }

    private func ask(_ schedule: inout ArchiveSchedule, _ seconds: Int64) -> ArchiveSchedule.Turn {
        schedule.next(at: Self.time(seconds), ArchiveSchedule.Conditions())
    }

    @Test func `nothing waits`() {
        var schedule = ArchiveSchedule()
        #expect(ask(&schedule, 0) == .wait(until: nil))
    }

    @Test func `a host gets one page at a time, and a pause between two`() {
        let (one, two) = (Self.page(1), Self.page(2))
        var schedule = Self.schedule([two, one])
        #expect(ask(&schedule, 0) == .save(one))
        #expect(ask(&schedule, 1) == .wait(until: nil))
        schedule.ended(one, saved, at: Self.time(10))
        #expect(ask(&schedule, 11) == .wait(until: Self.time(15)))
        #expect(ask(&schedule, 15) == .save(two))
        schedule.ended(two, saved, at: Self.time(20))
        #expect(ask(&schedule, 20) == .wait(until: nil))
        #expect(schedule.pageCount == 0 && schedule.pendingCount == 0)
    }

    @Test func `as many pages at once as the limit says, of different hosts`() {
        var schedule = Self.schedule([Self.page(1, "a"), Self.page(2, "a"), Self.page(3, "b"), Self.page(4, "c")])
        #expect(ask(&schedule, 0) == .save(Self.page(1, "a")))
        #expect(ask(&schedule, 0) == .save(Self.page(3, "b")))
        #expect(ask(&schedule, 0) == .wait(until: nil))
        schedule.ended(Self.page(3, "b"), saved, at: Self.time(2))
        #expect(ask(&schedule, 2) == .save(Self.page(4, "c")))
        #expect(schedule.runningCount == 2)
    }

    @Test func `a page that is not due waits for its time`() {
        var schedule = Self.schedule([Self.page(1, due: 3600, isRetry: true)])
        #expect(ask(&schedule, 0) == .wait(until: Self.time(3600)))
        #expect(ask(&schedule, 3600) == .save(Self.page(1, due: 3600, isRetry: true)))
    }

    @Test func `600 pending pages wait for consent, and with it all are saved in order`() {
        let pages = (1...600).map { Self.page(UInt64($0), "host\($0 % 7)") }
        var schedule = Self.schedule(pages)
        let hold = ArchiveSchedule.Hold.waitsForConsent(pendingCount: 600, limit: 500)
        #expect(ask(&schedule, 0) == .held(hold, until: nil))
        var conditions = ArchiveSchedule.Conditions()
        conditions.consent = 599
        #expect(
            schedule.next(at: Self.start, conditions)
                == .held(.waitsForConsent(pendingCount: 600, limit: 599), until: nil))
        conditions.consent = 600
        var now: Int64 = 0
        var running: [WaitingPage] = []
        var done: [WaitingPage] = []
        var hosts: [String: Int64] = [:]
        while done.count < 600 {
            switch schedule.next(at: Self.time(now), conditions) {
            case .save(let page):
                #expect(running.allSatisfy { $0.host != page.host })
                #expect(hosts[page.host].map { now >= $0 + 5 } ?? true)
                running.append(page)
            case .wait(let until):
                if let page = running.first {
                    running.removeFirst()
                    now += 1
                    schedule.ended(page, saved, at: Self.time(now))
                    hosts[page.host] = now
                    done.append(page)
                } else {
                    guard let until, until > Self.time(now) else {
                        Issue.record("waits for nothing")
                        return
                    }
                    now = (until.milliseconds - Self.start.milliseconds) / 1000
                }
            case .held(let hold, _):
                Issue.record("held: \(hold)")
                return
            }
        }
        #expect(Set(done.map(\.row.id)).count == 600)
        #expect(schedule.pageCount == 0 && schedule.pendingCount == 0)
    }

    @Test func `at the limit no consent is needed`() {
        var schedule = Self.schedule((1...500).map { Self.page(UInt64($0)) })
        #expect(ask(&schedule, 0) == .save(Self.page(1)))
    }

    @Test func `the machine and the person hold it back`() {
        typealias Conditions = ArchiveSchedule.Conditions
        let cases: [(ArchiveSchedule.Hold, (inout Conditions) -> Void)] = [
            (.switchedOff, { $0.isSwitchedOn = false }), (.offline, { $0.isOffline = true }),
            (.onBattery, { $0.isOnBattery = true }),
            (.lowSpace(freeByteCount: 4_999_999_999, kept: 5_000_000_000), { $0.freeByteCount = 4_999_999_999 }),
        ]
        for (hold, change) in cases {
            var schedule = Self.schedule([Self.page(1)])
            var conditions = Conditions()
            change(&conditions)
            #expect(schedule.next(at: Self.start, conditions) == .held(hold, until: nil))
            #expect(ask(&schedule, 0) == .save(Self.page(1)))
        }
        var schedule = Self.schedule([Self.page(1)])
        var enough = Conditions()
        enough.freeByteCount = 5_000_000_000
        #expect(schedule.next(at: Self.start, enough) == .save(Self.page(1)))
    }

    @Test func `a host that asks for fewer requests gets a long pause, and others none`() {
        let (one, two, other) = (Self.page(1), Self.page(2), Self.page(3, "b"))
        var schedule = Self.schedule([one, two, other])
        #expect(ask(&schedule, 0) == .save(one))
        schedule.ended(one, failed(.http(429)), at: Self.time(1))
        #expect(ask(&schedule, 2) == .save(other))
        schedule.ended(other, saved, at: Self.time(3))
        #expect(ask(&schedule, 3) == .wait(until: Self.time(901)))
    }

    @Test func `if three hosts in a row cannot be reached, the connection counts as the cause`() {
        var schedule = Self.schedule((1...6).map { Self.page(UInt64($0), "host\($0)") })
        for number in 1...3 {
            let page = Self.page(UInt64(number), "host\(number)")
            #expect(ask(&schedule, 0) == .save(page))
            schedule.ended(page, failed(.noSuchHost), at: Self.start)
        }
        #expect(ask(&schedule, 0) == .held(.connection, until: Self.time(60)))
        #expect(ask(&schedule, 60) == .save(Self.page(4, "host4")))
        schedule.ended(Self.page(4, "host4"), failed(.noConnection), at: Self.time(60))
        #expect(ask(&schedule, 61) == .held(.connection, until: Self.time(180)))
        #expect(ask(&schedule, 180) == .save(Self.page(5, "host5")))
        schedule.ended(Self.page(5, "host5"), saved, at: Self.time(181))
        #expect(ask(&schedule, 181) == .save(Self.page(6, "host6")))
    }

    @Test func `one host that cannot be reached holds no other back`() {
        var schedule = Self.schedule((1...9).map { Self.page(UInt64($0), "dead") } + [Self.page(10, "b", due: 100)])
        for turn in 0..<5 {
            let now = Int64(turn) * 10
            guard case .save(let page) = ask(&schedule, now) else {
                Issue.record("not saved")
                return
            }
            schedule.ended(page, failed(.noConnection), at: Self.time(now))
        }
        #expect(ask(&schedule, 200) == .save(Self.page(6, "dead")))
        #expect(ask(&schedule, 200) == .save(Self.page(10, "b", due: 100)))
    }

    @Test func `an error of the machine stops all pages, longer each time, at most an hour`() {
        var schedule = Self.schedule([Self.page(1)])
        var now: Int64 = 0
        var pauses: [Int64] = []
        for _ in 0..<9 {
            #expect(ask(&schedule, now) == .save(Self.page(1)))
            let report = CaptureReport.failed(.machine, CaptureDetail(.words, "the disk is full"))
            schedule.ended(
                Self.page(1), PageAttempt(.saved(.refused(.machine(report))), next: Self.page(1)), at: Self.time(now))
            guard case .held(.machine, let until?) = ask(&schedule, now) else {
                Issue.record("not held")
                return
            }
            let next = (until.milliseconds - Self.start.milliseconds) / 1000
            pauses.append(next - now)
            now = next
        }
        #expect(pauses == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    }

    @Test func `a full disk while the item is written is an error of the machine`() {
        var schedule = Self.schedule([Self.page(1)])
        #expect(ask(&schedule, 0) == .save(Self.page(1)))
        let error = ItemError.file(FileError(.write, "item.json", .system(28)))
        schedule.ended(Self.page(1), PageAttempt(.failure(error), next: Self.page(1)), at: Self.start)
        #expect(ask(&schedule, 1) == .held(.machine, until: Self.time(60)))
        #expect(schedule.pendingCount == 1)
    }

    @Test func `what only a person can change is tried again after a day, also after a new list`() {
        let report = CaptureReport.failed(.privateAddress, CaptureDetail(.words, "private"))
        var schedule = Self.schedule([Self.page(1)])
        #expect(ask(&schedule, 0) == .save(Self.page(1)))
        schedule.ended(
            Self.page(1), PageAttempt(.saved(.refused(.privateAddress(report))), next: Self.page(1)), at: Self.start)
        #expect(ask(&schedule, 60) == .wait(until: Self.time(86_400)))
        schedule.replace(WaitingPages(pages: [Self.page(1)], pendingCount: 1))
        #expect(ask(&schedule, 60) == .wait(until: Self.time(86_400)))
        // Somebody changed the item.
        schedule.update(Self.page(1).row.id, Self.page(1))
        #expect(ask(&schedule, 60) == .save(Self.page(1)))
    }

    @Test func `a page that another process saves is left to it`() {
        var schedule = Self.schedule([Self.page(1)])
        #expect(ask(&schedule, 0) == .save(Self.page(1)))
        schedule.ended(Self.page(1), PageAttempt(.busy, next: Self.page(1)), at: Self.start)
        #expect(ask(&schedule, 1) == .wait(until: Self.time(180)))
        schedule.update(Self.page(1).row.id, nil)
        #expect(ask(&schedule, 180) == .wait(until: nil))
        #expect(schedule.pendingCount == 0)
    }

    @Test func `changes of items are counted`() {
        var schedule = ArchiveSchedule()
        schedule.update(Self.page(1).row.id, Self.page(1))
        schedule.update(Self.page(1).row.id, Self.page(1))
        schedule.update(Self.page(2).row.id, Self.page(2, isRetry: true))
        #expect(schedule.pendingCount == 1 && schedule.pageCount == 2)
        schedule.update(Self.page(1).row.id, Self.page(1, isRetry: true))
        #expect(schedule.pendingCount == 0 && schedule.pageCount == 2)
    }

    @Test func `a clock that was in 2099 makes no wait longer`() {
        let far: Int64 = 73 * 365 * 86_400
        var schedule = Self.schedule([Self.page(1), Self.page(2)])
        #expect(ask(&schedule, far) == .save(Self.page(1)))
        schedule.ended(Self.page(1), failed(.http(429)), at: Self.time(far))
        #expect(ask(&schedule, 0) == .save(Self.page(2)))
        schedule.ended(Self.page(2), PageAttempt(.busy, next: Self.page(2)), at: Self.time(far))
        #expect(ask(&schedule, 0) == .save(Self.page(2)))
    }

    // MARK: Back-off

    @Test func `the back-off grows, is capped, and ends`() {
        var now = Self.start
        var delays: [Int64] = []
        for attempts in 1...20 {
            guard let next = ArchiveBackOff.nextAttempt(after: attempts, .noConnection, at: now, now: now) else {
                break
            }
            delays.append((next.milliseconds - now.milliseconds) / 1000)
            now = next
        }
        let hour: Int64 = 3600
        #expect(delays == [1, 4, 16, 64, 256, 720, 720, 720, 720].map { $0 * hour })
        #expect(ArchiveBackOff.delay(after: .max) == ArchiveBackOff.longestDelay)
        #expect(ArchiveBackOff.delay(after: .min) == hour)
    }

    @Test(
        arguments: [
            (.noConnection, true), (.timeout, true), (.http(500), true), (.http(503), true), (.http(429), true),
            (.http(404), false), (.http(410), false), (.tooLarge, false), (.otherDocument, false), (.redirects, false),
            (nil, true),
        ] as [(CaptureReason?, Bool)])
    func `only what may pass is tried again`(reason: CaptureReason?, isTried: Bool) {
        let next = ArchiveBackOff.nextAttempt(after: 1, reason, at: Self.start, now: Self.start)
        #expect((next != nil) == isTried)
    }

    @Test func `an attempt that claims to be in the future, or none, is long ago`() {
        let far = Self.start.adding(seconds: 73 * 365 * 86_400)
        #expect(ArchiveBackOff.nextAttempt(after: 1, nil, at: far, now: Self.start) == Self.start)
        #expect(ArchiveBackOff.nextAttempt(after: 1, nil, at: nil, now: Self.start) == Self.start)
    }
}
