internal import Glibc

/// Paths as text.
package enum FilePath: Sendable {
    /// The current folder; `.` if it is gone.
    package static var currentFolder: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

    /// The path without symbolic links; `nil` if nothing exists there.
    package static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// The absolute path, for a process with another working folder.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : currentFolder + "/" + path
    }
}
