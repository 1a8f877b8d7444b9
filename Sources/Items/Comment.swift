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
        let characters = Array(comment)
        var runs: [String] = []
        var words: [String] = []
        var word = ""
        var index = 0
        while index < characters.count {
            if let end = Self.quotedEnd(characters, from: index) {
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
        tags = TagList(words.map { String($0.drop { $0 == "#" }) }).tags
    }

    private static func isDouble(_ character: Character) -> Bool { "\"\u{201C}\u{201D}\u{201E}".contains(character) }

    /// Index of the quote that closes the one at `start`, or `nil` if no quoted run begins there.
    private static func quotedEnd(_ characters: [Character], from start: Int) -> Int? {
        switch characters[start] {
        case "\"": return close(characters, start) { characters[$0] == "\"" }
        case "\u{201C}", "\u{201D}": return close(characters, start) { characters[$0] == "\u{201D}" }
        case "\u{201E}":
            return close(characters, start) { characters[$0] == "\u{201C}" || characters[$0] == "\u{201D}" }
        case "'", "\u{2018}":
            let isSmart = characters[start] == "\u{2018}"
            if start > 0, !isBoundary(characters[start - 1]) { return nil }
            if start + 1 < characters.count, characters[start + 1].isWhitespace { return nil }
            return close(characters, start) {
                (characters[$0] == (isSmart ? "\u{2019}" : "'"))
                    && ($0 + 1 == characters.count || isBoundary(characters[$0 + 1]))
            }
        default: return nil
        }
    }

    private static func close(_ characters: [Character], _ start: Int, _ isClose: (Int) -> Bool) -> Int? {
        (start + 1..<max(start + 1, characters.count)).first(where: isClose)
    }

    private static func isBoundary(_ character: Character) -> Bool {
        !character.isLetter && !character.isNumber
    }
}
