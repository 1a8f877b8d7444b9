import Glibc
import StuffBucket

/// The values that "sbfs git setup" writes into the settings of a repository.
struct GitSettings {
    struct Value {
        let key: String
        let value: String
        /// What the value ends with whatever the place of the program.
        let end: String?

        /// Where the person's own values are kept that setup replaced, in the same settings.
        var earlierKey: String { "sbfs.was-" + key.split(separator: "." as Character).joined(separator: "-") }

        /// Whether a value is one that some sbfs wrote.
        func isOurs(_ found: String) -> Bool { end.map { found.hasSuffix($0) } ?? (found == value) }
    }

    /// The name in `diff=`.
    static let diff = "sbfs-item"
    static let driver = "merge.sbfs.driver"
    static let textconv = "diff.\(diff).textconv"
    /// Where git keeps what the program for differences printed, if the person sets cachetextconv. sbfs does not: git then
    /// writes several objects for each version that it shows, and "git diff" fails where no name of a committer is set.
    static let cache = "refs/notes/textconv/\(diff)"

    /// The program, as a word for the shell.
    let program: String

    /// - Throws: `CommandFailure` if the place of this program is unknown.
    init() throws { program = try Self.ownWord() }

    var values: [Value] {
        let join = " merge-driver -- %O %A %B %L %P", show = " git textconv --"
        return [
            Value(key: "merge.sbfs.name", value: "join fields and paragraphs (sbfs)", end: nil),
            // git replaces what follows a percent sign.
            Value(key: Self.driver, value: Self.percent(program) + join, end: join),
            Value(key: Self.textconv, value: program + show, end: show),
            // An item that one side purged is not renamed to one that the other side made of a like text: git would merge the edits
            // of the one into the other.
            Value(key: "merge.renames", value: "false", end: nil),
        ]
    }

    /// Whether a command names a program by an absolute path, and nothing is there that could be started: it was moved, or the
    /// settings are of another machine.
    static func startsNothing(_ command: String) -> Bool {
        var word = "", isQuoted = false, isEscaped = false
        for character in command {
            if isEscaped {
                word.append(character)
                isEscaped = false
            } else if character == "'" {
                isQuoted.toggle()
            } else if character == "\\", !isQuoted {
                isEscaped = true
            } else if character == " ", !isQuoted {
                break
            } else {
                word.append(character)
            }
        }
        // git takes two percent signs for one.
        var path = "", isSecond = false
        for character in word {
            isSecond = character == "%" && path.last == "%" && !isSecond
            if !isSecond { path.append(character) }
        }
        return path.hasPrefix("/") && access(path, X_OK) != 0
    }

    private static func percent(_ text: String) -> String {
        text.split(separator: "%" as Character, omittingEmptySubsequences: false).joined(separator: "%%")
    }

    /// `sbfs` if that is this program on PATH, else its absolute path.
    private static func ownWord() throws -> String {
        let name = "sbfs"
        let folders = (Environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let found = folders.map { String($0) + "/" + name }.first { access($0, X_OK) == 0 }
        guard let own = RunningProgram.path else {
            if found != nil { return name }
            throw CommandFailure(.failed, "the place of sbfs is unknown without /proc; start sbfs by its full path")
        }
        if let found, FilePath.real(found) == own { return name }
        guard access(own, X_OK) == 0 else {
            throw CommandFailure(
                .failed, "git cannot start \(own), because the path is not UTF-8 or the program is gone; move sbfs")
        }
        return TypedLine.quoted(own)
    }
}
