internal import Files
internal import Items
internal import JSONFormat
internal import Time
public import WorkerProtocol

/// How to save the pages of links.
public struct ArchiveOptions: Sendable {
    /// Whether all private addresses may be contacted.
    public var allowsPrivate = false
    /// `host:port` pairs that may be contacted although their addresses are private.
    public var allowed: [String] = []
    /// The path of a Netscape cookie file; `nil` for no cookies.
    public var cookieFile: String?
    /// `auto`, `never`, or the path of a browser.
    public var browser = "auto"
    /// Whether dialogs that cover the page stay, with the scroll lock that comes with them.
    public var isAsIs = false
    /// Whether a print, page.pdf, is kept beside the page. It needs a browser.
    public var isPrinted = false
    /// Whether a picture, page.png, is kept beside the page. It needs a browser.
    public var isPictured = false
    /// The time for one page, in seconds.
    public var seconds = 120
    /// Whether a capture that is worse than the current archive is kept as a snapshot.
    public var keepsAll = false
    /// Whether the person named the item or typed its URL now. A URL that a person typed may be a private one.
    public var isTyped = false
    /// The path of a saved page that is used instead of fetching; `nil` to fetch.
    public var savedFile: String?
    /// Whether the person chose `savedFile` for this item. It is then used even if it is worse than the current
    /// archive.
    public var isChosen = false
    /// Whether the person attached the link to the item just now. The link then counts as typed, and the current page
    /// belongs to another link.
    public var isAttached = false

    /// Makes the default options.
    public init() {}

    /// The addresses that the worker may contact, and the cookies it sends.
    func access(isTyped: Bool) -> NetworkAccess {
        var access = NetworkAccess()
        access.isTyped = isTyped
        access.allowsPrivate = allowsPrivate
        access.allowed = allowed
        access.cookieFile = cookieFile
        return access
    }
}

/// The outcome of saving one item's page.
public enum ArchiveOutcome: Sendable {
    /// - Parameter snapshot: the name of the snapshot with the earlier archive; `nil` if there was none.
    case saved(CaptureReport, snapshot: String?)
    /// The server reported no change.
    case unchanged
    /// The current archive is better; the new capture became a snapshot or was dropped.
    case keptEarlier(CaptureReport, why: CaptureLoss, snapshot: String?)
    case failed(CaptureReport)
    /// Nothing was changed.
    case refused(ArchiveRefusal)
}

/// Why an item was left unchanged.
public enum ArchiveRefusal: Sendable {
    case noLink
    /// The link leads to a file, and the item has another document.
    case otherDocument
    /// What was given to `savedFile` is no saved page.
    case noSavedPage(CaptureReport)
    /// The address is private, so it was not contacted.
    case privateAddress(CaptureReport)
    /// An error of this machine, which says nothing about the page.
    case machine(CaptureReport)
    /// The item cannot be read or written.
    case failure(any Error)
}

extension Library {
    /// Whether somebody typed an item's link on this device. What an import, the inbox or another library brought does not
    /// count, even if a person names the item now, and whatever the item says of itself.
    ///
    /// - Parameter stored: the item as read.
    /// - Throws: `ItemError` if the journal cannot be read.
    public func isTyped(_ stored: StoredItem) throws -> Bool {
        guard stored.item.isTyped, let journal = try JournalFolder(in: store) else { return false }
        return try journal.made(stored.id)
    }

    /// Saves the page of a link into its item. The result is durable when this returns.
    ///
    /// The page is completed in staging before the item changes. A better archive that exists stays.
    ///
    /// - Throws: if the item cannot be written; a page that cannot be fetched is an outcome.
    func archive(
        _ row: Row, _ options: ArchiveOptions, _ worker: CaptureWorker, _ monitor: Monitor = Monitor(),
        at time: Timestamp = .now
    ) throws -> ArchiveOutcome {
        let stored = try item(row)
        guard let url = stored.item.linkURL else { return .refused(.noLink) }
        let staged = try session.stageArchive(of: stored.id)
        defer { session.discard(staged) }
        let earlier = try store.archiveFiles(of: stored)
        var order = CaptureOrder(url: url, folder: FilePath.absolute(staged.path))
        order.access = try options.access(isTyped: options.isAttached || options.isTyped && isTyped(stored))
        order.browser = options.browser
        order.seconds = options.seconds
        order.isAsIs = options.isAsIs
        order.isPrinted = options.isPrinted
        order.isPictured = options.isPictured
        order.savedFile = options.savedFile
        // Validators are sent only for a complete page: an incomplete one must be sent again even if it has not
        // changed.
        if earlier.page != nil, stored.item.archiveStatus == .full,
            try store.assetReferences(of: stored).missing.isEmpty
        {
            addValidators(of: stored, to: &order)
        }
        let report = try worker.capture(order, monitor)
        // Another process may have saved the page meanwhile.
        let current = try item(row)
        return try take(report, staged, into: current, store.archiveFiles(of: current), options, at: time)
    }

