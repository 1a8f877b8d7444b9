/// The search terms for a word typed without quotes: SearchIndex.md § I1.5.
///
/// A text matches if it contains the plain tokens in sequence, or the part, or the bigrams. If the part is required,
/// only the part counts.
package struct BareWord: Equatable, Sendable {
    /// Plain tokens in sequence; the last one may also be the prefix of a longer one. Empty only if the word has no
    /// tokens.
    package private(set) var plain: [[UInt8]]
    /// The word's joined spelling, or its name with a sign. Parts with this prefix match; unless it is required, so
    /// do plain tokens with it ("email" for "e-mail").
    ///
    /// If it is `nil` and `plain` is a single token, parts with that token as prefix match too.
    package private(set) var part: [UInt8]?
    /// Whether only `part` counts: "c++" does not mean "c".
    package private(set) var isPartRequired = false
    /// Bigrams at consecutive indices; the last one may also be the prefix of a longer one. An index without a bigram
    /// has an empty one. `nil` if the word has no character of an unspaced script.
    package private(set) var bigrams: [[UInt8]]?
    /// For a word with bigrams: its pieces in other scripts, which must occur as prefixes of parts.
    package private(set) var pieces: [[UInt8]] = []

    /// - Parameter word: the word as typed, in UTF-8.
    package init(_ word: some Sequence<UInt8>) {
        let tokens = TokenList(word)
        plain = tokens.plain
        if plain.count == 1, let name = tokens.parts.last(where: Self.hasSign) {
            part = name
            isPartRequired = true
        } else if plain.count > 1 {
            let joined = Array(plain.joined())
            if tokens.parts.contains(joined) { part = joined }
        }
        if !tokens.bigrams.isEmpty {
            bigrams = Self.row(tokens.bigrams)
            pieces = plain.flatMap(Self.pieces)
        }
    }

    /// Whether there is nothing to search for.
    package var isEmpty: Bool { plain.isEmpty }

    private static func hasSign(_ part: [UInt8]) -> Bool {
        part.first == UInt8(ascii: ".") || part.last == UInt8(ascii: "+") || part.last == UInt8(ascii: "#")
    }

    private static func row(_ bigrams: [TokenList.Bigram]) -> [[UInt8]] {
        var row: [[UInt8]] = []
        for bigram in bigrams {
            row += Array(repeating: [], count: bigram.index - row.count)
            row.append(bigram.bytes)
        }
        // The last character alone would have to end a run; as part of the bigram before it, it need not.
        if row.count > 1, !row[row.count - 2].isEmpty { row.removeLast() }
        return row
    }

    /// The maximal runs of a token that are not of an unspaced script, if the token has both.
    private static func pieces(of token: [UInt8]) -> [[UInt8]] {
        let runs = ScriptRun.runs(of: token)
        return runs.contains(where: \.isUnspaced) ? runs.filter { !$0.isUnspaced }.map(\.bytes) : []
    }
}
