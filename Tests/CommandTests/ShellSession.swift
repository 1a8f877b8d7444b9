import Glibc
import TestSupport
import Testing

/// A shell at a terminal, into which commands are typed with Tab; the arguments of `sbfs` are recorded.
struct ShellSession {
    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    /// A line to type, without the return key, and the words that sbfs must receive.
    struct Line {
        let typed: String
        let words: [String]
        /// A description for the person who reads a failure.
        let meaning: String
    }

    let shell: Shell
    let sandbox: Sandbox

    /// The longest wait for a line on a busy machine before it counts as running no command.
    private static let patience = 20

    /// Types all lines.
    ///
    /// - Returns: sentences about what is wrong.
    func run(_ lines: [Line]) throws -> [String] {
        let record = try sandbox.file("record", "")
        let program = try sandbox.file(
            "bin/sbfs",
            #"""
            #!/bin/sh
            case "$1" in complete|completion) exec "$SBFS_REAL" "$@" ;; esac
            {
                for word; do printf '%s' "$word" | od -An -v -tx1 | tr -d ' \n'; printf ' '; done
                echo
            } >> "$SBFS_RECORD"
            """#)
        chmod(program, 0o755)
        var environment = sandbox.environment
        environment["SBFS_REAL"] = Sbfs.binary
        environment["SBFS_RECORD"] = record
        environment["PATH"] = sandbox.desk + "/bin:" + (environment["PATH"] ?? "")
        environment["ZDOTDIR"] = sandbox.desk
        environment["HISTFILE"] = "/dev/null"
        try sandbox.file("bashrc", "PS1='> '\nbind 'set bell-style none'\nsource <(sbfs completion bash)\n")
        try sandbox.file(
            ".zshrc",
            "PS1='> '\nsetopt extendedglob\nautoload -Uz compinit\ncompinit -u -D\nsource <(sbfs completion zsh)\n")
        let words =
            switch shell {
            case .bash: ["bash", "--rcfile", sandbox.desk + "/bashrc", "-i"]
            case .zsh: ["zsh", "-i"]
            case .fish: ["fish", "-i", "-C", "set fish_greeting; sbfs completion fish | source"]
            }
        var faults: [String] = []
        func count() -> Int { ((try? sandbox.scratch.text("desk/record")) ?? "").count { $0 == "\n" } }
        var launch = Launch(words: words, environment: environment, folder: sandbox.desk, screen: .whole)
        launch.typed = "\u{3}\rexit\r"
        launch.conversation = { terminal in
            guard (0..<5).contains(where: { _ in terminal.type("sbfs ready\r", within: 10) { count() > 0 } }) else {
                faults.append("\(shell) runs no command")
                return
            }
            for line in lines {
                let before = count()
                if !terminal.type(line.typed + "\r", within: Self.patience, until: { count() > before }) {
                    faults.append("\(line.meaning): no command was run for \(line.typed.debugDescription)")
                    if faults.count > 20 { return }
                    _ = terminal.type("\u{3}", within: 1) { false }
                    continue
                }
                let last = try sandbox.scratch.text("desk/record").split(separator: "\n").last ?? ""
                let received = last.split(separator: " ").map(Self.text)
                if received != line.words {
                    faults.append("\(line.meaning): \(line.typed.debugDescription) gave \(received)")
                }
            }
        }
        let run = try launch.run()
        if faults.isEmpty, run.status != 0, run.terminal.isEmpty { faults.append("\(run)") }
        return faults
    }

    private static func text(_ hexadecimal: Substring) -> String {
        let digits = Array(hexadecimal.utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) ?? 0
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
