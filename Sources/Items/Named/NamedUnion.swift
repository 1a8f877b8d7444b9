internal import JSONFormat

/// Two versions of one file of collections/, tags/ or smart/, joined key by key by the times of the keys: FORMAT.md § 9.2.
package struct NamedUnion {
    /// For each key the later value. Where one version has all of them, it is that one as it is spelt. If one says that the name was
    /// deleted, one of the two counts whole.
    package let bytes: [UInt8]
    /// The modification time of the joined file, in nanoseconds since 1970: the time of the join would make old values new ones.
    package let modified: Int64
    /// Keys of which a value is in neither file any more, and that was not replaced by the one that stands as far as is known.
    package let lost: [String]
    /// Whether every key has the value that it has in `ours`.
    package let isOurs: Bool
    /// Whether a deletion stands that does not name the other state, and so may have not seen it.
    package let isUnsure: Bool

    /// - Parameter keepsLost: whether a key of which a value would be lost stays as it is in `ours`; `lost` still has its name.
    /// - Returns: `nil` if one is no object, or the joined file would be too large.
    package init?(_ ours: NamedState, _ theirs: NamedState, keepsLost: Bool = false) {
        guard let a = ours.json, let b = theirs.json else { return nil }
        switch (Self.isDeletion(a), Self.isDeletion(b)) {
        case (false, false):
            guard let own = ours.keys, let other = theirs.keys else { return nil }
            let one = own.explained(by: other), two = other.explained(by: own)
            var joined = one.joined(with: two)
            let lost = joined.lost(from: one, two)
            if keepsLost { for key in lost { joined.take(key, from: own) } }
            self.lost = lost.map { String(decoding: $0, as: UTF8.self) }
            isUnsure = false
            isOurs = joined.hasValues(of: own)
            let whole = [(own, ours), (other, theirs)].filter { $0.0 == joined }.map(\.1)
            // Both, if only their spelling differs: all devices choose alike.
            if let state = whole.max(by: { $0.hash < $1.hash }) {
                (bytes, modified) = (state.bytes, state.modified)
                return
            }
            bytes = JSONWriter.file(.object(joined.members))
            modified = max(ours.modified, theirs.modified)
            if bytes.count > Layout.settingsByteLimit { return nil }
            return
        case (true, true):
            let newer = (theirs.modified, theirs.hash) < (ours.modified, ours.hash) ? ours : theirs
            (bytes, modified) = (newer.bytes, newer.modified)
            isUnsure = false
        case (true, false), (false, true):
            let (deletion, json, state) = Self.isDeletion(a) ? (ours, a, theirs) : (theirs, b, ours)
            // A deletion that does not say what it deleted: the newer file counts.
            let outlives = state.outlives(json) ?? (deletion.modified <= state.modified)
            bytes = outlives ? state.bytes : deletion.bytes
            modified = max(ours.modified, theirs.modified)
            isUnsure = !outlives && !Self.names(json, state)
        }
        lost = []
        isOurs = bytes == ours.bytes
    }

    static func isDeletion(_ json: JSONDocument) -> Bool {
        json.member(NamedFile.deletedKey, of: json.root).map { json.kind($0) == .string } ?? false
    }

    /// Whether a deletion says that it deleted this state.
    private static func names(_ deletion: JSONDocument, _ state: NamedState) -> Bool {
        let digits = deletion.member(NamedState.hashKey, of: deletion.root).flatMap { deletion.string($0) }
        return digits.flatMap { ContentHash(hex: $0.utf8) } == state.hash
    }
}
