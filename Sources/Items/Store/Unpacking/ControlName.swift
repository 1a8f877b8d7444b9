import Characters

/// Names on which other programs act when a person merely works in the folder, or in one above it: FORMAT.md § 16.1.
///
/// git runs programs that `.git/config` names, and translates and hides files by `.gitattributes` and `.gitignore`.
/// Editors, shells and version managers read settings of theirs. Below an item, such names come only from the author
/// of an import.
enum ControlName {
    /// A name by which git finds a repository.
    case repository
    /// Any other name that begins with a dot, since no list of the tools that read such names is complete.
    case hidden

    /// - Returns: `nil` for other names. Recognises each spelling that some file system treats as the same name:
    ///   without case, with the characters that HFS+ ignores, with the endings that NTFS cuts off, or as the short
    ///   form `git~1`.
    init?(_ name: String, isFolder: Bool) {
        let folded = Self.fold(name)
        if folded == ".git" || Self.isShortGit(folded) || !isFolder && Self.repositoryFiles.contains(folded) {
            self = .repository
        } else if folded.hasPrefix(".") {
            self = .hidden
        } else {
            return nil
        }
    }

    /// Files that, together with `HEAD`, make a folder a work tree of a repository elsewhere
    /// (gitrepository-layout(5)). git then obeys the settings of that repository.
    private static let repositoryFiles: Set<String> = ["commondir", "config.worktree", "gitdir"]

    /// The only harmful name without a dot: a repository without `.git` has `HEAD` beside objects and refs.
    static let head = "head"
    static let besideHead = ["objects", "refs"]

    static func fold(_ name: String) -> String {
        var folded = name.lowercased()
        folded.unicodeScalars.removeAll { isIgnored($0) }
        if let colon = folded.unicodeScalars.firstIndex(of: ":") { folded = String(folded[..<colon]) }
        while let last = folded.unicodeScalars.last, last == "." || last == " " { folded.unicodeScalars.removeLast() }
        return folded
    }

    /// HFS+ ignores these characters in names.
    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C...0x200F, 0x202A...0x202E, 0x206A...0x206F, 0xFEFF: true
        default: false
        }
    }

    private static func isShortGit(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.count > 4 && bytes.starts(with: "git~".utf8)
            && bytes.dropFirst(4).allSatisfy(\.isDigit)
    }
}
