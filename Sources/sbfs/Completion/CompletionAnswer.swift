/// The words that may continue an unfinished command line, for the scripts of `CompletionScript`.
struct CompletionAnswer {
    /// Names of files, which the shell itself adds.
    enum Paths: String {
        case none, files, folders
    }

    var candidates: [CompletionCandidate] = []
    var paths = Paths.none

    /// The kind of paths on the first line, then a line for each word: the word, a tab, a note.
    ///
    /// Words with invisible characters, or with characters that cannot be typed, are left out: no shell could show
    /// them.
    var lines: [String] {
        [paths.rawValue]
            + shown.map { $0.note.isEmpty ? $0.word : $0.word + "\t" + Printable.line($0.note) }
    }

    /// The words alone.
    var words: [String] { shown.map(\.word) }

    /// The lines for bash, with replacements for the line's end. No notes, since bash shows none.
    func lines(for line: BashLine) -> [String] {
        [paths.rawValue] + line.replacements(for: shown.map(\.word))
    }

    private var shown: [CompletionCandidate] { candidates.filter { !$0.word.isEmpty && Printable.isPlain($0.word) } }
}
