internal import Characters
internal import Time

/// A Kindle's `My Clippings.txt`: a publication, a line with place and time, a highlight, and a line of ten `=`.
enum Clippings {
    private static let end = Array("==========".utf8)

    static func isOne(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.prefix(16_384).split(separator: 0x0A, maxSplits: 60, omittingEmptySubsequences: false)
        guard let end = lines.firstIndex(where: { trimmed($0).elementsEqual(Self.end) }), end >= 2, lines.count > 1
        else {
            return false
        }
        return trimmed(lines[1]).starts(with: "- ".utf8)
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let last = line.last, last <= 0x20 { line = line.dropLast() }
        return line
    }

    static func read(_ bytes: [UInt8], _ sink: ImportSink) throws {
        var passages = Passages(prefix: "kindle")
        var block: [String] = []
        var first = 1
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = trimmed(line)
            if line.elementsEqual(end) {
                try take(block, at: first, &passages, sink)
                block = []
                first = index + 2
            } else if !block.isEmpty || !line.isEmpty {
                if block.isEmpty { first = index + 1 }
                block.append(String(decoding: line, as: UTF8.self))
            }
        }
        if !block.isEmpty { try take(block, at: first, &passages, sink) }
        try passages.tell(sink)
    }

    private static func take(
        _ block: [String], at line: Int, _ passages: inout Passages, _ sink: ImportSink
    ) throws {
        guard block.count >= 2, block[1].hasPrefix("- ") else {
            return try sink(.fault(ImportFault(.line(line), .clippingWithoutPlace)))
        }
        var passage = Passages.Passage(at: .line(line))
        (passage.work, passage.author) = work(block[0])
        // "- Your Highlight on page 3 | Location 45-46 | Added on Monday, 4 July 2022 10:11:12", in the device's language.
        let where_ = String(block[1].dropFirst(2))
        let parts = where_.split(separator: "|").map { ImportText.trimmed(String($0)) }
        if let last = parts.last, parts.count > 1 {
            passage.time = time(last)
            if passage.time == nil { passage.unreadDate = last }
        }
        let text = block.dropFirst(2).drop { $0.isEmpty }.joined(separator: "\n")
        let kind = parts.dropLast(parts.count > 1 ? 1 : 0).joined(separator: "|").lowercased()
        if noteWords.contains(where: { kind.contains(text: $0) }) {
            passage.note = text.isEmpty ? nil : text
        } else {
            passage.quote = text.isEmpty ? nil : text
        }
        passage.details = [("clipping", where_)]
        passages.add(passage)
    }

    /// What a note is called in the languages of the device; the other clippings are highlights and bookmarks.
    private static let noteWords = [
        "note", "notiz", "nota", "notitie", "anteckning", "notatka", "заметк", "メモ", "笔记", "筆記", "메모",
    ]

    /// The date behind words such as "Added on Monday,".
    private static func time(_ text: String) -> Timestamp? {
        var starts = [text.startIndex]
        for place in text.indices.dropFirst().prefix(80)
        where !text[place].isWhitespace && text[text.index(before: place)].isWhitespace {
            starts.append(place)
        }
        // The words before may look like parts of a date ("am Montag"), so the shortest one counts.
        for start in starts.reversed() { if let time = ImportDate.timestamp(String(text[start...])) { return time } }
        return nil
    }

    /// `Title (Author)`; the author is in the last parentheses.
    private static func work(_ line: String) -> (String, String?) {
        let line = ImportText.trimmed(line.hasPrefix("\u{FEFF}") ? String(line.dropFirst()) : line)
        guard line.hasSuffix(")"), let open = line.lastIndex(of: "("), open > line.startIndex else {
            return (line, nil)
        }
        let author = line[line.index(after: open)...].dropLast()
        return (ImportText.trimmed(String(line[..<open])), author.isEmpty ? nil : String(author))
    }
}
