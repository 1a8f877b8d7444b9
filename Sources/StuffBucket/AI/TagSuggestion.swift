internal import Characters
public import Items
public import JSONFormat
internal import Search

/// A tag that a model suggests for an item.
public struct TagSuggestion: Sendable, Equatable {
    /// The tag, in the library's spelling if it has the tag.
    public let tag: String
    /// Whether an item of the library has the tag already.
    public let isExisting: Bool
}

/// What a model suggests for one item.
public struct TagSuggestions: Sendable {
    /// The item for which they are.
    public let id: ItemID
    /// A hash of what was sent of the item. If it differs from that of the item now, somebody changed the item.
    public let fingerprint: String
    /// Tags that the item does not have, existing ones first.
    public let tags: [TagSuggestion]
    /// Suggestions that are no tag, or that a model may not give: the trash mark, collections, too long, invisible
    /// characters, too many.
    public let refusedCount: Int
}

/// Reads suggestions from an answer. Whatever else the answer holds is dropped.
struct TagReading {
    /// The most tags for one item.
    static let limit = 12
    /// The longest tag in characters.
    static let characterLimit = 50

    /// The library's tags that were sent, in their spelling, by the key that compares them.
    private let known: [TagList.Key: String]
    /// Finds the spelling of other tags that the library has.
    private let find: ([String]) -> [String?]

    init(known tags: [String], find: @escaping ([String]) -> [String?]) {
        known = Dictionary(tags.map { (TagList.Key($0), $0) }) { first, _ in first }
        self.find = find
    }

    /// - Parameter own: the tags that the item has.
    /// - Throws: `AIError.brokenAnswer` if it is not the form that was asked for.
    func suggestions(_ answer: AIAnswer, own: [String]) throws(AIError) -> (tags: [TagSuggestion], refusedCount: Int) {
        let json = try answer.object()
        guard let list = json.member("tags", of: json.root), json.kind(list) == .array else {
            throw .brokenAnswer("it has no list of tags")
        }
        let own = TagList(own)
        var found = TagList([])
        var tags: [String] = []
        var refusedCount = 0
        for element in json.elements(list) {
            guard let text = json.string(element) else { throw .brokenAnswer("a tag in it is no text") }
            guard let tag = Self.tag(text), tags.count < Self.limit else {
                refusedCount += 1
                continue
            }
            if own.contains(tag) || found.contains(tag) { continue }
            found.add(tag)
            tags.append(tag)
        }
        let suggestions = zip(tags, find(tags)).map { tag, other in
            let existing = known[TagList.Key(tag)] ?? other
            return TagSuggestion(tag: existing ?? tag, isExisting: existing != nil)
        }
        return (suggestions.filter(\.isExisting) + suggestions.filter { !$0.isExisting }, refusedCount)
    }

    /// The tag that a text is; `nil` if a model may not suggest it.
    static func tag(_ text: String) -> String? {
        // Before the white space is tidied, which would make a space of a control character.
        if text.utf8.count > 1000 || !Printable.isPlain(text) { return nil }
        var tag = TagList.trimmed(text)
        if tag.hasPrefix("#") { tag = TagList.trimmed(String(tag.dropFirst())) }
        guard !tag.isEmpty, tag.count <= characterLimit, tag.utf8.count <= Layout.tagByteLimit,
            !tag.contains(","), !TagList.isReserved(tag), !looksReserved(tag)
        else { return nil }
        return tag
    }

    /// Whether a reader, or a search, takes a tag for the trash mark or a collection: full-width letters, accents, other
    /// colons.
    private static func looksReserved(_ tag: String) -> Bool {
        let folded = Folding.fold(tag)
        if folded == TagList.trashcan { return true }
        guard let colon = folded.unicodeScalars.firstIndex(where: { colons.contains($0) }) else { return false }
        return folded.unicodeScalars[..<colon].elementsEqual(CollectionName.prefix.unicodeScalars.dropLast())
    }

    /// The colon and signs that look like it.
    private static let colons: Set<Unicode.Scalar> = [":", "\u{2236}", "\u{A789}", "\u{FE13}", "\u{FE55}", "\u{FF1A}"]
}

extension TagSuggestions {
    /// As one JSON object, to be kept until a person reviewed them.
    public var json: JSON {
        .members([
            ("id", .string(id.description)), ("fingerprint", .string(fingerprint)),
            ("tags", .strings(tags.map(\.tag))), ("existing", .array(tags.map { .bool($0.isExisting) })),
            ("refused", .integer(refusedCount)),
        ])
    }

    /// Reads what `json` wrote.
    ///
    /// - Returns: `nil` for anything else.
    public init?(_ json: JSONDocument) {
        func member(_ key: String) -> JSONDocument.Value? { json.member(key, of: json.root) }
        guard let id = member("id").flatMap({ json.string($0) }).flatMap({ ItemID($0) }),
            let fingerprint = member("fingerprint").flatMap({ json.string($0) }), let tags = member("tags"),
            let existing = member("existing")
        else { return nil }
        self.id = id
        self.fingerprint = fingerprint
        self.tags = zip(json.elements(tags), json.elements(existing)).compactMap { tag, existing in
            json.string(tag).flatMap(TagReading.tag).map {
                TagSuggestion(tag: $0, isExisting: json.kind(existing) == .true)
            }
        }
        refusedCount = member("refused").flatMap { Int(String(decoding: json.spelling($0), as: UTF8.self)) } ?? 0
    }
}
