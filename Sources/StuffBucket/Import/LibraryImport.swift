internal import Characters
public import Exchange
internal import Items
internal import Time
internal import URLs

/// Imports entries of other programs into a library.
///
/// An entry matches the item with its external id, else the earliest live item with its link (FORMAT.md § 5.6) and its
/// fragment: bookmarks of two places of a page are two items. An item that matches by link for the first time gets the
/// entry's tags, collections and values for empty fields; the
/// person's values stay. An item that knows the entry takes over changes at the source, unless the person changed the
/// same (FORMAT.md § 5.4). A second import of the same file therefore writes nothing. Entries of one file with the
/// same link become one item in several collections.
///
/// If the process is killed, all written items are whole, and importing the same file again continues. Call `take`
/// for every event, then `finish`.
public final class LibraryImport {
    let library: Library
    let options: ImportOptions
    let time: Timestamp
    private let report: (ImportReportLine) -> Void
    let monitor: Monitor
    var known: KnownItems
    private var linkIDs = LinkIDs()

    /// The format of the entries that follow.
    public var format = ImportFormat.html
    /// The outcomes so far.
    public internal(set) var counts = ImportCounts()
    /// Items that were added or changed and are on the disk. An error that ends the import does not take them back.
    public internal(set) var writtenCount = 0

    var pending: [PendingItem] = []
    var pendingByteCount = 0
    var merges: [ImportMerge] = []
    var mergeByID: [ItemID: Int] = [:]
    var mergesByteCount = 0
    var folders: [ImportedFolder] = []
    var usedFolders: Set<String> = []
    /// The folder of the last entry, as its source spells it and as levels of a collection.
    var lastFolder: (source: [String], levels: [String]) = ([], [])
    /// Folders that have another name here and were told.
    var renamedFolders: Set<String> = []

    /// Items in memory before they are written: about 40 MB of ordinary bookmarks; large items count by their bytes.
    private static let pendingLimit = 32_768
    private static let mergeLimit = 1024
    private static let byteLimit = 16 << 20

    /// - Parameters:
    ///   - report: called with the outcome of every entry.
    ///   - monitor: is told the number of entries done, and cancels.
    ///   - options: the options of the import.
    ///   - library: the library to import into.
    ///   - time: the time of the change.
    init(
        _ library: Library, _ options: ImportOptions, at time: Timestamp = .now,
        _ monitor: Monitor = Monitor(), report: @escaping (ImportReportLine) -> Void = { _ in }
    ) throws {
        self.library = library
        self.options = options
        self.time = time
        self.report = report
        self.monitor = monitor
        known = try KnownItems(library.store, ignoresTrash: options.ignoresTrash)
    }

    /// Takes one event of a file. Items are written in groups.
    ///
    /// - Throws: `ItemError`: `cancelled`, or why nothing can be written. An entry that fails alone is a line of the
    ///   report.
    public func take(_ event: ImportEvent) throws {
        try monitor.check()
        switch event {
        case .folder(let folder): folders.append(folder)
        case .fault(let fault):
            let line = ImportReportLine(place: fault.place, url: nil, title: nil, outcome: .skipped(.fault(fault)))
            if fault.isLoss { end(line) } else { note(line) }
        case .untaken(let name): counts.addUntaken(name)
        case .entry(let entry): try take(entry)
        }
        if pending.count >= Self.pendingLimit || pendingByteCount >= Self.byteLimit { try writePending() }
        if merges.count >= Self.mergeLimit || mergesByteCount >= Self.byteLimit { try writeMerges() }
    }

    /// Writes the remaining items, and the files of collections.
    ///
    /// - Throws: As `take`.
    public func finish() throws {
        try monitor.check()
        try writePending()
        try writeMerges()
        try writeFolders()
    }

    // MARK: Telling

    func end(_ line: ImportReportLine) {
        counts.add(line.outcome)
        report(line)
        if counts.total % 500 == 0 { monitor.show(counts.total) }
    }

    func end(_ source: ImportReportLine, _ outcome: ImportOutcome, _ item: ItemID? = nil) {
        end(ImportReportLine(place: source.place, url: source.url, title: source.title, item: item, outcome: outcome))
    }

    private func note(_ line: ImportReportLine) {
        var line = line
        line.isRemark = true
        counts.notes += 1
        report(line)
    }

    func note(_ source: ImportReportLine, _ what: ImportReason) {
        note(ImportReportLine(place: source.place, url: source.url, title: source.title, outcome: .skipped(what)))
    }

