internal import Items
public import Time

/// What an item was at one time: a file in its history/ (FORMAT.md § 8.7). It never changes.
///
/// A version names no device: what two devices note of the same state is the same version.
public struct ItemVersion: Sendable {
    let hash: Items.ContentHash
    let parentHashes: [Items.ContentHash]

    /// 64 lower-case hexadecimal digits: the SHA-256 of the file.
    public var name: String { hash.hex }
    /// The names of the versions it came from, sorted: none for the first one, several for a join.
    public var parents: [String] { parentHashes.map(\.hex) }
    /// When the item was changed to this, by the clock of the device that did it; `nil` if the item has no such time.
    public let updatedAt: Timestamp?
    /// Whether no other version came from this one.
    public let isHead: Bool
    /// Whether the fields and the text are those that the item has now, and those of no version before it in the list.
    public let isCurrent: Bool
    /// Whether its text, or a version that it came from, is not here yet.
    public let isWaiting: Bool
}

/// The versions of one item.
public struct ItemVersions: Sendable {
    /// The latest first. A version stands before all that it came from, whatever their times say.
    public let versions: [ItemVersion]
    /// Files with names of versions that are none: their paths, relative to the library's folder, and why.
    public let strangers: [(path: String, fault: VersionFault)]

    /// The versions whose names begin with these digits, the latest first.
    public func versions(named start: String) -> [ItemVersion] {
        start.isEmpty ? [] : versions.filter { $0.name.hasPrefix(start) }
    }
}
