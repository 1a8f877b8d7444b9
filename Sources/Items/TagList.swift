import Characters
internal import Characters

/// Tags of one item: trimmed, not empty, compared without case; the first spelling stays.
///
/// Adding and look-up take constant time.
public struct TagList: Equatable, Sendable {
    /// The tags in the order of addition, in their first spelling.
    public private(set) var tags: [String] = []
    /// The keys by which tags are compared once there are many, or some are not plain.
    private var keys: Set<Key>?

    /// Up to this number of plain tags, direct comparison is cheaper than making keys.
    private static let fewCount = 24

    /// Whether both have the same tags in the same order and spelling, byte by byte.
    public static func == (a: TagList, b: TagList) -> Bool {
        // By bytes: String's own equality treats two normal forms as equal.
        a.tags.elementsEqual(b.tags) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// The tag that marks an item as trashed.
    public static let trashcan = "trashcan"

    /// Makes a list without empty tags and without repetitions in another case.
    public init(_ tags: [String]) {
        for tag in tags { add(tag) }
    }

    /// Reads tags typed by a person, separated by commas.
    public init(typed text: String) {
        self.init(text.split(ascii: ","))
    }

    /// Whether two tags are the same: equal after Unicode lower-casing and, up to 254 bytes, canonical equivalence.
    public static func areSame(_ a: String, _ b: String) -> Bool {
        var a = a, b = b
        let quick = a.withUTF8 { x in b.withUTF8 { y in areSame(x, y) } }
        return quick ?? (Key(a) == Key(b))
    }

    /// The result, if the bytes alone decide; `nil` if letters outside ASCII need the tables.
    private static func areSame(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool? {
        let x = a.firstIndex { $0 >= 0x80 }, y = b.firstIndex { $0 >= 0x80 }
        switch (x, y) {
        case (nil, nil):
            if a.count != b.count { return false }
            return a.indices.allSatisfy { a[$0] == b[$0] || a[$0].lowercased == b[$0].lowercased }
        case (let x?, nil): return mayBecomeASCII(a[x...]) ? nil : false
        case (nil, let y?): return mayBecomeASCII(b[y...]) ? nil : false
        case (.some, .some):
            if isLong(a.count) != isLong(b.count) { return false }
            // Lower-casing makes at most three bytes of one, or one of three.
            return a.count / 9 > b.count || b.count / 9 > a.count ? false : nil
        }
    }

    /// Whether a character outside ASCII may become ASCII in lower case and NFC: only U+037E, U+1FEF and U+212A can.
    private static func mayBecomeASCII(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        bytes.starts(with: [0xCD, 0xBE]) || bytes.starts(with: [0xE1, 0xBF, 0xAF])
            || bytes.starts(with: [0xE2, 0x84, 0xAA])
    }

    /// Whether a tag has a special meaning and is not shown among tags: a collection, or the trash mark.
    public static func isReserved(_ tag: String) -> Bool {
        CollectionName(tag: tag) != nil || areSame(tag, trashcan)
    }

    /// Two keys are equal exactly if their tags are the same. Making and comparing them takes linear time, which String's
    /// own hash does not: it orders combining marks.
    package struct Key: Hashable, Sendable {
        private let isLong: Bool
        private let bytes: [UInt8]

        package init(_ tag: String) {
            isLong = TagList.isLong(tag.utf8.count)
            let lower = tag.lowercased()
            // Canonical ordering of combining marks takes time quadratic in their number, so long tags skip it.
            bytes = isLong ? Array(lower.utf8) : CanonicalComposition.nfcBytes(lower)
        }
    }

    private static func isLong(_ byteCount: Int) -> Bool { byteCount > Layout.tagByteLimit }

    /// Whether comparing the tag with another one takes only a look at a few bytes.
    private static func isPlain(_ tag: String) -> Bool {
        !isLong(tag.utf8.count) && tag.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Whether the tag is there, in any case.
    public func contains(_ tag: String) -> Bool {
        keys?.contains(Key(tag)) ?? tags.contains { Self.areSame($0, tag) }
    }

    /// Adds a tag at the end unless it exists in any case.
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

    /// Renames a tag in place. If the list has the new name already, the old tag is removed and the existing one gets
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

    /// Gives a tag another spelling, if it has this one, byte by byte.
    mutating func respell(_ old: String, as new: String) {
        guard Self.areSame(old, new), let place = tags.firstIndex(where: { $0.utf8.elementsEqual(old.utf8) }) else {
            return
        }
        tags[place] = new
    }

    /// Puts the tags into the order of others, if they are the same ones. Their spelling stays.
    mutating func order(as others: [String]) {
        let ordered = TagList(others).tags.map(Key.init)
        let spellings = Dictionary(tags.map { (Key($0), $0) }, uniquingKeysWith: { first, _ in first })
        guard ordered.count == tags.count, ordered.allSatisfy({ spellings[$0] != nil }) else { return }
        tags = ordered.compactMap { spellings[$0] }
    }

    /// A tag without surrounding white space; runs of white space and control characters inside become one space.
    ///
    /// A collection's name is trimmed too, so `collection: Work` is `collection:Work`.
    public static func trimmed(_ tag: String) -> String {
        let plain = collapsed(tag)
        if let name = CollectionName(tag: plain) { return name.tag }
        return plain
    }

    static func collapsed(_ text: String) -> String { WhiteSpace.collapsed(text) }
}
