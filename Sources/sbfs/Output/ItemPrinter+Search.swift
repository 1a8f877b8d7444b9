import StuffBucket

/// The additions of a search to an item: a passage of its text with matches, and how its score was computed.
extension ItemPrinter {
    /// Lines below an item's line, each preceded by a line end.
    func below(_ stored: StoredItem) -> String {
        var text = ""
        if let highlighter, let snippet = library.snippet(of: stored, highlighter) {
            text += "\n    " + marked(snippet)
        }
        if let explanation = hits[stored.id]?.explanation {
            text += "\n    " + style.dim(Printable.line(Self.sentence(explanation)))
        }
        return text
    }

    /// A snippet with its matches in bold, or in brackets without colours.
    func marked(_ snippet: Snippet) -> String {
        var text = ""
        var end = 0
        func piece(_ range: Range<Int>) -> String {
            Printable.line(String(decoding: snippet.text[range], as: UTF8.self))
        }
        for mark in snippet.marks {
            text += piece(end..<mark.lowerBound)
            text += style.isColored ? style.found(piece(mark)) : "[" + piece(mark) + "]"
            end = mark.upperBound
        }
        return text + piece(end..<snippet.text.count)
    }

    /// `score 7.31 = soup 4.10 (idf 5.21, x 4.44, in 312 items) + …`
    static func sentence(_ explanation: ScoreExplanation) -> String {
        let terms = explanation.terms.map { term in
            "\(term.term) \(rounded(term.score)) (idf \(rounded(term.idf)), x \(rounded(term.x)), in "
                + "\(term.documentCount) item\(term.documentCount == 1 ? "" : "s"))"
        }
        return "score \(rounded(explanation.score))" + (terms.isEmpty ? "" : " = " + terms.joined(separator: " + "))
    }

    /// The number with two digits after the decimal point.
    static func rounded(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1e12 else { return "\(number)" }
        let hundredths = Int((abs(number) * 100).rounded())
        return (number < 0 ? "-" : "") + "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "")
            + "\(hundredths % 100)"
    }

    /// The JSON members of a hit, besides those derived for every item.
    func searchMembers(_ stored: StoredItem) -> [(String, JSON?)] {
        guard let hit = hits[stored.id] else { return [] }
        let snippet = highlighter.flatMap { library.snippet(of: stored, $0) }
        return [
            ("score", hit.score == 0 ? nil : .number(Self.rounded(hit.score))),
            ("snippet", snippet.map(Self.json)),
            ("explanation", hit.explanation.map(Self.json)),
        ]
    }

    /// Positions count Unicode scalar values from the start of the text.
    private static func json(_ snippet: Snippet) -> JSON {
        func scalars(_ range: Range<Int>) -> Int { snippet.text[range].count { $0 & 0xC0 != 0x80 } }
        return .members([
            ("text", .string(String(decoding: snippet.text, as: UTF8.self))),
            (
                "marks",
                .array(
                    snippet.marks.map { mark in
                        .array([.integer(scalars(0..<mark.lowerBound)), .integer(scalars(0..<mark.upperBound))])
                    })
            ),
        ])
    }

    private static func json(_ explanation: ScoreExplanation) -> JSON {
        .array(
            explanation.terms.map { term in
                .members([
                    ("term", .string(term.term)), ("items", .integer(term.documentCount)),
                    ("idf", .number(rounded(term.idf))), ("x", .number(rounded(term.x))),
                    ("score", .number(rounded(term.score))),
                ])
            })
    }
}
