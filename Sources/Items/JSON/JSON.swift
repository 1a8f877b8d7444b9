/// A JSON value that is to be written.
package enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number as it is to be spelt.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    /// One key with its value; order counts.
    package struct Member: Equatable, Sendable {
        package let key: String
        package let value: JSON

        package init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    package static func strings(_ strings: [String]) -> JSON { .array(strings.map(JSON.string)) }
    package static func integer(_ value: Int) -> JSON { .number(String(value)) }

    /// An object of those members whose value is there.
    package static func members(_ members: [(String, JSON?)]) -> JSON {
        .object(members.compactMap { key, value in value.map { Member(key, $0) } })
    }
}
