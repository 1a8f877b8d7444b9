internal import Characters
internal import JSONFormat

/// A model's answer, in whichever form the server sent it: as one JSON object, or as a stream of events.
///
/// Everything in it is a stranger's text. It is read as data alone.
struct AIAnswer {
    /// Why the answer ends.
    enum End: Equatable {
        case complete
        /// At its limit of length.
        case length
        /// The model, or a filter, declined.
        case declined
    }

    /// The arguments of the tool call, else the text.
    private(set) var text = ""
    private(set) var end: End?
    private var refusal = ""
    private var fault: String?

    /// The longest text of an answer that is read, in bytes.
    private static let byteLimit = 256 << 10
    private static let limits = JSONDocument.Limits(byteCount: 4 << 20, depth: 32)

    /// - Parameter body: of an answer with a status of success.
    /// - Throws: `AIError.brokenAnswer`, `.declined`, `.cutShort`.
    init(_ body: [UInt8]) throws(AIError) {
        let isObject = body.first { $0 > 0x20 } == UInt8(ascii: "{")
        if isObject {
            guard let json = Self.document(body) else { throw .brokenAnswer("it is no JSON") }
            take(json, json.root)
        } else {
            readEvents(body)
        }
        if let fault { throw .brokenAnswer(fault) }
        switch end {
        case .declined: throw .declined(AIAnswer.words(refusal.isEmpty ? text : refusal))
        case .length: throw .cutShort
        case .complete: break
        case nil: throw .brokenAnswer(text.isEmpty ? "it has no answer of a model in it" : "it breaks off")
        }
        if text.utf8.count > Self.byteLimit { throw .brokenAnswer("it is too long") }
    }

    /// The JSON object that the answer must be.
    ///
    /// - Throws: `AIError.brokenAnswer`.
    func object() throws(AIError) -> JSONDocument {
        var bytes = Array(text.utf8)[...]
        // Some models put a fence or a sentence around the object.
        if let start = bytes.firstIndex(of: UInt8(ascii: "{")), let last = bytes.lastIndex(of: UInt8(ascii: "}")),
            start < last
        {
            bytes = bytes[start...last]
        }
        guard let json = Self.document(Array(bytes)), json.kind(json.root) == .object else {
            throw .brokenAnswer("it is not in the form that was asked for")
        }
        return json
    }

    private static func document(_ bytes: [UInt8]) -> JSONDocument? {
        try? JSONDocument(parsing: bytes, limits: limits)
    }

    // MARK: Streams

    /// Events as the HTML standard has them: lines `data: …`, ended by an empty line. Other fields do not matter.
    private mutating func readEvents(_ body: [UInt8]) {
        for line in body.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) where line.starts(with: "data:".utf8) {
            let data = Array(line.dropFirst(5).drop { $0 == 0x20 })
            if data.elementsEqual("[DONE]".utf8) { continue }
            guard let json = Self.document(data) else {
                fault = "an event of its stream is no JSON"
                return
            }
            take(json, json.root)
        }
    }

    // MARK: Protocols

    private mutating func take(_ json: JSONDocument, _ root: JSONDocument.Value) {
        func member(_ key: String, _ object: JSONDocument.Value?) -> JSONDocument.Value? {
            object.flatMap { json.member(key, of: $0) }
        }
        func text(_ key: String, _ object: JSONDocument.Value?) -> String? {
            member(key, object).flatMap { json.string($0) }
        }
        func elements(_ key: String, _ object: JSONDocument.Value?) -> [JSONDocument.Value] {
            member(key, object).map { json.elements($0) } ?? []
        }
        if let error = member("error", root), json.kind(error) == .object {
            fault = AIAnswer.words(text("message", error) ?? "an error in its stream")
            return
        }
        // OpenAI: whole in "message", in parts in "delta".
        if let choice = elements("choices", root).first {
            for key in ["message", "delta"] {
                let message = member(key, choice)
                self.text += text("content", message) ?? ""
                refusal += text("refusal", message) ?? ""
                for call in elements("tool_calls", message).prefix(1) {
                    self.text += text("arguments", member("function", call)) ?? ""
                }
            }
            note(text("finish_reason", choice))
        }
        // Anthropic, whole.
        for part in elements("content", root) {
            switch text("type", part) {
            case "tool_use": if let input = member("input", part) { self.text += Self.spelling(input, json) }
            case "text": self.text += text("text", part) ?? ""
            default: break
            }
        }
        note(text("stop_reason", root))
        // Anthropic, in parts.
        let delta = member("delta", root)
        switch text("type", root) {
        case "content_block_delta": self.text += text("partial_json", delta) ?? text("text", delta) ?? ""
        case "message_delta": note(text("stop_reason", delta))
        default: break
        }
        if !refusal.isEmpty, end != nil { end = .declined }
    }

    private static func spelling(_ value: JSONDocument.Value, _ json: JSONDocument) -> String {
        String(decoding: json.spelling(value), as: UTF8.self)
    }

    private mutating func note(_ reason: String?) {
        switch reason {
        case nil: break
        case "length", "max_tokens", "model_context_window_exceeded": end = .length
        case "content_filter", "refusal": end = .declined
        default: end = .complete
        }
    }

    // MARK: Words

    /// A stranger's words for a message: one line, nothing invisible, at most 300 characters.
    static func words(_ text: String) -> String {
        // By bytes first: a run of combining marks is one character.
        let start = ItemExcerpt.cut(Array(text.utf8.prefix(8000)), to: 4800)
        return String(
            Printable.visible(start).split(whereSeparator: \.isWhitespace)
                .joined(separator: " ").prefix(300))
    }

    /// The message in the body of an error, else the start of the body.
    static func errorWords(_ body: String) -> String {
        guard let json = document(Array(body.utf8)) else { return words(body.hasPrefix("<") ? "" : body) }
        let error = json.member("error", of: json.root)
        let message = error.flatMap { json.string($0) ?? json.member("message", of: $0).flatMap { json.string($0) } }
        return words(message ?? json.member("message", of: json.root).flatMap { json.string($0) } ?? "")
    }
}
