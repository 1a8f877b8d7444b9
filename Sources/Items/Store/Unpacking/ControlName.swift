/// Names that other programs act on when a person merely works in the folder, or in one above it: FORMAT.md § 16.1.
///
/// git runs programs that `.git/config` names, and translates and hides files by `.gitattributes` and `.gitignore`; editors,
/// shells and version managers read settings of theirs. Below an item, such names come only from an archive's author.
enum ControlName {
    /// By such a name git finds a repository.
    case repository
    /// Any other name that begins with a dot: no list of the tools that read one is ever complete.
    case hidden

    /// - Returns: `nil` for other names. A name is one in any spelling that some file system takes for the same: without
    ///   case, with the characters that HFS+ ignores, with what NTFS cuts off, or as its short form `git~1`.
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

    /// Files that make a folder with `HEAD` a work tree of a repository elsewhere (gitrepository-layout(5)), whose settings
    /// git then obeys.
    private static let repositoryFiles: Set<String> = ["commondir", "config.worktree", "gitdir"]

    /// Without a dot only a repository without `.git` does harm: `HEAD` beside objects and refs.
    static let head = "head"
    static let besideHead = ["objects", "refs"]

    static func fold(_ name: String) -> String {
        var folded = name.lowercased()
        folded.unicodeScalars.removeAll { isIgnored($0) }
        if let colon = folded.unicodeScalars.firstIndex(of: ":") { folded = String(folded[..<colon]) }
        while let last = folded.unicodeScalars.last, last == "." || last == " " { folded.unicodeScalars.removeLast() }
        return folded
    }

    /// HFS+ compares names without these.
    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C...0x200F, 0x202A...0x202E, 0x206A...0x206F, 0xFEFF: true
        default: false
        }
    }

    private static func isShortGit(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.count > 4 && bytes.starts(with: "git~".utf8)
            && bytes.dropFirst(4).allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
}
