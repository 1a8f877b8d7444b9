internal import Characters

extension JSONError {
    /// What JSON allows at a place.
    package enum Expectation: Sendable, Equatable {
        /// A text of at most this many bytes.
        case byteCount(limit: Int)
        /// At most this many nested lists and objects.
        case depth(limit: Int)
        /// Any value, as the whole text.
        case document
        case endOfFile
        case key
        case keyOrEndOfObject
        /// A key that the object does not have yet.
        case newKey
        case colon
        case valueAfterColon
        case commaOrEndOfObject
        /// A value of a list.
        case value
        case commaOrEndOfList
        /// The closing quote of the text that began here.
        case closingQuote
        case closingQuoteBeforeEndOfLine
        /// An escape instead of a control character.
        case escapedControlCharacter
        case validUTF8
        /// Four hexadecimal digits after `\u`.
        case hexadecimalDigits
        /// A letter or sign that may follow a backslash.
        case escape
        case numberWithoutLeadingZeros
        case digit
    }

    /// What is at the place instead.
    package enum Found: Sendable, Equatable {
        case byteCount(Int)
        case oneMoreLevel
        case endOfFile
        case endOfLine
        /// A key that the object already has.
        case repeatedKey(String)
        case controlCharacter(UInt8)
        case singleQuote
        /// A closing bracket after a comma.
        case bracketAfterComma(UInt8)
        /// A slash, perhaps of a comment.
        case slash
        /// At most 20 printable ASCII characters.
        case text(String)
        /// A byte that is not UTF-8.
        case byte(UInt8)
        case scalar(Unicode.Scalar)
    }
}

extension JSONError.Expectation: CustomStringConvertible {
    /// The expectation as a phrase in English.
    package var description: String {
        switch self {
        case .byteCount(let limit): "at most \(limit) bytes"
        case .depth(let limit): "at most \(limit) nested levels"
        case .document: "a JSON value"
        case .endOfFile: "the end of the file"
        case .key: "a key in double quotes"
        case .keyOrEndOfObject: "a key in double quotes or \"}\""
        case .newKey: "a key that this object does not have yet"
        case .colon: "\":\" after the key"
        case .valueAfterColon: "a value after \":\""
        case .commaOrEndOfObject: "\",\" or \"}\""
        case .value: "a value"
        case .commaOrEndOfList: "\",\" or \"]\""
        case .closingQuote: "a closing quote for the text that began here"
        case .closingQuoteBeforeEndOfLine: "a closing quote before the end of the line"
        case .escapedControlCharacter: "an escape such as \\u0000 for a control character"
        case .validUTF8: "valid UTF-8"
        case .hexadecimalDigits: "four hexadecimal digits after \\u"
        case .escape: "one of \" \\ / b f n r t u after \\"
        case .numberWithoutLeadingZeros: "a number without leading zeros"
        case .digit: "a digit"
        }
    }
}

extension JSONError.Found: CustomStringConvertible {
    /// What was found as a phrase in English, safe to print.
    package var description: String {
        switch self {
        case .byteCount(let count): "\(count) bytes"
        case .oneMoreLevel: "one more"
        case .endOfFile: "the end of the file"
        case .endOfLine: "the end of the line"
        case .repeatedKey(let key): "\"\(key)\" a second time"
        case .controlCharacter(let byte): "control character 0x" + Hexadecimal.pair(byte)
        case .singleQuote: "a single quote"
        case .bracketAfterComma(let byte): "\"\(Character(Unicode.Scalar(byte)))\" after a trailing comma"
        case .slash: "\"/\" (JSON has no comments)"
        case .text("\""): "a double quote"
        case .text(let text): "\"\(text)\""
        case .byte(let byte): "byte 0x" + Hexadecimal.pair(byte)
        case .scalar(let scalar): "character U+" + Self.digits(scalar)
        }
    }

    private static func digits(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
