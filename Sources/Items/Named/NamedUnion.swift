internal import JSONFormat

/// Two versions of one file of collections/, tags/ or smart/, of which nothing says what they came from.
package struct NamedUnion {
    /// The members of the newer file, and those that only the older one has. If one says that the name was deleted, one of
    /// the two counts whole.
    package let bytes: [UInt8]
    /// Keys that have another value in the older file.
    package let lost: [String]
    /// Whether a deletion stands that does not name the other state, and so may have not seen it.
    package let isUnsure: Bool

    /// - Parameter ours: stands if both are of one time.
    /// - Returns: `nil` if one is no object.
    package init?(_ ours: NamedState, _ theirs: NamedState) {
        let isTheirs = theirs.modified > ours.modified
        let (newer, older) = isTheirs ? (theirs, ours) : (ours, theirs)
        guard let a = newer.json, let b = older.json else { return nil }
        switch (Self.isDeletion(a), Self.isDeletion(b)) {
        case (false, false):
            let members = a.exactMembers(a.root), others = b.exactMembers(b.root)
            let known = Dictionary(members.map { (Array($0.key.utf8), $0.value) }) { $1 }
            let more = others.filter { known[Array($0.key.utf8)] == nil }
            bytes = more.isEmpty ? newer.bytes : JSONWriter.file(.object(members + more))
            lost = others.filter { other in known[Array(other.key.utf8)].map { $0 != other.value } ?? false }.map(\.key)
            isUnsure = false
            return
        case (true, true):
            bytes = newer.bytes
            isUnsure = false
        case (true, false):
            let outlives = older.outlives(a)
            bytes = outlives == true ? older.bytes : newer.bytes
            isUnsure = outlives != true && !Self.names(a, older)
        case (false, true):
            // A deletion that does not say what it deleted: the newer file counts.
            let outlives = newer.outlives(b) ?? true
            bytes = outlives ? newer.bytes : older.bytes
            isUnsure = !outlives && !Self.names(b, newer)
        }
        lost = []
    }

    private static func isDeletion(_ json: JSONDocument) -> Bool {
        json.member(NamedFile.deletedKey, of: json.root).map { json.kind($0) == .string } ?? false
    }

    /// Whether a deletion says that it deleted this state.
    private static func names(_ deletion: JSONDocument, _ state: NamedState) -> Bool {
        let digits = deletion.member(NamedState.hashKey, of: deletion.root).flatMap { deletion.string($0) }
        return digits.flatMap { ContentHash(hex: $0.utf8) } == state.hash
    }
}
