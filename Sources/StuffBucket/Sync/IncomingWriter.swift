internal import Files
internal import Items

/// Writes the files of a pack below a folder as they come. What no pack has is passed over.
final class IncomingWriter {
    private let folder: Directory
    private var current: ExchangeLayout.Place?
    private var file: Descriptor?
    /// The bytes of pack.json and of states, which get no file.
    private var bytes: [UInt8] = []
    private static let memoryLimit = 64 << 20

    /// - Parameter path: the full path of the folder.
    init(_ path: String) throws(FileError) { folder = try Directory(path: path) }

    func begin(_ path: [UInt8]) throws(FileError) {
        bytes = []
        file = nil
        current = nil
        guard let text = String(validating: path, as: UTF8.self), let place = ExchangeLayout.place(inPack: text) else {
            return
        }
        current = place
        switch place {
        case .pack, .state: break
        case .item, .tombstone, .small:
            try SyncRun.makeFolders(of: text, in: folder)
            // Of two files with one name the last one counts.
            if try folder.statusIfPresent(of: text) != nil { try SyncRun.remove(text, in: folder) }
            file = try folder.createFile(text)
        }
    }

    func write(_ more: [UInt8]) throws(FileError) {
        switch current {
        case .pack, .state: if bytes.count + more.count <= Self.memoryLimit { bytes += more }
        case .item, .tombstone, .small: try file?.write(more)
        case nil: break
        }
    }

    /// Ends the current file.
    ///
    /// - Returns: what it is, with its bytes if it got no file; `nil` without one.
    func finish() -> (place: ExchangeLayout.Place, bytes: [UInt8])? {
        defer {
            current = nil
            file = nil
            bytes = []
        }
        return current.map { ($0, bytes) }
    }
}
