extension ImportText {
    /// A name on one line; `nil` if it is empty.
    static func line(_ text: String) -> String? {
        let hasSpace = text.utf8.contains { $0 < 0x20 }
        let line = hasSpace ? text.split(whereSeparator: \.isWhitespace).joined(separator: " ") : trimmed(text)
        return line.isEmpty ? nil : line
    }

    /// The text without white space at its ends.
    static func trimmed(_ text: String) -> String {
        guard let first = text.utf8.first, let last = text.utf8.last else { return text }
        if first > 0x20, last > 0x20, first < 0x80, last < 0x80 { return text }
        guard let start = text.firstIndex(where: { !$0.isWhitespace }),
            let end = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[start...end])
    }
}
