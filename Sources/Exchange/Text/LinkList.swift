import Characters

/// A plain list of links: one a line, optionally followed by a title. Lines that start with `#` are comments.
enum LinkList {
    /// Whether at least half of the lines with content are links, and at least two of them; or the only one is.
    ///
    /// - Parameter head: the first bytes of a file; its last line may be cut off.
    static func isOne(_ head: [UInt8]) -> Bool {
        var counts = (links: 0, others: 0)
        for line in head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            switch kind(line) {
            case .link: counts.links += 1
            case .other: counts.others += 1
            case .remark, .empty: break
            }
        }
        if counts.others == 0 { return counts.links > 0 }
        return counts.links >= 2 && counts.links >= counts.others
    }

    private enum Kind { case link, remark, empty, other }

    private static func kind(_ line: ArraySlice<UInt8>) -> Kind {
        guard let first = line.firstIndex(where: { $0 > 0x20 }) else { return .empty }
        if line[first] == UInt8(ascii: "#") { return .remark }
        let start = line[first...].prefix(8).map(\.lowercased)
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8) ? .link : .other
    }

    static func read(_ input: ImportInput, _ sink: ImportSink) throws {
        var lines = try InputLines(input)
        while let line = try lines.next() {
            let text = ImportText.trimmed(String(decoding: line, as: UTF8.self))
            switch kind(line[...]) {
            case .empty: continue
            case .remark: try sink(.untaken("lines that begin with #"))
            case .link, .other:
                var entry = ImportedEntry(at: .line(lines.number))
                let url = text.prefix { !$0.isWhitespace }
                entry.url = String(url)
                let title = ImportText.trimmed(String(text[url.endIndex...]))
                entry.title = title.isEmpty ? nil : title
                try sink(.entry(entry))
            }
        }
    }
}
