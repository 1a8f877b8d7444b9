public import Items
internal import Search
public import Time

extension Library {
    /// An item's title, or a name, that begins as typed.
    public struct Completion: Sendable {
        /// The whole title or name.
        public let text: String
        /// What tells it from others: kind and day of an item, the number of items that have a name.
        public let note: String
        /// The items that have this title; empty for a name.
        public let ids: [ItemID]
        /// When the first of these items was changed last; `nil` for a name.
        public var day: CalendarDate?
    }

    /// Titles that begin as typed, without regard to case and diacritics, in their order.
    ///
    /// Answers from the index as it is, at once: what changed since is missing. Empty where there is no index yet; one is
    /// made behind the answer.
    ///
    /// - Parameters:
    ///   - prefix: if empty, the titles of the latest items.
    ///   - limit: items at most.
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
        let note = "\(first.kind.rawValue), \(first.effectiveUpdatedAt.localDate)"
        return Completion(
            text: store.displayTitle(of: first), note: note, ids: live.map(\.id),
            day: first.effectiveUpdatedAt.localDate)
    }

    private func readable(_ key: DocumentKey) -> StoredItem? { (try? store.item(ItemID(key))) ?? nil }

    /// Hosts, and domains above them, that begin as typed, most frequent first.
    public func sites(beginning prefix: String, limit: Int) -> [Completion] {
        values(of: .site, beginning: prefix, limit: limit)
    }

    /// Authors whose names begin as typed, folded, most frequent first.
    public func authors(beginning prefix: String, limit: Int) -> [Completion] {
        values(of: .author, beginning: prefix, limit: limit)
    }

    /// Languages of pages that begin as typed, most frequent first.
    public func languages(beginning prefix: String, limit: Int) -> [Completion] {
        values(of: .language, beginning: prefix, limit: limit)
    }

    private func values(of kind: ExactTerm.Kind, beginning prefix: String, limit: Int) -> [Completion] {
        let found = index?.glance { try $0.values(of: kind, beginning: Folding.fold(prefix.utf8), limit: 5000) }
        return (found ?? []).sorted { $0.count > $1.count }.prefix(limit).map {
            Completion(text: String(decoding: $0.value, as: UTF8.self), note: Self.note($0.count), ids: [])
        }
    }

    /// Words of the texts and titles that begin as typed, most frequent first, folded.
    public func words(beginning prefix: String, limit: Int) -> [String] {
        index?.glance { try $0.suggest(prefix, limit: limit) } ?? []
    }

    private static func note(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }

    /// Tags or collections that begin as typed, without regard to case and diacritics, most frequent first; as quick as
    /// `titles`.
    public func names(beginning prefix: String, isCollection: Bool, limit: Int) -> [Completion] {
        let kind: ExactTerm.Kind = isCollection ? .collection : .tag
        let found = index?.glance { snapshot -> [(value: String, count: Int)] in
            let values = try snapshot.values(of: kind, beginning: Folding.fold(prefix.utf8), limit: 5000)
            return values.map { (String(decoding: $0.value, as: UTF8.self), $0.count) }
        }
        let shown = (found ?? []).filter { isCollection || !TagList.isReserved($0.value) }
            .sorted { ($1.count, $0.value) < ($0.count, $1.value) }.prefix(limit)
        let spellings = (try? spellings(of: shown.map(\.value), isCollection: isCollection)) ?? shown.map(\.value)
        return zip(spellings, shown).map { name, value in
            Completion(text: name, note: Self.note(value.count), ids: [])
        }
    }
}
