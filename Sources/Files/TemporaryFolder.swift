internal import Glibc

/// A private folder for a short time, in `$TMPDIR` or /tmp.
package final class TemporaryFolder {
    package let path: String

    package init() throws(FileError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = (parent.isEmpty ? "/tmp" : parent) + "/sbfs-\(UInt64.random(in: 1...UInt64.max))"
        let path = path
        _ = try systemCall(.create, path) { mkdir(path, 0o700) }
    }

    /// Removes it with everything in it.
    package func remove() {
        guard let slash = path.lastIndex(of: "/"), let parent = try? Directory(path: String(path[..<slash])) else {
            return
        }
        try? parent.removeTree(String(path[path.index(after: slash)...]))
    }
}
