internal import CSystem
internal import Glibc

/// Removing files and folders.
extension Directory {
    /// Removes a file; it must exist.
    package func removeFile(_ name: String) throws(FileError) {
        _ = try systemCall(.remove, full(name)) { unlinkat(number, name, 0) }
    }

    /// Removes an empty folder.
    package func removeDirectory(_ name: String) throws(FileError) {
        _ = try systemCall(.remove, full(name)) { unlinkat(number, name, AT_REMOVEDIR) }
    }

    /// Removes a file, or a folder with its contents; links are removed, never followed.
    package func removeTree(_ name: String) throws(FileError) {
        guard let status = try statusIfPresent(of: name) else { return }
        if status.kind != .directory { return try removeFile(name) }
        try directory(name).removeContents(depth: 0)
        try removeDirectory(name)
    }

    private func removeContents(depth: Int) throws(FileError) {
        let limit = 256
        if depth > limit { throw FileError(.remove, path, .tooDeep(limit: limit)) }
        for entry in try entries() {
            let name = entry.name.cString
            if entry.kind == .directory {
                let child = try systemCall(.open, full(entry.name.repaired)) {
                    csystem_openat(number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
                }
                try Directory(number: child, path: full(entry.name.repaired)).removeContents(depth: depth + 1)
            }
            let flag = entry.kind == .directory ? AT_REMOVEDIR : 0
            _ = try systemCall(.remove, full(entry.name.repaired)) {
                unlinkat(number, name, flag)
            }
        }
    }
}
