internal import CSystem
internal import Glibc

extension Directory {
    /// Takes all rights of the group and of others away, from the folder and from what is in it, if it belongs to the person who
    /// runs this process and they have any.
    ///
    /// A file with several names is left: it may be a document of the library. What cannot be changed is left, too.
    public func makePrivate() {
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

    /// Makes a folder of the person's own, mode 0700, with those above it that are missing.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - outermost: the first folder on the way that is ours: it and what is below it are made private if they are not.
    public static func makePrivate(path: String, below outermost: String) throws(FileError) {
        try make(path: path, permissions: 0o700)
        try Directory(path: outermost).makePrivate()
        if path != outermost { try Directory(path: path).makePrivate() }
    }
}
