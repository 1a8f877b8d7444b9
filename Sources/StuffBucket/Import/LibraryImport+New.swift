internal import Exchange
internal import Items
internal import JSONFormat
internal import Time

extension LibraryImport {
    func add(_ entry: ImportedEntry, _ link: String?, _ line: ImportReportLine) {
        var kind: Item.Kind = link != nil ? .link : entry.documentPath != nil ? .document : .snippet
        var members: [JSON.Member] = []
        for member in entry.members {
            if member.key == ItemField.type.key, case .string(let word) = member.value {
                kind = Item.Kind(rawValue: word) ?? kind
            } else {
                members.append(member)
            }
        }
        members += Self.members(of: entry)
        let byteCount = Self.byteCount(members)
        if byteCount > 4 << 20 { return end(line, .skipped(.largeFields(byteCount: byteCount))) }
        if members.contains(where: { $0.value.depth >= JSONDocument.depthLimit }) {
            return end(line, .skipped(.deepFields(limit: JSONDocument.depthLimit - 1)))
        }
        // Without a time of change at the source, the time of creation counts.
        let (created, updated) = (entry.createdAt ?? entry.updatedAt, entry.updatedAt ?? entry.createdAt)
        var item = NewItem(kind: kind, id: entry.itemID ?? .make(), at: date(created, line))
        item.updatedAt = updated == created ? item.createdAt : max(date(updated, line), item.createdAt)
        item.keepsTimes = true
        item.title = entry.title
        item.tags = TagList(library.store.settings.defaultTags + tags(of: entry)).tags
        item.linkURL = entry.url
        item.archiveStatus = link != nil && options.isArchived ? .pending : nil
        item.text = entry.text?.isEmpty == true ? nil : entry.text
        item.documentPath = entry.documentPath
        item.source = format.source
        if format == .items, let source = members.first(where: { $0.key == ItemField.source.key }),
            case .string(let word) = source.value
        {
            item.source = word
        }
        members.removeAll { $0.key == ItemField.source.key }
        item.members = members
        let slot = Int32(known.places.count)
        known.add(
            .pending(pending.count), id: item.id, link: link?.hashValue,
            externalIDs: entry.externalID.map { [$0.hashValue] } ?? [])
        var values = SourceValues()
        if let external = entry.externalID, format != .items, entry.hasValues { values[external] = .init(entry) }
        let new = PendingItem(
            item, slot: slot, externalID: entry.externalID, values: values, memberByteCount: byteCount, source: line)
        pendingByteCount += new.byteCount
        pending.append(new)
    }

    /// A time from the source. A future time becomes the present; one more than a day ahead is reported.
    private func date(_ found: Timestamp?, _ line: ImportReportLine) -> Timestamp {
        guard let found else { return time }
        if found > time.adding(seconds: 86_400) {
            note(line, .futureDate(found))
        }
        return min(found, time)
    }

    private static func byteCount(_ members: [JSON.Member]) -> Int {
        if members.isEmpty { return 0 }
        var writer = JSONWriter(.oneLine)
        writer.write(.object(members))
        return writer.bytes.count
    }

    /// The keys of item.json for the parts of an entry besides title, link, tags and text.
    static func members(of entry: ImportedEntry) -> [JSON.Member] {
        var members: [JSON.Member] = []
        func add(_ field: ItemField, _ value: JSON?) {
            if let value { members.append(JSON.Member(field.key, value)) }
        }
        add(.description, entry.description.map(JSON.string))
        if entry.isFavorite { add(.isFavorite, .bool(true)) }
        if entry.isPinned { add(.isPinned, .bool(true)) }
        add(.sortOrder, entry.sortOrder.flatMap(number))
        if !entry.annotations.isEmpty { add(.annotations, .array(entry.annotations)) }
        add(.linkAuthor, entry.author.map(JSON.string))
        add(.linkSite, entry.site.map(JSON.string))
        add(.linkLanguage, entry.language.map(JSON.string))
        add(.linkPublishedDate, entry.published.map(JSON.string))
        add(.sourceExternalID, entry.externalID.map(JSON.string))
        if !entry.folder.isEmpty { add(.sourceFolderPath, .string(FolderPath.joined(entry.folder))) }
        add(.sourceFileName, entry.fileName.map(JSON.string))
        if !entry.fields.isEmpty { add(.sourceFields, .object(entry.fields)) }
        return members
    }

    private static func number(_ order: Double) -> JSON? {
        if !order.isFinite { return nil }
        return .number(Int(exactly: order).map(String.init) ?? "\(order)")
    }
}
