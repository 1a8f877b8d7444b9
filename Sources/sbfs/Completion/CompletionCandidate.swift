/// A word that may continue an unfinished command line.
struct CompletionCandidate: Equatable {
    /// The whole word without quotes.
    let word: String
    /// A note for shells that show one; empty if the word says enough.
    let note: String

    init(_ word: String, _ note: String = "") {
        self.word = word
        self.note = note
    }
}
