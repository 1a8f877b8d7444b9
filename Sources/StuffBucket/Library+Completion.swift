public import Items
internal import Search
public import Time

extension Library {
    /// An item's title, or a name, that completes the typed text.
    public struct Completion: Sendable {
        /// The whole title or name.
        public let text: String
        /// What tells it from others.
        public let detail: Detail
    }

    /// What tells a completion from others.
    public enum Detail: Sendable, Equatable {
        /// The live items with this title, the kind of the first one, and the day of its last change.
        case items([ItemID], kind: Item.Kind, day: CalendarDate)
        /// The number of items with a name.
        case count(Int)
    }

    /// Titles with the typed prefix, in alphabetical order, without regard to case and diacritics.
    ///
    /// Answers at once from the current index, so the latest changes may be missing. Empty if there is no index; then
    /// one is built in the background.
    ///
    /// - Parameters:
    ///   - prefix: the typed text; if empty, the titles of the latest items are returned.
    ///   - limit: the largest number of items.
    public func titles(beginning prefix: String, limit: Int) -> [Completion] {
        let found = index?.glance { snapshot -> [Completion] in
            if prefix.isEmpty { return try latestTitles(snapshot, limit: limit) }
            let folded = Folding.fold(prefix.utf8)
            var completions: [Completion] = []
            for (value, _) in try snapshot.values(of: .title, beginning: folded, limit: limit * 4) {
                if completions.count >= limit { break }
                let items = try snapshot.keys(with: ExactTerm(.title, value), limit: 20).compactMap(readable)
                if let completion = completion(items) { completions.append(completion) }
            }
            return completions
        }
        return found ?? []
    }

    private func latestTitles(_ snapshot: IndexSnapshot, limit: Int) throws -> [Completion] {
        var request = SearchRequest(.everything)
        request.order = .recent
        request.limit = limit
        return try Searcher(snapshot).search(request).hits.compactMap { hit in
            readable(hit.key).flatMap { completion([$0]) }
        }
    }

    private func completion(_ items: [StoredItem]) -> Completion? {
        let live = items.filter { !$0.item.isTrashed }
        guard let first = live.first else { return nil }
        let day = first.effectiveUpdatedAt.localDate
        return Completion(
            text: store.displayTitle(of: first), detail: .items(live.map(\.id), kind: first.kind, day: day))
    }

    private func readable(_ key: DocumentKey) -> StoredItem? { (try? store.item(ItemID(key))) ?? nil }

    /// Hosts, and domains above them, with the typed prefix, most frequent first.
    public func sites(beginning prefix: String, limit: Int) -> [Completion] {
        values(of: .site, beginning: prefix, limit: limit)
    }

    /// Authors whose names have the typed prefix, folded, most frequent first.
    public func authors(beginning prefix: String, limit: Int) -> [Completion] {
        values(of: .author, beginning: prefix, limit: limit)
    }

    /// Languages of pages with the typed prefix, most frequent first.
    public func languages(beginning prefix: String, limit: Int) -> [Completion] {
        values(of: .language, beginning: prefix, limit: limit)
    }

    private func values(of kind: ExactTerm.Kind, beginning prefix: String, limit: Int) -> [Completion] {
        let found = index?.glance { try $0.values(of: kind, beginning: Folding.fold(prefix.utf8), limit: 5000) }
        return (found ?? []).sorted { $0.count > $1.count }.prefix(limit).map {
            Completion(text: String(decoding: $0.value, as: UTF8.self), detail: .count($0.count))
        }
    }

    /// Words of the texts and titles with the typed prefix, folded, most frequent first.
    public func words(beginning prefix: String, limit: Int) -> [String] {
        index?.glance { try $0.suggest(prefix, limit: limit) } ?? []
    }

    /// Tags or collections with the typed prefix, without regard to case and diacritics, most frequent first. As fast
    /// as `titles`.
    public func names(beginning prefix: String, in folder: NamedFolder, limit: Int) -> [Completion] {
        if folder == .smart { return [] }
        let isCollection = folder == .collections
        let kind: ExactTerm.Kind = isCollection ? .collection : .tag
        let found = index?.glance { snapshot -> [(value: String, count: Int)] in
            let values = try snapshot.values(of: kind, beginning: Folding.fold(prefix.utf8), limit: 5000)
            return values.map { (String(decoding: $0.value, as: UTF8.self), $0.count) }
        }
        let shown = (found ?? []).filter { isCollection || !TagList.isReserved($0.value) }
            .sorted { ($1.count, $0.value) < ($0.count, $1.value) }.prefix(limit)
        let spellings = (try? spellings(of: shown.map(\.value), in: folder)) ?? shown.map(\.value)
        return zip(spellings, shown).map { name, value in
            Completion(text: name, detail: .count(value.count))
        }
    }
}
