public import Items
public import Time

/// Saving of pages. What fetches and reads pages is another program, sbfs-worker, which `CaptureWorker` runs.
extension Step {
    /// Saves the page of a link into its item.
    ///
    /// The page is made in staging; the item changes only when it is whole. A better one that is there stays.
    ///
    /// - Throws: where the item cannot be written; a page that cannot be fetched is an outcome.
    public func archive(
        _ row: Row, _ options: ArchiveOptions, _ worker: CaptureWorker, at time: Timestamp = .now
    ) throws -> ArchiveOutcome {
        try library.archive(row, options, worker, at: time)
    }

    /// Makes an earlier capture the item's page again; the present one becomes a snapshot.
    public func restore(
        _ snapshot: Snapshot, in stored: StoredItem, at time: Timestamp = .now
    ) throws(ItemError) {
        try session.restore(snapshot, in: stored, at: time)
    }

    /// Asks links whether they still answer, and writes what is found into their items.
    ///
    /// - Parameters:
    ///   - links: items and their links.
    ///   - options: `allowsPrivate` and `allowed` count; `isTyped` is for a link that a person named now, alone.
    ///   - seconds: the time for one answer.
    ///   - found: called for each link as it answers, with its number in `links`, and why the item could not be written.
    ///   - worker: fetches and reads pages.
    public func checkLinks(
        _ links: [(row: Row, url: String)], _ options: ArchiveOptions, within seconds: Int, _ worker: CaptureWorker,
        found: (Int, LinkFinding, (any Error)?) -> Void
    ) throws {
        try library.checkLinks(links, options, within: seconds, worker, found: found)
    }

    /// Saves the icon of a site into the items that link to it.
    ///
    /// - Parameters:
    ///   - url: any page of the site.
    ///   - options: how it is done.
    ///   - rows: the items.
    ///   - worker: fetches and reads pages.
    /// - Returns: false if the site has no icon.
    public func saveFavicon(
        ofSite url: String, into rows: [Row], _ options: ArchiveOptions, _ worker: CaptureWorker
    ) throws -> Bool {
        try library.saveFavicon(ofSite: url, into: rows, options, worker)
    }
}
