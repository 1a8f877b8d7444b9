internal import Items
internal import JSONFormat

/// An object of a JSON file of an exchange, or of this device's memory of one. What is missing or wrong is `nil`.
struct JSONReading {
    private let json: JSONDocument
    private let value: JSONDocument.Value

    /// - Returns: `nil` if the bytes are no JSON object.
    init?(_ bytes: [UInt8], limit: Int = 64 << 20) {
        guard
            let json = try? JSONDocument(
                parsing: bytes, limits: JSONDocument.Limits(byteCount: limit, depth: JSONDocument.Limits.file.depth)),
            json.kind(json.root) == .object
        else { return nil }
        self.init(json, json.root)
    }

    private init(_ json: JSONDocument, _ value: JSONDocument.Value) {
        self.json = json
        self.value = value
    }

    func has(_ key: String) -> Bool { json.member(key, of: value) != nil }
    func text(_ key: String) -> String? { json.member(key, of: value).flatMap { json.string($0) } }
    /// A number in digits: in a string, because it may exceed 2⁵³, or as a number.
    func number(_ key: String) -> Int64? {
        guard let found = json.member(key, of: value) else { return nil }
        return Int64(json.string(found) ?? String(decoding: json.spelling(found), as: UTF8.self))
    }
    func count(_ key: String) -> Int? { number(key).flatMap { $0 >= 0 ? Int($0) : nil } }
    func hash(_ key: String) -> Items.ContentHash? { text(key).flatMap { Items.ContentHash(hex: $0.utf8) } }
    func id(_ key: String) -> ItemID? { text(key).flatMap { ItemID($0) } }

    func object(_ key: String) -> JSONReading? {
        guard let found = json.member(key, of: value), json.kind(found) == .object else { return nil }
        return JSONReading(json, found)
    }

    /// The objects of a list.
    func objects(_ key: String) -> [JSONReading] {
        elements(key).filter { json.kind($0) == .object }.map { JSONReading(json, $0) }
    }

    /// The strings of a list.
    func texts(_ key: String) -> [String] { elements(key).compactMap { json.string($0) } }
    func hashes(_ key: String) -> [Items.ContentHash] { texts(key).compactMap { Items.ContentHash(hex: $0.utf8) } }

    /// The members of an object whose values are strings.
    var strings: [(key: String, value: String)] {
        json.members(value).compactMap { key, value in
            guard let key = json.string(key), let value = json.string(value) else { return nil }
            return (key, value)
        }
    }

    /// The bytes of an object as a file.
    func file(_ key: String) -> [UInt8]? {
        guard let found = json.member(key, of: value), json.kind(found) == .object else { return nil }
        return json.copy(found).file
    }

    private func elements(_ key: String) -> [JSONDocument.Value] {
        guard let list = json.member(key, of: value), json.kind(list) == .array else { return [] }
        return json.elements(list)
    }
}
