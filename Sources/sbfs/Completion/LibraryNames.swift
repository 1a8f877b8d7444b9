import StuffBucket

/// Names of a library for completion, from its current index; none without a library.
struct LibraryNames: CompletionNames {
    private let library: Library?
    /// More than a person reads.
    private static let limit = 40

    init(_ library: Library?) { self.library = library }

    func items(beginning prefix: String) -> [CompletionCandidate] {
        guard let library else { return [] }
        if prefix.hasPrefix("@") { return rows(beginning: prefix, library) }
        return library.titles(beginning: prefix, limit: Self.limit).flatMap { completion -> [CompletionCandidate] in
            guard case .items(let ids, _, _) = completion.detail else { return [] }
            if ids.count == 1, Self.isName(completion.text) {
                return [CompletionCandidate(completion.text, completion.detail.wording)]
            }
            // A title of several items means none of them, so their ids are offered.
            return ids.map { CompletionCandidate($0.short, completion.text) }
        }
    }

    /// Whether a title, typed as a word, means its item: it is visible, and is not read as something else first.
    private static func isName(_ title: String) -> Bool {
        if title.utf8.count > 200 || title.hasPrefix("-") || title.hasPrefix("@") { return false }
        // "set" would read a field and its value.
        let field = title.prefix { $0.isLetter || $0 == "_" }
        if !field.isEmpty, field.endIndex == title.firstIndex(of: "=") { return false }
        return Printable.isPlain(title) && ItemReference(title) == .title
    }

    /// Rows of this terminal's last list.
    private func rows(beginning prefix: String, _ library: Library) -> [CompletionCandidate] {
        RowMemory.rows(of: library).prefix(Self.limit).enumerated().compactMap { number, id in
            let word = "@\(number + 1)"
            guard word.hasPrefix(prefix) else { return nil }
            let title = ItemID(id).flatMap { (try? library.stored($0)) ?? nil }
                .map { library.displayTitle(of: $0) }
            return CompletionCandidate(word, title ?? id)
        }
    }

    func tags(beginning prefix: String) -> [CompletionCandidate] { names(beginning: prefix, in: .tags) }

    func collections(beginning prefix: String) -> [CompletionCandidate] { names(beginning: prefix, in: .collections) }

    private func names(beginning prefix: String, in folder: NamedFolder) -> [CompletionCandidate] {
        (library?.names(beginning: prefix, in: folder, limit: Self.limit) ?? []).map {
            CompletionCandidate($0.text, $0.detail.wording)
        }
    }

    func sites(beginning prefix: String) -> [CompletionCandidate] {
        (library?.sites(beginning: prefix, limit: Self.limit) ?? []).map {
            CompletionCandidate($0.text, $0.detail.wording)
        }
    }

    func authors(beginning prefix: String) -> [CompletionCandidate] {
        (library?.authors(beginning: prefix, limit: Self.limit) ?? []).map {
            CompletionCandidate($0.text, $0.detail.wording)
        }
    }

    func languages(beginning prefix: String) -> [CompletionCandidate] {
        (library?.languages(beginning: prefix, limit: Self.limit) ?? []).map {
            CompletionCandidate($0.text, $0.detail.wording)
        }
    }

    func smartFolders(beginning prefix: String) -> [CompletionCandidate] {
        let files = (try? library?.namedFiles(in: .smart).files) ?? []
        return files.filter { $0.name.lowercased().hasPrefix(prefix.lowercased()) }.map {
            CompletionCandidate($0.name, $0.query ?? "")
        }
    }

    func words(beginning prefix: String) -> [CompletionCandidate] {
        (library?.words(beginning: prefix, limit: 10) ?? []).map { CompletionCandidate($0) }
    }
}
