public import JSONFormat
public import Time

/// A change to item.json that can be applied again to another version of the file.
///
/// The change is decided against `base`, the version that the person saw. Tags are added and removed one by one, so
/// they never clash. A field clashes if another program gave it a value that is neither the base's nor ours.
public struct ItemEdit: Sendable {
    enum Change: Sendable {
        case set(key: String, JSON)
        case remove(key: String)
        case addTag(String)
        case removeTag(String)
        case renameTag(String, to: String)
        /// Gives a tag another spelling if it still has this one.
        case respellTag(String, as: String)
        /// Puts the tags into this order if they are still the same ones. Their spelling stays.
        case orderTags([String])
        /// Removes a key only if it still has this value.
        case drop(key: String, JSON)

        var isOfTags: Bool {
            switch self {
            case .addTag, .removeTag, .renameTag, .respellTag, .orderTags: true
            case .set, .remove, .drop: false
            }
        }
    }

    /// The item.json for which the change was decided. A merge compares with it.
    package private(set) var base: JSONDocument
    /// Whether the change moves the item to the trash.
    package private(set) var isTrashing = false
    private(set) var changes: [Change] = []
    /// Keys that `changes` sets or removes, as bytes.
    private var decided: Set<[UInt8]> = []
    /// Whether a file beside item.json was changed. `updatedAt` is then written even if no field changes.
    private(set) var isTouched = false

    /// - Parameter base: the item.json for which the change is decided.
    public init(base: JSONDocument) { self.base = base }

    /// Gives a field a value.
    public mutating func set(_ field: ItemField, _ value: JSON) { set(key: field.key, value) }
    /// Removes a field.
    public mutating func remove(_ field: ItemField) { remove(key: field.key) }

    /// Sets a key. Replaces an earlier decision about it.
    public mutating func set(key: String, _ value: JSON) {
        forget(key)
        changes.append(.set(key: key, value))
    }

    /// Removes a key. Replaces an earlier decision about it.
    public mutating func remove(key: String) {
        forget(key)
        changes.append(.remove(key: key))
    }

    private mutating func forget(_ key: String) {
        if decided.insert(Array(key.utf8)).inserted { return }
        changes.removeAll { change in
            switch change {
            case .set(let other, _), .remove(let other): other.utf8.elementsEqual(key.utf8)
            default: false
            }
        }
    }

    /// Adds a tag. If the tag exists in any case, its spelling stays.
    public mutating func addTag(_ tag: String) { changes.append(.addTag(tag)) }
    /// Removes a tag, in any case.
    public mutating func removeTag(_ tag: String) { changes.append(.removeTag(tag)) }
    /// Replaces one tag by another, in the same place.
    public mutating func renameTag(_ old: String, to new: String) { changes.append(.renameTag(old, to: new)) }
    mutating func respellTag(_ old: String, as new: String) { changes.append(.respellTag(old, as: new)) }
    mutating func orderTags(_ tags: [String]) { changes.append(.orderTags(tags)) }
    /// Makes the change write `updatedAt` even if no field changes.
    package mutating func touch() { isTouched = true }
    mutating func drop(_ field: ItemField, _ value: JSON) { changes.append(.drop(key: field.key, value)) }

    /// Whether no field and no tag changes. `touch()` does not count.
    public var isEmpty: Bool { changes.isEmpty }

    /// Whether the change sets or removes a field.
    package func decides(_ field: ItemField) -> Bool { decided.contains(Array(field.key.utf8)) }

    /// Sets both trash marks.
    public mutating func trash(at time: Timestamp) {
        isTrashing = true
        addTag(TagList.trashcan)
        set(.trashedAt, .string(time.rfc3339))
    }

    /// Removes both trash marks.
    public mutating func restore() {
        isTrashing = false
        removeTag(TagList.trashcan)
        remove(.trashedAt)
    }

    /// A field that another program changed as well.
    struct Clash: Error {
        let key: String
    }

