/// A hook that has sbfs check what is committed, or what a merge brought.
struct GitHook {
    let name: String
    /// The command of sbfs.
    let command: String
    /// The options of the command, with a space before them.
    private let options: String
    /// Whether git stops if the command fails.
    private let refuses: Bool

    /// The first three are needed: "git rebase --continue" runs the second one alone, or the third one after "git rebase --apply".
    static let all = [
        GitHook(name: "pre-commit", command: check, options: "", refuses: true),
        GitHook(name: "prepare-commit-msg", command: check, options: " --rebase", refuses: true),
        GitHook(name: "pre-applypatch", command: check, options: " --rebase", refuses: true),
        GitHook(name: "post-merge", command: "git rejoin", options: " --hook", refuses: false),
    ]

    private static let check = "git check-staged"

    /// What a hook of the person needs to do the same.
    ///
    /// - Parameter program: as a word for the shell.
    func line(program: String) -> String { "\(program) \(command)\(options)" + (refuses ? " || exit 1" : "") }

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
        exec "$program" \(command)\(options)

        """
    }

    /// A commit runs the first two hooks, and one of them says it.
    private var missing: String {
        name == Self.all[0].name
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

    /// Whether a hook of the person starts the command: its words are in a line that is no comment.
    func isCalled(in bytes: [UInt8]) -> Bool {
        let words = command.split(separator: " ").map { Array($0.utf8) }
        return bytes.split(separator: 0x0A).contains { line in
            if line.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "#") { return false }
            let found = line.split { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ";") }
            return found.indices.dropLast().contains {
                found[$0].elementsEqual(words[0]) && found[$0 + 1].elementsEqual(words[1])
            }
        }
    }
}
