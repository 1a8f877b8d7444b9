internal import Files
package import Items
public import Time
internal import URLs
internal import WorkerProtocol

/// A page that background work will save.
package struct WaitingPage: Hashable, Sendable {
    /// The item.
    package let row: Row
    /// The link's host in lower case; empty if the link has no normal form.
    package let host: String
    /// The earliest time for the attempt.
    package var due: Timestamp
    /// Whether an attempt has failed before.
    package let isRetry: Bool
}

/// The pages that background work will save.
public struct WaitingPages: Sendable {
    /// The earliest first; at most as many as asked for.
    package var pages: [WaitingPage] = []
    /// The number of items whose page is pending, all of them.
    public var pendingCount = 0
}

extension Library {
    /// How long other devices leave a page to the one that was asked for it, in seconds.
    static let otherDevicePatience: Int64 = 3600
    /// How long a command has to begin with a link that a person typed, in seconds.
    static let commandPatience: Int64 = 5
    /// Devices that are due at the same time differ by up to these seconds.
    static let deviceSpread: Int64 = 1800

    /// The pages that wait: pending ones, and failed and unfinished ones that are tried again (`ArchiveBackOff`).
    ///
    /// A page that this device was asked to save is due at once, by others after an hour: this device's journal says
    /// whether a step here made the item, or made it wait.
    ///
    /// - Parameters:
    ///   - limit: the largest number of pages returned.
    ///   - now: the current time.
    /// - Throws: As `find`, and `ItemError` if the journal cannot be read.
    public func waitingPages(limit: Int = 1000, at now: Timestamp = .now) throws -> WaitingPages {
        var waiting = WaitingPages()
        let pending = try find(ItemRequest(.filter(.status(.pending)), order: .oldest))
        waiting.pendingCount = pending.count
        let failed = try find(ItemRequest(.filter(.status(.failed)), order: .oldest))
        let partial = try find(ItemRequest(.filter(.status(.partial)), order: .oldest))
        let items = (pending.rows.prefix(limit) + failed.rows + partial.rows).lazy.compactMap { row in
            (try? self.item(row)).map { (row, $0) }
        }
        waiting.pages = try pages(Array(items), at: now)
        waiting.pages.sort { ($0.due, $0.row.id) < ($1.due, $1.row.id) }
        waiting.pages = Array(waiting.pages.prefix(limit))
        return waiting
    }

    /// The page of one item; `nil` if it does not wait.
    ///
    /// - Throws: `ItemError` if its item.json or the journal cannot be read.
    package func waitingPage(_ id: ItemID, at now: Timestamp = .now) throws -> WaitingPage? {
        guard let stored = try store.item(id) else { return nil }
        return try pages([(Row(stored), stored)], at: now).first
    }

    private func pages(_ items: [(row: Row, stored: StoredItem)], at now: Timestamp) throws -> [WaitingPage] {
        let young = items.filter {
            $0.stored.isPending && $0.stored.requestedAt(now) > now.adding(seconds: -Self.otherDevicePatience)
        }
        let here = try madeHere(Set(young.map(\.row.id)), at: now)
        let mayBeElsewhere = Set(young.map(\.row.id)).subtracting(here)
        return items.compactMap { row, stored in
            guard let link = stored.item.linkURL, !stored.item.isTrashed else { return nil }
            guard var due = stored.dueAttempt(now) else { return nil }
            if !stored.isPending {
                due = due.adding(seconds: store.spread(of: row.id, below: Self.deviceSpread))
            } else if mayBeElsewhere.contains(row.id) {
                let wait = Self.otherDevicePatience + store.spread(of: row.id, below: Self.deviceSpread)
                due = due.adding(seconds: wait)
            } else if stored.item.isTyped {
                due = due.adding(seconds: Self.commandPatience)
            }
            return WaitingPage(
                row: row, host: LinkIdentity(link)?.host ?? "", due: due, isRetry: !stored.isPending)
        }
    }

    /// A step may have begun some time before it made its last item.
    private func madeHere(_ ids: Set<ItemID>, at now: Timestamp) throws -> Set<ItemID> {
        if ids.isEmpty { return [] }
        guard let journal = try JournalFolder(in: store) else { return [] }
        return try journal.requested(ids, since: now.adding(seconds: -6 * Self.otherDevicePatience))
    }
}

extension StoredItem {
    var isPending: Bool { item.archiveStatus == .pending }

    /// When the page was asked for, as far as the item says; never in the future.
    func requestedAt(_ now: Timestamp) -> Timestamp { min(now, max(createdAt, item.updatedAt ?? createdAt)) }

    /// The earliest time for an attempt to save the page; `nil` if it does not wait for one.
    func dueAttempt(_ now: Timestamp) -> Timestamp? {
        switch item.archiveStatus {
        case .pending: requestedAt(now)
        case .failed: ArchiveBackOff.nextAttempt(after: archiveAttempts, captureReason, at: archivedAt, now: now)
        // What had not arrived may arrive.
        case .partial where captureReason == .timeout:
            ArchiveBackOff.nextAttempt(after: archiveAttempts, .timeout, at: archivedAt, now: now)
        default: nil
        }
    }
}
