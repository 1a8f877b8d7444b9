internal import Exchange
internal import Items
internal import JSONFormat
internal import URLs

/// Entries that the library, or the current import, already has.
extension LibraryImport {
    func join(_ entry: ImportedEntry, _ place: String?, _ slot: Int32, _ line: ImportReportLine) throws {
        switch known.places[Int(slot)] {
        case .pending(let index): joinPending(entry, index, slot, line)
        case .planned: end(line, .merged)
        case .stored(let id, isTrashed: true): end(line, .skipped(.trashed), id)
        case .stored(let id, isTrashed: false): try joinStored(entry, place, id, slot, line)
        }
    }

    static func areSameLinks(_ a: String, _ b: String) -> Bool {
        guard let a = LinkIdentity(a)?.normalized, let b = LinkIdentity(b)?.normalized else { return a == b }
        return a == b
    }

    /// The same link again in one import: one item in several collections. Another title stays in `sourceValues`.
    private func joinPending(_ entry: ImportedEntry, _ index: Int, _ slot: Int32, _ line: ImportReportLine) {
        var new = pending[index]
        let tagCount = new.item.tags.count
        new.item.tags = TagList(new.item.tags + tags(of: entry)).tags
        if let created = entry.createdAt { new.item.createdAt = min(new.item.createdAt, created) }
        if let updated = entry.updatedAt ?? entry.createdAt {
            new.item.updatedAt = max(new.item.updatedAt ?? updated, min(updated, time))
        }
        var isOtherTitle = false
        if format != .items, let title = entry.title, let there = new.item.title, title != there {
            isOtherTitle = new.values[entry.externalID ?? ""] == nil
            if isOtherTitle { note(line, .otherTitle(here: there)) }
        }
        new.item.title = new.item.title ?? entry.title
        if new.item.text == nil, let text = entry.text, !text.isEmpty {
            new.item.text = text
            pendingByteCount += text.count
        } else if let text = entry.text, !text.isEmpty, text != new.item.text {
            note(line, .otherText)
        }
        var others: [JSON.Member] = []
        for member in Self.members(of: entry) {
            if let there = new.item.members.first(where: { $0.key == member.key }) {
                if there.value != member.value, Self.keptBeside.contains(member.key) { others.append(member) }
            } else if member.key != ItemField.sourceExternalID.key {
                new.item.members.append(member)
            }
        }
        if let external = entry.externalID {
            // A file with thousands of ids for one link is made to slow sbfs down.
            if !new.externalIDs.contains(external), new.externalIDs.count < 500 {
                new.externalIDs.append(external)
                if entry.hasValues { new.values[external] = .init(entry) }
            } else if var values = new.values[external] {
                values.add(entry.tags)
                new.values[external] = values
            }
            known.note(externalID: external.hashValue, at: slot)
            if !others.isEmpty, format != .items, new.externalIDs.contains(external) {
                let isKept = new.values.keep(.object(others), of: external)
                note(line, .otherFields(others.map(\.key), isKept: isKept))
            }
        }
        pending[index] = new
        end(line, isOtherTitle || !others.isEmpty || new.item.tags.count != tagCount ? .merged : .same, new.item.id)
    }

    /// Fields of item.json of which a second entry with the same link may have other values, which are kept.
    static let keptBeside: Set<String> = {
        var fields: [ItemField] = [.description, .annotations, .linkAuthor, .linkSite, .linkLanguage]
        fields += [.linkPublishedDate, .sourceFields]
        return Set(fields.map(\.key))
    }()

    private func joinStored(
        _ entry: ImportedEntry, _ place: String?, _ id: ItemID, _ slot: Int32, _ line: ImportReportLine
    ) throws {
        let index: Int
        if let open = mergeByID[id] {
            index = open
        } else {
            // Read again: the current contents count.
            guard let stored = try library.store.item(id) else {
                return end(line, .skipped(.removed))
            }
            index = merges.count
            merges.append(ImportMerge(stored, line))
            mergeByID[id] = index
        }
        var merge = merges[index]
        let before = merge
        let isKnown = entry.itemID == id || entry.externalID.map(merge.externalIDs.contains) ?? true
        if isKnown {
            try follow(entry, place, slot, line, &merge)
        } else {
            try meet(entry, slot, line, &merge, isFirst: before.edit.isEmpty)
        }
        if options.isArchived, merge.item.linkURL != nil, merge.item.archiveStatus == nil {
            merge.edit.set(.archiveStatus, .string(Item.ArchiveStatus.pending.rawValue))
            merge.item.archiveStatus = .pending
            merge.changeCount += 1
        }
        let isChanged = merge.changeCount != before.changeCount
        mergesByteCount += (merge.text?.count ?? 0) - (before.text?.count ?? 0)
        merges[index] = merge
        if !isChanged, merge.edit.isEmpty, merge.text == nil {
            // Nothing to write: the place becomes free.
            merges.removeLast(index == merges.count - 1 ? 1 : 0)
            if merges.count == index { mergeByID[id] = nil }
        }
        if let former = merge.formerURL, before.formerURL == nil {
            end(line, .moved(from: former), id)
        } else {
            end(line, isChanged ? .merged : .same, id)
        }
    }

