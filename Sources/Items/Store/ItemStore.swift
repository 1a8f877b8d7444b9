package import Files
private import Synchronization

/// Read-only access to the items of one library in their folders.
///
/// Reading takes no lock. What changes the library, takes its lock or writes the journal is a `WriteSession`.
package final class ItemStore: Sendable {
    package let root: Directory
    package let settings: LibraryFile
    /// `nil` where the library cannot be written.
    package let device: DeviceFolder?
    /// Why `.sbfs` cannot be used, where it is not only that nothing may be written.
    private let deviceFault: FileError?
    /// What was done without being asked for, for the person to know.
    private let told = Mutex<[String]>([])
    /// Items that were changed when what a killed process left was cleared.
    private let recovered = Mutex<[ItemID]>([])

    /// Opens a library, re-creates folders that are missing, and clears what a killed process left.
    ///
    /// - Parameter path: the library's folder.
    /// - Throws: `ItemError` if there is no library, or one that this version cannot read.
    package init(path: String) throws(ItemError) {
        do throws(FileError) {
            root = try Directory(path: path)
        } catch {
            if error.isAbsent { throw .noLibrary(path: path) }
            throw .file(error)
        }
        settings = try LibraryFile.read(in: root)
        if settings.isWritable {
            // Reading needs nothing of it, so a damaged one only stops writers.
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

    /// The items that were changed when the library was opened; once.
    func takeRecovered() -> [ItemID] {
        recovered.withLock { recovered in
            defer { recovered = [] }
            return recovered
        }
    }

    package func tell(_ sentence: String) { told.withLock { $0.append(sentence) } }

    /// What was done without being asked for since this was last called, as sentences.
    package func takeTold() -> [String] {
        told.withLock { told in
            defer { told = [] }
            return told
        }
    }

    /// Why nothing can be written.
    var unwritable: ItemError {
        if let deviceFault { return .file(deviceFault) }
        return settings.isWritable
            ? .refused("\(root.path) cannot be written by you; nothing was changed")
            : .readOnlyFormat(path: root.path, format: settings.format, supported: LibraryFile.supportedFormat)
    }
}
