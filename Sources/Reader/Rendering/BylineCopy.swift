import Characters
internal import Characters
internal import HTML
internal import Time

/// A line of an article's beginning that only repeats the authors, which are shown above the article, or the beginning of
/// such a line: "By A. Person — The text goes on".
///
/// A line ends with its block or at a line break. A name alone is a byline only as a whole line; before more text it needs
/// a word such as "by", since it may be the subject of the sentence.
struct BylineCopy {
    /// Lines from the beginning in which a byline is looked for.
    private static let lineLimit = 6
    /// Bytes of a longer line are running text.
    private static let byteLimit = 160

    private let authors: [String]
    private let shown: String
    /// The day that is shown beside the authors.
    private let day: CalendarDate?
    private var content: Content

    /// The content without such a line.
    static func removed(from content: Content, authors: [String], published: String? = nil) -> Content {
        if authors.isEmpty { return content }
        var copy = BylineCopy(
            authors: authors, shown: authors.map(MetaText.skeleton).joined(),
            day: published.flatMap(DayText.day), content: content)
        copy.remove()
        return copy.content
    }

    private mutating func remove() {
        var left = Self.lineLimit
        for root in content.roots {
            for line in TextLines.first(left, of: root, in: content) {
                left -= 1
                let text = text(of: line.texts, limit: Self.byteLimit + 1)
                if isByline(text), !line.followsBreak || Self.name(in: text) != text {
                    return drop(line)
                }
                if let cut = headEnd(line) { return trim(line, before: cut) }
            }
            if left <= 0 { return }
        }
    }

    // MARK: Whole lines

    private mutating func drop(_ line: TextLines.Line) {
        for node in line.block.map({ [$0] }) ?? line.nodes {
            for each in node..<Int(content.tree.nodes[node].end) { content.isDropped[each] = true }
        }
    }

    private func text(of nodes: some Sequence<Int>, limit: Int) -> String {
        var bytes: [UInt8] = []
        for node in nodes {
            for byte in content.tree.bytes(node) where bytes.count < limit {
                if !byte.isHTMLSpace { bytes.append(byte) } else if bytes.last != 0x20 { bytes.append(0x20) }
            }
        }
        return String(decoding: bytes, as: UTF8.self).trimmed
    }

    /// Whether a line says nothing but the names, with "by" before them, "and" between them, and the day behind them.
    private func isByline(_ line: String) -> Bool {
        guard !line.isEmpty, line.utf8.count <= Self.byteLimit, !line.hasSuffix(":") else { return false }
        let text = Self.name(in: withoutDay(line))
        if MetaText.skeleton(text) == shown { return true }
        if authors.count < 2 { return false }
        return [" and ", " und ", " et ", " y ", " e ", " en "].contains { word in
            text.contains(text: word) && MetaText.skeleton(text.replacing(text: word, with: ", ")) == shown
        }
    }

    /// The line without the day that is shown beside the authors.
    private func withoutDay(_ line: String) -> String {
        guard let day else { return line }
        for monthFirst in [false, true] {
            guard let found = DateReading(latest: day, monthFirst: monthFirst).first(in: line.utf8),
                found.date == day, DateReading.isDateAlone(line.utf8.dropFirst(found.place))
            else { continue }
            var head = String(decoding: line.utf8.prefix(found.place), as: UTF8.self)
            for word in [" on", " am", " le", " el", " il", " published", " posted"] {
                head = head.trimmed
                if head.lowercased().hasSuffix(word) { head = String(head.dropLast(word.count)) }
            }
            return head
        }
        return line
    }

    // MARK: The beginning of a line

    /// Marks between a byline and the text, each with its spaces.
    private static let marks = ["—", "–", "|", "·", "•", " - ", " // "]

    /// The number of text nodes of the line, and of bytes of the next one, that are a byline before more text.
    private func headEnd(_ line: TextLines.Line) -> (nodes: Int, bytes: Int)? {
        // After an element: "By <b>A. Person</b> The text goes on".
        var head: [Int] = []
        for (place, node) in line.texts.prefix(4).enumerated() {
            let bytes = content.tree.bytes(node)
            if let cut = markEnd(bytes), isSpokenByline(text(of: head, limit: 200) + " " + cut.before) {
                return (place, cut.end)
            }
            head.append(node)
            let spoken = text(of: head, limit: 200)
            if spoken.utf8.count > Self.byteLimit { return nil }
            guard isSpokenByline(spoken), place + 1 < line.texts.count else { continue }
            let next = content.tree.bytes(line.texts[place + 1])
            let start = next.prefix { $0.isHTMLSpace }.count
            if let cut = markEnd(next), cut.before.isEmpty { return (place + 1, cut.end) }
            // The sentence may go on after the name: "By A. Person's account".
            let first = String(decoding: next.dropFirst(start).prefix(4), as: UTF8.self).first
            guard start > 0 || bytes.last?.isHTMLSpace ?? false, let first, first.isUppercase || "\"“„«".contains(first)
            else { return nil }
            return (place + 1, start)
        }
        return nil
    }

    private func isSpokenByline(_ text: String) -> Bool {
        let text = text.trimmed
        return Self.name(in: text) != text && isByline(text)
    }

    /// The text without "by" and the like, in any script, before the name.
    private static func name(in text: String) -> String { AuthorLabel.removed(from: AuthorName.withoutPrefix(text)) }

    /// What stands before the first mark in a text, and where the text after it begins.
    private func markEnd(_ bytes: ArraySlice<UInt8>) -> (before: String, end: Int)? {
        let text = String(decoding: bytes.prefix(Self.byteLimit), as: UTF8.self)
        let ranges = Self.marks.compactMap { text.firstRange(ofText: $0) }
        guard let first = ranges.min(by: { $0.lowerBound < $1.lowerBound }) else { return nil }
        let end = text.utf8.distance(from: text.startIndex, to: first.upperBound)
        return (String(text[..<first.lowerBound]).trimmed, end + bytes.dropFirst(end).prefix { $0.isHTMLSpace }.count)
    }

    private mutating func trim(_ line: TextLines.Line, before cut: (nodes: Int, bytes: Int)) {
        guard cut.nodes < line.texts.count else { return }
        let first = line.texts[cut.nodes]
        for node in line.texts[..<cut.nodes] { content.isDropped[node] = true }
        for node in line.nodes where Int(content.tree.nodes[node].end) <= first { content.isDropped[node] = true }
        content.tree.nodes[first].start += Int32(cut.bytes)
    }
}

extension Article {
    /// The article as it is shown below its authors.
    var contentWithoutByline: Content { BylineCopy.removed(from: content, authors: authors, published: published) }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
