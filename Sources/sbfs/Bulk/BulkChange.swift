import StuffBucket

/// The differences between two lines of an item.
struct BulkChange {
    let id: ItemID
    let old: BulkLine
    let new: BulkLine

    /// - Returns: `nil` if the lines mean the same.
    init?(_ id: ItemID, _ old: BulkLine, _ new: BulkLine) {
        self.id = id
        self.old = old
        self.new = new
        if parts.isEmpty, tags.went.isEmpty, tags.came.isEmpty { return nil }
    }

    enum Part {
        case title, pinned, favorite, trash
        case field(ItemField)
    }

    var isTrashing: Bool { new.isTrashed && !old.isTrashed }

    private var parts: [Part] {
        var parts: [Part] = []
        if !Self.areSame(old.title, new.title) { parts.append(.title) }
        if old.isPinned != new.isPinned { parts.append(.pinned) }
        if old.isFavorite != new.isFavorite { parts.append(.favorite) }
        if old.isTrashed != new.isTrashed { parts.append(.trash) }
        for field in new.fields.keys.sorted(by: { $0.rank < $1.rank }) {
            // A field that the old line does not show stays unchanged.
            guard let before = old.fields[field], let after = new.fields[field] else { continue }
            if !Self.areSame(before, after) { parts.append(.field(field)) }
        }
        return parts
    }

    private var tags: (went: [String], came: [String]) {
        let before = TagList(old.tags).tags, after = TagList(new.tags).tags
        return (before.filter { !after.contains($0) }, after.filter { !before.contains($0) })
    }

    /// By bytes: two normalisation forms are two titles.
    private static func areSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

    // MARK: Showing

    func lines(_ style: Style) -> [String] {
        var lines: [String] = []
        func shown(_ text: String) -> String? { text.isEmpty ? nil : BulkLine.quoted(text) }
        for part in parts {
            switch part {
            case .title: lines.append("title: " + FieldDiff.arrow(shown(old.title), shown(new.title), style))
            case .pinned: lines.append(new.isPinned ? style.added("pinned") : style.removed("not pinned any more"))
            case .favorite:
                lines.append(new.isFavorite ? style.added("favourite") : style.removed("no favourite any more"))
            case .trash: lines.append(new.isTrashed ? style.removed("into the trash") : style.added("out of the trash"))
            case .field(let field):
                lines.append(
                    field.key + ": "
                        + FieldDiff.arrow(shown(old.fields[field] ?? ""), shown(new.fields[field] ?? ""), style))
            }
        }
        let (went, came) = tags
        let words =
            went.map { style.removed("-" + FieldDiff.shown(tag: $0)) }
            + came.map { style.added("+" + FieldDiff.shown(tag: $0)) }
        if !words.isEmpty { lines.append("tags: " + words.joined(separator: " ")) }
        return lines
    }

    // MARK: Making

    /// The change to the current version of the item.
    ///
    /// Tags never conflict. Any other value conflicts if it is neither the value from before editing nor the new one.
    ///
    /// - Throws: `ItemError.changedSince`.
    func edit(_ stored: StoredItem, _ value: (ItemField, String) throws -> JSON?, at time: Timestamp) throws -> ItemEdit
    {
        let now = BulkLine(stored, Array(new.fields.keys))
        var edit = ItemEdit(base: stored.json)
        for part in parts {
            let (isOld, isNew, key): (Bool, Bool, String) =
                switch part {
                case .title: (Self.areSame(now.title, old.title), Self.areSame(now.title, new.title), "title")
                case .pinned: (now.isPinned == old.isPinned, now.isPinned == new.isPinned, "isPinned")
                case .favorite: (now.isFavorite == old.isFavorite, now.isFavorite == new.isFavorite, "isFavorite")
                case .trash: (now.isTrashed == old.isTrashed, now.isTrashed == new.isTrashed, "trashedAt")
                case .field(let field):
                    (
                        Self.areSame(now.fields[field] ?? "", old.fields[field] ?? ""),
                        Self.areSame(now.fields[field] ?? "", new.fields[field] ?? ""), field.key
                    )
                }
            if isNew { continue }
            if !isOld { throw ItemError.changedSince(id, what: key) }
            switch part {
            case .title: new.title.isEmpty ? edit.remove(.title) : edit.set(.title, .string(new.title))
            case .pinned: new.isPinned ? edit.set(.isPinned, .bool(true)) : edit.remove(.isPinned)
            case .favorite: new.isFavorite ? edit.set(.isFavorite, .bool(true)) : edit.remove(.isFavorite)
            case .trash: new.isTrashed ? edit.trash(at: time) : edit.restore()
            case .field(let field):
                if let json = try value(field, new.fields[field] ?? "") {
                    edit.set(field, json)
                } else {
                    edit.remove(field)
                }
            }
        }
        let (went, came) = tags
        for tag in went where now.tags.contains(tag) { edit.removeTag(tag) }
        for tag in came where !now.tags.contains(tag) {
            // The tag changed only its case: the new spelling replaces the old one.
            if went.contains(where: { TagList.areSame($0, tag) }) { edit.removeTag(tag) }
            edit.addTag(tag)
        }
        return edit
    }
}
