internal import Items
public import Search

extension Library {
    /// Exclusions of a query that exclude nothing: `-tag:kepe` if no item, not even in the trash, has that tag.
    ///
    /// Only names are checked, since a typing error makes another name. A state or word without matches is nothing
    /// unusual.
    ///
    /// - Parameters:
    ///   - parsed: the parsed query.
    ///   - options: `fresh` waits until the index has seen every change of the files.
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func idleExclusions(of parsed: QueryParser, _ options: CountOptions = []) throws -> [QueryNotice] {
        try parsed.exclusions.compactMap { filter in
            guard let kind = filter.nameKind,
                !ItemField.sources.contains(Folding.fold(filter.value)) || kind != .source,
                try !isHeld(filter, options)
            else { return nil }
            let near = filter.isBeginning ? nil : nearestName(to: filter.value, kind)
            return .excludesNothing(filter: filter.typed, suggestion: near.map { Filter(kind, $0).typed })
        }
    }

    private func isHeld(_ filter: Filter, _ options: CountOptions) throws -> Bool {
        let isTrashed = Query.filter(.state(.trashed))
        // Every item matches one of the two, and naming the state includes the trash.
        var request = ItemRequest(
            .and([.filter(filter), .or([isTrashed, .not(isTrashed)])]), order: .recent, limit: 1)
        request.isFresh = options.contains(.fresh)
        return try !find(request).hits.isEmpty
    }

    /// The most frequent name at an edit distance of one. A different digit is no typing error: 2026 is not a
    /// misspelt 2025.
    private func nearestName(to name: String, _ kind: ExactTerm.Kind) -> String? {
        let letters = { (name: String) in name.filter { !$0.isNumber } }
        let own = letters(Folding.fold(name))
        let near: [String]
        if kind == .source {
            near = Edits.near(name).map { String(decoding: $0, as: UTF8.self) }.filter(ItemField.sources.contains)
        } else {
            near = index?.glance { try $0.names(near: name, kind) } ?? []
        }
        guard let best = near.first(where: { letters($0) != own }) else { return nil }
        guard kind == .tag || kind == .collection else { return best }
        return (try? spellings(of: [best], in: kind == .collection ? .collections : .tags).first) ?? best
    }
}

extension Filter {
    fileprivate var isBeginning: Bool {
        switch self {
        case .tagBeginning, .collectionBeginning: true
        default: false
        }
    }

    /// The index's kind of names to which the value belongs; `nil` for words, states and dates.
    fileprivate var nameKind: ExactTerm.Kind? {
        switch self {
        case .tag, .tagBeginning: .tag
        case .collection, .collectionBeginning: .collection
        case .source: .source
        case .site: .site
        case .language: .language
        default: nil
        }
    }

    /// - Parameter kind: a kind that `nameKind` returns.
    fileprivate init(_ kind: ExactTerm.Kind, _ name: String) {
        switch kind {
        case .collection: self = .collection(name)
        case .source: self = .source(name)
        case .site: self = .site(name)
        case .language: self = .language(name)
        default: self = .tag(name)
        }
    }
}
