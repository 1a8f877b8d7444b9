internal import CSystem
internal import Glibc

extension Directory {
    /// Removes all rights of the group and of others from the folder and its contents, if they belong to the person
    /// who runs this process.
    ///
    /// A file with several names is left unchanged: it may be a document of the library. So is anything that cannot
    /// be changed.
    package func makePrivate() {
        var raw = stat()
        guard fstat(number, &raw) == 0, raw.st_uid == geteuid(), raw.st_mode & 0o077 != 0 else { return }
        fchmod(number, raw.st_mode & 0o700)
        makeContentsPrivate(depth: 0)
    }

    private func makeContentsPrivate(depth: Int) {
        guard depth < 16, let entries = try? entries() else { return }
        for entry in entries where entry.kind == .regular || entry.kind == .directory {
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
            let opened = csystem_openat(number, entry.name.cString, flags, 0)
            if opened < 0 { continue }
            let child = Directory(number: opened, path: full(entry.name.repaired))
            var raw = stat()
            guard fstat(opened, &raw) == 0, raw.st_uid == geteuid() else { continue }
            let isFolder = raw.st_mode & S_IFMT == S_IFDIR
            guard isFolder || raw.st_mode & S_IFMT == S_IFREG && raw.st_nlink == 1 else { continue }
            if raw.st_mode & 0o077 != 0 { fchmod(opened, raw.st_mode & 0o700) }
            if isFolder { child.makeContentsPrivate(depth: depth + 1) }
        }
    }

    /// Makes a private folder, mode 0700, with the missing folders above it.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - outermost: the first of our folders in the path. It and the folders below it are made private if they are
    ///     not.
    package static func makePrivate(path: String, below outermost: String) throws(FileError) {
        try make(path: path, permissions: 0o700)
        try Directory(path: outermost).makePrivate()
        if path != outermost { try Directory(path: path).makePrivate() }
    }
}
