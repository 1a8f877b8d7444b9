import Testing

extension Sandbox {
    /// A sandbox in which git finds no repository above it, and knows who commits.
    static func withGit() throws -> Sandbox {
        let sandbox = try Sandbox()
        // The package may itself be in git.
        sandbox.environment["GIT_CEILING_DIRECTORIES"] = sandbox.scratch.path
        for name in ["AUTHOR", "COMMITTER"] {
            sandbox.environment["GIT_\(name)_NAME"] = "a"
            sandbox.environment["GIT_\(name)_EMAIL"] = "a@b"
        }
        return sandbox
    }

    /// The folder of an item, relative to its library, and so to each clone.
    func folderInLibrary(_ id: String) -> String { String(folder(id).dropFirst("library/".count)) }

    /// Commits all of the library, which is in git and set up, and makes two clones "one" and "two" of it, each set up.
    func cloneTwice() throws {
        try shell(
            """
            set -e; git -C "$SBFS_LIBRARY" add -A; git -C "$SBFS_LIBRARY" commit -qm first
            for clone in one two; do git clone -q "$SBFS_LIBRARY" $clone; sbfs --library $clone git setup; done
            """)
    }
}

/// A library in a git repository, with one item; `sbfs git setup` has not run.
struct GitLibrary {
    let sandbox: Sandbox
    let id: String
    /// The item's folder in a clone.
    let folder: String

    init() throws {
        sandbox = try .withGit()
        id = try sandbox.snippet("Feed the starter.\n\nWait.\n", title: "Bread", tags: "dough,to read")
        folder = sandbox.folderInLibrary(id)
        try sandbox.shell("git init -q -b main \"$SBFS_LIBRARY\"")
    }
}

/// Tests with such a library.
protocol GitLibraryTests {
    var library: GitLibrary { get }
}

extension GitLibraryTests {
    var sandbox: Sandbox { library.sandbox }
    var id: String { library.id }
    var folder: String { library.folder }

    /// Runs git in the library.
    @discardableResult
    func git(_ line: String, exits status: Int32? = 0, _ place: SourceLocation = #_sourceLocation) throws -> Run {
        try sandbox.shell("cd \"$SBFS_LIBRARY\" && git \(line)", exits: status, sourceLocation: place)
    }

    func setUp() throws {
        try sandbox.sbfs("git", "setup")
        try git("add -A")
        try git("commit -qm first")
    }

    /// Two clones of the library, each set up.
    func clone() throws {
        try sandbox.sbfs("git", "setup")
        try sandbox.cloneTwice()
    }

    func text(_ path: String) throws -> String { try sandbox.scratch.text("library/" + path) }
}
