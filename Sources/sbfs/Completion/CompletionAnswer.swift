/// What an unfinished command line may go on with: FORMAT-independent, read by the scripts of `CompletionScript`.
struct CompletionAnswer {
    /// Names of files that the shell itself adds.
    enum Paths: String {
        case none, files, folders
    }

    var candidates: [CompletionCandidate] = []
    var paths = Paths.none

    /// The kind of paths on the first line, then a line for each word: the word, a tab, what it is.
    var lines: [String] {
        [paths.rawValue]
            + candidates.filter { !$0.word.isEmpty && $0.word.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
            .map { $0.note.isEmpty ? $0.word : $0.word + "\t" + Printable.line($0.note) }
    }
}
