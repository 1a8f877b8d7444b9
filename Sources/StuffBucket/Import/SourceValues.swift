internal import Exchange
internal import Items
internal import JSONFormat

/// What the last import of each source gave an item: the key `sourceValues` of item.json (FORMAT.md § 5.4).
struct SourceValues: Sendable {
    struct Values: Sendable, Equatable {
        var url: String?
        var title: String?

        init(_ entry: ImportedEntry) {
            url = entry.url
            title = entry.title
        }

        fileprivate init(_ url: String?, _ title: String?) {
            self.url = url
            self.title = title
        }

        fileprivate var json: JSON { .members([("url", url.map(JSON.string)), ("title", title.map(JSON.string))]) }
    }

    /// In the order in which they came.
    private var ids: [String] = []
    private var values: [String: Values] = [:]

    init() {}

    init(_ stored: StoredItem) {
        let json = stored.json
        guard let object = json.member(ItemField.sourceValues.key, of: json.root), json.kind(object) == .object else {
            return
        }
        for member in json.members(object) {
            guard let id = json.string(member.key), json.kind(member.value) == .object else { continue }
            func text(_ key: String) -> String? { json.member(key, of: member.value).flatMap { json.string($0) } }
            self[id] = Values(text("url"), text("title"))
        }
    }

    subscript(_ id: String) -> Values? {
        get { values[id] }
        set {
            if values[id] == nil, newValue != nil { ids.append(id) }
            values[id] = newValue
        }
    }

    /// `nil` where there are none.
    var json: JSON? {
        let members = ids.compactMap { id in values[id].map { JSON.Member(id, $0.json) } }
        return members.isEmpty ? nil : .object(members)
    }
}
