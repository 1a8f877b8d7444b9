internal import Items
public import Time
public import WorkerProtocol

/// The pages that could not be saved.
public struct FailedPages: Sendable {
    /// A page whose last attempt failed.
    public struct Page: Sendable {
        /// The item.
        public let row: Row
        /// Why, as item.json says it (FORMAT.md § 5.3); `nil` if it does not.
        public let reason: String?
        /// The same, if it is known to sbfs.
        public let kind: CaptureReason?
        /// Attempts so far.
        public let attempts: Int
        /// When the last one was made; `nil` if unknown.
        public let lastAttempt: Timestamp?
        /// When background work tries again; `nil` if it is up to a person.
        public let nextAttempt: Timestamp?
    }

    /// The ones that failed last; at most as many as asked for.
    public var pages: [Page] = []
    /// All that are tried again.
    public var retryCount = 0
    /// All that only a person tries again.
    public var finalCount = 0
}

extension Library {
    /// The pages that could not be saved, and when they are tried again.
    ///
    /// - Parameters:
    ///   - limit: the largest number of pages returned.
    ///   - now: the current time.
    /// - Throws: As `find`.
    public func failedPages(limit: Int, at now: Timestamp = .now) throws -> FailedPages {
        var failed = FailedPages()
        for row in try find(ItemRequest(.filter(.status(.failed)), order: .oldest)).rows {
            // An item that went meanwhile has not failed.
            guard let stored = try? item(row) else { continue }
            let next = stored.dueAttempt(now)?.adding(seconds: store.spread(of: row.id, below: Self.deviceSpread))
            if next == nil { failed.finalCount += 1 } else { failed.retryCount += 1 }
            failed.pages.append(
                FailedPages.Page(
                    row: row, reason: stored.item.archiveReason, kind: stored.captureReason,
                    attempts: stored.archiveAttempts,
                    lastAttempt: stored.archivedAt, nextAttempt: next))
            if failed.pages.count > 2 * limit + 64 { failed.cut(to: limit) }
        }
        failed.cut(to: limit)
        return failed
    }
}

extension FailedPages {
    fileprivate mutating func cut(to limit: Int) {
        pages.sort { ($1.lastAttempt?.milliseconds ?? 0, $0.row.id) < ($0.lastAttempt?.milliseconds ?? 0, $1.row.id) }
        pages = Array(pages.prefix(limit))
    }
}