    /// The canonical bytes of `current` with the change made and `updatedAt` set.
    ///
    /// - Returns: `nil` if `current` already has every wanted value.
    /// - Throws: `Clash`, `JSONOutgrown`, or `FieldFault` if the file holds no object or the tags are no list of
    ///   strings.
    func apply(to current: JSONDocument, at time: Timestamp) throws -> [UInt8]? {
        try Self.checkObject(current)
        var members: [(key: String, value: JSON?)] = []
        let now = MemberTable(current, lookUps: changes.count), before = MemberTable(base, lookUps: changes.count)
        var tags = try changes.contains(where: \.isOfTags) ? TagChanges(self.tags(of: current)) : nil
        for change in changes {
            switch change {
            case .set(let key, let value):
                if try Self.differs(key, value, now, before) { members.append((key, value)) }
            case .remove(let key):
                if try Self.differs(key, nil, now, before) { members.append((key, nil)) }
            case .drop(let key, let value):
                if now[key] == value { members.append((key, nil)) }
            case .addTag, .removeTag, .renameTag, .respellTag, .orderTags: tags?.make(change)
            }
        }
        if let tags = tags?.changed {
            members.append((ItemField.tags.key, tags.isEmpty ? nil : .strings(tags)))
        }
        if members.isEmpty, !isTouched { return nil }
        if let id = current.member(ItemField.id.key, of: current.root).flatMap({ current.string($0) }),
            id != id.lowercased(), ItemID(id) != nil
        {
            members.append((ItemField.id.key, .string(id.lowercased())))
        }
        members.append((ItemField.updatedAt.key, .string(Self.updateTime(current, time).rfc3339)))
        return try current.rewriting(members) { ItemField(key: Array($0.utf8)[...])?.rank }
    }

    private static func checkObject(_ document: JSONDocument) throws(FieldFault) {
        if document.kind(document.root) == .object { return }
        throw FieldFault(
            key: Layout.itemFile, position: document.position(document.root), expected: .object,
            found: .kind(document.kind(document.root)))
    }

    /// Whether a key has to change. Throws if another program gave it a third value.
    private static func differs(
        _ key: String, _ value: JSON?, _ now: MemberTable, _ before: MemberTable
    ) throws(Clash) -> Bool {
        let there = now[key]
        if there == value { return false }
        if there != before[key] { throw Clash(key: key) }
        return true
    }

    private func tags(of document: JSONDocument) throws(FieldFault) -> [String] {
        guard let value = document.member(ItemField.tags.key, of: document.root), document.kind(value) != .null else {
            return []
        }
        let tags = document.elements(value).compactMap { document.string($0) }
        if document.kind(value) != .array || tags.count != document.elements(value).count {
            throw FieldFault(
                key: ItemField.tags.key, position: document.position(value), expected: .strings,
                found: .kind(document.kind(value)))
        }
        return tags
    }

    /// How far behind a time that is still to come the next one lies, in milliseconds: one number in each process, by chance.
    /// A merge may have a time up to a second ahead. With 1 for all, two devices that both edit in that second wrote one time,
    /// and item.json files of equal bytes beside unlike texts; a later state of one then counted as one of the other.
    private static let stride = Int64.random(in: 1...16)

    /// The current time, but later than the stored one unless that is more than a day in the future.
    private static func updateTime(_ current: JSONDocument, _ now: Timestamp) -> Timestamp {
        guard let value = current.member(ItemField.updatedAt.key, of: current.root),
            let last = current.string(value).flatMap(Timestamp.init), last >= now, last <= now.adding(seconds: 86_400)
        else { return now }
        return Timestamp(milliseconds: last.milliseconds + stride)
    }

    /// The change that turns `base` into `edited`, key by key.
    ///
    /// - Throws: `FieldFault` if `edited` is no object, or the tags of either are no list of strings.
    public init(from base: JSONDocument, to edited: JSONDocument) throws(FieldFault) {
        try Self.checkObject(edited)
        self.init(base: base)
        let managed = [ItemField.id, .updatedAt, .tags].map { Array($0.key.utf8)[...] }
        // By bytes: keys that are only canonically equivalent are different keys.
        for (key, value) in edited.members(unlike: base) {
            let bytes = edited.keyBytes(key)
            if !managed.contains(bytes) { set(key: String(decoding: bytes, as: UTF8.self), edited.copy(value)) }
        }
        let edits = edited.keyedMembers(edited.root)
        for (key, _) in base.members(unlike: edited) {
            let bytes = base.keyBytes(key)
            if !managed.contains(bytes), edits[bytes] == nil { remove(key: String(decoding: bytes, as: UTF8.self)) }
        }
        let old = TagList(try tags(of: base))
        let new = TagList(try tags(of: edited))
        let spelt = Set(old.tags.map { Array($0.utf8) })
        let come = new.tags.filter { !spelt.contains(Array($0.utf8)) }
        for tag in old.tags where !new.contains(tag) { removeTag(tag) }
        // Removes tags first whose case alone changed.
        for tag in come where old.contains(tag) { removeTag(tag) }
        for tag in come { addTag(tag) }
    }
}
