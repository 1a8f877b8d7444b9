package import Files

/// A session's folder in `.sbfs/staging`, where files are written before they are renamed into the library.
///
/// The process holds a flock(2) lock on the folder while it lives. An unlocked folder belongs to a dead process; the
/// next command clears it (`WriteSession.recover`).
package final class StagingFolder: Sendable {
    package let directory: Directory
    private let parent: Directory
    private let name: String
    private let lock: FileLock

    package init(in staging: borrowing Directory) throws(FileError) {
        var attempt = 0
        while true {
            let name = Self.randomName()
            try staging.makeDirectory(name, permissions: 0o700)
            // Between the two calls another process may mistake the new folder for a leftover and remove it.
            if let lock = try FileLock.acquireFolder(name, in: staging) {
                directory = try staging.directory(name)
                parent = try staging.duplicate()
                self.name = name
                self.lock = lock
                return
            }
            attempt += 1
            if attempt == 100 { throw FileError(.lock, staging.full(name), .unsafePath) }
        }
    }

    deinit {
        // The folder is not empty after a failure. The next command clears it.
        try? parent.removeDirectory(name)
    }

    /// Writes a staged file and syncs its bytes.
    ///
    /// The file gets its name only when it is complete. A process that comes after a crash therefore finds under that
    /// name the new bytes, the replaced ones, or another program's version, never an incomplete file.
    func stage(_ bytes: [UInt8], as name: String, permissions: UInt32? = nil) throws(FileError) {
        let part = Self.partPrefix + name
        try directory.writeFile(part, bytes, permissions: permissions)
        do throws(FileError) {
            try directory.replace(part, to: directory, as: name)
        } catch {
            try? directory.removeFile(part)
            throw error
        }
    }

    static let partPrefix = "part-"

    /// A name in the session that no other thread uses, for a file that a later process may delete as a leftover.
    func temporaryName(for name: String) -> String { WriteSession.keptPrefix + Self.randomName() + "-" + name }

    private static func randomName() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
