package import Items
package import Time
internal import WorkerProtocol

/// Decides which waiting page is saved next, and when to ask again.
///
/// A value that acts on nothing by itself: the caller gives it the pages that wait (`Library.waitingPages`) and the
/// state of the machine, asks `next`, saves the page (`Library.saveWaitingPage`), and reports with `ended`. All times
/// are the caller's. It holds at most as many pages as it was given.
public struct ArchiveSchedule: Sendable {
    /// What it may use.
    package struct Limits: Sendable {
        /// Pages that are saved at once.
        package var pagesAtOnce = 2
        /// Seconds between the end of a page and the next one of the same host. One page at a time from each host.
        package var hostPause: Int64 = 5
        /// Seconds before the next page of a host that asked for fewer requests.
        package var longHostPause: Int64 = 900
        /// Above this number of pending pages, a person is asked.
        package var consentCount = Library.archiveConsentCount
        /// Free bytes of the library's file system below which nothing is saved.
        package var spaceKept = Library.archiveSpaceKept

        /// Makes the usual limits.
        package init() {}
    }

    /// The state of the machine and the person's wishes.
    package struct Conditions: Sendable {
        /// Whether the person lets pages be saved in the background.
        package var isSwitchedOn = true
        /// Whether the network may be used.
        package var isOffline = false
        /// `PowerSupply.isOnBattery`.
        package var isOnBattery = false
        /// `Library.freeByteCount`.
        package var freeByteCount = Int.max
        /// `Library.archiveConsent`: the number of pages to which a person agreed.
        package var consent = 0

        /// Makes conditions under which everything is saved.
        package init() {}
    }

    /// Why nothing is saved although pages wait.
    public enum Hold: Hashable, Sendable {
        /// The person switched it off.
        case switchedOff
        case offline
        case onBattery
        /// Fewer bytes are free than `kept`.
        case lowSpace(freeByteCount: Int, kept: Int)
        /// More pages are pending than are saved without a person's consent (`Library.allowArchiving`).
        case waitsForConsent(pendingCount: Int, limit: Int)
        /// An error of this machine stopped the last page.
        case machine
        /// Several hosts in a row could not be reached.
        case connection
    }

    /// What to do now.
    package enum Turn: Hashable, Sendable {
        /// Save this page now, and report with `ended`.
        case save(WaitingPage)
        /// Nothing is due. Ask again at this time; `nil`: after the next change of an item or end of a page.
        case wait(until: Timestamp?)
        /// Ask again at this time; `nil`: when the conditions have changed.
        case held(Hold, until: Timestamp?)
    }

    /// What it may use.
    package var limits: Limits
    private var pages: [ItemID: WaitingPage] = [:]
    /// The number of pending pages in the library.
    package private(set) var pendingCount = 0
    private var running: [ItemID: WaitingPage] = [:]
    /// Pages whose last attempt says nothing about the page, and when they are tried again.
    private var postponed: [ItemID: Timestamp] = [:]
    /// The earliest time for the next page of a host.
    private var hosts: [String: Timestamp] = [:]
    /// An error of the machine, or of its connection: when to try again, and how often in a row it happened.
    private var trouble: (hold: Hold, until: Timestamp, count: Int)?
    /// Hosts that could not be reached, one after the other.
    private var unreached: Set<String> = []

    /// Makes a schedule of no pages.
    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// The number of pages that it knows, those that are saved now included.
    package var pageCount: Int { pages.count + running.count }
    /// The number of pages that are saved now.
    package var runningCount: Int { running.count }

    // MARK: Pages

    /// Takes a new list of all pages that wait.
    package mutating func replace(_ waiting: WaitingPages) {
        pendingCount = waiting.pendingCount
        pages = Dictionary(waiting.pages.map { ($0.row.id, $0) }) { first, _ in first }
        postponed = postponed.filter { pages[$0.key] != nil }
        for id in running.keys { pages[id] = nil }
    }

    /// Takes what is known of one item after a change; `nil` if its page does not wait.
    package mutating func update(_ id: ItemID, _ page: WaitingPage?) {
        if running[id] != nil { return }
        let wasPending = pages[id].map { !$0.isRetry } ?? false
        let isPending = page.map { !$0.isRetry } ?? false
        pendingCount = max(0, pendingCount + (isPending ? 1 : 0) - (wasPending ? 1 : 0))
        pages[id] = page
        postponed[id] = nil
    }

    // MARK: Asking

