/// Tags of one item: trimmed, none empty, compared without case, the first-seen casing kept.
package struct TagList: Equatable, Sendable {
    package private(set) var tags: [String] = []

    /// The tag that marks an item as trashed.
    package static let trashcan = "trashcan"

    package init(_ tags: [String]) {
        for tag in tags { add(tag) }
    }

    /// Tags as a person types them: separated by commas.
    package init(typed text: String) {
        self.init(text.split(separator: ",").map(String.init))
    }

    /// Whether two tags are the same: equal after Unicode lower-casing and canonical equivalence.
    package static func areSame(_ a: String, _ b: String) -> Bool { a == b || a.lowercased() == b.lowercased() }

    package func contains(_ tag: String) -> Bool { tags.contains { Self.areSame($0, tag) } }

    /// Adds a tag at the end unless it is there in any casing.
    package mutating func add(_ tag: String) {
        let tag = Self.trimmed(tag)
        if !tag.isEmpty, !contains(tag) { tags.append(tag) }
    }

    package mutating func remove(_ tag: String) {
        tags.removeAll { Self.areSame($0, Self.trimmed(tag)) }
    }

    /// A tag without surrounding white space, and with runs of white space and control characters inside as one space.
    ///
    /// The name of a collection is trimmed too, so that `collection: Work` is `collection:Work`.
    package static func trimmed(_ tag: String) -> String {
        let plain = collapsed(tag)
        if let name = CollectionName(tag: plain) { return name.tag }
        return plain
    }

    static func collapsed(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return text }
        return text.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
            .map(String.init).joined(separator: " ")
    }
}
