/// A hook that has staged files checked before a commit.
struct CommitHook {
    let name: String
    /// The words behind the program.
    private let call: String

    /// All are needed: "git rebase --continue" runs the second one alone, or the third one after "git rebase --apply".
    static let all = [
        CommitHook(name: "pre-commit", call: words),
        CommitHook(name: "prepare-commit-msg", call: words + " --rebase"),
        CommitHook(name: "pre-applypatch", call: words + " --rebase"),
    ]

    private static let words = "git check-staged"

    /// What a hook of the person needs to do the same.
    ///
    /// - Parameter program: as a word for the shell.
    func line(program: String) -> String { "\(program) \(call) || exit 1" }

    /// - Parameter program: as a word for the shell.
    func text(program: String) -> String {
        """
        #!/bin/sh
        # Written by "sbfs git setup"; "sbfs git setup --remove" removes it.
        program=\(program)
        if ! command -v "$program" >/dev/null 2>&1; then
            \(missing)
            exit 0
        fi
        exec "$program" \(call)

        """
    }

    /// A commit runs the first two hooks, and one of them says it.
    private var missing: String {
        call == Self.words
            ? #"echo "pre-commit: $program is not installed, so the staged files are not checked" >&2"#
            : "# The hook pre-commit says so."
    }

    /// Whether a hook is ours and unchanged, for whatever place of the program.
    func isOurs(_ bytes: [UInt8]) -> Bool {
        func parts(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
            bytes.split(separator: 0x0A, omittingEmptySubsequences: false).filter { !$0.starts(with: "program=".utf8) }
        }
        return parts(bytes) == parts(Array(text(program: "").utf8))
    }

    /// Whether a hook of the person has staged files checked: the words are in a line that is no comment.
    static func checks(_ bytes: [UInt8]) -> Bool {
        let words = words.split(separator: " ").map { Array($0.utf8) }
        return bytes.split(separator: 0x0A).contains { line in
            if line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "#") { return false }
            let found = line.split { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ";") }
            return found.indices.dropLast().contains {
                found[$0].elementsEqual(words[0]) && found[$0 + 1].elementsEqual(words[1])
            }
        }
    }
}
