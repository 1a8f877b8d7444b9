import Items
import JSONFormat

extension FieldMerge {
    /// The merged tags: the base and all additions, without the removals; `nil` if neither side has any list.
    ///
    /// Tags are compared as in FORMAT.md § 5.7. A changed spelling wins over the base's. A value that is no list of
    /// strings is merged whole.
    mutating func tags() -> JSON? {
        guard let one = TagSide(a), let two = TagSide(b) else {
            return pick("tags", base["tags"], a["tags"], b["tags"]) { $0["tags"] }
        }
        let old = TagSide(base) ?? TagSide()
        let (first, second) = aWins ? (one, two) : (two, one)
        if !first.isGiven, !second.isGiven { return nil }
        let keepsTrash = isTrashed
        let lists = edits.map { Set((TagSide($0) ?? TagSide()).spelling.keys) }
        let left = ElementEdits(lists.a), right = ElementEdits(lists.b)
        var done: Set<TagList.Key> = [], result: [JSON] = []
        for (key, _) in first.order + second.order where done.insert(key).inserted {
            let isEverywhere = first.spelling[key] != nil && second.spelling[key] != nil
            if !isEverywhere, key != TagSide.trash, let stays = left.settles(right, key, isA: one.spelling[key] != nil)
            {
                if !stays { continue }
            } else if old.spelling[key] != nil, !isEverywhere {
                continue
            }
            if key == TagSide.trash, !keepsTrash { continue }
            let spellings = [first.spelling[key], second.spelling[key]].compactMap { $0 }
            let before = old.spelling[key]
            let changed = spellings.first { spelling in !(before.map { $0.utf8.elementsEqual(spelling.utf8) } ?? false)
            }
            result.append(.string(changed ?? spellings[0]))
        }
        return .array(result)
    }

    /// A set by `id`; a note without one, or a string, is known by its whole value. A changed note wins over its removal.
    mutating func annotations() -> JSON? {
        guard let one = NoteSide(a), let two = NoteSide(b) else {
            return pick("annotations", base["annotations"], a["annotations"], b["annotations"]) { $0["annotations"] }
        }
        if !one.isGiven, !two.isGiven { return nil }
        let old = NoteSide(base) ?? NoteSide()
        let (first, second) = aWins ? (one, two) : (two, one)
        let lists = edits.map { NoteSide($0) ?? NoteSide() }
        var done: Set<[UInt8]> = [], result: [JSON] = []
        for key in first.order + second.order where done.insert(key).inserted {
            let note = { (side: NoteSide) in side.notes[key] }
            let stale = lists.stale(one.notes[key], two.notes[key], { JSON.areSame($0, $1) }, note)
            let isHeld = lists.isHeld(old.notes[key], one.notes[key], two.notes[key], { JSON.areSame($0, $1) }, note)
            switch (one.notes[key], two.notes[key], old.notes[key]) {
            case (let note?, let other?, let before):
                let name = "annotations." + String(decoding: key, as: UTF8.self)
                let value =
                    stale.map { $0 == .a ? other : note }
                    ?? (isHeld ? clash(name, before, note, other) : pick(name, before, note, other))
                if let value { result.append(value) }
            case (let note?, nil, let before), (nil, let note?, let before):
                let isChanged = isHeld || before == nil || !JSON.areSame(note, before)
                if stale.map({ ($0 == .a) == (one.notes[key] == nil) }) ?? isChanged { result.append(note) }
            case (nil, nil, _): break
            }
        }
        return .array(result)
    }
}

/// The tags of one side.
struct TagSide {
    static let trash = TagList.Key(TagList.trashcan)

    private(set) var order: [(TagList.Key, String)] = []
    /// The first spelling of each tag.
    private(set) var spelling: [TagList.Key: String] = [:]
    private(set) var isGiven = false

    init() {}

    /// - Returns: `nil` if the value is no list of strings.
    init?(_ members: Members) {
        guard let value = members.given("tags") else { return }
        guard case .array(let elements) = value else { return nil }
        isGiven = true
        for element in elements {
            guard case .string(let tag) = element else { return nil }
            let key = TagList.Key(TagList.trimmed(tag))
            order.append((key, tag))
            if spelling[key] == nil { spelling[key] = tag }
        }
    }
}

/// The annotations of one side.
private struct NoteSide {
    private(set) var order: [[UInt8]] = []
    private(set) var notes: [[UInt8]: JSON] = [:]
    private(set) var isGiven = false

    init() {}

    /// - Returns: `nil` if the value is no list.
    init?(_ members: Members) {
        guard let value = members.given("annotations") else { return }
        guard case .array(let elements) = value else { return nil }
        isGiven = true
        for element in elements {
            let key = Self.key(element)
            order.append(key)
            if notes[key] == nil { notes[key] = element }
        }
    }

    private static func key(_ note: JSON) -> [UInt8] {
        if case .string(let id) = Members(note).given("id") { return Array(id.utf8) }
        return JSONWriter.file(note)
    }
}
