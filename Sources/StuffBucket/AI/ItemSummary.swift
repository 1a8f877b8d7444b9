internal import Characters
public import Items
internal import JSONFormat
public import Time

/// A summary that a model made of one item.
public struct ItemSummary: Sendable, Equatable {
    /// Some sentences, in one line.
    public let summary: String
    /// The main statements, in the order of the text.
    public let keyPoints: [String]
    /// Names of people, places, organisations and works.
    public let entities: [String]

    /// Limits of what an answer may bring into an item.
    private enum Limit {
        static let summary = 4000
        static let keyPoint = 500
        static let keyPoints = 12
        static let entity = 100
        static let entities = 30
    }

    init(_ answer: AIAnswer) throws(AIError) {
        let json = try answer.object()
        guard let text = json.member("summary", of: json.root).flatMap({ json.string($0) }) else {
            throw .brokenAnswer("it has no summary")
        }
        summary = Self.line(text, Limit.summary)
        if summary.isEmpty { throw .brokenAnswer("its summary is empty") }
        func lines(_ key: String, _ characters: Int, _ count: Int) -> [String] {
            let list = json.member(key, of: json.root).map { json.elements($0) } ?? []
            return Array(
                list.compactMap { json.string($0) }.map { Self.line($0, characters) }.filter { !$0.isEmpty }
                    .prefix(count))
        }
        keyPoints = lines("keyPoints", Limit.keyPoint, Limit.keyPoints)
        entities = lines("entities", Limit.entity, Limit.entities)
    }

    /// One line without anything invisible, cut at a number of characters.
    private static func line(_ text: String, _ limit: Int) -> String {
        let start = ItemExcerpt.cut(Array(text.utf8), to: limit * 8)
        let words = start.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return String(Printable.visible(words).prefix(limit))
    }

    static let schema = AIQuestion.object([
        ("summary", AIQuestion.text("Two to five sentences in the language of the text.")),
        ("keyPoints", AIQuestion.texts("Three to seven main statements, each one sentence.")),
        ("entities", AIQuestion.texts("Names of people, places, organisations and works.")),
    ])
}

/// How an item that is too large for one request is summarised.
public enum LongText: Sendable {
    /// Its beginning alone.
    case cut
    /// In parts, and then the summaries of the parts.
    case parts
}

/// The requests that a summary of an item needs.
public struct SummaryRequest: Sendable {
    /// The item.
    public let stored: StoredItem
    /// One request, or one for each part. With several, one more joins their answers.
    public let requests: [AIRequest]
    /// Bytes of text and article.
    public let byteCount: Int
    /// A hash of what is sent of the item, before it is cut. If it differs from that of the item now, somebody changed the
    /// item.
    let fingerprint: String

    /// Tokens in and out of all requests, at most.
    public var estimatedTokens: Int {
        requests.reduce(0) { $0 + $1.estimatedTokens } + (requests.count > 1 ? requests.count * 800 + 800 : 0)
    }
}

extension Library {
    /// The largest text that one request for a summary holds: 48 KiB.
    public static let summaryByteLimit = 48 << 10
    private static let partLimit = 40

    /// The requests for a summary of an item. Nothing is sent.
    ///
    /// - Parameters:
    ///   - stored: the item as read.
    ///   - settings: the provider and model.
    ///   - long: what happens to an item that is too large; `nil` to refuse it.
    ///   - byteLimit: the largest number of bytes of one request's text; `nil` for `summaryByteLimit`.
    /// - Returns: `nil` if the item has no text to summarise.
    /// - Throws: `AIError.tooLarge`, and `ItemError`.
    public func summaryRequest(
        for stored: StoredItem, _ settings: AISettings, _ long: LongText?, byteLimit: Int? = nil
    ) throws -> SummaryRequest? {
        let limit = byteLimit ?? Self.summaryByteLimit
        let whole = try ItemExcerpt(stored, store, limit: .max / 4)
        if whole.byteCount == 0 { return nil }
        var contents: [JSON] = []
        if whole.byteCount <= limit {
            contents = [whole.json]
        } else {
            switch long {
            case nil: throw AIError.tooLarge(byteCount: whole.byteCount, limit: limit)
            case .cut: contents = [try ItemExcerpt(stored, store, limit: limit).json]
            case .parts:
                let parts = whole.parts(limit: limit)
                if parts.count > Self.partLimit {
                    throw AIError.tooLarge(byteCount: whole.byteCount, limit: limit * Self.partLimit)
                }
                contents = parts.enumerated().map { number, text in
                    .members([
                        ("title", .string(whole.title)), ("part", .string("\(number + 1) of \(parts.count)")),
                        ("text", .string(text)),
                    ])
                }
            }
        }
        return SummaryRequest(
            stored: stored, requests: contents.map { AIRequest(Self.summaryQuestion($0), settings) },
            byteCount: whole.byteCount, fingerprint: whole.fingerprint)
    }

