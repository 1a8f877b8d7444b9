internal import Items
internal import Search
internal import URLs

/// An item as a query matches it.
struct SearchableItem: Searchable {
    private let stored: StoredItem
    private let store: ItemStore
    /// The known state of the files; `nil` to look at them when needed.
    private let look: ItemLook?

    init(_ stored: StoredItem, _ store: ItemStore, _ look: ItemLook? = nil) {
        self.stored = stored
        self.store = store
        self.look = look
    }

    private var item: Item { stored.item }
    /// Tags beyond the limit are kept and shown, but not searched.
    private var searchedTags: ArraySlice<String> { item.tags.prefix(Layout.searchedTagLimit) }

    var type: String { stored.kind.rawValue }
    var title: [UInt8] { Array((item.title ?? item.linkTitle ?? "").utf8) }
    /// Both trash marks are searched as the tag.
    var tags: [String] {
        let tags = Array(searchedTags)
        let isMarked = tags.contains { TagList.areSame($0, TagList.trashcan) }
        return item.isTrashed && !isMarked ? tags + [TagList.trashcan] : tags
    }
    var tagTexts: [String] {
        Item.plainTags(among: searchedTags) + (item.isTrashed ? [TagList.trashcan] : []) + collections
    }
    var collections: [String] { Item.collections(among: searchedTags) }
    var source: String { item.source ?? "" }
    var site: String { item.linkURL.flatMap(LinkIdentity.init)?.host ?? "" }
    var displayTitle: [UInt8] { Folding.fold(store.displayTitle(of: stored).utf8) }
    var link: String { item.linkURL.flatMap(LinkIdentity.init)?.normalized ?? "" }
    var author: String { item.linkAuthor ?? "" }
    var language: String { item.linkLanguage ?? "" }
    var created: Int64 { stored.createdAt.milliseconds }
    var updated: Int64 { stored.effectiveUpdatedAt.milliseconds }
    var isTrashed: Bool { item.isTrashed }

    func holds(_ state: Filter.State) -> Bool {
        switch state {
        case .favorite: item.isFavorite
        case .pinned: item.isPinned
        case .trashed: item.isTrashed
        case .dead: item.linkStatus == .dead
        case .untitled: (item.title ?? "").isEmpty
        case .untagged: item.plainTags.isEmpty
        case .uncategorized: item.collections.isEmpty
        case .conflicted:
            look.map { $0[.conflicts] != nil } ?? true && ConflictFolder(of: stored.folder, in: store).count() > 0
                || !store.lostDocuments(of: stored).isEmpty
        }
    }

    func has(_ part: Filter.Part) -> Bool {
        switch part {
        case .text: stored.hasText
        case .link: item.linkURL != nil
        case .document: stored.documentName != nil
        case .archive: stored.parts.contains(.page) || stored.away?.hasPage == true
        case .reader: stored.hasReader || stored.away?.hasReader == true
        case .snapshot: stored.parts.contains(.snapshots)
        case .note: !item.annotations.isEmpty
        case .favicon: item.favicon != nil
        }
    }

    func holds(_ status: Filter.Status) -> Bool {
        switch status {
        case .pending, .full, .partial, .failed, .live: stored.archiveState?.rawValue == status.rawValue
        case .unavailable: !stored.unavailablePaths.isEmpty || stored.isAwayLost
        case .away: stored.isPageAway || stored.isDocumentAway
        case .valid, .dead, .unknown: item.linkStatus?.rawValue == status.rawValue
        }
    }

    /// All texts, those of the rest of the saved page included.
    func texts() -> [[UInt8]] {
        let (texts, rest) = weighedTexts(text: (try? store.text(of: stored)) ?? nil)
        return texts + rest
    }

    /// The texts, and apart from them what the saved page shows besides its article: its words weigh less.
    ///
    /// - Parameter text: the item's own text, already read.
    func weighedTexts(text: [UInt8]?) -> (texts: [[UInt8]], rest: [[UInt8]]) {
        var texts = item.annotations.map { Array($0.utf8) }
        if let text { texts.append(text) }
        let page = has(.archive) || has(.reader) ? SavedPage(of: stored, in: store) : nil
        if let page { texts.append(page.text) }
        if let document = stored.document.flatMap({ DocumentText.text(of: $0, in: stored.folder, store) }) {
            texts.append(document)
        }
        let others = [
            item.title == nil ? nil : item.linkTitle, item.description, item.linkURL, item.linkAuthor, item.linkSite,
            item.aiSummary, stored.documentName, item.documentName,
        ]
        for text in others { if let text { texts.append(Array(text.utf8)) } }
        if let summary = StoredSummary(stored) {
            for text in summary.keyPoints + summary.entities { texts.append(Array(text.utf8)) }
        }
        return (texts, page?.rest ?? [])
    }
}
