public import JSONFormat

/// A value of item.json or library.json that does not have the type or range that the field table demands.
///
/// The field reads as absent; the value stays in the file.
public struct FieldFault: Error, Equatable, Sendable {
    /// What a field allows.
    package enum Expectation: Equatable, Sendable {
        case object
        case string
        case strings
        case list
        /// `true` or `false`.
        case boolean
        case number
        /// A whole number in a range; without an upper bound, `Int.max`.
        case wholeNumber(ClosedRange<Int>)
        /// A time such as 2026-11-21T10:15:00Z, or a date such as 2026-11-21.
        case time
        /// A path inside the item's folder.
        case path
        /// A SHA-256 as 64 hexadecimal digits.
        case sha256
        case stringOrObject
        case webAddress
        /// The id that is the name of the item's folder.
        case folderName(ItemID)
        /// `monday` or `sunday`.
        case weekday
        /// A key of library.json. Any other is ignored: programs, paths and hosts are never read from there.
        case setting
        /// Keys of library.json, in place of many that are none.
        case settings
    }

    /// What a field holds instead.
    package enum Found: Equatable, Sendable {
        /// A value of another type.
        case kind(JSONDocument.Kind)
        /// A string, at most 60 characters of it.
        case string(String)
        /// Any value as the file spells it, at most 60 bytes of it.
        case spelling(String)
        /// This many more values that do not fit; this fault is about the last of them.
        case more(Int)
        /// This many more keys that are no settings; this fault is about the last of them.
        case moreKeys(Int)
    }

    /// The key; `item.json` if the fault concerns the whole file.
    public let key: String
    /// Where the value begins in the file.
    public let position: TextPosition
    /// The allowed values.
    package let expected: Expectation
    /// The value found.
    package let found: Found

    /// What the field allows, and what is there instead: "expected a string, found a number".
    public var mismatch: String { "expected \(expected), found \(found)" }
}

extension FieldFault: CustomStringConvertible {
    /// Line, column, key and what is wrong, for a person.
    public var description: String { "\(position.line):\(position.column): \(key): \(mismatch)" }
}

extension FieldFault.Expectation: CustomStringConvertible {
    /// The expectation as a phrase in English.
    package var description: String {
        switch self {
        case .object: "an object"
        case .string: "a string"
        case .strings: "an array of strings"
        case .list: "an array"
        case .boolean: "true or false"
        case .number: "a number"
        case .wholeNumber(let range):
            "a whole number from \(range.lowerBound) " + (range.upperBound == .max ? "on" : "to \(range.upperBound)")
        case .time: "a time such as 2026-11-21T10:15:00Z or a date such as 2026-11-21"
        case .path: "a path inside the item's folder"
        case .sha256: "64 hexadecimal digits"
        case .stringOrObject: "a string or an object"
        case .webAddress: "an http or https URL"
        case .folderName(let id): "the folder's name \(id)"
        case .weekday: "\"monday\" or \"sunday\""
        case .setting: "a setting of this format (it is ignored: programs, paths and hosts are never read from here)"
        case .settings: "settings of this format"
        }
    }
}

extension FieldFault.Found: CustomStringConvertible {
    /// What was found as a phrase in English.
    package var description: String {
        switch self {
        case .kind(let kind): kind.phrase
        case .string(let text): "\"\(text)\""
        case .spelling(let text): text
        case .more(let count): "\(count) more values that do not fit, of which this is the last"
        case .moreKeys(let count): "\(count) more values that are none, of which this is the last"
        }
    }
}
