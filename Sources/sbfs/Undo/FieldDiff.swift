import StuffBucket

/// Old and new values of the fields of an item.
struct FieldDiff {
    struct Change {
        let key: String
        let old: JSON?
        let new: JSON?
    }

    /// In the order of the fields in item.json.
    let changes: [Change]

    init(_ old: JSONDocument, _ new: JSONDocument) {
        // By bytes: String's own equality reorders combining marks, which is slow, and treats two different keys as
        // one.
        var order: [[UInt8]] = []
        var values: [[UInt8]: (JSON?, JSON?)] = [:]
        for (key, value) in old.members(old.root) {
            let key = Array(old.keyBytes(key))
            order.append(key)
            values[key] = (old.copy(value), nil)
        }
        for (key, value) in new.members(new.root) {
            let key = Array(new.keyBytes(key))
            if values[key] == nil { order.append(key) }
            values[key] = (values[key]?.0, new.copy(value))
        }
        let ranked = order.map { key in (rank: ItemField(key: key[...])?.rank ?? .max, key: key) }
        changes = ranked.sorted { a, b in
            a.rank != b.rank ? a.rank < b.rank : a.key.lexicographicallyPrecedes(b.key)
        }.map { _, key in
            Change(key: String(decoding: key, as: UTF8.self), old: values[key]?.0, new: values[key]?.1)
        }
    }

    /// `title: "old" -> "new"`; for tags, those removed and added.
    func lines(_ style: Style) -> [String] {
        changes.map { change in
            if change.key == ItemField.tags.key {
                let old = Self.strings(change.old), new = Self.strings(change.new)
                let olds = Set(old.map { Array($0.utf8) }), news = Set(new.map { Array($0.utf8) })
                let went = old.filter { !news.contains(Array($0.utf8)) }.map {
                    style.removed("-" + Self.shown(tag: $0))
                }
                let came = new.filter { !olds.contains(Array($0.utf8)) }.map { style.added("+" + Self.shown(tag: $0)) }
                return "tags: " + (went + came).joined(separator: " ")
            }
            return Printable.line(change.key) + ": "
                + Self.arrow(change.old.map(Self.text), change.new.map(Self.text), style)
        }
    }

    static func arrow(_ old: String?, _ new: String?, _ style: Style) -> String {
        style.removed(old.map { Printable.line(cut($0)) } ?? "(none)") + " -> "
            + style.added(new.map { Printable.line(cut($0)) } ?? "(none)")
    }

    /// A tag as a person types it: `#tag`, or `@collection`.
    static func shown(tag: String) -> String {
        Printable.line(CollectionName(tag: tag).map { "@" + $0.name } ?? "#" + tag)
    }

    private static func cut(_ text: String) -> String { text.count > 200 ? text.prefix(199) + "…" : text }

    private static func strings(_ value: JSON?) -> [String] {
        guard case .array(let elements)? = value else { return [] }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    private static func text(_ value: JSON) -> String {
        String(decoding: value.oneLine, as: UTF8.self)
    }
}
