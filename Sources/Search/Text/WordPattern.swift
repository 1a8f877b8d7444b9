/// The bytes that a `WordRow` contains if words occur in it; they start with a space.
enum WordPattern {
    /// A word as typed: whole, or as the prefix of a longer one. Words of one or two ASCII letters match only whole
    /// words, because they are a prefix of nearly everything.
    static func word(_ text: String) -> [UInt8] {
        let row = WordRow(text.utf8)
        let isShort = row.bytes.count <= 4 && row.bytes.allSatisfy { $0 == 0x20 || ($0 >= 0x61 && $0 <= 0x7A) }
        return isShort ? row.bytes : row.bytes.dropLast()
    }

    /// `word*`
    static func prefix(_ text: String) -> [UInt8] { WordRow(text.utf8).bytes.dropLast() }

    /// `"…"`
    static func phrase(_ text: String) -> [UInt8] { WordRow(text.utf8).bytes }

    static func of(_ words: Filter.Words) -> [UInt8] {
        switch words {
        case .word(let text): word(text)
        case .prefix(let text): prefix(text)
        case .phrase(let text): phrase(text)
        }
    }
}
