/// The name of a collection. The tag `collection:Name` puts an item into it.
///
/// `/` separates levels; a `/` inside a level's own name is written `\/`. A name has at most 32 levels
/// (`Layout.levelLimit`); any further `/` belongs to the last level.
public struct CollectionName: Equatable, Sendable {
    /// The prefix of every collection's tag.
    public static let prefix = "collection:"

    /// With `/` between levels, as in the tag.
    public let name: String

    /// - Returns: `nil` for an empty name.
    public init?(_ name: String) {
        let name = TagList.collapsed(name)
        if name.isEmpty { return nil }
        self.name = name
    }

    /// The collection that a tag names; the prefix is compared without case.
    public init?(tag: String) {
        let prefix = Self.prefix.utf8
        guard tag.utf8.count > prefix.count,
            zip(tag.utf8, prefix).allSatisfy({ $0 == $1 || ($0 | 0x20 == $1 && $1 != UInt8(ascii: ":")) })
        else { return nil }
        // By scalars: a combining mark after the colon belongs to the name.
        self.init(String(tag.unicodeScalars.dropFirst(Self.prefix.unicodeScalars.count)))
    }

    /// The tag that puts an item into the collection.
    public var tag: String { Self.prefix + name }

    /// The levels as spelt in the name, outermost first; `\/` stays as it is.
    public var parts: [String] {
        var parts: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in name.utf8 {
            if byte == UInt8(ascii: "/"), !isEscaped, parts.count < Layout.levelLimit {
                parts.append([])
            } else {
                parts[parts.count - 1].append(byte)
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names of the levels, outermost first, with `\/` read as `/`.
    public var levels: [String] {
        parts.map { part in
            var level: [UInt8] = []
            var isEscaped = false
            for byte in part.utf8 {
                if isEscaped, byte == UInt8(ascii: "/") { level.removeLast() }
                level.append(byte)
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            }
            return String(decoding: level, as: UTF8.self)
        }
    }

    /// Whether a level, as spelt, contains a `/` that would separate two levels if more levels were allowed.
    static func hasBorder(_ part: String) -> Bool {
        var isEscaped = false
        for byte in part.utf8 {
            if byte == UInt8(ascii: "/"), !isEscaped { return true }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return false
    }

    /// Whether two names mean the same collection.
    public static func areSame(_ a: CollectionName, _ b: CollectionName) -> Bool { TagList.areSame(a.name, b.name) }

    /// The collection with these levels, each spelt as in a name. A backslash at the end of a level, which would make
    /// the `/` after it a character of the name, gets a second one.
    public init?(parts: some Sequence<String>) {
        var name = ""
        for (place, part) in parts.enumerated() {
            if place > 0 { name += Self.endsInEscape(name) ? "\\/" : "/" }
            name += part
        }
        self.init(name)
    }

    /// Whether a text ends in a backslash to which the next character would belong.
    private static func endsInEscape(_ text: String) -> Bool {
        !text.utf8.reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
    }

    /// The collection that directly contains this one.
    public var parent: CollectionName? { CollectionName(parts: parts.dropLast()) }

    /// Whether this is `other` or nested in it.
    public func isWithin(_ other: CollectionName) -> Bool {
        let own = parts
        let outer = other.parts
        return own.count >= outer.count && zip(own, outer).allSatisfy { TagList.areSame($0, $1) }
    }

    /// The name of this collection after `other`, which contains it, is renamed to `new`.
    public func moved(from other: CollectionName, to new: CollectionName) -> CollectionName {
        CollectionName(parts: new.parts + parts.dropFirst(other.parts.count)) ?? new
    }
}
