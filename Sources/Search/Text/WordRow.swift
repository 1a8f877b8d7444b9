/// A text as its folded words in a row: ` word word word `, each run of letters and digits one word.
///
/// With a space before and behind every word, a whole word is found as ` word `, the beginning of one as ` word`, and a
/// phrase as ` one two three `, by plain byte search.
package struct WordRow: Sendable {
    package private(set) var bytes: [UInt8] = [0x20]

    package init() {}

    package init(_ text: some Collection<UInt8>) { append(text) }

    package var isEmpty: Bool { bytes.count == 1 }

    /// Adds the words of a text; words of texts added one by one never form a phrase.
    package mutating func append(_ text: some Collection<UInt8>) {
        if !isEmpty { bytes.append(0x20) }
        if text.allSatisfy({ $0 < 0x80 }) {
            for byte in text {
                let byte = Folding.lowerASCII(byte)
                if (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x30 && byte <= 0x39) {
                    bytes.append(byte)
                } else if bytes.last != 0x20 {
                    bytes.append(0x20)
                }
            }
        } else {
            for scalar in String(decoding: Folding.fold(text), as: UTF8.self).unicodeScalars {
                if Self.isWordScalar(scalar) {
                    bytes += UTF8.encode(scalar).map(Array.init) ?? []
                } else if bytes.last != 0x20 {
                    bytes.append(0x20)
                }
            }
        }
        if bytes.last != 0x20 { bytes.append(0x20) }
    }

    /// The words one by one.
    package var words: [[UInt8]] { bytes.split(separator: 0x20).map(Array.init) }

    /// Letters (L) and numbers (N) of Unicode's general categories.
    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 {
            return (scalar.value >= 0x61 && scalar.value <= 0x7A) || (scalar.value >= 0x30 && scalar.value <= 0x39)
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }

    /// Whether the bytes stand somewhere in the row.
    package func contains(_ pattern: [UInt8]) -> Bool { ByteSearch.contains(pattern, in: bytes) }
}
