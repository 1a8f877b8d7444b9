/// The search terms for words in quotes, and for `word*`: SearchIndex.md § I1.6.
package struct QuotedWords: Equatable, Sendable {
    /// A part of the first token, if that has characters of an unspaced script.
    package enum Share: Equatable, Sendable {
        /// A piece in another script, which occurs as a part.
        case piece([UInt8])
        /// The same, as the prefix of a part.
        case beginningPiece([UInt8])
        /// The bigrams of a run, with its last character alone: the run ends here.
        case run([[UInt8]])
        /// The bigrams of a run that may go on; the last one is a prefix.
        case openRun([[UInt8]])
    }

    /// Plain tokens in sequence. Empty only if there are no words.
    package let plain: [[UInt8]]
    /// Whether the last token may be the prefix of a longer one.
    package let isOpen: Bool
    /// What stands for the first token if it may begin within another one; empty if it may not.
    package private(set) var shares: [Share] = []
    /// The tokens that follow `shares` in sequence.
    package private(set) var rest: [[UInt8]] = []

    /// - Parameters:
    ///   - text: the words as typed, in UTF-8.
    ///   - isPrefix: whether the last word may be the prefix of any longer one, as in `word*`.
    package init(_ text: some Sequence<UInt8>, isPrefix: Bool) {
        let tokens = TokenList(text)
        plain = tokens.plain
        isOpen = isPrefix || plain.last.map(ScriptRun.runs)?.last?.isUnspaced == true
        guard !tokens.bigrams.isEmpty, let first = plain.first else { return }
        // A long run is cut into several tokens.
        let isOneRun =
            plain.allSatisfy { ScriptRun.runs(of: $0).allSatisfy(\.isUnspaced) }
            && tokens.bigrams.last?.index == tokens.bigrams.count - 1
        let runs =
            isOneRun ? [ScriptRun(bytes: Array(plain.joined()), isUnspaced: true)] : ScriptRun.runs(of: first)
        guard runs.contains(where: \.isUnspaced) else { return }
        if !isOneRun { rest = Array(plain.dropFirst()) }
        for (place, run) in runs.enumerated() {
            let isLast = rest.isEmpty && place == runs.count - 1
            if !run.isUnspaced {
                shares.append(isLast && isPrefix ? .beginningPiece(run.bytes) : .piece(run.bytes))
                continue
            }
            let bigrams = (isOneRun ? tokens : TokenList(run.bytes)).bigrams.map(\.bytes)
            // The last character alone ends a run; as part of the bigram before it, it need not.
            shares.append(isLast ? .openRun(bigrams.count > 1 ? bigrams.dropLast() : bigrams) : .run(bigrams))
        }
    }
}
