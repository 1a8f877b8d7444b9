/// Folders as one text: `/` between levels, `\/` for a `/` in a name, as in names of collections.
package enum FolderPath {
    /// A name of which a backslash precedes a `/`, or ends a level before another, gets a second backslash: one alone
    /// would make the `/` a character of the name.
    package static func joined(_ folders: [String]) -> String {
        var path: [UInt8] = []
        for (place, name) in folders.enumerated() {
            if place > 0 { path.append(UInt8(ascii: "/")) }
            var isEscaping = false
            // By bytes: with a combining mark after it, `/` is another Character.
            for byte in name.utf8 {
                if byte == UInt8(ascii: "/") {
                    if isEscaping { path.append(UInt8(ascii: "\\")) }
                    path.append(UInt8(ascii: "\\"))
                }
                path.append(byte)
                isEscaping = byte == UInt8(ascii: "\\") && !isEscaping
            }
            if isEscaping, place < folders.count - 1 { path.append(UInt8(ascii: "\\")) }
        }
        return String(decoding: path, as: UTF8.self)
    }

    /// The names of the levels; empty ones are left out.
    ///
    /// - Parameter limit: the largest number of levels; a further `/` belongs to the last one.
    package static func split(_ path: String, limit: Int = .max) -> [String] {
        var levels: [[UInt8]] = [[]]
        var isEscaping = false
        for byte in path.utf8 {
            let last = levels.count - 1
            if byte == UInt8(ascii: "/"), isEscaping {
                levels[last][levels[last].count - 1] = byte
            } else if byte == UInt8(ascii: "/"), levels.count < limit {
                levels.append([])
            } else {
                levels[last].append(byte)
            }
            // A backslash before a backslash is kept with it.
            isEscaping = byte == UInt8(ascii: "\\") && !isEscaping
        }
        return levels.map { String(decoding: $0, as: UTF8.self) }.filter { !$0.isEmpty }
    }

    /// Names of folders as levels of a collection (FORMAT.md § 5.7): trimmed, not empty, of limited length, and with an even
    /// number of backslashes at the end.
    package static func cleaned(_ folders: [String]) -> [String] {
        folders.prefix(ImportedEntry.folderDepthLimit).map { name in
            let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let level = ImportedEntry.cut(words, ImportedEntry.folderNameByteLimit)
            let count = level.utf8.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
            return count.isMultiple(of: 2) ? level : level + "\\"
        }.filter { !$0.isEmpty }
    }

    /// The path of a folder in another, as the source spells it. A blank name and one below the deepest level add nothing.
    static func appended(_ name: String, to path: [String]) -> [String] {
        isBlank(name) || path.count >= ImportedEntry.folderDepthLimit
            ? path : path + [ImportedEntry.cut(name, readByteLimit)]
    }

    static func isBlank(_ name: String) -> Bool { name.allSatisfy(\.isWhitespace) }

    /// More than a level can have, so that a reader leaves it to the import to cut a name and to tell.
    private static let readByteLimit = 2 * ImportedEntry.folderNameByteLimit
}
