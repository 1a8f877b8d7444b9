internal import Files
internal import Items

/// Writes the files of a bundle into an item's folder as they come, and compares each with the state of the item. What the
/// state does not list is passed over. Without a folder nothing is written: the files are only compared.
final class BundleFilesWriter {
    /// Makes a file; `nil` if nothing is written.
    private let create: ((_ path: String) throws(FileError) -> Descriptor)?
    /// Where the files go, relative to the folder.
    private let top: String
    /// What precedes a path of the bundle in the state.
    private let prefix: String
    private let expected: [String: PackedState.File]
    private var current: PackedState.File?
    private var file: Descriptor?
    private var hash = SHA256()
    private var whole: Set<String> = []

    /// - Parameters:
    ///   - path: the full path of the folder.
    ///   - top: the item's folder, or one in it, below the folder.
    ///   - files: the files that the state lists, by their paths below the item's folder.
    ///   - prefix: the path of the bundle's folder below the item's, with a slash; empty for the item's own.
    init(_ path: String, _ top: String, _ files: [PackedState.File], prefix: String) throws(FileError) {
        let folder = try Directory(path: path)
        create = { path throws(FileError) in
            try SyncRun.makeFolders(of: path, in: folder)
            if try folder.statusIfPresent(of: path) != nil { try SyncRun.remove(path, in: folder) }
            return try folder.createFile(path)
        }
        self.top = top
        self.prefix = prefix
        expected = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Compares a bundle alone.
    init(comparing files: [PackedState.File], prefix: String) {
        create = nil
        top = ""
        self.prefix = prefix
        expected = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The bundle may unpack to so many bytes: what the state says of its files.
    var unpackedByteLimit: Int { ExchangeLayout.unpackedByteLimit(of: expected.values.lazy.map(\.size)) }

    /// Whether every file of the state came, with its hash.
    var isWhole: Bool { whole.count == expected.count }

    func begin(_ path: [UInt8]) throws(FileError) {
        try finish()
        guard let text = String(validating: path, as: UTF8.self), let wanted = expected[prefix + text],
            !whole.contains(wanted.path)
        else { return }
        if let create { file = try create(top + "/" + text) }
        hash = SHA256()
        current = wanted
    }

    func write(_ bytes: [UInt8]) throws(FileError) {
        if current == nil { return }
        hash.update(bytes)
        try file?.write(bytes)
    }

    /// Ends the current file.
    func finish() throws(FileError) {
        guard let wanted = current else { return }
        let digest = hash
        if digest.finish() == wanted.sha256.hex {
            try file?.setModified(wanted.modified)
            whole.insert(wanted.path)
        }
        current = nil
        file = nil
    }
}
