/// Finds the words of a query in a text, and the best passage to show.
///
/// It uses the tokenizer's rules, so it highlights in the original spelling exactly what the query matched. Texts do
/// not change its state.
public struct Highlighter: Sendable {
    /// Terms with higher numbers are highlighted, but not counted as different terms.
    private static let termLimit = 64

    private let terms: [HighlightTerm]

    package init(_ terms: [HighlightTerm]) { self.terms = terms }

    /// The matches in a text, as ranges of its bytes: rising and not overlapping.
    package func marks(in text: [UInt8]) -> [Range<Int>] {
        text.withUnsafeBufferPointer { Self.joined(finds(in: $0)) }
    }

    /// The whole text as one line, with its matches; for titles.
    package func line(of text: [UInt8]) -> Snippet {
        text.withUnsafeBufferPointer { text in
            SnippetLine(text, 0..<text.count, marks: Self.joined(finds(in: text))).snippet
        }
    }

    /// The best passage of a text: the one with most different terms, then with most matches, then the first. Without
    /// matches, the start of the text.
    ///
    /// It starts and ends between words if the text has spaces.
    ///
    /// - Parameters:
    ///   - length: the largest number of characters (scalar values) in the passage.
    ///   - limit: the number of bytes of the text that are read.
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
        // A token and its part count as one match.
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
