package import Files
internal import Time

/// What an item itself records of its page and its document: its versions, and the hash of the document in item.json. It tells
/// damage where this device remembers nothing of a file, because `.sbfs` is lost or new. Documentation/Exchange.md § 6.
package struct RecordedFiles {
    /// A file of which the item says what it was.
    package enum Record {
        case whole(Version.File)
        /// A document of which item.json says the hash, and nothing how many bytes it had.
        case unsized(ContentHash)
        /// The same of a document that something wrote after item.json, with an older time of modification: a program that keeps
        /// times put another file there, or what damaged it went through the file system.
        case doubtful(ContentHash)

        package var hash: ContentHash {
            switch self {
            case .whole(let file): file.sha256
            case .unsized(let hash), .doubtful(let hash): hash
            }
        }
    }

    /// A file that a version has. Times are in milliseconds since 1970.
    private struct Recorded {
        let file: Version.File
        /// `updatedAt` of the version. An editor's save leaves it.
        let updated: Int64
        /// When the file of the version was written.
        let noted: Int64
        /// Whether that was on this device: then the version has what was here at that time.
        let isNotedHere: Bool
        /// Whether no other version comes from this one. Two that were noted in one tick of the clock have one time.
        let isHead: Bool

        /// When the file was as the version has it. When another device noted that says nothing of a file that was written here.
        func time(of file: FileOrigin) -> Int64 {
            isNotedHere || file == .elsewhere ? max(updated, noted) : updated
        }
    }

    /// Where a file was written last.
    private enum FileOrigin { case here, elsewhere }

    private let store: ItemStore
    private let stored: StoredItem
    /// The files in versions, by their paths.
    private var versions: [String: [Recorded]]?

    package init(_ stored: StoredItem, in store: ItemStore) {
        self.store = store
        self.stored = stored
    }

    /// Whether a file is damaged: it has bytes that the item records nowhere, and it was not modified since the item recorded
    /// others. A program that saves a file sets its time of modification; one that is empty now lost its bytes.
    ///
    /// - Parameter file: as it was read now.
    /// - Returns: what the item records; `nil` if the file is not damaged, as far as the item tells.
    package mutating func damage(_ file: Version.File, _ status: FileStatus) throws(ItemError) -> Record? {
        let isDocument = Component(of: file) == .document
        let storedHash = isDocument ? documentHash : nil
        if storedHash == file.sha256 { return nil }
        let all = try all()
        let versions = all[file.path] ?? []
        if versions.contains(where: { $0.file.sha256 == file.sha256 }) { return nil }
        if !versions.isEmpty {
            let origin = try origin(of: file.path, status)
            let last = versions.max { a, b in
                let (one, two) = (a.time(of: origin), b.time(of: origin))
                return one == two ? !a.isHead && b.isHead : one < two
            }
            guard let last else { return nil }
            let isOld = status.modified / 1_000_000 <= last.time(of: origin)
            let isDamaged = file.size == 0 ? last.file.size > 0 : file.size == last.file.size && isOld
            return isDamaged ? .whole(last.file) : nil
        }
        // Versions that record files and not this one are of before it came.
        guard let storedHash, all.isEmpty, file.path == stored.item.documentRelativePath else { return nil }
        if file.size == 0 { return .unsized(storedHash) }
        guard isOfItemsAge(status) else { return nil }
        return status.changed <= stored.status.changed ? .unsized(storedHash) : .doubtful(storedHash)
    }

    /// Whether item.json or a version says that a file had these bytes.
    package mutating func names(_ hash: ContentHash, at path: String) throws(ItemError) -> Bool {
        if path == stored.item.documentRelativePath, hash == documentHash { return true }
        return try all()[path]?.contains { $0.file.sha256 == hash } ?? false
    }

    private var documentHash: ContentHash? {
        stored.item.documentSHA256.flatMap { ContentHash(hex: $0.utf8) }
    }

    /// Whether a document was last modified when its item was made: item.json is written after it, also by a program that copies
    /// both. Where an older file took its place, its status changed later than that of item.json.
    private func isOfItemsAge(_ status: FileStatus) -> Bool {
        guard let created = stored.item.createdAt else { return false }
        return status.modified <= stored.status.modified
            && status.modified / 1_000_000 <= created.adding(seconds: Self.storingSeconds).milliseconds
    }

    /// A large document is copied after its item got a time.
    private static let storingSeconds: Int64 = 60

    private func origin(of path: String, _ status: FileStatus) throws(ItemError) -> FileOrigin {
        try store.isWrittenHere(stored.folder + "/" + path, status, changed: status.changed) ? .here : .elsewhere
    }

    private mutating func all() throws(ItemError) -> [String: [Recorded]] {
        if let versions { return versions }
        let folder = VersionFolder(of: stored.folder, in: store)
        var found: [String: [Recorded]] = [:]
        var whole: [(name: ContentHash, version: Version)] = []
        for name in try folder.names().versions {
            if case .success(let version)? = try folder.version(name) { whole.append((name, version)) }
        }
        let followed = Set(whole.flatMap(\.version.parents))
        for (name, version) in whole where !version.files.isEmpty {
            let path = folder.path(of: name)
            let status = (try? store.root.statusIfPresent(of: path)) ?? nil
            let isNotedHere = status.flatMap { try? store.isWrittenHere(path, $0, changed: $0.changed) } ?? false
            for file in version.files {
                found[file.path, default: []].append(
                    Recorded(
                        file: file, updated: VersionOutline(version).updatedAt?.milliseconds ?? 0,
                        noted: (status?.modified ?? 0) / 1_000_000, isNotedHere: isNotedHere,
                        isHead: !followed.contains(name)))
            }
        }
        versions = found
        return found
    }
}
