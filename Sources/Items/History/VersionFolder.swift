internal import Files

/// The history/ of one item, for reading. FORMAT.md § 8.7.
///
/// `history/<hash>.json` is a version, `history/<hash>.md` a text. Other names belong to other programs and are left alone.
package struct VersionFolder: Sendable {
    /// A file whose name is that of a version and that is none.
    package struct Stranger: Sendable {
        package let name: ContentHash
        package let fault: VersionFault
    }

    /// What is in the folder, without the contents.
    package struct Listing: Sendable {
        /// Sorted by name.
        package fileprivate(set) var outlines: [VersionOutline] = []
        /// The hashes of the texts, by their names alone.
        package fileprivate(set) var texts: Set<ContentHash> = []
        /// Sorted by name.
        package fileprivate(set) var strangers: [Stranger] = []
    }

    private let store: ItemStore
    /// Relative to the library's folder.
    package let path: String
    /// The item, as its folder is named.
    private let id: ItemID?

    /// - Parameter folder: the item's, relative to the library's.
    package init(of folder: String, in store: ItemStore) {
        self.store = store
        id = folder.pathComponents.last.flatMap { ItemID($0) }
        path = folder + "/" + Layout.history
    }

    /// The path of a version, relative to the library's folder.
    package func path(of name: ContentHash) -> String { path + "/" + name.hex + ".json" }

    /// Reads every version once, one at a time, and keeps its outline. Files that vanish meanwhile are passed over.
    ///
    /// - Throws: `ItemError.file` if a file cannot be read, `.cancelled`.
    package func list(_ monitor: Monitor = Monitor()) throws(ItemError) -> Listing {
        var listing = Listing()
        var (versions, texts) = try names()
        versions.sort()
        listing.texts = Set(texts)
        listing.outlines.reserveCapacity(versions.count)
        guard let folder = try directory() else { return listing }
        for name in versions {
            try monitor.check()
            switch try read(name, in: folder) {
            case .success(let version)?: listing.outlines.append(VersionOutline(version))
            case .failure(let fault)?: listing.strangers.append(Stranger(name: name, fault: fault))
            case nil: break
            }
        }
        return listing
    }

    /// The names of versions and of texts, in no order.
    package func names() throws(ItemError) -> (versions: [ContentHash], texts: [ContentHash]) {
        guard let folder = try directory() else { return ([], []) }
        var versions: [ContentHash] = [], texts: [ContentHash] = []
        try files { () throws(FileError) in
            try folder.forEachName { name, kind in
                guard kind == .regular || kind == .unknown, name.count > 64,
                    let hash = ContentHash(hex: name.prefix(64))
                else { return }
                if name.dropFirst(64).elementsEqual(".json".utf8) { versions.append(hash) }
                if name.dropFirst(64).elementsEqual(".md".utf8) { texts.append(hash) }
            }
        }
        return (versions, texts)
    }

    /// Reads one version.
    ///
    /// - Returns: `nil` if there is no such file.
    /// - Throws: `ItemError.file` if it cannot be read.
    package func version(_ name: ContentHash) throws(ItemError) -> Result<Version, VersionFault>? {
        guard let folder = try directory() else { return nil }
        return try read(name, in: folder)
    }

    /// When the file of a version was made here, in milliseconds since 1970; `.max` if nothing tells.
    package func birth(of name: ContentHash) -> Int64 {
        let birth = ((try? store.root.fileIfPresent(path(of: name))) ?? nil)?.birth() ?? 0
        return birth == 0 ? .max : birth / 1_000_000
    }

    /// Whether the file of a version was written on this device, and no tool brought it with its times. `true` if it is not here.
    package func isWrittenHere(_ name: ContentHash) throws(ItemError) -> Bool {
        let status = try files { () throws(FileError) in try store.root.statusIfPresent(of: path(of: name)) }
        guard let status else { return true }
        return try store.isWrittenHere(path(of: name), status, changed: status.changed)
    }

    /// A version that was set aside as damaged, and is whole: a program wrote it in place meanwhile, or mended it.
    package func setAside(_ name: ContentHash) -> Version? {
        let file = path(of: name) + Layout.damagedEnding
        guard let bytes = (try? store.root.contentsIfPresent(of: file, limit: Version.byteLimit))??.bytes else {
            return nil
        }
        return try? Version(name: name, bytes: bytes)
    }

    /// The bytes of a text; `nil` if it is not here, or its bytes have another hash.
    ///
    /// - Throws: `ItemError.file` if it cannot be read, or is above the limit of a text.
    package func text(_ hash: ContentHash) throws(ItemError) -> [UInt8]? {
        guard let folder = try directory() else { return nil }
        let bytes = try files { () throws(FileError) in
            try folder.contentsIfPresent(of: hash.hex + ".md", limit: Layout.textByteLimit)?.bytes
        }
        return bytes.flatMap { ContentHash(of: $0) == hash ? $0 : nil }
    }

    private func read(
        _ name: ContentHash, in folder: borrowing Directory
    ) throws(ItemError) -> Result<Version, VersionFault>? {
        let file = name.hex + ".json"
        do throws(FileError) {
            guard let bytes = try folder.contentsIfPresent(of: file, limit: Version.byteLimit)?.bytes else {
                return nil
            }
            do throws(VersionFault) {
                let version = try Version(name: name, bytes: bytes)
                if let id, !version.isOf(id) { throw .otherItem }
                return .success(version)
            } catch {
                return .failure(error)
            }
        } catch {
            if case .tooLarge(let byteCount, _) = error.reason { return .failure(.tooLarge(byteCount: byteCount)) }
            throw .file(error)
        }
    }

    private func directory() throws(ItemError) -> Directory? { try store.directoryIfPresent(path) }
}
