internal import Characters

/// Tags of one item: trimmed, none empty, compared without case, the first-seen casing kept.
///
/// Adding and looking up take the same time however many tags there are.
public struct TagList: Equatable, Sendable {
    /// The tags in the order in which they were added, with the casing that came first.
    public private(set) var tags: [String] = []
    /// What tags are compared by, once they are many, or not plain.
    private var keys: Set<Key>?

    /// Up to this many plain tags, comparing costs less than making keys.
    private static let fewCount = 24

    /// Whether both have the same tags in the same order and casing, byte by byte.
    public static func == (a: TagList, b: TagList) -> Bool {
        // By bytes: String's own equality takes two normal forms for one.
        a.tags.elementsEqual(b.tags) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// The tag that marks an item as trashed.
    public static let trashcan = "trashcan"

    /// Makes a list; empty tags and those that are there in another casing are left out.
    public init(_ tags: [String]) {
        for tag in tags { add(tag) }
    }

    /// Tags as a person types them: separated by commas.
    public init(typed text: String) {
        self.init(text.split(separator: ",").map(String.init))
    }

    /// Whether two tags are the same: equal after Unicode lower-casing and, up to 254 bytes, canonical equivalence.
    public static func areSame(_ a: String, _ b: String) -> Bool {
        var a = a, b = b
        let quick = a.withUTF8 { x in b.withUTF8 { y in areSame(x, y) } }
        return quick ?? (Key(a) == Key(b))
    }

    /// What the bytes alone tell; `nil` where letters outside of ASCII need the tables.
    private static func areSame(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool? {
        let x = a.firstIndex { $0 >= 0x80 }, y = b.firstIndex { $0 >= 0x80 }
        switch (x, y) {
        case (nil, nil):
            if a.count != b.count { return false }
            return a.indices.allSatisfy { a[$0] == b[$0] || lowerASCII(a[$0]) == lowerASCII(b[$0]) }
        case (let x?, nil): return mayBecomeASCII(a[x...]) ? nil : false
        case (nil, let y?): return mayBecomeASCII(b[y...]) ? nil : false
        case (.some, .some):
            if isLong(a.count) != isLong(b.count) { return false }
            // Lower-casing makes three bytes of one, and one of three, at most.
            return a.count / 9 > b.count || b.count / 9 > a.count ? false : nil
        }
    }

    /// Whether what begins outside of ASCII may be ASCII in lower case and NFC: U+037E, U+1FEF and U+212A are, no others.
    private static func mayBecomeASCII(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        bytes.starts(with: [0xCD, 0xBE]) || bytes.starts(with: [0xE1, 0xBF, 0xAF])
            || bytes.starts(with: [0xE2, 0x84, 0xAA])
    }

    private static func lowerASCII(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

    /// Whether a tag has a meaning of its own and is not shown among tags: a collection, or the mark of the trash.
    public static func isReserved(_ tag: String) -> Bool {
        CollectionName(tag: tag) != nil || areSame(tag, trashcan)
    }

    /// Equal for tags that are the same, and only for them.
    private struct Key: Hashable {
        private let isLong: Bool
        private let bytes: [UInt8]

        init(_ tag: String) {
            isLong = TagList.isLong(tag.utf8.count)
            let lower = tag.lowercased()
            // A run of combining marks is brought into canonical order in a time that grows with its square.
            bytes = isLong ? Array(lower.utf8) : CanonicalComposition.nfcBytes(lower)
        }
    }

    private static func isLong(_ byteCount: Int) -> Bool { byteCount > Layout.tagByteLimit }

    /// Whether comparing a tag with another one takes no more than a look at a few bytes.
    private static func isPlain(_ tag: String) -> Bool {
        !isLong(tag.utf8.count) && tag.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Whether the tag is there, in any case.
    public func contains(_ tag: String) -> Bool {
        keys?.contains(Key(tag)) ?? tags.contains { Self.areSame($0, tag) }
    }

    /// Adds a tag at the end unless it is there in any casing.
    public mutating func add(_ tag: String) {
        let tag = Self.trimmed(tag)
        if tag.isEmpty { return }
        if keys == nil, !tags.isEmpty, tags.count >= Self.fewCount || !Self.isPlain(tag) || !Self.isPlain(tags[0]) {
            keys = Set(tags.map(Key.init))
        }
        if keys != nil {
            if keys?.insert(Key(tag)).inserted == true { tags.append(tag) }
        } else if !contains(tag) {
            tags.append(tag)
        }
    }

    /// Removes a tag, in any case.
    public mutating func remove(_ tag: String) { remove([tag]) }

    /// Removes several tags in one pass.
    public mutating func remove(_ others: some Sequence<String>) {
        let going = TagList(Array(others))
        tags.removeAll { going.contains($0) }
        if keys != nil { keys?.subtract(going.tags.map(Key.init)) }
    }

    /// Renames a tag in its place. If the list has the new name already, the old tag is removed and the other one takes
    /// the new spelling.
    public mutating func rename(_ old: String, to new: String) {
        let new = Self.trimmed(new)
        guard !new.isEmpty, let place = tags.firstIndex(where: { Self.areSame($0, Self.trimmed(old)) }) else { return }
        if let other = tags.firstIndex(where: { Self.areSame($0, new) }), other != place {
            tags[other] = new
            tags.remove(at: place)
        } else {
            tags[place] = new
        }
        if keys != nil { keys = Set(tags.map(Key.init)) }
    }

    /// A tag without surrounding white space, and with runs of white space and control characters inside as one space.
    ///
    /// The name of a collection is trimmed too, so that `collection: Work` is `collection:Work`.
    public static func trimmed(_ tag: String) -> String {
        let plain = collapsed(tag)
        if let name = CollectionName(tag: plain) { return name.tag }
        return plain
    }

    static func collapsed(_ text: String) -> String { WhiteSpace.collapsed(text) }
}
