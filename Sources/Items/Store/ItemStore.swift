package import Files
private import Synchronization

/// Read-only access to the items of one library in their folders.
///
/// Reading takes no lock. Everything that changes the library, takes its lock or writes the journal is in
/// `WriteSession`.
package final class ItemStore: Sendable {
    package let root: Directory
    package let settings: LibraryFile
    /// `nil` if the library cannot be written.
    package let device: DeviceFolder?
    /// Why `.sbfs` cannot be used, if the reason is not that the library is read-only.
    private let deviceFault: FileError?
    private let notices = Mutex<[Notice]>([])
    /// Items changed while clearing the leftovers of a killed process.
    private let recovered = Mutex<[ItemID]>([])

    /// Opens a library, makes missing folders, and clears the leftovers of killed processes.
    ///
    /// - Parameter path: the library's folder.
    /// - Throws: `ItemError` if there is no library, or this version cannot read it.
    package init(path: String) throws(ItemError) {
        root = try Self.folder(path)
        settings = try LibraryFile.read(in: root)
        if settings.isWritable {
            // Reading does not need `.sbfs`, so a damaged one only stops writers.
            do throws(FileError) {
                device = try DeviceFolder.open(in: root)
                deviceFault = nil
            } catch {
                device = nil
                deviceFault = error
            }
        } else {
            device = nil
            deviceFault = nil
        }
        if let device {
            let session = WriteSession(self)
            session.completeFolders()
            session.recover()
            recovered.withLock { $0 = session.changes.take() }
            device.keepReserve()
        }
    }

    /// Opens a library that is only read, such as a backup: nothing is written into it, not even `.sbfs`.
    ///
    /// - Parameter path: the library's folder.
    /// - Throws: `ItemError` if there is no library, or this version cannot read it.
    package init(reading path: String) throws(ItemError) {
        root = try Self.folder(path)
        settings = try LibraryFile.read(in: root)
        device = nil
        deviceFault = nil
    }

    private static func folder(_ path: String) throws(ItemError) -> Directory {
        do throws(FileError) {
            return try Directory(path: path)
        } catch {
            if error.isAbsent { throw .noLibrary(path: path) }
            throw .file(error)
        }
    }

    /// Opens a folder below the library's; `nil` if it is absent.
    package func directoryIfPresent(_ path: String) throws(ItemError) -> Directory? {
        do throws(FileError) {
            return try root.directory(path)
        } catch {
            if error.isAbsent { return nil }
            throw .file(error)
        }
    }

    /// The items that opening the library changed; empty on the second call.
    func takeRecovered() -> [ItemID] {
        recovered.withLock { recovered in
            defer { recovered = [] }
            return recovered
        }
    }

    package func tell(_ notice: Notice) { notices.withLock { $0.append(notice) } }

    /// The notices since this was last called.
    package func takeNotices() -> [Notice] {
        notices.withLock { notices in
            defer { notices = [] }
            return notices
        }
    }

    /// Why the library cannot be written.
    var unwritable: ItemError {
        if let deviceFault { return .file(deviceFault) }
        return settings.isWritable
            ? .refused(.notWritable(path: root.path)) : settings.readOnlyError(path: root.path)
    }
}
