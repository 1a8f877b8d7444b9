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
        var order: [String] = []
        var values: [String: (JSON?, JSON?)] = [:]
        for (key, value) in old.members(old.root) {
            let key = old.string(key) ?? ""
            order.append(key)
            values[key] = (old.copy(value), nil)
        }
        for (key, value) in new.members(new.root) {
            let key = new.string(key) ?? ""
            if values[key] == nil { order.append(key) }
            values[key] = (values[key]?.0, new.copy(value))
        }
        func rank(_ key: String) -> Int { ItemField(rawValue: key)?.rank ?? .max }
        changes = order.sorted { (rank($0), $0) < (rank($1), $1) }.map { key in
            Change(key: key, old: values[key]?.0, new: values[key]?.1)
        }
    }

    /// `title: "old" -> "new"`, and of tags what came and went.
    func lines(_ style: Style) -> [String] {
        changes.map { change in
            if change.key == ItemField.tags.key {
                let old = Self.strings(change.old), new = Self.strings(change.new)
                let went = old.filter { !new.contains($0) }.map { style.removed("-" + Self.shown(tag: $0)) }
                let came = new.filter { !old.contains($0) }.map { style.added("+" + Self.shown(tag: $0)) }
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

    /// A tag as a person writes it: `#tag`, or `@collection`.
    static func shown(tag: String) -> String {
        Printable.line(CollectionName(tag: tag).map { "@" + $0.name } ?? "#" + tag)
    }

    private static func cut(_ text: String) -> String { text.count > 200 ? text.prefix(199) + "…" : text }

    private static func strings(_ value: JSON?) -> [String] {
        guard case .array(let elements)? = value else { return [] }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    private static func text(_ value: JSON) -> String {
        var writer = JSONWriter(.oneLine)
        writer.write(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
