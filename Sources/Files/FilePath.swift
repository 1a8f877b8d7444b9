internal import Glibc

/// Paths as text.
public enum FilePath: Sendable {
    /// The current folder; `.` if it is gone.
    public static var currentFolder: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

    /// Whether `currentFolder` names the current folder: its bytes are UTF-8. A folder that is gone has no name.
    public static var isCurrentFolderUTF8: Bool {
        guard let path = getcwd(nil, 0) else { return true }
        defer { free(path) }
        return String(validatingCString: path) != nil
    }

    /// The path without symbolic links; `nil` if nothing exists there.
    public static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// The absolute path without symbolic links that a file has, or will have when it is made.
    public static func resolved(_ path: String) -> String {
        let parts = absolute(path).pathComponents.filter { !$0.isEmpty && $0 != "." }
        for count in (0...parts.count).reversed() {
            guard let real = real("/" + parts.prefix(count).joined(separator: "/")) else { continue }
            let rest = parts.dropFirst(count).joined(separator: "/")
            return rest.isEmpty ? real : (real == "/" ? "" : real) + "/" + rest
        }
        return path
    }

    /// The absolute path, for a process with another working folder.
    public static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : currentFolder + "/" + path
    }

    /// All bytes of a regular file. Symbolic links are followed.
    ///
    /// - Parameters:
    ///   - path: as a person gave it.
    ///   - limit: in bytes.
    /// - Throws: `FileError`, with `tooLarge` above the limit, and with `notRegular` for a folder, FIFO or device.
    public static func contents(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let file = try Descriptor.open(path: path)
        return try file.readAll(expecting: file.status().byteCount, limit: limit)
    }
}
