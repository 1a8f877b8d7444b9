/// A word that an unfinished command line may go on with.
struct CompletionCandidate: Equatable {
    /// The whole word, as it is after the shell has taken its quotes away.
    let word: String
    /// What it is, for shells that show it; empty if the word says it.
    let note: String

    init(_ word: String, _ note: String = "") {
        self.word = word
        self.note = note
    }
}
