import Files

/// The small files as this device knew them last: `.sbfs/small`. DeviceFiles.md § D15.
///
/// A copying program may replace a small file that was changed here. The change comes back from here: it is joined with what came.
struct NamedMemory: ~Copyable {
    private let directory: Directory

    /// - Parameter isMade: whether the folder is made if it is missing.
    /// - Returns: `nil` if there is none, or the library cannot be written.
    init?(_ store: ItemStore, isMade: Bool = true) {
        guard let device = store.device else { return nil }
        do throws(FileError) {
            if isMade { try device.directory.makeDirectory(Layout.small, permissions: 0o700) }
            directory = try device.directory.directory(Layout.small)
        } catch {
            return nil
        }
    }

    /// The copies of a folder's files.
    func folder(_ folder: NamedFolder, isMade: Bool = true) throws(FileError) -> Directory {
        if isMade { try directory.makeDirectory(folder.rawValue, permissions: 0o700) }
        return try directory.directory(folder.rawValue)
    }

    /// Remembers a file as it is now; forgets one that is gone.
    func note(_ folder: NamedFolder, _ name: String, in store: ItemStore) {
        // A file that cannot be remembered is as one that this device never changed.
        do throws(FileError) {
            let copies = try self.folder(folder)
            let found = try store.root.contentsIfPresent(
                of: folder.path + "/" + name, limit: Layout.settingsByteLimit)
            if let found {
                try note(name, NamedState(found.bytes, modified: found.status.modified), in: copies)
            } else {
                try forget(name, in: copies)
            }
        } catch {}
    }

    func note(_ name: String, _ state: NamedState, in copies: borrowing Directory) throws(FileError) {
        try copies.replaceFile(name, with: state.bytes)
        try copies.fileForWriting(name).setModified(state.modified)
    }

    func forget(_ name: String, in copies: borrowing Directory) throws(FileError) {
        if try copies.statusIfPresent(of: name) != nil { try copies.removeFile(name) }
    }
}
