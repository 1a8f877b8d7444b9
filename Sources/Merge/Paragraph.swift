/// One paragraph: a run of lines that are not empty. Equal if its bytes are, whatever follows it.
struct Paragraph: Hashable {
    /// Without the end of its last line.
    let body: ArraySlice<UInt8>
    /// The end of the last line and the empty lines after it; `nil` for the last paragraph of a text.
    var after: ArraySlice<UInt8>?

    static func == (a: Paragraph, b: Paragraph) -> Bool { a.body == b.body }
    func hash(into hasher: inout Hasher) { hasher.combine(body) }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The bytes with LF alone at the ends of lines.
    var withoutReturns: [UInt8] { LineEnds.lf.given(to: body) }

    /// The bytes with the ends of another paragraph's lines, if these are all the same.
    func withEnds(of other: Paragraph) -> ArraySlice<UInt8> {
        LineEnds(of: other.body).map { $0.given(to: body)[...] } ?? body
    }
}

/// A text as its paragraphs, and what is before the first one and after the last one.
///
/// A line ends at LF; a CR before it belongs to the end. A line of nothing but spaces, tabs and CR is empty. A byte order
/// mark belongs to `head`.
struct ParagraphText {
    let head: ArraySlice<UInt8>
    let paragraphs: [Paragraph]
    let tail: ArraySlice<UInt8>

    init(_ text: [UInt8]) {
        var found: [Paragraph] = []
        let mark = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var head = text[..<text.endIndex], body: Range<Int>?
        var line = mark
        while line < text.count {
            let newline = text[line...].firstIndex(of: 0x0A)
            let end = newline.map { $0 + 1 } ?? text.count
            var bodyEnd = newline ?? text.count
            if newline != nil, bodyEnd > line, text[bodyEnd - 1] == 0x0D { bodyEnd -= 1 }
            let isEmpty = text[line..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
            if isEmpty {
                if let whole = body {
                    found.append(Paragraph(body: text[whole]))
                    body = nil
                }
            } else if let whole = body {
                body = whole.lowerBound..<bodyEnd
            } else {
                if let last = found.indices.last {
                    found[last].after = text[found[last].body.endIndex..<line]
                } else {
                    head = text[..<line]
                }
                body = line..<bodyEnd
            }
            line = end
        }
        if let body { found.append(Paragraph(body: text[body])) }
        self.head = head
        paragraphs = found
        tail = found.last.map { text[$0.body.endIndex...] } ?? []
    }

    /// The bytes between two paragraphs where neither text has them: an empty line, with the line ends of this text.
    var border: [UInt8] {
        let first = paragraphs.first?.after ?? tail
        return first.first == 0x0D ? [0x0D, 0x0A, 0x0D, 0x0A] : [0x0A, 0x0A]
    }
}
