/// The command line as a person would type it again.
enum TypedLine {
    /// The words with shell quoting, without the library's path, since the line is kept within the library.
    static func text(_ words: [String]) -> String {
        var shown: [String] = []
        var isSkipped = false
        for word in words {
            if isSkipped {
                isSkipped = false
            } else if word == "--library" {
                isSkipped = true
            } else if !word.hasPrefix("--library=") {
                shown.append(quoted(word))
            }
        }
        return (["sbfs"] + shown).joined(separator: " ")
    }

    /// A word with shell quoting where it needs some.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_./:=@,+%".utf8.contains(byte)
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
