internal import Files
public import Items
internal import JSONFormat
internal import Time
public import WorkerProtocol

/// The result of checking one link.
public struct LinkFinding: Sendable {
    /// The outcome that the item records.
    public let status: Item.LinkStatus
    /// The HTTP status of the last answer; `nil` without an answer.
    public let httpStatus: Int?
    /// The target of permanent redirects; `nil` if there were none.
    public let movedTo: String?
    /// Whether the server refused the check, so that nothing is known.
    public let isBlocked: Bool
    /// Why there was no answer, as the item records it.
    public let kind: CaptureReason?
    /// What the worker knows about the reason; `nil` for an answer.
    public let diagnostic: CaptureDetail?

    init(_ finding: LinkCheckOrder.Finding) {
        status =
            switch finding.state {
            case .valid: .valid
            case .dead: .dead
            case .unknown: .unknown
            }
        httpStatus = finding.httpStatus
        movedTo = finding.movedTo
        isBlocked = finding.isBlocked
        kind = finding.kind
        diagnostic = finding.error
    }

    var evidence: JSON {
        .members([
            ("status", httpStatus.map(JSON.integer)), ("movedTo", movedTo.map(JSON.string)),
            ("blocked", isBlocked ? .bool(true) : nil), ("error", kind.map { .string($0.rawValue) }),
        ])
    }
}

extension Library {
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
    /// - Throws: if the worker cannot check the links.
    func checkLinks(
        _ links: [(row: Row, url: String)], _ options: ArchiveOptions, within seconds: Int, _ worker: CaptureWorker,
        _ monitor: Monitor = Monitor(), found: (Int, LinkFinding, (any Error)?) -> Void
    ) throws {
        var order = LinkCheckOrder(urls: links.map(\.url))
        order.access = options.access(isTyped: options.isTyped)
        order.access.cookieFile = nil
        order.seconds = seconds
        _ = try worker.run(order, within: order.patience, monitor) { progress in
            guard links.indices.contains(progress.index) else { return }
            let finding = LinkFinding(progress)
            do {
                try record(finding, of: links[progress.index].row)
                found(progress.index, finding, nil)
            } catch {
                found(progress.index, finding, error)
            }
        }
    }

    /// Records the result of a check in the item.
    ///
    /// If the link's status is unchanged since a check less than 30 days ago, nothing is written: a check of all
    /// links must not make all items look changed.
    ///
    /// - Returns: whether anything was written.
    @discardableResult
    func record(_ finding: LinkFinding, of row: Row, at time: Timestamp = .now) throws -> Bool {
        // Such a reason says nothing about the link: it was not contacted.
        if let kind = finding.kind, !kind.isStored { return false }
        let stored = try item(row)
        let json = stored.json
        func there(_ field: ItemField) -> JSON? { json.member(field.key, of: json.root).map { json.copy($0) } }
        let checkedAt = there(.lastCheckedDate).flatMap { value -> Timestamp? in
            if case .string(let text) = value { Timestamp(text) } else { nil }
        }
        let isSame = stored.item.linkStatus == finding.status && there(.linkStatusEvidence) == finding.evidence
        if isSame, let checkedAt, time < checkedAt.adding(seconds: 30 * 86_400) { return false }
        var edit = ItemEdit(base: json)
        edit.set(.linkStatus, .string(finding.status.rawValue))
        edit.set(.linkStatusEvidence, finding.evidence)
        edit.set(.lastCheckedDate, .string(time.rfc3339))
        return try session.update(stored, edit, at: time)
    }

    /// Saves the icon of a site into the items that link to it.
    ///
    /// - Parameters:
    ///   - url: any page of the site.
    ///   - options: only `allowsPrivate`, `allowed`, `isTyped` and `seconds` (at most 30) count.
    ///   - rows: the items.
    ///   - worker: fetches and reads pages.
    /// - Returns: false if the site has no icon.
    func saveFavicon(
        ofSite url: String, into rows: [Row], _ options: ArchiveOptions, _ worker: CaptureWorker,
        _ monitor: Monitor = Monitor()
    ) throws -> Bool {
        let staged = try session.stageArchive()
        defer { session.discard(staged) }
        var order = FaviconOrder(url: url, folder: FilePath.absolute(staged.path))
        order.access = options.access(isTyped: options.isTyped)
        order.access.cookieFile = nil
        order.seconds = min(options.seconds, 30)
        guard let path = try worker.run(order, within: order.seconds + 15, monitor).path else { return false }
        for row in rows { try takeFavicon(path, from: staged, into: row) }
        return true
    }

    /// - Parameter path: the icon in the staged archive.
    private func takeFavicon(_ path: String, from staged: StagedArchive, into row: Row) throws {
        let stored = try item(row)
        try session.addAsset(path, from: staged, to: stored)
        var edit = ItemEdit(base: stored.json)
        edit.set(.favicon, .string(path))
        try session.update(stored, edit)
    }

    /// Free bytes on the library's file system; the largest number if the system does not say.
    public var freeByteCount: Int { (try? store.root.freeByteCount()) ?? .max }
}