    /// What to do at this time. A page that it returns counts as being saved until `ended`.
    package mutating func next(at now: Timestamp, _ conditions: Conditions) -> Turn {
        if pages.isEmpty { return .wait(until: nil) }
        if let hold = hold(conditions) { return .held(hold, until: nil) }
        if let trouble, now < Self.bounded(trouble.until, now, by: Self.longestTrouble) {
            return .held(trouble.hold, until: trouble.until)
        }
        if running.count >= limits.pagesAtOnce { return .wait(until: nil) }
        var chosen: WaitingPage?
        var earliest: Timestamp?
        let busy = Set(running.values.map(\.host))
        for page in pages.values where !busy.contains(page.host) {
            let time = max(page.due, hostTime(page.host, now), postponedTime(page.row.id, now))
            if time <= now {
                if chosen.map({ (page.due, page.row.id) < ($0.due, $0.row.id) }) ?? true { chosen = page }
            } else {
                earliest = min(earliest ?? time, time)
            }
        }
        guard let chosen else { return .wait(until: earliest) }
        pages[chosen.row.id] = nil
        running[chosen.row.id] = chosen
        return .save(chosen)
    }

    private func hold(_ conditions: Conditions) -> Hold? {
        if !conditions.isSwitchedOn { return .switchedOff }
        if conditions.isOffline { return .offline }
        if conditions.isOnBattery { return .onBattery }
        if conditions.freeByteCount < limits.spaceKept {
            return .lowSpace(freeByteCount: conditions.freeByteCount, kept: limits.spaceKept)
        }
        let limit = max(limits.consentCount, conditions.consent)
        if pendingCount > limit { return .waitsForConsent(pendingCount: pendingCount, limit: limit) }
        return nil
    }

    private func hostTime(_ host: String, _ now: Timestamp) -> Timestamp {
        hosts[host].map { Self.bounded($0, now, by: limits.longHostPause) } ?? now
    }

    private func postponedTime(_ id: ItemID, _ now: Timestamp) -> Timestamp {
        postponed[id].map { Self.bounded($0, now, by: Self.refusalPause) } ?? now
    }

    /// A clock that was set back makes no wait longer than it should be.
    private static func bounded(_ time: Timestamp, _ now: Timestamp, by seconds: Int64) -> Timestamp {
        time > now.adding(seconds: seconds) ? now : time
    }

    // MARK: Reporting

    /// Takes the end of a page that `next` returned.
    package mutating func ended(_ page: WaitingPage, _ attempt: PageAttempt, at now: Timestamp) {
        running[page.row.id] = nil
        hosts = hosts.filter { $0.value > now }
        hosts[page.host] = now.adding(seconds: limits.hostPause)
        postponed[page.row.id] = nil
        switch attempt.end {
        case .saved(let outcome):
            takeOutcome(outcome, of: page, at: now)
        case .failure(let error):
            if error.isOutOfSpace { stumble(.machine, at: now) }
            postponed[page.row.id] = now.adding(seconds: Self.errorPause)
        case .busy: postponed[page.row.id] = now.adding(seconds: Self.busyPause)
        case .notWaiting, .cancelled: hosts[page.host] = nil
        }
        if attempt.next == nil { postponed[page.row.id] = nil }
        if !page.isRetry, attempt.next?.isRetry ?? true { pendingCount = max(0, pendingCount - 1) }
        pages[page.row.id] = attempt.next
    }

    private mutating func takeOutcome(_ outcome: ArchiveOutcome, of page: WaitingPage, at now: Timestamp) {
        switch outcome {
        case .refused(.machine):
            stumble(.machine, at: now)
        case .refused:
            // Only a person can change that; the page still waits for one.
            postponed[page.row.id] = now.adding(seconds: Self.refusalPause)
        case .failed(let report):
            if report.kind?.asksForPatience ?? false { hosts[page.host] = now.adding(seconds: limits.longHostPause) }
            guard report.kind?.mayBeConnection ?? false else { return recover() }
            unreached.insert(page.host)
            if unreached.count >= Self.unreachedLimit { stumble(.connection, at: now) }
        case .saved, .unchanged, .keptEarlier: recover()
        }
    }

    private mutating func recover() {
        trouble = nil
        unreached = []
    }

    /// Waits a minute, then twice as long each time, at most an hour.
    private mutating func stumble(_ hold: Hold, at now: Timestamp) {
        let count = min(trouble.map { $0.hold == hold ? $0.count : 0 } ?? 0, 6)
        let pause = min(Self.longestTrouble, Self.firstTrouble << Int64(count))
        trouble = (hold, now.adding(seconds: pause), count + 1)
    }

    // Seconds.
    private static let firstTrouble: Int64 = 60
    private static let longestTrouble: Int64 = 3600
    private static let errorPause: Int64 = 600
    private static let busyPause: Int64 = 180
    private static let refusalPause: Int64 = 86_400
    /// Hosts in a row that cannot be reached before the connection counts as the cause.
    private static let unreachedLimit = 3
}

extension Library {
    /// Above this number of pending pages, background work waits for a person's consent.
    public static let archiveConsentCount = 500
    /// Free bytes of the library's file system below which background work saves no page: 5 GB.
    package static let archiveSpaceKept = 5_000_000_000
}
