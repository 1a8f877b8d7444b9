internal import Characters

/// A passage of a text as one line: white space and control characters become one space, and are removed at the ends.
struct SnippetLine {
    private(set) var snippet = Snippet(text: [], marks: [])
    private var hasSpace = false

    private static let ellipsis: [UInt8] = [0xE2, 0x80, 0xA6]

    /// - Parameters:
    ///   - range: the bytes of the passage in the text.
    ///   - marks: matches as bytes of the text, rising; those outside of the range are ignored.
    ///   - isWhole: whether the text really ends where the bytes end.
    init(
        _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, marks: [Range<Int>], isWhole: Bool = true
    ) {
        snippet.text.reserveCapacity(range.count + 6)
        if Self.hasText(text, 0..<range.lowerBound) { snippet.text += Self.ellipsis }
        let start = snippet.text.count
        var marks = marks.drop { $0.upperBound <= range.lowerBound }
        var open: Int?
        var at = range.lowerBound
        while at < range.upperBound {
            if open != nil, let mark = marks.first, at >= mark.upperBound { close(&open, &marks) }
            let scalar = UTF8Scalar(text, at: at)
            if WhiteSpace.isSpaceOrControl(scalar.value) {
                hasSpace = snippet.text.count > start
            } else {
                if hasSpace { snippet.text.append(0x20) }
                hasSpace = false
                if open == nil, let mark = marks.first, at >= mark.lowerBound { open = snippet.text.count }
                for index in 0..<scalar.byteCount {
                    snippet.text.append(UInt8(truncatingIfNeeded: scalar.bytes >> (8 * UInt32(index))))
                }
            }
            at += scalar.count
        }
        close(&open, &marks)
        if !isWhole || Self.hasText(text, range.upperBound..<text.count) {
            snippet.text += Self.ellipsis
        }
    }

    private mutating func close(_ open: inout Int?, _ marks: inout ArraySlice<Range<Int>>) {
        guard let start = open else { return }
        snippet.marks.append(start..<snippet.text.count)
        open = nil
        marks.removeFirst()
    }

    /// Whether a range has anything besides ASCII white space; other white space counts as text.
    private static func hasText(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        text[range].contains { $0 > 0x20 }
    }
}
