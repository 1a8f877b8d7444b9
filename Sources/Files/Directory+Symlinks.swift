internal import CSystem
internal import Glibc

/// Symbolic links as entries, which nothing here follows.
extension Directory {
    /// Makes a symbolic link, whose name must be free.
    package func makeLink(_ name: String, to target: String) throws(FileError) {
        _ = try systemCall(.create, full(name)) { symlinkat(target, number, name) }
    }

    /// The target of a symbolic link.
    package func target(of name: String) throws(FileError) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try systemCall(.open, full(name)) { readlinkat(number, name, &buffer, buffer.count) }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// This folder and the folders above it up to the root, by device and inode.
    ///
    /// A folder above that cannot be entered ends the list.
    package func ancestors() throws(FileError) -> [FileStatus] {
        var found = [try status()]
        var current = try duplicate()
        while true {
            let above = uninterrupted { openat(current.number, "..", O_PATH | O_DIRECTORY | O_CLOEXEC) }
            if above < 0 { return found }
            let parent = Directory(number: above, path: current.path + "/..")
            let status = try parent.status()
            if status.isSameFile(as: found[found.count - 1]) { return found }
            found.append(status)
            current = parent
        }
    }
}
