/// Finds in a text what a query looks for, and the piece of it that is worth showing.
///
/// Reads by the tokenizer's rules, so that what is marked is what was found, in its original spelling. Has no state
/// that a text changes.
public struct Highlighter: Sendable {
    /// Numbers of terms beyond this are marked, and not counted as different ones.
    private static let termLimit = 64

    private let terms: [HighlightTerm]

    package init(_ terms: [HighlightTerm]) { self.terms = terms }

    /// What is found in a text, as ranges of its bytes: rising and apart from each other.
    public func marks(in text: [UInt8]) -> [Range<Int>] {
        text.withUnsafeBufferPointer { Self.joined(finds(in: $0)) }
    }

    /// The text as one line, whole, with its marks; for titles.
    public func line(of text: [UInt8]) -> Snippet {
        text.withUnsafeBufferPointer { text in
            SnippetLine(text, 0..<text.count, marks: Self.joined(finds(in: text))).snippet
        }
    }

    /// The best piece of a text: with most different terms, then with most finds, then the first one. Without finds, its
    /// beginning.
    ///
    /// It begins and ends between words where there are spaces.
    ///
    /// - Parameters:
    ///   - length: most characters (scalar values) of the piece.
    ///   - limit: bytes of the text that are looked at.
    public func snippet(of text: [UInt8], length: Int = 160, limit: Int = 1 << 20) -> Snippet {
        text.withUnsafeBufferPointer { all in
            // A cut within a scalar makes it ill-formed, and the window ends before it.
            let text = UnsafeBufferPointer(rebasing: all.prefix(limit))
            let finds = finds(in: text)
            let window = SnippetWindow(text, finds, length: length, termLimit: Self.termLimit)
            let isEnd = text.count == all.count
            return SnippetLine(text, window.range, marks: Self.joined(finds), isWhole: isEnd).snippet
        }
    }

    private func finds(in text: UnsafeBufferPointer<UInt8>) -> [HighlightSink.Find] {
        var sink = HighlightSink(terms, text)
        var tokenizer = Tokenizer()
        tokenizer.scan(text, into: &sink)
        var finds: [HighlightSink.Find] = []
        // A token and its part, or the other way round, are one find.
        for find in sink.finds.sorted(by: { $0.source.lowerBound < $1.source.lowerBound }) {
            if let last = finds.last, last.term == find.term, find.source.lowerBound < last.source.upperBound {
                let end = max(last.source.upperBound, find.source.upperBound)
                finds[finds.count - 1].source = last.source.lowerBound..<end
            } else {
                finds.append(find)
            }
        }
        return finds
    }

    private static func joined(_ finds: [HighlightSink.Find]) -> [Range<Int>] {
        var marks: [Range<Int>] = []
        for find in finds {
            if let last = marks.last, find.source.lowerBound < last.upperBound {
                marks[marks.count - 1] = last.lowerBound..<max(last.upperBound, find.source.upperBound)
            } else {
                marks.append(find.source)
            }
        }
        return marks
    }
}
