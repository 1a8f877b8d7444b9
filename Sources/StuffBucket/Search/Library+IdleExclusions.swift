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
            let meant = severalNames(in: filter) ?? near.map { Filter(kind, $0).typed }
            return .excludesNothing(filter: filter.typed, suggestion: meant.map { "-" + $0 })
        }
    }

    /// Whether a query of nothing but exclusions selects every item because a text that it excludes occurs nowhere, as
    /// after a typing error. Compares with the current files.
    ///
    /// - Returns: `.selectsEverything`, else `nil`.
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func selectsEverything(_ parsed: QueryParser) throws -> QueryNotice? {
        guard let idle = try parsed.query.excludedTexts.first(where: { try !isHeld($0, .fresh) }) else { return nil }
        let (found, all) = (try count(of: parsed.query), try count(of: .everything))
        return found == all && all > 0 ? .selectsEverything(excluded: idle.description, count: all) : nil
    }

    private func count(of query: Query) throws -> Int {
        var request = ItemRequest(query, order: .recent, limit: 1)
        request.isFresh = true
        return try find(request).count
    }

    private func isHeld(_ filter: Filter, _ options: CountOptions) throws -> Bool {
        try isHeld(.filter(filter), options)
    }

    private func isHeld(_ query: Query, _ options: CountOptions) throws -> Bool {
        let isTrashed = Query.filter(.state(.trashed))
        // Every item matches one of the two, and naming the state includes the trash.
        var request = ItemRequest(
            .and([query, .or([isTrashed, .not(isTrashed)])]), order: .recent, limit: 1)
        request.isFresh = options.contains(.fresh)
        return try !find(request).hits.isEmpty
    }

    /// Exclusions of several names that were typed as one, as tags are typed elsewhere: `tag:a -tag:b` for `tag:a,b`; `nil` for
    /// any other filter.
    private func severalNames(in filter: Filter) -> String? {
        guard let kind = filter.nameKind, !filter.isBeginning else { return nil }
        let names = filter.value.split { ",;".contains($0) }.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
        return names.count < 2 ? nil : names.map { Filter(kind, String($0)).typed }.joined(separator: " -")
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

extension Query {
    /// The excluded conditions on texts of a query that has only exclusions; none of any other query.
    fileprivate var excludedTexts: [Query] {
        let parts: [Query] = if case .and(let parts) = self { parts } else { [self] }
        let excluded = parts.compactMap { part -> Query? in if case .not(let inner) = part { inner } else { nil } }
        return excluded.count < parts.count ? [] : excluded.filter(\.isAboutTexts)
    }

    private var isAboutTexts: Bool {
        switch self {
        case .word, .prefix, .phrase: true
        case .filter(let filter): filter.isAboutText
        case .and(let parts), .or(let parts): parts.contains(where: \.isAboutTexts)
        case .everything, .not: false
        }
    }
}

extension Filter {
    fileprivate var isAboutText: Bool {
        switch self {
        case .title, .text, .author, .url: true
        default: false
        }
    }

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
