/// The name of a collection, which an item is in by the tag `collection:Name`.
///
/// Levels are separated by `/`; a `/` inside a level's own name is written `\/`.
package struct CollectionName: Equatable, Sendable {
    package static let prefix = "collection:"

    /// With `/` between levels, as in the tag.
    package let name: String

    /// - Returns: `nil` for an empty name.
    package init?(_ name: String) {
        let name = TagList.collapsed(name)
        if name.isEmpty { return nil }
        self.name = name
    }

    /// The collection that a tag stands for; the prefix is compared without case.
    package init?(tag: String) {
        let prefix = Self.prefix.utf8
        guard tag.utf8.count > prefix.count,
            zip(tag.utf8, prefix).allSatisfy({ $0 == $1 || ($0 | 0x20 == $1 && $1 != UInt8(ascii: ":")) })
        else { return nil }
        // By scalars: a mark that combines with the colon is part of the name.
        self.init(String(tag.unicodeScalars.dropFirst(Self.prefix.unicodeScalars.count)))
    }

    package var tag: String { Self.prefix + name }

    /// The names of the levels, outermost first, with `\/` read as `/`.
    package var levels: [String] {
        var levels = [""]
        var isEscaped = false
        for character in name {
            if isEscaped {
                levels[levels.count - 1] += character == "/" ? "/" : "\\" + String(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "/" {
                levels.append("")
            } else {
                levels[levels.count - 1].append(character)
            }
        }
        if isEscaped { levels[levels.count - 1] += "\\" }
        return levels
    }
}
