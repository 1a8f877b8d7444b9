public import Items
internal import JSONFormat
internal import Search

/// What is sent to have tags suggested.
public struct TagRequest: Sendable {
    /// The item.
    public let stored: StoredItem
    /// The request for it.
    public let request: AIRequest
    /// A hash of what it holds of the item.
    public let fingerprint: String
    /// Whether text or article was cut to fit.
    public let isCut: Bool
}

extension Library {
    /// The tags of the library that a model may see, most used first: at most 200, and 4 KiB. Tags that only items have
    /// which are never sent are not among them.
    ///
    /// - Throws: `ItemError`, and `FileError` if a file of the index cannot be read.
    public func mostUsedTags(_ never: NeverSent, limit: Int = 200) throws -> [(tag: String, count: Int)] {
        var request = ItemRequest(never.query.map { .not($0) } ?? .everything, order: .recent, limit: 1)
        request.facets = [.tags]
        request.isFresh = true
        let counts = try find(request).facets?.tags.filter { !TagList.isReserved($0.value) } ?? []
        let most = counts.sorted { ($1.count, $0.value) < ($0.count, $1.value) }.prefix(limit)
        let spellings = try spellings(of: most.map(\.value), in: .tags)
        var byteCount = 0
        return zip(spellings, most).prefix { tag, _ in
            byteCount += tag.utf8.count
            return byteCount <= 4 << 10
        }.filter { TagReading.tag($0.0) != nil }.map { ($0.0, $0.1.count) }
    }

    /// The request that has tags suggested for an item. Nothing is sent.
    ///
    /// - Parameters:
    ///   - stored: the item as read.
    ///   - known: the library's most used tags.
    ///   - settings: the provider and model.
    ///   - byteLimit: the largest number of bytes of text and article together; `nil` for 24 KiB.
    /// - Throws: `ItemError`.
    public func tagRequest(
        for stored: StoredItem, known: [String], _ settings: AISettings, byteLimit: Int? = nil
    ) throws(ItemError) -> TagRequest {
        let excerpt = try ItemExcerpt(stored, store, limit: byteLimit ?? ItemExcerpt.byteLimit)
        let question = AIQuestion(
            name: "suggest_tags",
            instructions: """
                You suggest tags for one item of a person's library: a web page, a note or a document. Give the three to \
                seven tags that help the person to find it again. Prefer tags of "existingTags", spelt as they are. A new \
                tag is one to three words in the language of the existing tags, in lower case, without # and commas. Do \
                not repeat the item's own tags. \(AIQuestion.dataRule)
                """,
            content: .members([("existingTags", .strings(known)), ("item", excerpt.json)]),
            schema: AIQuestion.object([("tags", AIQuestion.texts("The suggested tags."))]), answerTokens: 400)
        return TagRequest(
            stored: stored, request: AIRequest(question, settings), fingerprint: excerpt.fingerprint,
            isCut: excerpt.isCut)
    }

    /// Has tags suggested for items. Nothing is written.
    ///
    /// - Parameters:
    ///   - requests: as `tagRequest` makes them.
    ///   - known: the library's tags, which the requests hold.
    ///   - service: sends the requests.
    ///   - answered: receives the place of a request and its outcome, in the order of the answers.
    ///   - monitor: cancels.
    /// - Throws: `AIError` that concerns all requests, `CaptureWorker.Failure`, and `ItemError.cancelled`. What was answered
    ///   before was passed on.
    public func suggestTags(
        _ requests: [TagRequest], known: [String], _ service: AIService, _ monitor: Monitor = Monitor(),
        answered: (Int, Result<TagSuggestions, AIError>) throws -> Void
    ) throws {
        let reading = TagReading(known: known, find: existingTags)
        try service.ask(requests.map(\.request), monitor) { place, answer throws(AIError) in
            let request = requests[place]
            let (tags, refusedCount) = try reading.suggestions(answer, own: request.stored.item.plainTags)
            return TagSuggestions(
                id: request.stored.id, fingerprint: request.fingerprint, tags: tags, refusedCount: refusedCount)
        } answered: { place, result in
            try answered(place, result)
            return true
        }
    }

