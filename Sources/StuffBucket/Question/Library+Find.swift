internal import Items
public import Search

extension Library {
    /// Finds items: lists, look-ups by a query, and ranked search.
    ///
    /// - Parameters:
    ///   - monitor: is told items done and in all, if the index must be built first, and cancels.
    ///   - request: the question.
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func find(
        _ request: ItemRequest, _ monitor: Monitor = Monitor()
    ) throws -> ItemAnswer {
        guard let index else { return try scan.find(request) }
        var request = request
        for attempt in 1...3 {
            let answer = try index.answer(waits: request.isFresh, monitor: monitor) { view in
                try IndexRun(request, view).answer()
            }
            guard let answer else { break }
            if answer.caveat == nil { return answer }
            // The index may be behind. Compares the shown items with their files; if there are too many, waits for a
            // full sweep.
            if try index.catchUp(answer.rows) { return answer }
            request.isFresh = attempt == 2 || answer.hits.count > LibraryIndex.showLimit
        }
        return try scan.find(request)
    }

    /// Reads the items of an answer, in its order.
    ///
    /// The index keeps the last good version of an item that cannot be read now, so an answer may hold such an item. It is
    /// left out here, and is among the faults. An item that is gone is left out without a fault.
    ///
    /// - Parameters:
    ///   - answer: What `find` returned.
    ///   - body: Gets each item that can be read, with its hit.
    /// - Returns: All items that cannot be read, each once: `answer.faults`, and those found now.
    /// - Throws: The error of `body`, and an error that is not about one item.
    public func forEachItem(
        of answer: ItemAnswer, _ body: (StoredItem, ItemAnswer.Hit) throws -> Void
    ) throws -> [ItemFault] {
        var faults = answer.faults
        let known = Set(faults.map(\.folder))
        for hit in answer.hits {
            let stored: StoredItem
            do {
                stored = try item(hit.row)
            } catch ItemError.noItem {
                continue
            } catch {
                let fault = try ItemFault(hit.row.folder, error)
                if !known.contains(fault.folder) { faults.append(fault) }
                continue
            }
            try body(stored, hit)
        }
        return faults
    }

    /// Counts over all items outside the trash; `nil` without an index.
    ///
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func facets(_ kinds: Set<Facets.Kind>) throws -> Facets? {
        var request = ItemRequest(order: .recent, limit: 1)
        request.facets = kinds
        return try find(request).facets
    }

    /// Words, tags and collections with the typed prefix, most frequent first, each spelt as in an item that has it.
    ///
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func suggest(_ prefix: String, limit: Int = 5) throws -> [String] {
        let words = try index?.answer { try $0.snapshot.suggest(prefix, limit: limit) } ?? []
        let tags = try spellings(of: words, in: .tags)
        let collections = try spellings(of: words, in: .collections)
        return try words.indices.map { number in
            // The spelling of a name is the folded word if no item has such a name.
            let names = [tags[number], collections[number]].filter { $0 != words[number] }
            return try names.first ?? spelling(ofWord: words[number]) ?? words[number]
        }
    }

    /// The spelling of a word in the latest item that has it, in its title, or else its texts, or else its names.
    private func spelling(ofWord word: String) throws -> String? {
        let request = ItemRequest(.phrase(word), order: .recent, limit: 1)
        guard let row = try find(request).hits.first?.row, let stored = try? item(row) else { return nil }
        let highlighter = request.query.highlighter
        let title = highlighter.snippet(of: Array(store.displayTitle(of: stored).utf8))
        let names = highlighter.snippet(of: Array(Self.names(in: stored).joined(separator: "\n").utf8))
        for found in [title, snippet(of: stored, highlighter), names] {
            guard let found else { continue }
            for mark in found.marks {
                let spelling = String(decoding: found.text[mark], as: UTF8.self)
                if Folding.fold(spelling) == word { return spelling }
            }
        }
        return nil
    }

    /// Tags, collections, and what is short besides: author, site, the page's title, the document.
    private static func names(in stored: StoredItem) -> [String] {
        let item = stored.item
        let others = [item.linkAuthor, item.linkSite, item.linkTitle, stored.document?.name]
        return item.tags.prefix(Layout.searchedTagLimit) + others.compactMap(\.self)
    }

    /// The spelling of tags or collections in an item that has them; the folded value if there is none.
    ///
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func spellings(of values: [String], in folder: NamedFolder) throws -> [String] {
        if folder == .smart { return values }
        let isCollection = folder == .collections
        let kind: ExactTerm.Kind = isCollection ? .collection : .tag
        let keys = try index?.answer(startsSweep: false) { view in
            try values.map { try view.snapshot.keys(with: ExactTerm(kind, $0.utf8), limit: 1).first }
        }
        guard let keys else { return values }
        // Each item is read once, even for several values.
        var spellings: [DocumentKey: [[UInt8]: String]] = [:]
        return zip(values, keys).map { value, key in
            guard let key else { return value }
            if let known = spellings[key] { return known[Array(value.utf8)] ?? value }
            let stored = (try? store.item(ItemID(key))) ?? nil
            let found = stored.map { isCollection ? Self.collections(in: $0.item) : Self.tags(in: $0.item) } ?? [:]
            spellings[key] = found
            return found[Array(value.utf8)] ?? value
        }
    }

    /// The tags of an item by the bytes of their folded spelling: String's own hash takes quadratic time for combining marks.
    private static func tags(in item: Item) -> [[UInt8]: String] {
        let tags = item.tags.prefix(Layout.searchedTagLimit)
        return Dictionary(tags.map { (Folding.fold($0.utf8), $0) }) { first, _ in first }
    }

    /// The collections of an item, and those around them, by the bytes of their folded spelling.
    private static func collections(in item: Item) -> [[UInt8]: String] {
        var spellings: [[UInt8]: String] = [:]
        for name in Item.collections(among: item.tags.prefix(Layout.searchedTagLimit)).compactMap({ CollectionName($0) }
        ) {
            // The name of a surrounding collection is a prefix of the nested one's name.
            var beginning = ""
            for (place, part) in name.parts.enumerated() {
                beginning += (place == 0 ? "" : "/") + part
                let folded = Folding.fold(beginning.utf8)
                if folded.count > Layout.tagByteLimit { break }
                if spellings[folded] == nil { spellings[folded] = beginning }
            }
        }
        return spellings
    }
}