    /// An entry that the item already knows: changes at its source are taken over, a person's changes stay.
    private func follow(
        _ entry: ImportedEntry, _ place: String?, _ slot: Int32, _ line: ImportReportLine, _ merge: inout ImportMerge
    ) throws {
        let path = FolderPath.joined(entry.folder)
        if merge.stored.item.sourceExternalID == entry.externalID, !path.isEmpty,
            let last = merge.stored.sourceFolderPath, last != path, !(entry.externalID ?? "").hasPrefix("url:"),
            let tag = CollectionName(path)?.tag
        {
            merge.add(tag)
            merge.edit.set(.sourceFolderPath, .string(path))
        }
        for tag in options.tags { merge.add(tag) }
        if format == .items {
            if try differs(entry, from: merge.stored) { note(line, .otherValues) }
            return
        }
        guard let external = entry.externalID else { return }
        let last = merge.item.linkURL
        let text = try takeText(of: entry, merge.values[external]?.text, line, &merge)
        for difference in merge.follow(entry, external, text: text) { note(line, difference) }
        if let place, merge.item.linkURL != last {
            if let former = last.flatMap(LinkIdentity.place) { known.forget(link: former.hashValue, at: slot) }
            known.note(link: place.hashValue, at: slot)
        }
    }

    /// An entry that matches an item for the first time.
    private func meet(
        _ entry: ImportedEntry, _ slot: Int32, _ line: ImportReportLine, _ merge: inout ImportMerge, isFirst: Bool
    ) throws {
        for tag in tags(of: entry) { merge.add(tag) }
        if format != .items { _ = try takeText(of: entry, nil, line, &merge) }
        merge.fill(entry)
        if let external = entry.externalID, merge.externalIDs.count < 500 {
            merge.note(external, entry)
            known.note(externalID: external.hashValue, at: slot)
        }
        let path = FolderPath.joined(entry.folder)
        if !path.isEmpty, merge.stored.sourceFolderPath == nil, isFirst {
            merge.edit.set(.sourceFolderPath, .string(path))
        }
    }

    /// Whether an exported item has other values than the item here.
    private func differs(_ entry: ImportedEntry, from stored: StoredItem) throws -> Bool {
        let (item, json) = (stored.item, stored.json)
        let isSame =
            entry.title == item.title && entry.description == item.description && entry.url == item.linkURL
            && Set(entry.tags) == Set(item.tags) && entry.isFavorite == item.isFavorite
            && entry.isPinned == item.isPinned
        if !isSame { return true }
        for member in entry.members {
            guard let there = json.member(member.key, of: json.root), json.copy(there) == member.value else {
                return true
            }
        }
        guard let text = entry.text else { return false }
        return try text != library.store.text(of: stored) ?? []
    }

    /// Adds passages that the item's text lacks. Another text, which is no list of passages, is reported.
    ///
    /// - Parameter last: the hash of the text from the last import; an equal text is no news.
    /// - Returns: whether the item now contains the whole text, and did not before.
    private func takeText(
        of entry: ImportedEntry, _ last: String?, _ line: ImportReportLine, _ merge: inout ImportMerge
    ) throws -> Bool {
        guard let text = entry.text, merge.stored.hasText, let hash = entry.textHash, hash != last else { return false }
        let there = (try library.store.text(of: merge.stored) ?? []) + (merge.text ?? [])
        if there == text { return last != nil }
        if entry.passages.isEmpty {
            let isKnown = merge.externalIDs.contains(entry.externalID ?? "")
            if last != nil || !isKnown { note(line, .changedText) }
            return false
        }
        var words = Passages.words(there)
        for passage in entry.passages where !passage.isIn(words) {
            words += Passages.words(Array(passage.text.utf8))
            merge.append(passage.text)
        }
        return last != nil || merge.text != nil
    }
}