    private static func summaryQuestion(_ content: JSON) -> AIQuestion {
        AIQuestion(
            name: "summarize",
            instructions: """
                You summarise one item of a person's library: a web page, a note or a document, or a part of one, or \
                summaries of its parts. Say what it says, in its own language, without praise and without opinions of \
                your own. \(AIQuestion.dataRule)
                """,
            content: content, schema: ItemSummary.schema, answerTokens: 1500)
    }

    /// Has items summarised. Nothing is written.
    ///
    /// - Parameters:
    ///   - requests: as `summaryRequest` makes them.
    ///   - service: sends the requests.
    ///   - answered: receives the place of an item and its summary, in the order of the answers.
    ///   - monitor: cancels.
    /// - Throws: `AIError` that concerns all requests, `CaptureWorker.Failure`, and `ItemError.cancelled`. What was answered
    ///   before was passed on.
    public func summarize(
        _ requests: [SummaryRequest], _ service: AIService, _ monitor: Monitor = Monitor(),
        answered: (Int, Result<ItemSummary, AIError>) throws -> Void
    ) throws {
        let short = requests.indices.filter { requests[$0].requests.count == 1 }
        try service.ask(short.map { requests[$0].requests[0] }, monitor) { _, answer throws(AIError) in
            try ItemSummary(answer)
        } answered: { place, result in
            try answered(short[place], result)
            return true
        }
        for place in requests.indices where requests[place].requests.count > 1 {
            try answered(place, try summary(ofParts: requests[place], service, monitor))
        }
    }

    private func summary(
        ofParts request: SummaryRequest, _ service: AIService, _ monitor: Monitor
    ) throws -> Result<ItemSummary, AIError> {
        var parts: [ItemSummary?] = request.requests.map { _ in nil }
        var failure: AIError?
        func take(_ place: Int, _ result: Result<ItemSummary, AIError>) -> Bool {
            switch result {
            case .success(let summary): parts[place] = summary
            case .failure(let error): failure = error
            }
            return failure == nil
        }
        try service.ask(
            request.requests, monitor, read: { _, answer throws(AIError) in try ItemSummary(answer) }, answered: take)
        if let failure { return .failure(failure) }
        let summaries = parts.compactMap { part in
            part.map { JSON.members([("summary", .string($0.summary)), ("keyPoints", .strings($0.keyPoints))]) }
        }
        let content = JSON.members([
            ("title", .string(displayTitle(of: request.stored))), ("summariesOfParts", .array(summaries)),
        ])
        parts = [nil]
        let join = AIRequest(Self.summaryQuestion(content), service.settings)
        try service.ask([join], monitor, read: { _, answer throws(AIError) in try ItemSummary(answer) }, answered: take)
        if let failure { return .failure(failure) }
        return parts.first.flatMap { $0 }.map { .success($0) } ?? .failure(.brokenAnswer("there is none"))
    }
}

extension Step {
    /// Writes a summary into an item: aiSummary, aiArtifacts, aiModelID and aiUpdatedAt, and nothing else.
    ///
    /// - Parameters:
    ///   - summary: what the model made.
    ///   - model: the model's id.
    ///   - request: what was sent. If another program changed the summary since, it is a conflict.
    ///   - time: the time of the change.
    /// - Returns: whether anything was written.
    /// - Throws: `ItemError.changedSince` if the item's title, link, tags, text or article changed since the request was made;
    ///   nothing is written then. Other cases, for example, if the item is gone or its summary changed since.
    @discardableResult
    public func write(
        _ summary: ItemSummary, by model: String, for request: SummaryRequest, at time: Timestamp = .now
    ) throws(ItemError) -> Bool {
        let stored = request.stored
        guard let now = try library.stored(stored.id) else { throw ItemError.noItem(stored.id) }
        if try ItemExcerpt(now, store, limit: .max / 4).fingerprint != request.fingerprint {
            throw ItemError.changedSince(stored.id, what: "what was sent of it")
        }
        var edit = ItemEdit(base: stored.json)
        edit.set(.aiSummary, .string(summary.summary))
        let artifacts = [("keyPoints", JSON.strings(summary.keyPoints)), ("entities", .strings(summary.entities))]
        // Whatever else another program keeps there stays.
        var others: [JSON.Member] = []
        if let there = stored.json.member(ItemField.aiArtifacts.key, of: stored.json.root) {
            for (key, value) in stored.json.members(there) {
                let key = stored.json.string(key) ?? ""
                if !artifacts.contains(where: { $0.0 == key }) { others.append(.init(key, stored.json.copy(value))) }
            }
        }
        edit.set(.aiArtifacts, .object(artifacts.map { JSON.Member($0.0, $0.1) } + others))
        edit.set(.aiModelID, .string(model))
        edit.set(.aiUpdatedAt, .string(time.rfc3339))
        return try update(stored, edit, at: time)
    }
}
