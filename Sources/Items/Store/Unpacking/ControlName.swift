/// Names that other programs act on when a person merely works in the folder, or in one above it: FORMAT.md § 16.1.
///
/// git runs programs that `.git/config` names, and translates and hides files by `.gitattributes` and `.gitignore`; editors,
/// shells and version managers read settings of theirs. Below an item such names come only from whoever made an archive.
enum ControlName {
    /// Whether a name is one, in any spelling that some file system takes for the same: without case, with the characters that
    /// HFS+ ignores, with what NTFS cuts off, or as its short form `git~1`.
    static func isOne(_ name: String, isFolder: Bool) -> Bool {
        let folded = fold(name)
        if folded.hasPrefix(".git") || isShortGit(folded) || !isFolder && repository.contains(folded) { return true }
        return folded.hasPrefix(".") && (isFolder || files.contains(folded))
    }

    /// Files that make a folder with `HEAD` a work tree of a repository elsewhere (gitrepository-layout(5)), whose settings
    /// git then obeys.
    private static let repository: Set<String> = ["commondir", "config.worktree", "gitdir"]

    /// Hidden files that are read by git's kin, shells, editors, version managers, package managers and servers.
    private static let files: Set<String> = [
        ".autoenv", ".autoenv.zsh", ".babelrc.js", ".bazelrc", ".eslintrc.js", ".ghci", ".irbrc", ".justfile",
        ".jvmopts",
        ".lando.yml", ".latexmkrc", ".local.vimrc", ".luarc.json", ".ocamlinit", ".octaverc", ".pdbrc", ".pdbrc.py",
        ".pnp.cjs", ".prettierrc.js", ".proverc", ".pryrc", ".pylintrc", ".rprofile", ".rspec", ".sbtopts", ".taskrc",
        ".user.ini", ".vimspector.json", ".ycm_extra_conf.py",
        ".bzrignore", ".dir-locals-2.el", ".dir-locals.el", ".editorconfig", ".emacs", ".env", ".envrc", ".exrc",
        ".fslckout", ".gdbinit", ".hgignore", ".hgsub", ".htaccess", ".inputrc", ".lldbinit", ".lvimrc", ".mailcap",
        ".mise.toml", ".netrc", ".npmrc", ".nvim.lua", ".nvimrc", ".nvmrc", ".pre-commit-config.yaml", ".projectile",
        ".python-version", ".rsync-filter", ".sbfs", ".stfolder", ".stignore", ".tool-versions", ".vimrc", ".xinitrc",
        ".yarnrc", ".yarnrc.yml",
    ]

    /// Some of them again without the dot cannot harm: only a repository without `.git` does, `HEAD` beside objects and refs.
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
