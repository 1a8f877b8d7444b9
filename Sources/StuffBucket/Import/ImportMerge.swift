internal import Exchange
internal import Items
internal import JSONFormat

/// A change to an existing item, before it is written.
struct ImportMerge {
    let stored: StoredItem
    var edit: ItemEdit
    var text: [UInt8]?
    /// The item after the change.
    var item: Item
    let source: ImportReportLine
    /// The ids of its sources after the change; `nil` if there are no new ones.
    var addedExternalIDs: [String]?
    var values: SourceValues
    /// The number of changes that a person can see.
    var changeCount = 0
    /// The link before its source changed it.
    var formerURL: String?
    /// Values that earlier entries of the import gave to empty fields.
    private var filled: [String: JSON] = [:]

    init(_ stored: StoredItem, _ source: ImportReportLine) {
        self.stored = stored
        self.source = source
        edit = ItemEdit(base: stored.json)
        item = stored.item
        values = SourceValues(stored)
    }

    var externalIDs: [String] { addedExternalIDs ?? stored.externalIDs }

    mutating func add(_ tag: String) {
        var list = TagList(item.tags)
        list.add(tag)
        if list.tags.count == item.tags.count { return }
        item.tags = list.tags
        edit.addTag(tag)
        changeCount += 1
    }

    private mutating func set(_ field: ItemField, _ value: JSON) {
        edit.set(field, value)
        changeCount += 1
    }

    /// Adds a passage at the end of the text.
    mutating func append(_ passage: String) {
        text = (text.map { $0 + Array("\n\n".utf8) } ?? []) + Array(passage.utf8)
        changeCount += 1
    }

    /// Fills the item's empty fields from the entry.
    mutating func fill(_ entry: ImportedEntry) {
        if !item.hasTitle, item.linkTitle == nil, let title = entry.title {
            item.title = title
            set(.title, .string(title))
        }
        if text == nil, !stored.hasText, let added = entry.text, !added.isEmpty {
            text = added
            changeCount += 1
        }
        // The keys about the entry's source are set together with its id.
        let own: Set<String> = Set([ItemField.sourceExternalID, .sourceFolderPath, .sortOrder].map(\.key))
        for member in LibraryImport.members(of: entry) where !own.contains(member.key) {
            guard let field = ItemField(key: Array(member.key.utf8)[...]), !edit.decides(field) else { continue }
            if let there = stored.json.member(member.key, of: stored.json.root), !isNothing(there) { continue }
            set(field, member.value)
            filled[member.key] = member.value
        }
        if item.description == nil { item.description = entry.description }
        item.isFavorite = item.isFavorite || entry.isFavorite
        item.isPinned = item.isPinned || entry.isPinned
    }

    /// Whether a value is null or false.
    private func isNothing(_ value: JSONDocument.Value) -> Bool {
        [.null, .false].contains(stored.json.kind(value))
    }

    /// Records another source's id and values, so that a later import recognises the entry.
    mutating func note(_ external: String, _ entry: ImportedEntry) {
        let others = externalIDs
        addedExternalIDs = others + [external]
        if others.isEmpty {
            edit.set(.sourceExternalID, .string(external))
        } else if let first = stored.item.sourceExternalID {
            edit.set(.sourceExternalIDs, .strings((others + [external]).filter { $0 != first }))
        } else {
            edit.set(.sourceExternalIDs, .strings(others + [external]))
        }
        if let fields = fieldsBeside(of: entry) { _ = values.keep(fields, of: external) }
        var now = SourceValues.Values(entry)
        now.fields = values[external]?.fields
        setValues(now, of: external)
        changeCount += 1
    }

    /// The entry's values for fields of which the item has others.
    private func fieldsBeside(of entry: ImportedEntry) -> JSON? {
        let members = LibraryImport.members(of: entry).filter { member in
            guard LibraryImport.keptBeside.contains(member.key) else { return false }
            if let filled = filled[member.key] { return filled != member.value }
            let there = stored.json.member(member.key, of: stored.json.root)
            return there.map { !isNothing($0) && stored.json.copy($0) != member.value } ?? false
        }
        return members.isEmpty ? nil : .object(members)
    }

    private mutating func setValues(_ new: SourceValues.Values, of external: String) {
        values[external] = new
        if let json = values.json { edit.set(.sourceValues, json) }
    }

    // MARK: What changed at the source

    /// Takes over a new link and title from the source if the item still has those of the last import (FORMAT.md §
    /// 5.4).
    ///
    /// - Parameter text: whether the item now contains the entry's text.
    /// - Returns: sentences about values that the person changed too; they are not written.
    mutating func follow(_ entry: ImportedEntry, _ external: String, text: Bool) -> [ImportReason] {
        followTags(entry, external, text: text)
        guard let url = entry.url else { return [] }
        guard let last = values[external] else {
            // The link of that import is unknown; a link with the same identity is no change.
            let isSame = item.linkURL.map { LibraryImport.areSameLinks($0, url) } ?? false
            return isSame
                ? [] : [.otherLink(here: item.linkURL, source: url)]
        }
        var now = last
        var differences: [ImportReason] = []
        if let lastURL = last.url, url != lastURL {
            if item.linkURL == lastURL {
                let isOther = !LibraryImport.areSameLinks(lastURL, url)
                set(.linkURL, .string(url))
                item.linkURL = url
                now.url = url
                if isOther {
                    formerURL = lastURL
                    keepFormer(lastURL)
                }
            } else if item.linkURL == url {
                now.url = url
            } else {
                differences.append(.changedLink(here: item.linkURL, source: url))
            }
        }
        if let title = entry.title, title != last.title {
            if item.title == last.title {
                set(.title, .string(title))
                item.title = title
                now.title = title
            } else if item.title == title {
                now.title = title
            } else {
                differences.append(.changedTitle(here: item.title ?? "", source: title))
            }
        }
        if now != last { setValues(now, of: external) }
        return differences
    }

    /// Adds tags that the source did not give before.
    private mutating func followTags(_ entry: ImportedEntry, _ external: String, text: Bool) {
        // An earlier version did not record the tags that it gave to a link.
        if entry.url != nil, values[external] == nil { return }
        let last = values[external] ?? .init()
        var now = last
        now.add(entry.tags)
        if text { now.text = entry.textHash }
        if now == last { return }
        let given = Set(last.tags.map { $0.lowercased() })
        for tag in entry.tags where !given.contains(tag.lowercased()) { add(tag) }
        setValues(now, of: external)
    }

    private mutating func keepFormer(_ url: String) {
        let json = stored.json
        let there = json.member(ItemField.linkFormerURLs.key, of: json.root).map { json.elements($0) } ?? []
        var former = there.compactMap { json.string($0) }
        former.removeAll { $0 == url }
        edit.set(.linkFormerURLs, .strings(former + [url]))
    }
}
