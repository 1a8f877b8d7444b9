internal import Files
internal import Items
internal import Search
internal import Time
internal import URLs

/// An item as a document for the index.
struct ItemDocument {
    private(set) var document: IndexDocument
    private(set) var record: ItemRecord
    /// The bytes of an item without versions.
    let source: KnownBytes.Source?
    /// Whether the item has no versions, and its document was modified later than sbfs wrote the item: only a look at its bytes
    /// tells whether it was edited.
    let hasNewerDocument: Bool
    /// Relative to the item's folder; `nil` without a document.
    let documentPath: String?

    /// So long may storing a document take: its file is written after `updatedAt` was set.
    private static let copyMilliseconds: Int64 = 500

    /// Reads an item's files.
    ///
    /// Their state is recorded first. If a file changes while it is read, its later state differs from the recorded
    /// one.
    ///
    /// - Returns: `nil` if there is no item to find: the folder is missing or has no item.json yet, or the item is
    ///   purged.
    /// - Throws: `ItemError` if its item.json cannot be used.
    static func read(_ id: ItemID, in folder: String, _ store: ItemStore, at time: Timestamp) throws -> ItemDocument? {
        let path = ItemPath(prefix: String(folder.dropLast(36)))
        path.set(id)
        guard var look = try ItemLook(store.root, path, documentName: []) else { return nil }
        let known = ItemStore.KnownFiles(text: look.text)
        guard let stored = try store.item(id, in: folder, now: time, known: known) else { return nil }
        if try store.isPurged(stored) { return nil }
        if let document = stored.document { look[.document] = FileMark(document.status) }
        return try ItemDocument(stored, store, look, at: time)
    }

    init(_ stored: StoredItem, _ store: ItemStore, _ look: ItemLook, at time: Timestamp) throws {
        let item = stored.item
        let searchable = SearchableItem(stored, store, look)
        var document = IndexDocument(key: DocumentKey(stored.id))
        let text = try Self.text(of: stored, store)
        source =
            look[.history] == nil
            ? KnownBytes.Source(
                item: stored.json.bytes, text: stored.text == nil ? nil : text,
                isAsWritten: LiveState.isJustAsWritten(item, [(.item, stored.status), (.text, stored.text)])) : nil
        hasNewerDocument =
            look[.history] == nil && item.documentSHA256 != nil
            && stored.document.map { document in
                let written = item.updatedAt?.milliseconds ?? 0, modified = document.status.modified
                // sbfs writes item.json last: a document that is later than that was changed since.
                let start = modified > stored.status.modified ? 0 : Self.copyMilliseconds
                return modified / 1_000_000 > written + start
            } ?? false
        documentPath = stored.document?.path
        let title = item.displayTitle(
            textStart: text.map { Array($0.prefix(2048)) }, documentFileName: stored.documentName)
        let foldedTitle = Folding.fold(title.utf8)
        document.title = searchable.title
        document.tags = searchable.tagTexts.map { Array($0.utf8) }
        (document.texts, document.rest) = searchable.weighedTexts(text: text)
        document.exactTerms = Self.exactTerms(stored, searchable, title: foldedTitle)
        document.created = searchable.created
        document.updated = searchable.updated
        document.rank = item.sortOrder ?? .infinity
        record = ItemRecord()
        if item.isPinned { record.flags.insert(.pinned) }
        if item.isTrashed { record.flags.insert(.trashed) }
        if item.hasBothTrashMarks { record.flags.insert(.purgeable) }
        if stored.document?.isLoose == true { record.flags.insert(.looseDocument) }
        record.shard = UInt8(stored.folder.dropLast(37).suffix(2), radix: 16) ?? 0
        record.readAt = time.milliseconds
        record.look = look
        record.documentName = Array((stored.document?.name ?? "").utf8)
        record.title = foldedTitle
        record.fields = FieldHashes(of: stored.json)
        record.contentHash = Self.hash(document, record)
        document.stored = record.bytes
        self.document = document
    }

    /// - Returns: `nil` also for a text that is too large or no file; the rest of the item can still be found.
    private static func text(of stored: StoredItem, _ store: ItemStore) throws(ItemError) -> [UInt8]? {
        do throws(ItemError) {
            return try store.text(of: stored)
        } catch {
            guard case .file(let cause) = error, case .system = cause.reason, !cause.isAbsent, !cause.isReadOnly else {
                return nil
            }
            throw error
        }
    }

    private static func hash(_ document: IndexDocument, _ record: ItemRecord) -> UInt64 {
        var hash = ContentFingerprint()
        hash.add(document.title)
        for fields in [document.tags, document.texts, document.rest] {
            hash.add(UInt64(fields.count))
            for field in fields { hash.add(field) }
        }
        for term in document.exactTerms {
            hash.add(UInt64(term.kind.rawValue))
            hash.add(term.value)
        }
        hash.add(UInt64(bitPattern: document.created))
        hash.add(UInt64(bitPattern: document.updated))
        hash.add(document.rank.bitPattern)
        hash.add(UInt64(record.flags.rawValue) << 8 | UInt64(record.shard))
        hash.add(record.title)
        hash.add(record.documentName)
        hash.add(record.fields.bytes)
        return hash.value
    }

    // MARK: Exact terms

    private static func exactTerms(
        _ stored: StoredItem, _ searchable: SearchableItem, title: [UInt8]
    ) -> [ExactTerm] {
        var terms = [ExactTerm(.type, searchable.type.utf8), ExactTerm(.title, title)]
        var known: Set<ExactTerm> = []
        func add(_ kind: ExactTerm.Kind, _ value: [UInt8]) {
            let term = ExactTerm(kind, value)
            if !value.isEmpty, known.insert(term).inserted { terms.append(term) }
        }
        for tag in searchable.tags { add(.tag, Folding.fold(tag.utf8)) }
        for name in searchable.collections {
            let folded = Folding.fold(name.utf8)
            for end in nestingEnds(folded) { add(.collection, Array(folded[..<end])) }
            add(.collection, folded)
        }
        add(.source, Folding.fold(searchable.source.utf8))
        if let link = stored.item.linkURL.flatMap({ LinkIdentity($0) }) {
            let host = Array(link.host.utf8)
            add(.site, host)
            for (place, byte) in host.enumerated() where byte == 0x2E { add(.site, Array(host[(place + 1)...])) }
            add(.link, Array(link.normalized.utf8))
        }
        for language in searchable.languages { add(.language, language) }
        add(.author, Folding.fold(searchable.author.utf8))
        for state in Filter.State.allCases where searchable.holds(state) {
            terms.append(.property("is", state.rawValue))
        }
        for part in Filter.Part.allCases where searchable.has(part) { terms.append(.property("has", part.rawValue)) }
        for status in Filter.Status.allCases where searchable.holds(status) {
            terms.append(.property("status", status.rawValue))
        }
        return terms
    }

    /// The ends of the names of the collections around a folded one: each `/` that is not written `\/`, within the
    /// limits of levels and bytes.
    private static func nestingEnds(_ name: [UInt8]) -> [Int] {
        var ends: [Int] = []
        var isEscaped = false
        for (place, byte) in name.prefix(Layout.tagByteLimit).enumerated() {
            if ends.count == Layout.levelLimit - 1 { break }
            if byte == UInt8(ascii: "/"), !isEscaped { ends.append(place) }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return ends
    }
}

extension DocumentKey {
    init(_ id: ItemID) { self.init(high: id.high, low: id.low) }
}

extension ItemID {
    init(_ key: DocumentKey) { self.init(high: key.high, low: key.low) }
}
