internal import Items
public import Search

extension Library {
    /// Finds items: lists, look-ups by a query, and ranked search.
    ///
    /// - Parameters:
    ///   - progress: called from time to time where the index must be made first, with items done and in all.
    ///   - request: what is asked.
    public func find(
        _ request: ItemRequest, progress: (@Sendable (Int, Int) -> Void)? = nil
    ) throws -> ItemAnswer {
        guard let index else { return try scan.find(request) }
        var request = request
        for attempt in 1...3 {
            let answer = try index.answer(waits: request.isFresh, progress: progress) { view in
                try IndexRun(request, view).answer()
            }
            guard let answer else { break }
            if answer.caveat == nil { return answer }
            // Answered at once from an index that may be behind: what is shown is looked at, and the whole if it is much.
            if try index.catchUp(answer.rows) { return answer }
            request.isFresh = attempt == 2 || answer.hits.count > LibraryIndex.showLimit
        }
        return try scan.find(request)
    }

    /// Counts of all items that are not in the trash; `nil` where there is no index.
    public func facets(_ kinds: Set<Facets.Kind>) throws -> Facets? {
        var request = ItemRequest(order: .recent, limit: 1)
        request.facets = kinds
        return try find(request).facets
    }

    /// Words, tags and collections that begin as typed, most frequent first, each as it is spelt in an item that has it.
    public func suggest(_ prefix: String, limit: Int = 5) throws -> [String] {
        let words = try index?.answer { try $0.snapshot.suggest(prefix, limit: limit) } ?? []
        let tags = try spellings(of: words, isCollection: false)
        let collections = try spellings(of: words, isCollection: true)
        return try words.indices.map { number in
            // A name's spelling is the folded word where no item has such a name.
            let names = [tags[number], collections[number]].filter { $0 != words[number] }
            return try names.first ?? spelling(ofWord: words[number]) ?? words[number]
        }
    }

    /// How a word is spelt in the latest item that has it, in its title or else its texts.
    private func spelling(ofWord word: String) throws -> String? {
        let request = ItemRequest(.phrase(word), order: .recent, limit: 1)
        guard let row = try find(request).hits.first?.row, let stored = try? item(row) else { return nil }
        let highlighter = request.query.highlighter
        let title = highlighter.snippet(of: Array(store.displayTitle(of: stored).utf8))
        for found in [title, snippet(of: stored, highlighter)] {
            guard let found else { continue }
            for mark in found.marks {
                let spelling = String(decoding: found.text[mark], as: UTF8.self)
                if Folding.fold(spelling) == word { return spelling }
            }
        }
        return nil
    }

    /// How tags or collections are spelt in an item that has them; the folded value where there is none.
    public func spellings(of values: [String], isCollection: Bool) throws -> [String] {
        let kind: ExactTerm.Kind = isCollection ? .collection : .tag
        let keys = try index?.answer(startsSweep: false) { view in
            try values.map { try view.snapshot.keys(with: ExactTerm(kind, $0.utf8), limit: 1).first }
        }
        guard let keys else { return values }
        // Each item is read once, however many of the values are its own.
        var spellings: [DocumentKey: [String: String]] = [:]
        return zip(values, keys).map { value, key in
            guard let key else { return value }
            if let known = spellings[key] { return known[value] ?? value }
            let stored = (try? store.item(ItemID(key))) ?? nil
            let found = stored.map { isCollection ? Self.collections(in: $0.item) : Self.tags(in: $0.item) } ?? [:]
            spellings[key] = found
            return found[value] ?? value
        }
    }

    /// The tags of an item by their folded spelling.
    private static func tags(in item: Item) -> [String: String] {
        let tags = item.tags.prefix(Layout.searchedTagLimit)
        return Dictionary(tags.map { (Folding.fold($0), $0) }) { first, _ in first }
    }

    /// The same of its collections, and of those that they are nested in.
    private static func collections(in item: Item) -> [String: String] {
        var spellings: [String: String] = [:]
        for name in Item.collections(among: item.tags.prefix(Layout.searchedTagLimit)).compactMap({ CollectionName($0) }
        ) {
            // A collection that others are nested in is the beginning of their names.
            var beginning = ""
            for (place, part) in name.parts.enumerated() {
                beginning += (place == 0 ? "" : "/") + part
                let folded = Folding.fold(beginning)
                if folded.utf8.count > Layout.tagByteLimit { break }
                if spellings[folded] == nil { spellings[folded] = beginning }
            }
        }
        return spellings
    }
}
