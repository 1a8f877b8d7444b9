internal import Files
internal import Items
package import JSONFormat

/// Two values of one field that could not be joined: a file `conflicts/<hash16>.json`.
///
/// Nothing but the field, the base and both values is in it, so that all replicas make the same file and no later merge
/// makes another one.
package struct Conflict: Sendable, Equatable {
    /// The key, with `.` between the keys of objects; `text` for a paragraph; the name of a unit.
    package let field: String
    /// The value that both came from; null without one.
    package let base: JSON
    /// The value that stands in the item; null if the key is absent.
    package let winner: JSON
    package let loser: JSON
    /// How often the same conflict was ended before, from 0: a version that names an earlier file in `resolved` does not end this one.
    package private(set) var again = 0

    package init(field: String, base: JSON?, winner: JSON?, loser: JSON?) {
        self.field = field
        self.base = base ?? .null
        self.winner = winner ?? .null
        self.loser = loser ?? .null
    }

    /// The bytes of the file. Both values are sorted by their canonical JSON, so that they do not tell the winner.
    package var bytes: [UInt8] {
        let values = [winner, loser].map { ($0, JSONWriter.file($0)) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }
        return JSONWriter.file(
            .members([
                ("field", .string(field)), ("base", base), ("values", .array(values.map(\.0))),
                ("again", again > 0 ? .integer(again) : nil),
            ]))
    }

    /// The path of the file, relative to the item's folder.
    package var path: String { "conflicts/" + SHA256.hex(bytes).prefix(16) + ".json" }

    /// So many names of one conflict are tried.
    private static let nameLimit = 1000

    /// The same conflict under the first of its names that is not among these paths.
    package func coming(after ended: Set<String>) -> Conflict {
        var conflict = self
        for again in 0..<Self.nameLimit {
            conflict.again = again
            if !ended.contains(conflict.path) { break }
        }
        return conflict
    }
}
