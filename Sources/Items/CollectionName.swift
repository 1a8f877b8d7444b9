/// The name of a collection, which an item is in by the tag `collection:Name`.
///
/// Levels are separated by `/`; a `/` inside a level's own name is written `\/`. There are at most 32 (`Layout.levelLimit`):
/// what would be a further one belongs to the last.
public struct CollectionName: Equatable, Sendable {
    /// What the tag of every collection begins with.
    public static let prefix = "collection:"

    /// With `/` between levels, as in the tag.
    public let name: String

    /// - Returns: `nil` for an empty name.
    public init?(_ name: String) {
        let name = TagList.collapsed(name)
        if name.isEmpty { return nil }
        self.name = name
    }

    /// The collection that a tag stands for; the prefix is compared without case.
    public init?(tag: String) {
        let prefix = Self.prefix.utf8
        guard tag.utf8.count > prefix.count,
            zip(tag.utf8, prefix).allSatisfy({ $0 == $1 || ($0 | 0x20 == $1 && $1 != UInt8(ascii: ":")) })
        else { return nil }
        // By scalars: a mark that combines with the colon is part of the name.
        self.init(String(tag.unicodeScalars.dropFirst(Self.prefix.unicodeScalars.count)))
    }

    /// The tag that puts an item into the collection.
    public var tag: String { Self.prefix + name }

    /// The levels as they are spelt in the name, outermost first: `\/` stays.
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

    /// Whether a `/` in a level's name, as it is spelt, would be a border between two if there could be more.
    static func hasBorder(_ part: String) -> Bool {
        var isEscaped = false
        for byte in part.utf8 {
            if byte == UInt8(ascii: "/"), !isEscaped { return true }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return false
    }

    /// Whether two names are those of one collection.
    public static func areSame(_ a: CollectionName, _ b: CollectionName) -> Bool { TagList.areSame(a.name, b.name) }

    /// The collection of these levels, spelt as in a name.
    public init?(parts: some Sequence<String>) { self.init(parts.joined(separator: "/")) }

    /// The collection that this one is directly in.
    public var parent: CollectionName? { CollectionName(parts: parts.dropLast()) }

    /// Whether this is `other`, or nested in it.
    public func isWithin(_ other: CollectionName) -> Bool {
        let own = parts
        let outer = other.parts
        return own.count >= outer.count && zip(own, outer).allSatisfy { TagList.areSame($0, $1) }
    }

    /// What this collection is called once `other`, in which it is, is called `new`.
    public func moved(from other: CollectionName, to new: CollectionName) -> CollectionName {
        CollectionName(parts: new.parts + parts.dropFirst(other.parts.count)) ?? new
    }
}
