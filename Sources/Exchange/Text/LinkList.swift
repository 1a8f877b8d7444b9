import Characters

/// A plain list of links: one a line, optionally followed by a title. Lines that start with `#` are comments. Lines of titles
/// with a tab and the link behind it, and list items of Markdown that are one link each, are links if all lines are.
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
        return counts.links >= 2 && counts.links >= counts.others || isOfTitledLines(head)
    }

    /// Whether every line is a title and a link; the last one may be cut off.
    private static func isOfTitledLines(_ head: [UInt8]) -> Bool {
        var lines = head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).filter { kind($0) != .empty }
        if head.count >= ImportFormat.headByteCount { lines.removeLast() }
        return lines.count >= 2 && lines.allSatisfy { titled($0) != nil }
    }

    /// `Title<TAB>URL`, `- [Title](URL)`, `* <URL>`.
    private static func titled(_ line: ArraySlice<UInt8>) -> (url: String, title: String?)? {
        var text = ImportText.trimmed(String(decoding: line, as: UTF8.self))[...]
        if let tab = text.lastIndex(of: "\t"), isLink(text[text.index(after: tab)...]) {
            let title = ImportText.trimmed(String(text[..<tab]))
            return (String(text[text.index(after: tab)...]), title.isEmpty ? nil : title)
        }
        guard let mark = text.popFirst(), "-*+".contains(mark), text.popFirst() == " " else { return nil }
        text = ImportText.trimmed(String(text))[...]
        if text.first == "<", text.last == ">" {
            let url = text.dropFirst().dropLast()
            return isLink(url) ? (String(url), nil) : nil
        }
        if isLink(text) { return (String(text), nil) }
        guard text.first == "[", text.last == ")", let border = text.firstRange(ofText: "](") else { return nil }
        let url = text[border.upperBound...].dropLast()
        return isLink(url) ? (String(url), String(text[..<border.lowerBound].dropFirst())) : nil
    }

    /// Whether there are at least two lines, and each is the name of a host in a domain, optionally with a path.
    static func isOfHosts(_ head: ArraySlice<UInt8>) -> Bool {
        var lines = head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).filter { kind($0) != .empty }
        if head.count >= ImportFormat.headByteCount - 3 { lines.removeLast() }
        return lines.count >= 2
            && lines.allSatisfy { line in
                let word = line.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
                let host = word.prefix { $0 != UInt8(ascii: "/") }
                let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                return labels.count >= 2 && !word.contains { $0 <= 0x20 }
                    && labels.allSatisfy { label in
                        !label.isEmpty
                            && label.allSatisfy { $0.lowercased.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
                    }
                    && labels[labels.count - 1].count >= 2
                    && labels[labels.count - 1].allSatisfy { $0.lowercased.isLetter }
            }
    }

    private static func isLink(_ text: Substring) -> Bool {
        let lower = text.prefix(8).lowercased()
        return (lower.hasPrefix("http://") || lower.hasPrefix("https://")) && !text.contains(where: \.isWhitespace)
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
                if let found = titled(line[...]) {
                    (entry.url, entry.title) = (found.url, found.title)
                    try sink(.entry(entry))
                    continue
                }
                let url = text.prefix { !$0.isWhitespace }
                entry.url = String(url)
                let title = ImportText.trimmed(String(text[url.endIndex...]))
                entry.title = title.isEmpty ? nil : title
                try sink(.entry(entry))
            }
        }
    }
}
