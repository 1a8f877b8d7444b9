internal import JSONFormat
internal import Time

/// A file of collections/, tags/ or smart/ as it is in one copy of the library.
package struct NamedState {
    /// Its bytes.
    package let bytes: [UInt8]
    /// When it was modified, in nanoseconds since 1970.
    package let modified: Int64

    package init(_ bytes: [UInt8], modified: Int64) {
        self.bytes = bytes
        self.modified = modified
    }

    /// The keys in which a deletion names what it deleted: FORMAT.md § 9.
    package static let hashKey = "stateSHA256"
    static let timeKey = "stateUpdatedAt"

    var hash: ContentHash { ContentHash(of: bytes) }

    /// Its `updatedAt`; without one, when the file was modified. In milliseconds.
    var time: Timestamp { json.flatMap { Self.time("updatedAt", $0) } ?? Timestamp(milliseconds: modified / 1_000_000) }

    var json: JSONDocument? {
        guard let json = try? JSONDocument(parsing: bytes), json.kind(json.root) == .object else { return nil }
        return json
    }

    /// Its keys with their times; `nil` if it is no object, or a key cannot be held as text.
    var keys: NamedKeys? {
        guard let json, !json.hasLoneSurrogateInKey(json.root) else { return nil }
        return NamedKeys(json.exactMembers(json.root), modified: Timestamp(nanoseconds: modified).milliseconds)
    }

    /// Whether this state was made after a deletion, or is an edit that the deletion did not see.
    ///
    /// - Parameter deletion: a file that says that the name was deleted.
    /// - Returns: `nil` if the deletion does not name what it deleted.
    func outlives(_ deletion: JSONDocument) -> Bool? {
        guard let digits = deletion.member(Self.hashKey, of: deletion.root).flatMap({ deletion.string($0) }),
            let deleted = ContentHash(hex: digits.utf8), let seen = Self.time(Self.timeKey, deletion)
        else { return nil }
        // The same bytes once more: used again, if that was after the deletion.
        if deleted == hash { return Self.time(NamedFile.deletedKey, deletion).map { time > $0 } ?? false }
        // Editors leave `updatedAt` alone.
        return time >= seen
    }

    private static func time(_ key: String, _ json: JSONDocument) -> Timestamp? {
        json.member(key, of: json.root).flatMap { json.string($0) }.flatMap { Timestamp($0) }
    }
}
