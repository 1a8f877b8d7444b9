import Characters
internal import HTML

/// HTML of an export (an article, a note) as Markdown: headings, lists, quotes, code, tables, links, emphasis,
/// addresses of images. Parts that Markdown cannot hold are left out and named.
///
/// There is no tree: tokens are read once, so time and memory are linear in the bytes. Elements without an end tag,
/// and tags that are nested wrongly, end with the block around them.
struct MarkdownOfHTML {
    /// The text, without a final line end.
    private(set) var text: String
    /// The kinds of left-out parts, without duplicates, as an import's summary names them.
    private(set) var lost: [String]

    /// - Parameter html: a whole page, or a part of one.
    init(_ html: String) {
        let bytes = Array(html.utf8)
        (text, lost) = bytes.withUnsafeBufferPointer { bytes in
            var walk = MarkupWalk(bytes)
            walk.run()
            return (String(decoding: walk.lines.bytes, as: UTF8.self), walk.lost)
        }
    }

    /// Whether a text is HTML and not a person's text: it starts with a tag, and contains an end tag.
    static func isLikely(_ text: String) -> Bool {
        guard let first = text.utf8.first(where: { $0 > 0x20 }), first == UInt8(ascii: "<") else { return false }
        return hasTags(text)
    }

    /// Whether a text contains any HTML tag.
    static func hasTags(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return false }
        return Array(text.utf8).withUnsafeBufferPointer { bytes in
            var tokenizer = HTMLTokenizer(bytes)
            while tokenizer.next() {
                if tokenizer.kind == .startTag || tokenizer.kind == .endTag,
                    MarkupTag(tokenizer.element) != .other
                {
                    return true
                }
            }
            return false
        }
    }
}