    /// Adds the validators that the server sent with the current page, from the page's head: FORMAT.md § Saved pages.
    private func addValidators(of stored: StoredItem, to order: inout CaptureOrder) {
        let contents = try? store.archiveContents(of: Layout.pageFile, in: stored, limit: ItemStore.pageByteLimit)
        guard let page = contents.flatMap({ $0 }) else { return }
        let marks = SavedPageMarks(page)
        order.entityTag = marks.entityTag
        order.lastModified = marks.lastModified
    }

    private func take(
        _ report: CaptureReport, _ staged: StagedArchive, into stored: StoredItem, _ earlier: ArchiveFiles,
        _ options: ArchiveOptions, at time: Timestamp
    ) throws -> ArchiveOutcome {
        if report.status == .failed, let refusal = Self.refusal(report) { return .refused(refusal) }
        var edit = ItemEdit(base: stored.json)
        edit.set(.archiveAttempts, .integer(stored.archiveAttempts + 1))
        switch report.status {
        case .unchanged:
            edit.set(.archivedAt, .string(time.rfc3339))
            try session.update(stored, edit, at: time)
            return .unchanged
        case .failed:
            // An existing page, or the document that the link led to, stays the item's archive unless it belongs to another
            // link.
            let hasArchive = earlier.hasPage || stored.document != nil && stored.item.archiveStatus == .full
            if !hasArchive || options.isAttached { Self.fail(&edit, report, time) }
            try session.update(stored, edit, at: time)
            return .failed(report)
        case .full, .partial: break
        }
        fill(&edit, of: stored, from: report)
        edit.set(.archivedAt, .string(time.rfc3339))
        if let document = report.document {
            return try takeDocument(document, report, staged, into: stored, edit, earlier, at: time)
        }
        if earlier.hasPage, try isSame(staged, as: earlier, of: stored, report) {
            edit = edit.keeping(archiveOf: stored)
            edit.set(.archivedAt, .string(time.rfc3339))
            try session.update(stored, edit, at: time)
            return .unchanged
        }
        if earlier.hasPage, !options.isChosen, !options.isAttached,
            let why = try reasonToKeep(earlier, of: stored, staged, report)
        {
            var snapshot: Snapshot?
            if options.keepsAll {
                snapshot = try session.keepAsSnapshot(staged, of: stored, Self.fields(report, time), at: time)
            }
            try session.update(stored, edit.keeping(archiveOf: stored), at: time)
            return .keptEarlier(report, why: why, snapshot: snapshot?.name)
        }
        edit.set(.archiveStatus, .string(report.status.rawValue))
        for (field, value) in Self.fields(report, time) { edit.set(field, value) }
        if report.kind == nil { edit.remove(.archiveReason) }
        edit.set(.htmlRelativePath, .string(Layout.pageFile))
        let snapshot = try session.install(staged, in: stored, edit, at: time)
        return .saved(report, snapshot: snapshot?.name)
    }

    /// Why a failure says nothing about the page, so that the item stays unchanged.
    private static func refusal(_ report: CaptureReport) -> ArchiveRefusal? {
        switch report.kind {
        case .privateAddress: .privateAddress(report)
        case .noSavedPage: .noSavedPage(report)
        case .machine: .machine(report)
        default: nil
        }
    }

    private static func fail(_ edit: inout ItemEdit, _ report: CaptureReport, _ time: Timestamp) {
        edit.set(.archiveStatus, .string(Item.ArchiveStatus.failed.rawValue))
        edit.set(.archivedAt, .string(time.rfc3339))
        if let kind = report.kind {
            edit.set(.archiveReason, .string(kind.rawValue))
        } else {
            edit.remove(.archiveReason)
        }
    }

    private static func fields(_ report: CaptureReport, _ time: Timestamp) -> [(ItemField, JSON)] {
        var fields: [(ItemField, JSON)] = [
            (.archiveStatus, .string(report.status.rawValue)), (.archivedAt, .string(time.rfc3339)),
        ]
        if let by = report.capturedBy { fields.append((.capturedBy, .string(by))) }
        if let kind = report.kind, kind.isStored { fields.append((.archiveReason, .string(kind.rawValue))) }
        return fields
    }

