/// Tags of one item: trimmed, none empty, compared without case, the first-seen casing kept.
///
/// Adding and looking up take the same time however many tags there are.
public struct TagList: Equatable, Sendable {
    public private(set) var tags: [String] = []
    /// What tags are compared by, once they are too many to be compared one by one.
    private var keys: Set<Key>?

    /// Up to this many tags, comparing costs less than making keys.
    private static let fewCount = 24

    public static func == (a: TagList, b: TagList) -> Bool {
        // By bytes: String's own equality takes two normal forms for one.
        a.tags.elementsEqual(b.tags) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// The tag that marks an item as trashed.
    public static let trashcan = "trashcan"

    public init(_ tags: [String]) {
        for tag in tags { add(tag) }
    }

    /// Tags as a person types them: separated by commas.
    public init(typed text: String) {
        self.init(text.split(separator: ",").map(String.init))
    }

    /// Whether two tags are the same: equal after Unicode lower-casing and, up to 254 bytes, canonical equivalence.
    public static func areSame(_ a: String, _ b: String) -> Bool {
        if isLong(a) || isLong(b) {
            return isLong(a) == isLong(b) && a.lowercased().utf8.elementsEqual(b.lowercased().utf8)
        }
        var a = a, b = b
        return a.withUTF8 { x in
            b.withUTF8 { y -> Bool? in
                // ASCII is compared byte by byte; other letters need the tables.
                var isSame = x.count == y.count
                for index in 0..<min(x.count, y.count) {
                    let (p, q) = (x[index], y[index])
                    if p >= 0x80 || q >= 0x80 { return nil }
                    if isSame, p != q { isSame = lowerASCII(p) == lowerASCII(q) }
                }
                let rest = x.count > y.count ? x[y.count...] : y[x.count...]
                return rest.contains { $0 >= 0x80 } ? nil : isSame
            }
        } ?? (a.lowercased() == b.lowercased())
    }

    private static func lowerASCII(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

    /// Whether a tag has a meaning of its own and is not shown among tags: a collection, or the mark of the trash.
    public static func isReserved(_ tag: String) -> Bool {
        CollectionName(tag: tag) != nil || areSame(tag, trashcan)
    }

    /// Equal for tags that are the same, and only for them.
    private enum Key: Hashable {
        case short(String)
        case long([UInt8])
    }

    private static func key(_ tag: String) -> Key {
        isLong(tag) ? .long(Array(tag.lowercased().utf8)) : .short(tag.lowercased())
    }

    /// The standard library brings a run of combining marks into canonical order in a time that grows with its square.
    private static func isLong(_ tag: String) -> Bool { tag.utf8.count > Layout.tagByteLimit }

    /// Whether the tag is there, in any case.
    public func contains(_ tag: String) -> Bool {
        keys?.contains(Self.key(tag)) ?? tags.contains { Self.areSame($0, tag) }
    }

    /// Adds a tag at the end unless it is there in any casing.
    public mutating func add(_ tag: String) {
        let tag = Self.trimmed(tag)
        if tag.isEmpty { return }
        if keys != nil {
            if keys?.insert(Self.key(tag)).inserted == true { tags.append(tag) }
        } else if !contains(tag) {
            tags.append(tag)
            if tags.count > Self.fewCount { keys = Set(tags.map { Self.key($0) }) }
        }
    }

    /// Removes a tag, in any case.
    public mutating func remove(_ tag: String) { remove([tag]) }

    /// Removes several tags in one pass.
    public mutating func remove(_ others: some Sequence<String>) {
        let going = TagList(Array(others))
        tags.removeAll { going.contains($0) }
        if keys != nil { keys?.subtract(going.tags.map { Self.key($0) }) }
    }

    /// Gives a tag another name, in its place; if the list has that one already, the old one goes and the other is spelt anew.
    public mutating func rename(_ old: String, to new: String) {
        let new = Self.trimmed(new)
        guard !new.isEmpty, let place = tags.firstIndex(where: { Self.areSame($0, Self.trimmed(old)) }) else { return }
        if let other = tags.firstIndex(where: { Self.areSame($0, new) }), other != place {
            tags[other] = new
            tags.remove(at: place)
        } else {
            tags[place] = new
        }
        if keys != nil { keys = Set(tags.map { Self.key($0) }) }
    }

    /// A tag without surrounding white space, and with runs of white space and control characters inside as one space.
    ///
    /// The name of a collection is trimmed too, so that `collection: Work` is `collection:Work`.
    public static func trimmed(_ tag: String) -> String {
        let plain = collapsed(tag)
        if let name = CollectionName(tag: plain) { return name.tag }
        return plain
    }

    /// Printable ASCII with single spaces inside: what nearly all titles and tags are.
    private static func isCollapsedASCII(_ text: String) -> Bool {
        var last: UInt8 = 0x20
        for byte in text.utf8 {
            if byte < 0x20 || byte >= 0x7F || (byte == 0x20 && last == 0x20) { return false }
            last = byte
        }
        return last != 0x20
    }

    static func collapsed(_ text: String) -> String {
        if isCollapsedASCII(text) { return text }
        return text.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
            .map(String.init).joined(separator: " ")
    }
}
