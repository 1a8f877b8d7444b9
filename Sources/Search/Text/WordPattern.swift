/// The bytes that a `WordRow` contains if words occur in it; they start with a space, unless the first word may begin
/// within another one.
enum WordPattern {
    /// A word as typed: whole, or as the prefix of a longer one. Words of one or two ASCII letters match only whole
    /// words, because they are a prefix of nearly everything.
    static func word(_ text: String) -> [UInt8] {
        let row = WordRow(text.utf8)
        let isShort = row.bytes.count <= 4 && row.bytes.allSatisfy { $0 == 0x20 || ($0 >= 0x61 && $0 <= 0x7A) }
        return isShort ? row.bytes : pattern(row, isPrefix: true)
    }

    /// `word*`
    static func prefix(_ text: String) -> [UInt8] { pattern(WordRow(text.utf8), isPrefix: true) }

    /// `"…"`
    static func phrase(_ text: String) -> [UInt8] { pattern(WordRow(text.utf8), isPrefix: false) }

    static func of(_ words: Filter.Words) -> [UInt8] {
        switch words {
        case .word(let text): word(text)
        case .prefix(let text): prefix(text)
        case .phrase(let text): phrase(text)
        }
    }

    /// Scripts without spaces have neither starts nor ends of words, so the place within a run does not matter.
    private static func pattern(_ row: WordRow, isPrefix: Bool) -> [UInt8] {
        if row.isEmpty { return row.bytes }
        return row.bytes.withUnsafeBufferPointer { bytes in
            var last = bytes.count - 2
            while last > 1, bytes[last] & 0xC0 == 0x80 { last -= 1 }
            let isOpen = isPrefix || UTF8Scalar(bytes, at: last).entry.isUnspaced
            let start = UTF8Scalar(bytes, at: 1).entry.isUnspaced ? 1 : 0
            return Array(bytes[start..<bytes.count - (isOpen ? 1 : 0)])
        }
    }
}
