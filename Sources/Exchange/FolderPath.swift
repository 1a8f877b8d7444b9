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

    /// Names that can be levels of a collection: trimmed, not empty, of limited length.
    package static func cleaned(_ folders: [String]) -> [String] {
        folders.prefix(ImportedEntry.folderDepthLimit).map { name in
            let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return ImportedEntry.cut(words, ImportedEntry.folderNameByteLimit)
        }.filter { !$0.isEmpty }
    }
}
