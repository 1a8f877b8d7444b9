/// What an unfinished command line may go on with: FORMAT-independent, read by the scripts of `CompletionScript`.
struct CompletionAnswer {
    /// Names of files that the shell itself adds.
    enum Paths: String {
        case none, files, folders
    }

    var candidates: [CompletionCandidate] = []
    var paths = Paths.none

    /// The kind of paths on the first line, then a line for each word: the word, a tab, what it is.
    ///
    /// A word with characters that cannot be seen or typed is left out: no shell could show what it stands for.
    var lines: [String] {
        [paths.rawValue]
            + shown.map { $0.note.isEmpty ? $0.word : $0.word + "\t" + Printable.line($0.note) }
    }

    /// The same for bash, with what is to take the place of the line's end; no notes, since bash shows none.
    func lines(for line: BashLine) -> [String] {
        [paths.rawValue] + shown.compactMap { line.replacement(for: $0.word) }
    }

    private var shown: [CompletionCandidate] { candidates.filter { !$0.word.isEmpty && Printable.isPlain($0.word) } }
}
