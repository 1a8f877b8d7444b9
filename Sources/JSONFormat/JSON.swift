/// A JSON value to write.
public enum JSON: Sendable {
    case null
    case bool(Bool)
    /// A number as spelt.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    /// One key with its value; the order of members is kept.
    public struct Member: Sendable {
        /// The key as text, without escapes.
        public let key: String
        /// The key's value.
        public let value: JSON

        /// Makes a member from a key and its value.
        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// An array of strings.
    public static func strings(_ strings: [String]) -> JSON { .array(strings.map(JSON.string)) }
    /// A whole number.
    public static func integer(_ value: Int) -> JSON { .number(String(value)) }

    /// An object of the members that have a value.
    public static func members(_ members: [(String, JSON?)]) -> JSON {
        .object(members.compactMap { key, value in value.map { Member(key, $0) } })
    }

    /// The object with more members at its end; a value that is no object stays as it is.
    public func adding(_ members: [(String, JSON?)]) -> JSON {
        guard case .object(let own) = self else { return self }
        return .object(own + members.compactMap { key, value in value.map { Member(key, $0) } })
    }
}

extension JSON: Equatable {
    /// Whether two values are written with the same bytes. `String`'s own equality treats "é" in NFC and NFD as
    /// equal, but in a URL or a file name they differ.
    public static func == (a: JSON, b: JSON) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)), (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}

extension JSON.Member: Equatable {
    /// Whether keys and values are equal byte by byte; String's own equality would ignore normal forms.
    public static func == (a: JSON.Member, b: JSON.Member) -> Bool {
        a.key.utf8.elementsEqual(b.key.utf8) && a.value == b.value
    }
}
