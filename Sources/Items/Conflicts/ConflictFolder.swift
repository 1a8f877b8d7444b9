internal import Files

/// The conflicts/ of one item, for reading.
package struct ConflictFolder: Sendable {
    /// What is in the folder.
    package struct Listing: Sendable {
        /// Sorted by name.
        package fileprivate(set) var conflicts: [ConflictFile] = []
        /// Files that have the name of a conflict and are none, sorted by name.
        package fileprivate(set) var strangers: [(name: String, fault: ConflictFault)] = []
        /// Conflicts above the limits, which were not read.
        package fileprivate(set) var unreadCount = 0
        /// Files with other names, such as whole versions of a file, sorted. At most `countLimit`.
        package fileprivate(set) var others: [String] = []
    }

    /// So many conflicts are read, the first by name.
    package static let countLimit = 1000
    /// After so many bytes no further conflict is read.
    private static let totalLimit = 128 << 20

    private let store: ItemStore
    /// Relative to the library's folder.
    package let path: String

    /// - Parameter folder: the item's, relative to the library's.
    package init(of folder: String, in store: ItemStore) {
        self.store = store
        path = folder + "/" + Layout.conflicts
    }

    /// Reads the conflicts. Files that vanish meanwhile are passed over. Links are not followed.
    ///
    /// - Throws: `ItemError.file` if the folder cannot be read, `.cancelled`.
    package func list(_ monitor: Monitor = Monitor()) throws(ItemError) -> Listing {
        var listing = Listing()
        guard let folder = try directory() else { return listing }
        var names: [[UInt8]] = [], others: [[UInt8]] = []
        try files { () throws(FileError) in
            try folder.forEachName { name, _ in
                if ConflictFile.isName(name) { names.append(Array(name)) } else { others.append(Array(name)) }
            }
        }
        others.sort { $0.lexicographicallyPrecedes($1) }
        listing.others = Array(
            others.lazy.compactMap { String(validating: $0, as: UTF8.self) }.filter { !Layout.isTemporary($0) }
                .prefix(Self.countLimit))
        names.sort { $0.lexicographicallyPrecedes($1) }
        var byteCount = 0
        for (place, bytes) in names.enumerated() {
            try monitor.check()
            if place == Self.countLimit || byteCount > Self.totalLimit {
                listing.unreadCount = names.count - place
                break
            }
            let name = String(decoding: bytes, as: UTF8.self)
            do throws(ConflictFault) {
                guard let conflict = try Self.read(name, in: folder) else { continue }
                byteCount += conflict.bytes.count
                listing.conflicts.append(conflict)
            } catch {
                listing.strangers.append((name, error))
            }
        }
        return listing
    }

    /// The number of conflicts and of whole versions, by their names. What a program left or is still writing does not count.
    package func count() -> Int {
        var count = 0
        try? store.root.directory(path).forEachName { name, kind in
            let isOne = kind != .directory && !Layout.isTemporary(String(decoding: name, as: UTF8.self))
            if isOne { count += 1 }
        }
        return count
    }

    private static func read(_ name: String, in folder: borrowing Directory) throws(ConflictFault) -> ConflictFile? {
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try folder.contentsIfPresent(of: name, limit: ConflictFile.byteLimit)?.bytes
        } catch {
            if case .tooLarge(let byteCount, _) = error.reason { throw .tooLarge(byteCount: byteCount) }
            throw .notAFile
        }
        return try bytes.map { bytes throws(ConflictFault) in try ConflictFile(name: name, bytes: bytes) }
    }

    private func directory() throws(ItemError) -> Directory? { try store.directoryIfPresent(path) }
}