    /// Fills empty fields of the item with what the page says about itself. A person's values stay.
    ///
    /// A login, block or error page says nothing about the link's own page. Its values are not used, so a later good
    /// capture finds the fields empty.
    private func fill(_ edit: inout ItemEdit, of stored: StoredItem, from report: CaptureReport) {
        let values: [(ItemField, String?)] = [
            (.linkTitle, report.title), (.linkAuthor, report.author), (.linkSite, report.site),
            (.linkLanguage, report.language), (.linkPublishedDate, report.publishedDate),
            (.linkCanonicalURL, report.canonicalURL), (.description, report.summary), (.favicon, report.favicon),
        ]
        for (field, value) in values where !report.isWall {
            guard let value, !value.isEmpty, stored.json.member(field.key, of: stored.json.root) == nil else {
                continue
            }
            edit.set(field, .string(value))
        }
        if let favicon = report.favicon { edit.set(.favicon, .string(favicon)) }
    }

    /// Whether a capture equals the item's archive except for its time, for servers that do not report this
    /// themselves.
    private func isSame(
        _ staged: StagedArchive, as earlier: ArchiveFiles, of stored: StoredItem, _ report: CaptureReport
    ) throws -> Bool {
        let new = try session.stagedFiles(staged)
        guard stored.item.archiveStatus?.rawValue == report.status.rawValue, new.assets.isSubset(of: earlier.assets),
            new.prints.keys.allSatisfy({ earlier.prints[$0] != nil })
        else { return false }
        for name in [Layout.pageFile, Layout.readerFile] {
            let new = try session.contents(of: name, in: staged, limit: ItemStore.pageByteLimit)
            let old = try store.archiveContents(of: name, in: stored, limit: ItemStore.pageByteLimit)
            guard new.map(SavedPageMarks.withoutMarks) == old.map(SavedPageMarks.withoutMarks) else { return false }
        }
        return true
    }

    private func reasonToKeep(
        _ earlier: ArchiveFiles, of stored: StoredItem, _ staged: StagedArchive, _ report: CaptureReport
    ) throws -> CaptureLoss? {
        let limit = VisibleText.byteLimit
        let old = ArchiveQuality(earlier, isWall: stored.isWall) { name in
            (try? store.archiveContents(of: name, in: stored, limit: limit)) ?? nil
        }
        var new = ArchiveQuality(try session.stagedFiles(staged), isWall: report.isWall) { name in
            (try? session.contents(of: name, in: staged, limit: limit)) ?? nil
        }
        new.isCut = report.kind == .brokenAnswer || report.kind == .timeout
        return new.loss(against: old)
    }

    /// The answer is a file and no page. It becomes the item's document unless there is another one.
    private func takeDocument(
        _ path: String, _ report: CaptureReport, _ staged: StagedArchive, into stored: StoredItem, _ edit: ItemEdit,
        _ earlier: ArchiveFiles, at time: Timestamp
    ) throws -> ArchiveOutcome {
        var edit = edit
        if stored.document != nil, let hash = stored.item.documentSHA256,
            try session.hash(of: path, in: staged) == hash
        {
            edit.set(.archiveStatus, .string(Item.ArchiveStatus.full.rawValue))
            try session.update(stored, edit, at: time)
            return .unchanged
        }
        guard stored.document == nil else {
            if earlier.hasPage { return .refused(.otherDocument) }
            let failure = CaptureReport.failed(.otherDocument, CaptureDetail(.otherDocument))
            var edit = ItemEdit(base: stored.json)
            edit.set(.archiveAttempts, .integer(stored.archiveAttempts + 1))
            Self.fail(&edit, failure, time)
            try session.update(stored, edit, at: time)
            return .failed(failure)
        }
        edit.set(.archiveStatus, .string(Item.ArchiveStatus.full.rawValue))
        for (field, value) in Self.fields(report, time) { edit.set(field, value) }
        edit.remove(.archiveReason)
        try session.attach(staged.path + "/" + path, to: stored, isReplacing: false, at: time)
        try session.update(try store.reread(stored), edit, at: time)
        return .saved(report, snapshot: nil)
    }
}

extension StoredItem {
    /// Whether the archive is a login, block or error page, as recorded when it was made.
    fileprivate var isWall: Bool { captureReason?.isWall ?? false }
}

extension ItemEdit {
    /// The edit without its archive fields, since the earlier archive stays.
    fileprivate func keeping(archiveOf stored: StoredItem) -> ItemEdit {
        var edit = ItemEdit(base: base)
        edit.set(.archiveAttempts, .integer(stored.archiveAttempts + 1))
        return edit
    }
}
