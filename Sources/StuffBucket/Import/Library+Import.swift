package import Exchange
internal import Files
internal import Items
internal import JSONFormat
package import Time
internal import URLs

/// Takes entries of other programs into a library.
///
/// An entry is the same as an item that has its external id, else as the earliest live one with its link (FORMAT.md § 5.6).
/// An item that is met by its link the first time gets the entry's tags, collections and what it has no value for; what the
/// person wrote stays. An item that knows the entry already stays as it is, so a second import of the same file writes
/// nothing. Entries of one file with the same link become one item in several collections.
///
/// Killed in between, it leaves whole items; the same import again goes on from there. Call `take` for every event, then
/// `finish`.
package final class LibraryImport {
    private let library: Library
    private let options: ImportOptions
    private let time: Timestamp
    private let report: (ImportReportLine) -> Void
    private let progress: (Int) -> Void
    private var known: KnownItems

    /// What the entries that come are taken from.
    package var format = ImportFormat.html
    package private(set) var counts = ImportCounts()

    private var pending: [Pending] = []
    private var merges: [Merge] = []
    private var mergeByID: [ItemID: Int] = [:]
    private var folders: [ImportedFolder] = []
    private var usedFolders: Set<String> = []

    fileprivate struct Pending {
        var item: NewItem
        let slot: Int32
        var externalIDs: [String]
        let source: ImportReportLine
    }

    fileprivate struct Merge {
        let stored: StoredItem
        var edit: ItemEdit
        var text: [UInt8]?
        /// As it will be.
        var item: Item
        let source: ImportReportLine
        /// The ids of its sources as they will be, once there are more.
        var addedExternalIDs: [String]?
        /// What is to be seen of the item that changes.
        var changeCount = 0

        init(_ stored: StoredItem, _ source: ImportReportLine) {
            self.stored = stored
            self.source = source
            edit = ItemEdit(base: stored.json)
            item = stored.item
        }
    }

    /// Items in memory before they are written: some 40 MB of ordinary bookmarks.
    private static let pendingLimit = 32_768
    private static let groupSize = 2000
    private static let mergeLimit = 1024

    /// - Parameters:
    ///   - report: is told what became of every entry.
    ///   - progress: is told how many entries are done, now and then.
    package init(
        _ library: Library, _ options: ImportOptions, at time: Timestamp = .now,
        report: @escaping (ImportReportLine) -> Void = { _ in }, progress: @escaping (Int) -> Void = { _ in }
    ) throws {
        self.library = library
        self.options = options
        self.time = time
        self.report = report
        self.progress = progress
        known = try KnownItems(library.store, ignoresTrash: options.ignoresTrash)
    }

    package func take(_ event: ImportEvent) throws {
        switch event {
        case .folder(let folder): folders.append(folder)
        case .fault(let fault):
            let line = ImportReportLine(place: fault.place, url: nil, title: nil, outcome: .skipped(fault.what))
            if fault.isLoss { end(line) } else { note(line) }
        case .entry(let entry): try take(entry)
        }
        if pending.count >= Self.pendingLimit { try writePending() }
        if merges.count >= Self.mergeLimit { try writeMerges() }
    }

    /// Writes what is left, and the collections that are there for themselves.
    package func finish() throws {
        try writePending()
        try writeMerges()
        try writeFolders()
    }

    private func end(_ line: ImportReportLine) {
        counts.add(line.outcome)
        report(line)
        if counts.total % 500 == 0 { progress(counts.total) }
    }

    private func end(_ source: ImportReportLine, _ outcome: ImportOutcome) {
        end(ImportReportLine(place: source.place, url: source.url, title: source.title, outcome: outcome))
    }

    private func note(_ line: ImportReportLine) {
        counts.notes += 1
        report(line)
    }

    // MARK: One entry

    private func take(_ unbounded: ImportedEntry) throws {
        var (entry, cut) = unbounded.bounded()
        entry.folder = FolderPath.cleaned(entry.folder)
        let line = ImportReportLine(place: entry.place, url: entry.url, title: entry.title, outcome: .new)
        let link = entry.url.flatMap {
            $0.utf8.count <= ImportedEntry.fieldByteLimit ? LinkIdentity($0)?.normalized : nil
        }
        if let reason = Self.refusal(of: entry, hasIdentity: link != nil) { return end(line, .skipped(reason)) }
        for what in cut {
            note(ImportReportLine(place: entry.place, url: entry.url, title: entry.title, outcome: .skipped(what)))
        }
        cut = []
        entry.externalID = entry.externalID ?? Self.externalID(link, entry)
        if !entry.folder.isEmpty { useFolder(entry.folder) }
        if let slot = slot(of: entry, link) { return try join(entry, link, slot, line) }
        if let id = entry.itemID, try library.store.folder(of: id) != nil {
            return end(line, .skipped("the library has an item with this id that cannot be read"))
        }
        add(entry, link, line)
    }

    /// - Parameter hasIdentity: whether its URL has a normal form.
    private static func refusal(of entry: ImportedEntry, hasIdentity: Bool) -> String? {
        guard let url = entry.url else {
            if entry.text != nil || entry.documentPath != nil { return nil }
            return entry.itemID != nil ? "it has neither text nor a link in this file" : "it has no URL"
        }
        if url.isEmpty { return "its URL is empty" }
        if url.utf8.count > ImportedEntry.fieldByteLimit { return "its URL has \(url.utf8.count) bytes" }
        if hasIdentity, LinkIdentity.isPlausible(url) { return nil }
        let scheme = url.prefix(while: { $0 != ":" }).lowercased()
        if scheme == "place" { return "a query of Firefox and no page" }
        if url.contains(":"), scheme != "http", scheme != "https", scheme.utf8.count < 30,
            scheme.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A || $0 == 0x2D || $0 == 0x2B || $0 == 0x2E })
        {
            return "\(scheme): is no web address"
        }
        return "not a valid http or https URL"
    }

    /// Of what its source gives no id, link and folder are the id.
    private static func externalID(_ link: String?, _ entry: ImportedEntry) -> String? {
        guard let link else { return nil }
        let key = Array(link.utf8) + [0] + Array(FolderPath.joined(entry.folder).utf8)
        return "url:" + SHA256.hex(key).prefix(32)
    }

    private func slot(of entry: ImportedEntry, _ link: String?) -> Int32? {
        if let id = entry.itemID, let slot = known.slot(id: id) { return slot }
        if let external = entry.externalID, let slot = known.slot(externalID: external.hashValue) { return slot }
        // Two items of a library may well have one link.
        if entry.itemID != nil { return nil }
        return link.flatMap { known.slot(link: $0.hashValue) }
    }

    /// All tags that the entry brings, `collection:` tags among them.
    private func tags(of entry: ImportedEntry) -> [String] {
        var tags = entry.tags
        // A foreign tag of this name must not hide the item.
        if format != .items { tags.removeAll { TagList.areSame(TagList.trimmed($0), TagList.trashcan) } }
        if let tag = format.defaultTag { tags.append(tag) }
        tags += ([FolderPath.joined(entry.folder)] + entry.collections).compactMap { CollectionName($0)?.tag }
        return TagList(tags + options.tags).tags
    }

    // MARK: New items

    private func add(_ entry: ImportedEntry, _ link: String?, _ line: ImportReportLine) {
        var kind: Item.Kind = link != nil ? .link : entry.documentPath != nil ? .document : .snippet
        var members: [JSON.Member] = []
        for member in entry.members {
            if member.key == ItemField.type.key, case .string(let word) = member.value {
                kind = Item.Kind(rawValue: word) ?? kind
            } else {
                members.append(member)
            }
        }
        var writer = JSONWriter(.oneLine)
        writer.write(.object(members))
        if writer.bytes.count > 4 << 20 { return end(line, .skipped("it has \(writer.bytes.count) bytes of fields")) }
        var item = NewItem(kind: kind, id: entry.itemID ?? .make(), at: min(entry.createdAt ?? time, time))
        item.updatedAt = min(entry.updatedAt.map { max($0, item.createdAt) } ?? time, time)
        item.title = entry.title
        item.tags = TagList(library.store.settings.defaultTags + tags(of: entry)).tags
        item.linkURL = entry.url
        item.archiveStatus = link != nil && options.isArchived ? .pending : nil
        item.text = entry.text
        item.documentPath = entry.documentPath
        item.source = format.source
        if format == .items, let source = members.first(where: { $0.key == ItemField.source.key }),
            case .string(let word) = source.value
        {
            item.source = word
        }
        members.removeAll { $0.key == ItemField.source.key }
        func add(_ field: ItemField, _ value: JSON?) {
            if let value { members.append(JSON.Member(field.key, value)) }
        }
        add(.description, entry.description.map(JSON.string))
        if entry.isFavorite { add(.isFavorite, .bool(true)) }
        if entry.isPinned { add(.isPinned, .bool(true)) }
        add(.sortOrder, entry.sortOrder.flatMap(Self.number))
        add(.sourceExternalID, entry.externalID.map(JSON.string))
        if !entry.folder.isEmpty { add(.sourceFolderPath, .string(FolderPath.joined(entry.folder))) }
        item.members = members
        let slot = Int32(known.places.count)
        known.add(
            .pending(pending.count), id: item.id, link: link?.hashValue,
            externalIDs: entry.externalID.map { [$0.hashValue] } ?? [])
        pending.append(Pending(item: item, slot: slot, externalIDs: entry.externalID.map { [$0] } ?? [], source: line))
    }

    private static func number(_ order: Double) -> JSON? {
        if !order.isFinite { return nil }
        return .number(Int(exactly: order).map(String.init) ?? "\(order)")
    }

    // MARK: Known ones

    private func join(_ entry: ImportedEntry, _ link: String?, _ slot: Int32, _ line: ImportReportLine) throws {
        switch known.places[Int(slot)] {
        case .pending(let index): joinPending(entry, index, slot, line)
        case .planned: end(line, .merged)
        case .stored(_, isTrashed: true): end(line, .skipped("the library has it in the trash"))
        case .stored(let id, isTrashed: false): try joinStored(entry, link, id, slot, line)
        }
    }

    /// The same link a second time in what is being imported: one item in several collections.
    private func joinPending(_ entry: ImportedEntry, _ index: Int, _ slot: Int32, _ line: ImportReportLine) {
        var new = pending[index]
        let tagCount = new.item.tags.count
        new.item.tags = TagList(new.item.tags + tags(of: entry)).tags
        if let created = entry.createdAt { new.item.createdAt = min(new.item.createdAt, created) }
        new.item.title = new.item.title ?? entry.title
        new.item.text = new.item.text ?? entry.text
        if let description = entry.description,
            !new.item.members.contains(where: { $0.key == ItemField.description.key })
        {
            new.item.members.append(JSON.Member(ItemField.description.key, .string(description)))
        }
        if !entry.folder.isEmpty, !new.item.members.contains(where: { $0.key == ItemField.sourceFolderPath.key }) {
            let path = FolderPath.joined(entry.folder)
            new.item.members.append(JSON.Member(ItemField.sourceFolderPath.key, .string(path)))
        }
        if let external = entry.externalID, !new.externalIDs.contains(external) {
            // A list of thousands for one link would be made to be slow.
            if new.externalIDs.count < 500 { new.externalIDs.append(external) }
            known.note(externalID: external.hashValue, at: slot)
        }
        pending[index] = new
        end(line, new.item.tags.count != tagCount ? .merged : .same)
    }

    private func joinStored(
        _ entry: ImportedEntry, _ link: String?, _ id: ItemID, _ slot: Int32, _ line: ImportReportLine
    ) throws {
        let index: Int
        if let open = mergeByID[id] {
            index = open
        } else {
            // Read now: what it says now counts.
            guard let stored = try library.store.item(id) else {
                return end(line, .skipped("the item that has it vanished meanwhile"))
            }
            index = merges.count
            merges.append(Merge(stored, line))
            mergeByID[id] = index
        }
        var merge = merges[index]
        let before = merge
        let externalIDs = merge.addedExternalIDs ?? merge.stored.externalIDs
        let isKnown = entry.itemID == id || entry.externalID.map(externalIDs.contains) ?? true
        let path = FolderPath.joined(entry.folder)
        if isKnown {
            // Moved at its source since: that is taken over, what the person changed here stays.
            if merge.stored.item.sourceExternalID == entry.externalID, !path.isEmpty,
                let last = merge.stored.sourceFolderPath, last != path, !(entry.externalID ?? "").hasPrefix("url:"),
                let tag = CollectionName(path)?.tag
            {
                merge.add(tag)
                merge.edit.set(.sourceFolderPath, .string(path))
            }
            for tag in options.tags { merge.add(tag) }
        } else {
            for tag in tags(of: entry) { merge.add(tag) }
            merge.fill(entry)
            if let external = entry.externalID, externalIDs.count < 500 {
                merge.note(external, externalIDs)
                known.note(externalID: external.hashValue, at: slot)
            }
            if !path.isEmpty, merge.stored.sourceFolderPath == nil, before.edit.isEmpty {
                merge.edit.set(.sourceFolderPath, .string(path))
            }
        }
        if options.isArchived, merge.item.linkURL != nil, merge.item.archiveStatus == nil {
            merge.edit.set(.archiveStatus, .string(Item.ArchiveStatus.pending.rawValue))
            merge.item.archiveStatus = .pending
            merge.changeCount += 1
        }
        let isChanged = merge.changeCount != before.changeCount
        merges[index] = merge
        if !isChanged, merge.edit.isEmpty, merge.text == nil {
            // Nothing to write: the place is free again.
            merges.removeLast(index == merges.count - 1 ? 1 : 0)
            if merges.count == index { mergeByID[id] = nil }
        }
        end(line, isChanged ? .merged : .same)
    }

    // MARK: Folders

    private func useFolder(_ path: [String]) {
        var path = path[...]
        while !path.isEmpty, usedFolders.insert(FolderPath.joined(Array(path)).lowercased()).inserted {
            path = path.dropLast()
        }
    }

    private func writeFolders() throws {
        for folder in folders {
            let path = FolderPath.cleaned(folder.path)
            let isUsed = usedFolders.contains(FolderPath.joined(path).lowercased())
            let isPlain = folder.colour == nil && folder.icon == nil && folder.order == nil
            guard let name = CollectionName(FolderPath.joined(path)), !(isUsed && isPlain) else { continue }
            let isNew =
                try options.isDryRun
                || library.store.addCollection(
                    name, colour: folder.colour.map { ImportedEntry.cut($0, 200) },
                    icon: folder.icon.map { ImportedEntry.cut($0, 200) }, order: folder.order)
            if isNew { counts.collections += 1 }
        }
        folders = []
    }

    // MARK: Writing

    private func writePending() throws {
        guard !pending.isEmpty else { return }
        for start in stride(from: 0, to: pending.count, by: Self.groupSize) {
            let group = pending[start..<min(start + Self.groupSize, pending.count)]
            let refused = options.isDryRun ? try refusals(group) : try write(group)
            for each in group {
                if let why = refused[each.item.id] {
                    end(each.source, .skipped(why))
                } else {
                    known.move(each.slot, to: options.isDryRun ? .planned : .stored(each.item.id, isTrashed: false))
                    end(each.source, .new)
                }
            }
        }
        pending.removeAll(keepingCapacity: true)
        if !options.isDryRun { library.settle() }
    }

    private func refusals(_ group: ArraySlice<Pending>) throws -> [ItemID: String] {
        var refused: [ItemID: String] = [:]
        for each in group {
            guard let path = each.item.documentPath else { continue }
            do throws(ItemError) {
                try library.store.checkDocument(at: path)
            } catch {
                refused[each.item.id] = "\(error)"
            }
        }
        return refused
    }

    /// Adds items in one group; where that fails for one of them, one by one.
    private func write(_ group: ArraySlice<Pending>) throws -> [ItemID: String] {
        let items = group.map(\.newItem)
        do {
            try library.store.add(items)
            return [:]
        } catch {
            if !Library.concernsOneItem(error) { throw error }
        }
        var refused: [ItemID: String] = [:]
        for item in items {
            do {
                if try library.store.item(item.id) == nil { try library.store.add([item]) }
            } catch {
                if !Library.concernsOneItem(error) { throw error }
                refused[item.id] = "\(error)"
            }
        }
        return refused
    }

    private func writeMerges() throws {
        defer {
            merges.removeAll(keepingCapacity: true)
            mergeByID.removeAll(keepingCapacity: true)
        }
        if options.isDryRun { return }
        let changed = merges.filter { !$0.edit.isEmpty || $0.text != nil }
        if changed.isEmpty { return }
        let results = library.store.update(changed.map { ($0.stored, $0.edit) }, at: time)
        for (merge, result) in zip(changed, results) {
            do {
                _ = try result.get()
                if let text = merge.text, !merge.stored.hasText {
                    try library.store.updateText(merge.stored, .replace(base: nil, with: text), at: time)
                }
            } catch {
                counts.merged -= 1
                end(merge.source, .skipped("\(error)"))
            }
        }
        library.settle()
    }
}

