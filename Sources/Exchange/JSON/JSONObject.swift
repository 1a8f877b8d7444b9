internal import Characters
internal import JSONFormat
internal import Time

/// An object of a document, for reading members of many types.
struct JSONObject {
    private let document: JSONDocument
    private let members: [(key: JSONDocument.Value, value: JSONDocument.Value)]
    let value: JSONDocument.Value

    /// - Returns: `nil` for any other kind of value.
    init?(_ value: JSONDocument.Value, of document: JSONDocument) {
        guard document.kind(value) == .object else { return nil }
        self.document = document
        self.value = value
        members = document.members(value)
    }

    subscript(_ key: String) -> JSONDocument.Value? {
        guard let found = members.first(where: { document.isKey($0.key, key) })?.value, document.kind(found) != .null
        else { return nil }
        return found
    }

    /// Whether the key exists, with any value.
    func has(_ key: String) -> Bool { members.contains { document.isKey($0.key, key) } }

    /// The value of the first of these keys that exists.
    subscript(_ keys: [String]) -> JSONDocument.Value? {
        for key in keys { if let value = self[key] { return value } }
        return nil
    }

    /// The first text that is not empty.
    func string(_ keys: String...) -> String? {
        for key in keys {
            if let text = self[key].flatMap({ document.string($0) }), !text.isEmpty { return text }
        }
        return nil
    }

    func number(_ keys: String...) -> Double? {
        guard let value = self[keys] else { return nil }
        let spelling =
            document.kind(value) == .number
            ? String(decoding: document.spelling(value), as: UTF8.self) : document.string(value)
        return spelling.flatMap(Double.init)
    }

    /// `true`, 1, "1", "true" and "yes".
    func flag(_ keys: String...) -> Bool {
        guard let value = self[keys] else { return false }
        switch document.kind(value) {
        case .true: return true
        case .number: return number(keys[0]) == 1 || document.spelling(value).elementsEqual("1".utf8)
        case .string: return ["1", "true", "yes"].contains(document.string(value)?.word.lowercased())
        default: return false
        }
    }

    /// A number or a text that is a date.
    func date(_ keys: String..., expected: ImportDate.Unit) -> Timestamp? {
        guard let value = self[keys] else { return nil }
        if document.kind(value) == .number {
            return Double(String(decoding: document.spelling(value), as: UTF8.self)).flatMap {
                ImportDate.timestamp($0, expected: expected)
            }
        }
        return document.string(value).flatMap { ImportDate.timestamp($0, expected: expected) }
    }

    func object(_ key: String) -> JSONObject? { self[key].flatMap { JSONObject($0, of: document) } }

    /// Names each member of a folder that is not read.
    static func tellFolder(_ folder: JSONObject, except known: Set<String>, _ sink: ImportSink) throws {
        for name in folder.keys.subtracting(known).sorted() {
            try sink(.untaken("folder " + ImportedEntry.cut(name, 60)))
        }
    }

    func elements(_ key: String) -> [JSONDocument.Value] { self[key].map { document.elements($0) } ?? [] }

    /// Tags as an array of texts or of objects with a name, as the keys of an object, or as one text.
    func tags(_ keys: String..., separator: Unicode.Scalar = ",") -> [String] {
        keys.first { self[$0] != nil }.map { names($0, separator: separator).names } ?? []
    }

    /// The same, with the names of an object's other members and of elements without a name: `tags color`.
    ///
    /// - Parameter takesKeys: whether the keys of an object are names.
    func names(
        _ key: String, separator: Unicode.Scalar, takesKeys: Bool = true
    ) -> (names: [String], untaken: [String]) {
        guard let value = self[key] else { return ([], []) }
        if let text = document.string(value) {
            let parts = text.split(ascii: separator).map(ImportText.trimmed)
            return (parts.filter { !$0.isEmpty }, [])
        }
        if let object = inner(value) {
            if !takesKeys { return ([], []) }
            return (object.members.compactMap { document.string($0.key) }.filter { !$0.isEmpty }, [])
        }
        var names: [String] = []
        var untaken: [String] = []
        for element in document.elements(value) {
            if let text = document.string(element) ?? numberSpelling(element) {
                if !text.isEmpty { names.append(text) }
            } else if let object = inner(element),
                let nameKey = ["name", "label", "title", "slug"].first(where: { object.string($0) != nil })
            {
                names.append(object.string(nameKey) ?? "")
                for other in object.copies() where other.key != nameKey && other.value != .null {
                    untaken.append("\(key) \(ImportedEntry.cut(other.key, 60))")
                }
            } else {
                untaken.append(key)
            }
        }
        return (names, untaken)
    }

    /// All members, copied.
    func copies() -> [JSON.Member] {
        members.map { JSON.Member(name($0.key), document.copy($0.value)) }
    }

    /// A key, cut to the length that is kept.
    private func name(_ key: JSONDocument.Value) -> String {
        ImportedEntry.cut(document.string(key) ?? "", ImportedEntry.folderNameByteLimit)
    }

    func isList(_ key: String) -> Bool { self[key].map { document.kind($0) == .array } ?? false }
    func inner(_ value: JSONDocument.Value) -> JSONObject? { JSONObject(value, of: document) }
    func text(_ value: JSONDocument.Value) -> String? { document.string(value) }
    func isFalse(_ key: String) -> Bool { self[key].map { document.kind($0) == .false } ?? false }

    /// `nil` if the value is no number.
    func numberSpelling(_ value: JSONDocument.Value) -> String? {
        document.kind(value) == .number ? String(decoding: document.spelling(value), as: UTF8.self) : nil
    }

    var keys: Set<String> { Set(members.map { name($0.key) }) }
    var offset: Int { document.offset(value) }
}