    // MARK: One entry

    private func take(_ unbounded: ImportedEntry) throws {
        let (bounded, remarks) = unbounded.bounded()
        var entry = bounded
        let line = ImportReportLine(place: entry.place, url: entry.url, title: entry.title, outcome: .new)
        let link = entry.url.flatMap {
            $0.utf8.count <= ImportedEntry.fieldByteLimit ? LinkIdentity($0)?.normalized : nil
        }
        if let reason = Self.refusal(of: entry, hasIdentity: link != nil) { return end(line, .skipped(reason)) }
        var reasons = remarks.map(ImportReason.remark)
        entry.folder = levels(of: entry.folder, line)
        if renameTrashcan(&entry) { reasons.append(.trashTag(TagList.trashcan, renamed: Self.harmlessTrashcan)) }
        reasons += entry.remarks.map(ImportReason.remark)
        for reason in reasons { note(line, reason) }
        entry.remarks = []
        for name in entry.untaken { counts.addUntaken(name) }
        for field in entry.fields { counts.addKept(field.key) }
        let place = link.map { LinkIdentity.place(entry.url ?? "", $0) }
        if entry.externalID == nil, let link, let place {
            entry.externalID = linkIDs.id(of: entry, link, place, known)
        }
        // An item exported by sbfs has its id.
        if entry.itemID == nil { entry.externalID = entry.externalID ?? entry.derivedExternalID(format) }
        if !entry.folder.isEmpty { useFolder(entry.folder) }
        if let slot = slot(of: entry, place) { return try join(entry, place, slot, line) }
        if let id = entry.itemID, try library.store.folder(of: id) != nil {
            return end(line, .skipped(.unreadableItem))
        }
        add(entry, place, line)
    }

    /// - Parameter hasIdentity: whether its URL has a normal form.
    private static func refusal(of entry: ImportedEntry, hasIdentity: Bool) -> ImportReason? {
        guard let url = entry.url else {
            if entry.text != nil || entry.documentPath != nil { return nil }
            return entry.itemID != nil ? .noContent : .noURL
        }
        if url.isEmpty { return .emptyURL }
        if url.utf8.count > ImportedEntry.fieldByteLimit { return .longURL(byteCount: url.utf8.count) }
        if hasIdentity, LinkIdentity.isPlausible(url) { return nil }
        let colon = UInt8(ascii: ":")
        let scheme = String(Substring(url.utf8.prefix { $0 != colon })).word.lowercased()
        if scheme == "place" { return .firefoxQuery }
        if url.utf8.contains(colon), !scheme.isEmpty, scheme != "http", scheme != "https", scheme.utf8.count < 30,
            scheme.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A || $0 == 0x2D || $0 == 0x2B || $0 == 0x2E })
        {
            return .otherScheme(scheme)
        }
        return .badURL
    }

    private func slot(of entry: ImportedEntry, _ place: String?) -> Int32? {
        if let id = entry.itemID, let slot = known.slot(id: id) { return slot }
        if let external = entry.externalID, let slot = known.slot(externalID: external.hashValue) { return slot }
        // Two items of a library may have the same link.
        if entry.itemID != nil { return nil }
        return place.flatMap { known.slot(link: $0.hashValue) }
    }

    // MARK: Tags

    /// The tag that replaces the word when a source has it as an ordinary tag.
    static let harmlessTrashcan = "imported-trashcan"

    /// - Returns: whether there was one. An exported item with both marks was in the trash and stays there.
    private func renameTrashcan(_ entry: inout ImportedEntry) -> Bool {
        let isMark = { (tag: String) in TagList.areSame(TagList.trimmed(tag), TagList.trashcan) }
        guard entry.tags.contains(where: isMark) else { return false }
        if format == .items, entry.members.contains(where: { $0.key == ItemField.trashedAt.key }) { return false }
        entry.tags = entry.tags.map { isMark($0) ? Self.harmlessTrashcan : $0 }
        return true
    }

    /// All tags of the entry, with `collection:` tags.
    func tags(of entry: ImportedEntry) -> [String] {
        var tags = entry.tags
        if let tag = format.defaultTag { tags.append(tag) }
        tags += ([FolderPath.joined(entry.folder)] + entry.collections).compactMap { CollectionName($0)?.tag }
        return TagList(tags + options.tags).tags
    }
}
