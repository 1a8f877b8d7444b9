import Characters

/// The tags of inline elements in a text that may be HTML.
enum InlinePairs {
    private static let names: Set<String> = [
        "a", "abbr", "b", "bdi", "cite", "code", "em", "font", "i", "mark", "p", "q", "s", "small", "span", "strong",
        "sub", "sup", "u",
    ]

    private struct Tag {
        let name: String
        let isEnd: Bool
        let range: Range<Int>
    }

    /// The text without tags that have a partner. A tag alone is text about it.
    static func removed(from text: [UInt8]) -> [UInt8] {
        if !text.contains(UInt8(ascii: "<")) { return text }
        var open: [Tag] = []
        var removed: [Range<Int>] = []
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "<"), let tag = tag(in: text, at: index) else {
                index += 1
                continue
            }
            if !tag.isEnd {
                open.append(tag)
            } else if let partner = open.lastIndex(where: { $0.name == tag.name }) {
                removed += [open[partner].range, tag.range]
                open.removeSubrange(partner...)
            }
            index = tag.range.upperBound
        }
        var output: [UInt8] = []
        var from = 0
        for range in removed.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            output += text[from..<range.lowerBound]
            from = range.upperBound
        }
        return output + text[from...]
    }

    private static func tag(in text: [UInt8], at start: Int) -> Tag? {
        guard let end = text[start...].prefix(200).firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let isEnd = start + 1 < end && text[start + 1] == UInt8(ascii: "/")
        let inner = text[(start + (isEnd ? 2 : 1))..<end]
        let name = String(decoding: inner.prefix { !$0.isHTMLSpace }.map(\.lowercased), as: UTF8.self)
        return names.contains(name) ? Tag(name: name, isEnd: isEnd, range: start..<end + 1) : nil
    }
}
