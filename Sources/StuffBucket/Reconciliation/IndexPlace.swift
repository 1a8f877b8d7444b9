internal import Files
internal import Glibc
internal import Items
internal import Search

/// The folder of a library's index: in `.sbfs` if that belongs to this device, can be written, and is on a local
/// disk; otherwise in the person's cache.
final class IndexPlace: Sendable {
    /// Holds the index's folder and its locks.
    let directory: Directory

    private init(_ directory: consuming Directory) { self.directory = directory }

    /// - Parameters:
    ///   - caches: the person's cache folder; `nil` if there is none.
    ///   - isOnNetwork: whether a folder is on another machine.
    /// - Returns: `nil` if nothing can be written at all.
    static func find(
        for store: ItemStore, caches: String? = usualCaches,
        isOnNetwork: (borrowing Directory) -> Bool = { $0.isOnNetwork }
    ) -> IndexPlace? {
        if let device = store.device, device.directory.isWritable {
            // Mapped files of another machine may vanish while in use. If the cache is on another machine too, it is
            // no better.
            if isOnNetwork(device.directory), let cache = try? inCache(caches, store), !isOnNetwork(cache.directory) {
                return cache
            }
            return try? IndexPlace(device.directory.duplicate())
        }
        // The library cannot be written.
        return try? inCache(caches, store)
    }

    /// `$XDG_CACHE_HOME`, or `~/.cache`.
    static var usualCaches: String? {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        return variable("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? variable("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
    }

    private static func inCache(_ caches: String?, _ store: ItemStore) throws(FileError) -> IndexPlace? {
        guard let caches, let path = try cachePath(caches, store) else { return nil }
        try Directory.makePrivate(path: path, below: caches + "/sbfs")
        return IndexPlace(try Directory(path: path))
    }

    /// `<caches>/sbfs/<library id>-<hash of device, inode and real path>`: a copy of the library, or another library
    /// mounted in its place, gets another folder.
    private static func cachePath(_ caches: String, _ store: ItemStore) throws(FileError) -> String? {
        try name(of: store).map { caches + "/sbfs/" + $0 }
    }

    /// `<library id>-<hash of device, inode and real path>`; `nil` if the library's folder has no path any more.
    static func name(of store: ItemStore) throws(FileError) -> String? {
        guard let real = FilePath.real(store.root.path) else { return nil }
        let status = try store.root.status()
        let place = "\(status.device) \(status.inode) \(real)"
        return "\(store.settings.id)-\(SHA256.hex(Array(place.utf8)).prefix(16))"
    }

    /// The folder of the index, made if it is missing.
    func indexFolder() throws(FileError) -> IndexFolder {
        do throws(FileError) {
            return IndexFolder(try directory.directory(Layout.index))
        } catch let error where error.isAbsent {
            try directory.makeDirectory(Layout.index, permissions: 0o700)
            return IndexFolder(try directory.directory(Layout.index))
        }
    }

    /// The size of all files of the index, in bytes.
    func byteCount() -> Int {
        guard let folder = try? directory.directory(Layout.index), let entries = try? folder.entries() else { return 0 }
        return entries.reduce(0) { sum, entry in
            let status = entry.name.string.flatMap { try? folder.statusIfPresent(of: $0) }
            return sum + (status?.byteCount ?? 0)
        }
    }

    /// Holds the lock of the one program that watches the library, and says which process it is.
    ///
    /// - Returns: `nil` if another one holds it.
    func lockWatching() throws(FileError) -> FileLock? {
        // Another process may be looking whether the lock is held.
        guard let lock = try FileLock.acquire(Layout.daemon, in: directory, patience: .milliseconds(200)) else {
            return nil
        }
        let file = try directory.fileForWriting(Layout.daemon)
        try file.truncate(to: 0)
        try file.write(Array("\(RunningProgram.processID)\n".utf8))
        return lock
    }

    /// The process that watches the library, as the lock's file says; `nil` if no process holds the lock.
    var watchingProcess: Int32? {
        guard let file = try? directory.file(Layout.daemon), file.isLocked else { return nil }
        let contents = (try? directory.contentsIfPresent(of: Layout.daemon, limit: 64)) ?? nil
        return contents.flatMap { Int32(String(decoding: $0.bytes.prefix { $0 != 0x0A }, as: UTF8.self)) }
    }
}
