package import Files

/// A session's own folder in `.sbfs/staging`, where files are written before they are renamed into the library.
///
/// The folder is locked by flock(2) as long as the process lives. What lies in an unlocked one was left by a process
/// that died, and is cleared by the next command (`WriteSession.recover`).
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
            // Between the two calls another process may take the new folder for a left one and remove it.
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
        // Not empty after a failure: the next command clears it.
        try? parent.removeDirectory(name)
    }

    /// Writes a staged file and waits until its bytes are on the disk.
    ///
    /// It gets its name only when it is whole: under that name a process that comes after a crash finds the new bytes,
    /// the replaced ones, or another program's version, never a part of ours.
    package func stage(_ bytes: [UInt8], as staged: StagedName, permissions: UInt32? = nil) throws(FileError) {
        try stage(bytes, named: staged.name, permissions: permissions)
    }

    /// The same for a file of collections/, tags/ or smart/.
    func stage(_ bytes: [UInt8], as staged: StagedNamedFile, permissions: UInt32? = nil) throws(FileError) {
        try stage(bytes, named: staged.name, permissions: permissions)
    }

    private func stage(_ bytes: [UInt8], named name: String, permissions: UInt32?) throws(FileError) {
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

    /// A name in the session that no other thread has, for something that may be deleted by whoever finds it left.
    func temporaryName(for name: String) -> String { WriteSession.keptPrefix + Self.randomName() + "-" + name }

    private static func randomName() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The name of a staged file: which file it is to become, what it held when it was written, and what it replaces.
///
/// `<id>.<file>.<hash16 of the new bytes>.<hash16 of the replaced bytes, or "none">`. After an exchange the file holds
/// what was displaced, so the hashes tell a later process what it found.
package struct StagedName: Equatable {
    package let id: ItemID
    package let file: String
    package let new: String
    package let base: String

    package init(id: ItemID, file: String, new: [UInt8], base: [UInt8]?) {
        self.id = id
        self.file = file
        self.new = Self.hash(new)
        self.base = base.map(Self.hash) ?? "none"
    }

    package init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, let id = ItemID(parts[0]) else { return nil }
        self.id = id
        file = parts[1..<parts.count - 2].joined(separator: ".")
        new = parts[parts.count - 2]
        base = parts[parts.count - 1]
    }

    package var name: String { "\(id).\(file).\(new).\(base)" }

    package static func hash(_ bytes: [UInt8]) -> String { String(SHA256.hex(bytes).prefix(16)) }
}
