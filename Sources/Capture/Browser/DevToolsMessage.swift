internal import Characters
internal import JSONFormat

/// One message of the browser: the reply to a command, or an event.
///
/// Members are looked up by path. An absent member, or one of another type, reads as `nil` and is no error: the
/// protocol grows.
struct DevToolsMessage {
    let document: JSONDocument
    /// The number of the command, if this is a reply.
    let id: Int?
    /// The name of the event, if this is one.
    let method: String?
    let session: String?
    /// Why the command was refused; `nil` if it was not.
    let refusal: String?
    /// A reply's result or an event's parameters.
    private let content: JSONDocument.Value?

    /// A page that is larger than this as one message is not kept; base64 makes 4 bytes of 3.
    static let byteLimit = 200 << 20

    /// - Returns: `nil` for bytes that are no JSON object.
    init?(_ bytes: [UInt8]) {
        let limits = JSONDocument.Limits(byteCount: Self.byteLimit, depth: 500)
        guard let document = try? JSONDocument(parsing: bytes, limits: limits), document.kind(document.root) == .object
        else { return nil }
        self.document = document
        var id: Int?
        var method: String?
        var session: String?
        var refusal: String?
        var content: JSONDocument.Value?
        for (key, value) in document.members(document.root) {
            switch document.string(key) {
            case "id": id = Int(String(decoding: document.spelling(value), as: UTF8.self))
            case "method": method = document.string(value)
            case "sessionId": session = document.string(value)
            case "error": refusal = document.member("message", of: value).flatMap(document.string) ?? "no reason given"
            case "result", "params": content = value
            default: break
            }
        }
        if id == nil && method == nil { return nil }
        self.id = id
        self.method = method
        self.session = session
        self.refusal = refusal
        self.content = content
    }

    func value(_ path: String...) -> JSONDocument.Value? { content.flatMap { value(path, of: $0) } }

    private func value(_ path: [String], of start: JSONDocument.Value) -> JSONDocument.Value? {
        var value = start
        for key in path {
            guard let next = document.member(key, of: value) else { return nil }
            value = next
        }
        return value
    }

    func string(_ path: String...) -> String? { content.flatMap { value(path, of: $0) }.flatMap(document.string) }
    func flag(_ path: String...) -> Bool? {
        content.flatMap { value(path, of: $0) }.flatMap {
            switch document.kind($0) {
            case .true: true
            case .false: false
            default: nil
            }
        }
    }

    /// A number, without its fraction.
    func integer(_ path: String...) -> Int? { content.flatMap { value(path, of: $0) }.flatMap(integer) }

    func integer(_ value: JSONDocument.Value) -> Int? {
        guard document.kind(value) == .number else { return nil }
        return Double(String(decoding: document.spelling(value), as: UTF8.self)).flatMap {
            Int(exactly: $0.rounded(.towardZero))
        }
    }

    /// The bytes that a string spells in base64.
    func bytes(ofBase64 value: JSONDocument.Value) -> [UInt8]? {
        document.plainBytes(value).flatMap { Base64.decodedAsInBrowsers(Array($0)) }
    }

    /// The bytes of a string, in UTF-8.
    func bytes(_ value: JSONDocument.Value) -> [UInt8]? {
        if let plain = document.plainBytes(value) { return Array(plain) }
        return document.string(value).map { Array($0.utf8) }
    }
}
