import StuffBucket

/// Answers that were paid for and are not yet reviewed: in the person's folder of states, for this library, one a line.
final class KeptSuggestions {
    private let draft: Draft
    private let model: String
    /// Every line as it was read or written, with the item that it is about.
    private var lines: [(id: ItemID, bytes: [UInt8])] = []
    /// Answers of the model in use, by the hash of what was sent.
    private var answers: [String: TagSuggestions] = [:]

    /// - Parameter forgotten: items whose earlier answers do not count.
    init(_ library: Library, _ settings: AISettings, forgetting forgotten: [ItemID]) throws {
        model = SHA256.hex(Array("\(settings.baseURL) \(settings.model)".utf8))
        draft = try Draft(of: library, key: "suggest-tags", name: "answers.ndjson")
        // The first answer makes the file, so that a run without a fault waits for the disk once only, at its end.
        guard let bytes = try draft.leftOver() else { return }
        for line in bytes.split(separator: 0x0A) {
            // A line that a crash cut off is none.
            guard let json = try? JSONDocument(parsing: Array(line)), let suggestions = TagSuggestions(json) else {
                continue
            }
            lines.append((suggestions.id, Array(line) + [0x0A]))
            if json.member("model", of: json.root).flatMap({ json.string($0) }) == model {
                answers[suggestions.fingerprint] = suggestions
            }
        }
        if !forgotten.isEmpty {
            drop(forgotten)
            try draft.begin(lines.flatMap(\.bytes))
        }
    }

    /// The number of answers that this run or an earlier one brought, of the model in use.
    var count: Int { answers.count }

    subscript(request: TagRequest) -> TagSuggestions? {
        answers[request.fingerprint].flatMap { $0.id == request.stored.id ? $0 : nil }
    }

    func add(_ suggestions: TagSuggestions) throws {
        guard case .object(let members) = suggestions.json else { return }
        let line = JSON.object(members + [.init("model", .string(model))]).oneLine + [0x0A]
        try draft.append(line)
        lines.append((suggestions.id, line))
        answers[suggestions.fingerprint] = suggestions
    }

    /// Forgets the answers for items, after the person reviewed them. Those for other items stay.
    func forget(_ ids: [ItemID]) throws {
        drop(ids)
        if lines.isEmpty { return draft.remove() }
        try draft.begin(lines.flatMap(\.bytes))
    }

    private func drop(_ ids: [ItemID]) {
        let ids = Set(ids)
        lines.removeAll { ids.contains($0.id) }
        answers = answers.filter { !ids.contains($0.value.id) }
    }
}
