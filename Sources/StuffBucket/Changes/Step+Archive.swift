public import Items
public import Time

/// Saving pages. Another program, sbfs-worker, fetches and reads them; `CaptureWorker` runs it.
extension Step {
    /// Saves the page of a link into its item.
    ///
    /// The page is completed in staging before the item changes. A better archive that exists stays.
    ///
    /// - Throws: if the item cannot be written; a page that cannot be fetched is an outcome.
    public func archive(
        _ row: Row, _ options: ArchiveOptions, _ worker: CaptureWorker, _ monitor: Monitor = Monitor(),
        at time: Timestamp = .now
    ) throws -> ArchiveOutcome {
        try library.archive(row, options, worker, monitor, at: time)
    }

    /// Makes an earlier capture the item's page again. The current one becomes a snapshot.
    ///
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    public func restore(
        _ snapshot: Snapshot, in stored: StoredItem, at time: Timestamp = .now
    ) throws(ItemError) {
        try session.restore(snapshot, in: stored, at: time)
    }

    /// Checks whether links still answer, and records the results in their items.
    ///
    /// - Parameters:
    ///   - links: items and their links.
    ///   - options: only `allowsPrivate`, `allowed` and `isTyped` count; `isTyped` is for a single link that a person
    ///     named now.
    ///   - seconds: the time for one answer.
    ///   - found: called for each link as it answers, with its number in `links`, and the error if the item could not
    ///     be written.
    ///   - worker: fetches and reads pages.
    ///   - monitor: cancels the call, which ends the worker; what is written by then stays.
    /// - Throws: `CaptureWorker.Failure` if the worker gives no answer, and `ItemError.cancelled`.
    public func checkLinks(
        _ links: [(row: Row, url: String)], _ options: ArchiveOptions, within seconds: Int, _ worker: CaptureWorker,
        _ monitor: Monitor = Monitor(), found: (Int, LinkFinding, (any Error)?) -> Void
    ) throws {
        try library.checkLinks(links, options, within: seconds, worker, monitor, found: found)
    }

    /// Saves the icon of a site into the items that link to it.
    ///
    /// - Parameters:
    ///   - url: any page of the site.
    ///   - options: only `allowsPrivate`, `allowed`, `isTyped` and `seconds` (at most 30) count.
    ///   - rows: the items.
    ///   - worker: fetches and reads pages.
    ///   - monitor: cancels the call, which ends the worker; what is written by then stays.
    /// - Returns: false if the site has no icon.
    /// - Throws: `CaptureWorker.Failure` if the worker gives no answer, and `ItemError.cancelled`; `ItemError` if an
    ///   item cannot be written.
    public func saveFavicon(
        ofSite url: String, into rows: [Row], _ options: ArchiveOptions, _ worker: CaptureWorker,
        _ monitor: Monitor = Monitor()
    ) throws -> Bool {
        try library.saveFavicon(ofSite: url, into: rows, options, worker, monitor)
    }
}