extension LibraryImport.Pending {
    /// With the ids that its other sources have.
    fileprivate var newItem: NewItem {
        guard externalIDs.count > 1 else { return item }
        var item = item
        item.members.append(JSON.Member(ItemField.sourceExternalIDs.key, .strings(Array(externalIDs.dropFirst()))))
        return item
    }
}

extension LibraryImport.Merge {
    fileprivate mutating func add(_ tag: String) {
        var list = TagList(item.tags)
        list.add(tag)
        if list.tags.count == item.tags.count { return }
        item.tags = list.tags
        edit.addTag(tag)
        changeCount += 1
    }

    /// Gives the item what it has no value for.
    fileprivate mutating func fill(_ entry: ImportedEntry) {
        func set(_ field: ItemField, _ value: JSON) {
            edit.set(field, value)
            changeCount += 1
        }
        if !item.hasTitle, item.linkTitle == nil, let title = entry.title {
            item.title = title
            set(.title, .string(title))
        }
        if item.description == nil, let description = entry.description {
            item.description = description
            set(.description, .string(description))
        }
        if !item.isFavorite, entry.isFavorite {
            item.isFavorite = true
            set(.isFavorite, .bool(true))
        }
        if !item.isPinned, entry.isPinned {
            item.isPinned = true
            set(.isPinned, .bool(true))
        }
        if text == nil, !stored.hasText, let added = entry.text {
            text = added
            changeCount += 1
        }
    }

    /// Notes what one more source calls the item, so that it is known there the next time.
    fileprivate mutating func note(_ external: String, _ others: [String]) {
        addedExternalIDs = others + [external]
        if others.isEmpty {
            edit.set(.sourceExternalID, .string(external))
        } else if let first = stored.item.sourceExternalID {
            edit.set(.sourceExternalIDs, .strings((others + [external]).filter { $0 != first }))
        } else {
            edit.set(.sourceExternalIDs, .strings(others + [external]))
        }
        changeCount += 1
    }
}
