import StuffBucket

/// A work tree of git whose top is a library's folder.
struct GitWorkTree {
    let git: Git
    /// The library's folder, absolute and without links.
    let folder: String
    /// The repository's settings, as git names the file.
    let config: String
    /// The folder of the hooks, as git names it: core.hooksPath may choose any.
    let hooks: String

    /// - Throws: `CommandFailure` if the folder is none, or is only a part of one.
    init(_ library: String) throws {
        folder = FilePath.real(library) ?? FilePath.absolute(library)
        Git.forgetRepository()
        git = Git(folder: folder)
        let quoted = TypedLine.quoted(folder)
        let isTop = try LocalFolder(folder).status(of: ".git") != nil
        let top = try git.line("rev-parse", "--show-toplevel")
        if !isTop {
            guard let top else {
                throw CommandFailure(.failed, "\(folder) is not in git yet; run: git -C \(quoted) init")
            }
            throw CommandFailure(
                .failed,
                "the library is a folder within the work tree \(top), and sbfs joins only libraries with a repository of their own; "
                    + "add the library to \(top)/.gitignore, then run: git -C \(quoted) init")
        }
        guard let top else { throw try git.failure(["rev-parse", "--show-toplevel"]) }
        guard FilePath.real(top) == folder else {
            throw CommandFailure(
                .failed,
                "the work tree of \(folder)/.git is \(top) (core.worktree), and sbfs joins only libraries with a work tree of their own"
            )
        }
        let place = ["rev-parse", "--git-path"]
        config = Git.line(try git.output(place + ["config"]) ?? [])
        hooks = Git.line(try git.output(place + ["hooks"]) ?? [])
    }

    /// A path as git names it, absolute.
    func full(_ path: String) -> String { path.hasPrefix("/") ? path : folder + "/" + path }

    /// Whether the hooks belong to this repository alone, and not to others that the same core.hooksPath serves.
    func hasOwnHooks() throws -> Bool {
        let common = full(Git.line(try git.output(["rev-parse", "--git-common-dir"]) ?? []))
        let place = Self.real(full(hooks))
        return [folder, FilePath.real(common) ?? common].contains { place == $0 || place.hasPrefix($0 + "/") }
    }

    /// The path without links, also of a folder that is missing yet.
    private static func real(_ path: String) -> String {
        if let real = FilePath.real(path) { return real }
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return path }
        return real(String(path[..<slash])) + path[slash...]
    }
}
