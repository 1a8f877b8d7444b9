/// The names in a library, for completion.
protocol CompletionNames {
    /// Items, by title, id or row.
    func items(beginning prefix: String) -> [CompletionCandidate]
    func tags(beginning prefix: String) -> [CompletionCandidate]
    func collections(beginning prefix: String) -> [CompletionCandidate]
    func sites(beginning prefix: String) -> [CompletionCandidate]
    func authors(beginning prefix: String) -> [CompletionCandidate]
    func languages(beginning prefix: String) -> [CompletionCandidate]
    func smartFolders(beginning prefix: String) -> [CompletionCandidate]
    /// Words in the library's texts.
    func words(beginning prefix: String) -> [CompletionCandidate]
}
