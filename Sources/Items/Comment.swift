internal import Characters

/// A comment typed while saving an item: quoted runs are text, all other words are tags.
///
/// Double quotes, straight or smart, quote anywhere. Single quotes quote only at word boundaries, so an apostrophe in
/// a word is a letter. Quotes of another kind inside a quoted run are part of it. Several runs are joined by
/// newlines. Each other word is a tag; a leading `#` and commas are dropped.
public struct Comment: Equatable, Sendable {
    /// The quoted text, or `nil` if there was none.
    public let text: String?
    /// The words outside quotes, in order, without duplicates.
    public let tags: [String]

    /// Splits a comment into text and tags; never fails.
    public init(parsing comment: String) {
        let characters = comment.charactersApart
        var runs: [String] = []
        var words: [String] = []
        var word = ""
        var index = 0
        var ends = QuoteEnds()
        while index < characters.count {
            if let end = Self.quotedEnd(characters, from: index, &ends) {
                let run = String(characters[index + 1..<end])
                if !run.allSatisfy(\.isWhitespace) { runs.append(run) }
                words.append(word)
                word = ""
                index = end + 1
                continue
            }
            if characters[index].isWhitespace || characters[index] == "," {
                words.append(word)
                word = ""
            } else if !Self.isDouble(characters[index]) {
                word.append(characters[index])
            }
            index += 1
        }
        words.append(word)
        text = runs.isEmpty ? nil : runs.joined(separator: "\n")
        tags = TagList(words.map { String($0.unicodeScalars.drop { $0 == "#" }) }).tags
    }

    private static func isDouble(_ character: Character) -> Bool { "\"\u{201C}\u{201D}\u{201E}".contains(character) }

    /// The next closing quote of each kind, so that a comment of many open quotes is not searched for each of them.
    private struct QuoteEnds {
        private var ends: [Character: Int] = [:]

        /// The first index after `start` that closes a quote of this kind; `nil` if there is none.
        mutating func end(of quote: Character, _ count: Int, after start: Int, _ isClose: (Int) -> Bool) -> Int? {
            var end = ends[quote] ?? 0
            if end <= start {
                end = start + 1
                while end < count, !isClose(end) { end += 1 }
                ends[quote] = end
            }
            return end < count ? end : nil
        }
    }

    /// Index of the quote that closes the one at `start`, or `nil` if no quoted run begins there.
    private static func quotedEnd(_ characters: [Character], from start: Int, _ ends: inout QuoteEnds) -> Int? {
        let quote = characters[start]
        func end(_ isClose: (Int) -> Bool) -> Int? { ends.end(of: quote, characters.count, after: start, isClose) }
        switch quote {
        case "\"": return end { characters[$0] == "\"" }
        case "\u{201C}", "\u{201D}": return end { characters[$0] == "\u{201D}" }
        case "\u{201E}": return end { characters[$0] == "\u{201C}" || characters[$0] == "\u{201D}" }
        case "'", "\u{2018}":
            let isSmart = quote == "\u{2018}"
            if start > 0, !isBoundary(characters[start - 1]) { return nil }
            if start + 1 < characters.count, characters[start + 1].isWhitespace { return nil }
            return end {
                (characters[$0] == (isSmart ? "\u{2019}" : "'"))
                    && ($0 + 1 == characters.count || isBoundary(characters[$0 + 1]))
            }
        default: return nil
        }
    }

    private static func isBoundary(_ character: Character) -> Bool {
        !character.isLetter && !character.isNumber
    }
}
