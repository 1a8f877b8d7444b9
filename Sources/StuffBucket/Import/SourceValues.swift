internal import Exchange
internal import Files
internal import Items
internal import JSONFormat

/// The values that the last import from each source gave to an item: the key `sourceValues` of item.json (FORMAT.md §
/// 5.4).
struct SourceValues: Sendable {
    struct Values: Sendable, Equatable {
        var url: String?
        var title: String?
        /// All tags that the source gave so far. Those that a person removed are not added again.
        var tags: [String] = []
        /// A hash of the text.
        var text: String?
        /// Other fields of item.json, as this entry has them, where the item has the values of another source or of the
        /// person. They are nowhere else.
        var fields: JSON?

        private static let tagsByteLimit = 16_384

        init(_ entry: ImportedEntry) {
            url = entry.url
            title = entry.title
            text = entry.textHash
            add(entry.tags)
        }

        init() {}

        fileprivate init(_ url: String?, _ title: String?, _ tags: [String], _ text: String?, _ fields: JSON?) {
            self.url = url
            self.title = title
            self.tags = tags
            self.text = text
            self.fields = fields
        }

        /// Tags above the limit are not recorded.
        mutating func add(_ more: [String]) {
            let all = TagList(tags + more).tags
            if all.count == tags.count { return }
            var room = Self.tagsByteLimit
            tags = all.filter {
                room -= $0.utf8.count
                return room >= 0
            }
        }

        fileprivate var json: JSON {
            .members([
                ("url", url.map(JSON.string)), ("title", title.map(JSON.string)),
                ("tags", tags.isEmpty ? nil : .strings(tags)), ("text", text.map(JSON.string)),
                ("fields", fields),
            ])
        }
    }

    /// In order of arrival.
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
            let tags = json.member("tags", of: member.value).map { json.elements($0).compactMap { json.string($0) } }
            let fields = json.member("fields", of: member.value).map { json.copy($0) }
            self[id] = Values(text("url"), text("title"), tags ?? [], text("text"), fields)
        }
    }

    subscript(_ id: String) -> Values? {
        get { values[id] }
        set {
            if values[id] == nil, newValue != nil { ids.append(id) }
            values[id] = newValue
        }
    }

    /// Keeps fields of an entry that the item has otherwise.
    ///
    /// - Returns: false if there is no room for them, or others of the same entry are kept.
    mutating func keep(_ fields: JSON, of id: String) -> Bool {
        if let there = values[id]?.fields { return there == fields }
        var writer = JSONWriter(.oneLine)
        for each in values.values.compactMap(\.fields) + [fields] { writer.write(each) }
        if writer.bytes.count > Self.fieldsByteLimit { return false }
        self[id, default: .init()].fields = fields
        return true
    }

    /// All fields of one item that are kept.
    private static let fieldsByteLimit = 262_144

    subscript(_ id: String, default value: Values) -> Values {
        get { self[id] ?? value }
        set { self[id] = newValue }
    }

    /// `nil` if there are no values.
    var json: JSON? {
        let members = ids.compactMap { id in values[id].map { JSON.Member(id, $0.json) } }
        return members.isEmpty ? nil : .object(members)
    }
}

extension ImportedEntry {
    var textHash: String? {
        text.flatMap { $0.isEmpty ? nil : String(SHA256.hex($0).prefix(32)) }
    }

    /// Whether a later import of the same source can give other values for the same id.
    var hasValues: Bool {
        if url != nil || !tags.isEmpty || !passages.isEmpty { return true }
        let derived = ["text:", "note:", "file:", "entry:"]
        return text != nil && !derived.contains { (externalID ?? "").hasPrefix($0) }
    }
}