    /// For each tag its spelling in an item that has it; `nil` if the index knows none.
    private func existingTags(_ tags: [String]) -> [String?] {
        let keys = index?.glance { snapshot in
            try tags.map { try snapshot.keys(with: ExactTerm(.tag, Folding.fold($0.utf8)), limit: 1).first }
        }
        return zip(tags, keys ?? tags.map { _ in nil }).map { tag, key in
            let stored = key.flatMap { (try? store.item(ItemID($0))) ?? nil }
            // The index knows tags without their accents.
            return stored?.item.plainTags.first { TagList.areSame($0, tag) }
        }
    }

    // MARK: Fewer tags

    /// The request that has nearly equal tags merged. Nothing is sent.
    public func shrinkRequest(_ tags: [(tag: String, count: Int)], _ settings: AISettings) -> AIRequest {
        let list = tags.map { JSON.members([("tag", .string($0.tag)), ("items", .integer($0.count))]) }
        let merge = AIQuestion.object([
            ("from", AIQuestion.texts("Tags that mean the same as \"into\".")),
            ("into", AIQuestion.text("The tag that stays.")),
        ])
        let question = AIQuestion(
            name: "merge_tags",
            instructions: """
                You tidy the tags of a person's library. Find tags that mean the same: other spellings, singular and \
                plural, abbreviations, translations. For each group, name the tag that stays ("into", usually the one with \
                most items) and the others ("from"). Use only tags of the list, spelt as they are. Leave tags alone that \
                are only related. \(AIQuestion.dataRule)
                """,
            content: .members([("tags", .array(list))]),
            schema: AIQuestion.object([("merges", AIQuestion.list(of: merge, "Groups of tags that mean the same."))]),
            answerTokens: 2000)
        return AIRequest(question, settings)
    }

    /// Has merges of nearly equal tags suggested. Nothing is written.
    ///
    /// - Throws: `AIError`, `CaptureWorker.Failure`, and `ItemError.cancelled`.
    public func suggestMerges(
        _ tags: [(tag: String, count: Int)], _ service: AIService, _ monitor: Monitor = Monitor()
    ) throws -> [TagMerge] {
        var merges: [TagMerge] = []
        try service.ask([shrinkRequest(tags, service.settings)], monitor) { _, answer throws(AIError) in
            try TagMerge.read(answer, known: tags.map(\.tag))
        } answered: { _, result in
            merges = try result.get()
            return true
        }
        return merges
    }
}

/// Tags that a model takes for the same.
public struct TagMerge: Sendable, Equatable {
    /// The tags that go, as the library spells them.
    public let from: [String]
    /// The tag that stays, as the library spells it.
    public let into: String

    /// The most merges of one answer.
    private static let limit = 50

    /// Tags that the library does not have, and tags that are named twice, are dropped.
    static func read(_ answer: AIAnswer, known: [String]) throws(AIError) -> [TagMerge] {
        let json = try answer.object()
        guard let list = json.member("merges", of: json.root), json.kind(list) == .array else {
            throw .brokenAnswer("it has no list of merges")
        }
        let spellings = Dictionary(known.map { (TagList.Key($0), $0) }) { first, _ in first }
        var used = TagList([])
        var merges: [TagMerge] = []
        for element in json.elements(list).prefix(limit) {
            guard let into = json.member("into", of: element).flatMap({ json.string($0) }),
                let from = json.member("from", of: element), json.kind(from) == .array
            else { throw .brokenAnswer("a merge in it has no tags") }
            func spelling(_ text: String) -> String? {
                text.utf8.count <= Layout.tagByteLimit ? spellings[TagList.Key(text)] : nil
            }
            guard let into = spelling(into), !used.contains(into) else { continue }
            used.add(into)
            var gone: [String] = []
            for tag in json.elements(from).compactMap({ json.string($0) }).compactMap(spelling)
            where !used.contains(tag) {
                used.add(tag)
                gone.append(tag)
            }
            if !gone.isEmpty { merges.append(TagMerge(from: gone, into: into)) }
        }
        return merges
    }
}
