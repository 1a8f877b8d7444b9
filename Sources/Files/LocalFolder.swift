/// A folder of a program's own files on this device: settings, drafts, state. A library's folders are not for it.
///
/// Names may have several components, without `..`; no symbolic link below the folder is followed. A file that is
/// written is complete before it gets its name. Every call opens the folder, so a value may outlive the folder.
public struct LocalFolder: Sendable {
    /// The path of the folder.
    public let path: String

    /// Makes a value; nothing is opened.
    ///
    /// - Parameter path: absolute, or below the process's working folder. Symbolic links in it are followed.
    public init(_ path: String) { self.path = path }

    /// Whether the folder exists and can be opened.
    public var exists: Bool { (try? Directory(path: path)) != nil }

    /// Whether two paths lead to one folder, as through a link or a second mount. False if one of them is absent.
    public func isSame(as other: LocalFolder) -> Bool {
        guard let one = try? Directory(path: path).status(), let two = try? Directory(path: other.path).status() else {
            return false
        }
        return one.isSameFile(as: two)
    }

    /// Makes the folder and the missing ones above it. An existing folder is no error.
    ///
    /// - Throws: `FileError`.
    public func make() throws(FileError) { try Directory.make(path: path) }

    /// Makes the folder and the missing ones above it with mode 0700, and takes all rights of others from what is in
    /// the program's folders.
    ///
    /// - Parameter outermost: the first of the program's own folders in the path.
    /// - Throws: `FileError`.
    public func makePrivate(from outermost: String) throws(FileError) {
        try Directory.makePrivate(path: path, below: outermost)
    }

    /// Takes all rights of others from the folder and its files if they belong to this person. What cannot be changed
    /// stays as it is.
    public func restrict() { try? Directory(path: path).makePrivate() }

    /// The names in the folder in the file system's order; bytes that are not UTF-8 are replaced.
    ///
    /// - Throws: `FileError`, also if the folder is absent.
    public func names() throws(FileError) -> [String] { try Directory(path: path).entries().map(\.name.repaired) }

    /// The kind, size and times of an entry itself, not of a link's target; `nil` if it is absent.
    ///
    /// - Throws: `FileError`.
    public func status(of name: String) throws(FileError) -> FileStatus? {
        try existing { (folder) throws(FileError) in try folder.statusIfPresent(of: name) }
    }

    /// All bytes of a regular file; `nil` if it or the folder is absent.
    ///
    /// - Parameter limit: in bytes.
    /// - Throws: `FileError`, with `tooLarge` above the limit.
    public func contents(of name: String, limit: Int) throws(FileError) -> [UInt8]? {
        try existing { (folder) throws(FileError) in try folder.contentsIfPresent(of: name, limit: limit)?.bytes }
    }

    /// Whether a new file must survive a power failure.
    public enum Durability: Sendable {
        /// The bytes and the name are on the disk when the call returns.
        case durable
        /// The kernel writes them when it likes. After a power failure the file may be empty.
        case lazy
    }

    /// Writes a file under a temporary name and renames it: a reader sees the old bytes or the new ones.
    ///
    /// - Parameters:
    ///   - name: one component.
    ///   - permissions: the exact permission bits.
    /// - Throws: `FileError`.
    public func write(
        _ bytes: [UInt8], to name: String, permissions: UInt32 = 0o600, _ durability: Durability = .durable
    ) throws(FileError) {
        let folder = try Directory(path: path)
        switch durability {
        case .durable:
            let temporary = ".\(name).new"
            try folder.writeFile(temporary, bytes, permissions: permissions)
            try folder.replace(temporary, to: folder, as: name)
            try folder.sync()
        case .lazy:
            let temporary = ".\(name)-\(RunningProgram.processID)"
            let file = try folder.createFile(temporary, permissions: 0o600)
            if permissions != 0o600 { try file.setPermissions(permissions) }
            try file.write(bytes)
            try folder.replace(temporary, to: folder, as: name)
        }
    }

    /// Adds bytes to a file in one write; not synced. Makes a missing file, for its owner alone.
    ///
    /// - Throws: `FileError`.
    public func append(_ bytes: [UInt8], to name: String) throws(FileError) {
        try Directory(path: path).append(bytes, to: name)
    }

    /// Makes a private folder in this one; an existing one is no error.
    ///
    /// - Throws: `FileError`.
    public func makeFolder(_ name: String) throws(FileError) -> LocalFolder {
        try Directory(path: path).makeDirectory(name, permissions: 0o700)
        return LocalFolder(path == "/" ? "/" + name : path + "/" + name)
    }

    /// Removes a file, or a folder with its contents; an absent one is no error. Links are removed, never followed.
    ///
    /// - Throws: `FileError`.
    public func remove(_ name: String) throws(FileError) {
        let isThere: Bool? = try existing { (folder) throws(FileError) in
            try folder.removeTree(name)
            return true
        }
        if isThere == true { try? Directory(path: path).sync() }
    }

    /// An exclusive lock on a folder in this one, held as long as the value lives. Other processes, and other values of
    /// this process, do not get it.
    public struct Lock: ~Copyable, Sendable {
        private let lock: FileLock
        init(_ lock: consuming FileLock) { self.lock = lock }
    }

    /// Takes the lock on a folder in this one without waiting.
    ///
    /// - Returns: `nil` if another holds it, or the folder is gone.
    /// - Throws: `FileError`.
    public func lock(_ name: String) throws(FileError) -> Lock? {
        guard let lock = try FileLock.acquireFolder(name, in: Directory(path: path)) else { return nil }
        return Lock(lock)
    }

    private func existing<Result>(_ body: (borrowing Directory) throws(FileError) -> Result?) throws(FileError)
        -> Result?
    {
        do throws(FileError) {
            return try body(Directory(path: path))
        } catch let error where error.isAbsent {
            return nil
        }
    }
}
