/// Folders as one text: `/` between levels, `\/` for a `/` in a name, as in names of collections.
package enum FolderPath {
    package static func joined(_ folders: [String]) -> String {
        var path: [UInt8] = []
        for (place, name) in folders.enumerated() {
            if place > 0 { path.append(UInt8(ascii: "/")) }
            // By bytes: with a combining mark after it, `/` is another Character.
            for byte in name.utf8 {
                if byte == UInt8(ascii: "/") { path.append(UInt8(ascii: "\\")) }
                path.append(byte)
            }
        }
        return String(decoding: path, as: UTF8.self)
    }

    /// The names of the levels; empty ones are left out.
    ///
    /// - Parameter limit: the largest number of levels; a further `/` belongs to the last one.
    package static func split(_ path: String, limit: Int = .max) -> [String] {
        var levels: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in path.utf8 {
            if isEscaped {
                if byte != UInt8(ascii: "/") { levels[levels.count - 1].append(UInt8(ascii: "\\")) }
                isEscaped = byte == UInt8(ascii: "\\")
                if !isEscaped { levels[levels.count - 1].append(byte) }
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "/"), levels.count < limit {
                levels.append([])
            } else {
                levels[levels.count - 1].append(byte)
            }
        }
        if isEscaped { levels[levels.count - 1].append(UInt8(ascii: "\\")) }
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
