import Foundation
import TestSupport
import Testing

/// Completion in real shells: no part of a title, tag or collection is run, and sbfs receives the exact name.
struct ShellCompletionTests {
    /// Text with a meaning for shells.
    private static let payloads = [
        "$(touch P1)", "`touch P2`", "${HOME} $HOME $x", "; touch P3;", "& touch P4 &", "| touch P5 |", "> P6",
        "< P7 <",
        "* ? [a-z]", "{a..b} {1..3}", "~ ~root", "! !! !touch !$ !-1", "# x", "it's", "\"double\"", "\\ back \\n \\$x",
        "a=b:c=d@e", "(sub) <(touch P8)", "^x^y", "%1 %s %%", "'\"'\"' mixed \\' `\"", "'; touch P9; '",
        "\"; touch P10; \"", "\\\"; touch P11; #", "é ü 日本 👩‍👩‍👧 “q”", "$'x' $\"y\"", "end!", "end'", "end\"",
        "end\\", "end$", "-x --y", "=ls",
    ]
    /// First characters of names.
    private static let beginnings = "$`!~#'\"\\*(=;&|>{[%^?<".map(String.init)

    private enum Quoting: CaseIterable {
        case none, double, single, dollar, backslash

        /// The first part of a name as a person types it; `nil` if that is impossible.
        func typed(_ prefix: String, _ shell: ShellSession.Shell) -> String? {
            func escaped(_ characters: String) -> String {
                prefix.map { characters.contains($0) ? "\\\($0)" : String($0) }.joined()
            }
            switch self {
            case .none: return prefix.map { $0.isLetter ? String($0) : "\\\($0)" }.joined()
            case .double: return "\"" + escaped("\"\\$" + (shell == .fish ? "" : "`"))
            case .single: return prefix.contains("'") ? nil : "'" + (shell == .fish ? escaped("\\") : prefix)
            case .dollar: return shell == .fish ? nil : "$'" + escaped("\\'")
            // A backslash must be followed by a character.
            case .backslash: return prefix.allSatisfy(\.isLetter) ? prefix + "\\" : nil
            }
        }
    }

    let sandbox: Sandbox
    private let names: [String]

    init() throws {
        sandbox = try Sandbox()
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        names =
            Self.payloads.enumerated().map { "q\(letters[$0 / 26])\(letters[$0 % 26]) \($1)" }
            + Self.beginnings.map { $0 + "touch P20" + $0 + "x" }
        for (number, name) in names.enumerated() {
            let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a" + String(0x1000 + number, radix: 16)
            let item: [String: Any] = ["title": name, "tags": ["t" + name, "collection:c" + name]]
            try sandbox.plant(id, String(decoding: try JSONSerialization.data(withJSONObject: item), as: UTF8.self))
        }
        try sandbox.sbfs("reindex")
    }

    @Test(arguments: ShellSession.Shell.allCases)
    func `completion inserts the exact name, in each way to quote`(_ shell: ShellSession.Shell) throws {
        try skipWithout([shell.rawValue])
        var lines: [ShellSession.Line] = []
        for name in names {
            // As many characters as make it unique.
            let prefix = name.hasPrefix("q") ? String(name.prefix(3)) : String(name.prefix(1))
            for quoting in Quoting.allCases {
                // fish does not complete a word that is only an asterisk, quoted or not.
                guard let typed = quoting.typed(prefix, shell), shell != .fish || prefix != "*" else { continue }
                lines.append(.init(typed: "sbfs show \(typed)\t", words: ["show", name], meaning: "\(quoting), title"))
            }
            // Tags and collections use the same code: one quoting each is enough.
            guard name.hasPrefix("q") else { continue }
            lines += [
                .init(
                    typed: "sbfs tag rm x \"t\(prefix)\t", words: ["tag", "rm", "x", "t" + name], meaning: "double, tag"
                ),
                .init(
                    typed: "sbfs collection rm x 'c\(prefix)\t", words: ["collection", "rm", "x", "c" + name],
                    meaning: "single, collection"),
            ]
            if !name.contains("\"") {
                lines.append(
                    .init(
                        typed: "sbfs list tag:t\(prefix)\t", words: ["list", "tag:\"t\(name)\""],
                        meaning: "none, filter"))
            }
        }
        try expect(lines, shell)
    }

    /// Where several answers part, the shell inserts what they have in common, and the person types on.
    @Test(arguments: ShellSession.Shell.allCases)
    func `answers that part at a character with a quote leave a line to type on`(_ shell: ShellSession.Shell) throws {
        try skipWithout([shell.rawValue])
        for title in ["zz (green)", "zz 'black'", "zz &more"] {
            try sandbox.snippet("x", title: title, tags: "zold maps,zoldie,zoo")
        }
        var lines: [ShellSession.Line] = [
            .init(typed: "sbfs show zz\t\\&more", words: ["show", "zz &more"], meaning: "none"),
            .init(typed: "sbfs show \"zz\t'black'\"", words: ["show", "zz 'black'"], meaning: "double"),
        ]
        if shell != .fish {
            lines.append(
                .init(typed: "sbfs list tag:zo\tld\\ maps\\\"", words: ["list", "tag:\"zold maps\""], meaning: "tag"))
        }
        try expect(lines, shell)
    }

    /// Alt-* (insert-completions): readline deletes the open mark and inserts each answer as it is.
    @Test func `bash inserts all answers at once with their own quotation marks`() throws {
        try skipWithout(["bash"])
        var lines: [ShellSession.Line] = []
        for quoting in Quoting.allCases where quoting != .backslash {
            // Of an open $' the $ stays before the first answer alone.
            let possible = names.filter { name in
                name.hasPrefix("q") && (quoting != .dollar || !name.contains { "'\\!".contains($0) })
            }
            let all = possible.filter { $0.hasPrefix("qa") }
            lines.append(
                .init(
                    typed: "sbfs show \(quoting.typed("qa", .bash) ?? "")\u{1B}*", words: ["show"] + all,
                    meaning: "\(quoting), all"))
            lines += possible.map { name in
                let typed = quoting.typed(String(name.prefix(3)), .bash) ?? ""
                return .init(typed: "sbfs show \(typed)\u{1B}*", words: ["show", name], meaning: "\(quoting), one")
            }
        }
        try expect(lines, .bash)
    }

    /// Types the lines, and expects that sbfs gets their words and that nothing else is run.
    private func expect(_ lines: [ShellSession.Line], _ shell: ShellSession.Shell) throws {
        let before = try sandbox.snapshot().keys
        let faults = try ShellSession(shell: shell, sandbox: sandbox).run(lines)
        #expect(faults.isEmpty, "\(faults.count) of \(lines.count) lines:\n\(faults.joined(separator: "\n"))")
        let made = try sandbox.snapshot().keys.filter { path in
            !before.contains(path) && (path.contains("/P") || path.hasPrefix("P"))
        }
        #expect(made.isEmpty, "something was run: \(made)")
    }
}
