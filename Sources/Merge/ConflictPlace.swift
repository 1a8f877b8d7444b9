package import JSONFormat

/// Where the field of a conflict is in an item.json.
package struct ConflictPlace: Sendable {
    /// The keys from the top.
    package let path: [String]
    /// `nil` for an absent key.
    package let value: JSON?

    /// Finds the key that a conflict's field names, whose keys are joined with `.` and may have one themselves.
    ///
    /// Of several, the one that has a value of the conflict is meant. In time linear in the members' bytes.
    ///
    /// - Returns: `nil` if several are meant, or none.
    package init?(of field: String, values: [JSON], in members: [JSON.Member]) {
        var found: [ConflictPlace] = []
        Self.search(Array(field.utf8)[...], members, [], &found)
        let present = found.filter { $0.value != nil }
        let standing = present.filter { place in values.contains { JSON.areSame($0, place.value) } }
        if standing.count == 1 {
            self = standing[0]
        } else if standing.isEmpty, present.count == 1, !values.contains(.null) {
            self = present[0]
        } else if standing.isEmpty, let deepest = found.last(where: { $0.value == nil && !$0.isDotted }) {
            self = deepest
        } else if standing.isEmpty, present.count == 1 {
            self = present[0]
        } else {
            return nil
        }
    }

    private init(path: [String], value: JSON?) {
        self.path = path
        self.value = value
    }

    /// Whether an absent key may as well be a key of an absent object.
    private var isDotted: Bool { path.last?.utf8.contains(0x2E) ?? true }

    /// Deeper places stand behind.
    private static func search(
        _ rest: ArraySlice<UInt8>, _ members: [JSON.Member], _ path: [String], _ found: inout [ConflictPlace]
    ) {
        let whole = members.first { $0.key.utf8.elementsEqual(rest) }
        found.append(
            ConflictPlace(path: path + [String(decoding: rest, as: UTF8.self)], value: whole?.value))
        for member in members {
            let count = member.key.utf8.count
            guard case .object(let inner) = member.value, rest.count > count, rest.starts(with: member.key.utf8),
                rest[rest.startIndex + count] == 0x2E
            else { continue }
            search(rest.dropFirst(count + 1), inner, path + [member.key], &found)
        }
    }

    /// The members with another value in this place.
    ///
    /// - Returns: the key at the top and its new value; `nil` for none.
    package func setting(_ new: JSON?, in members: [JSON.Member]) -> (key: String, value: JSON?) {
        let top = members.first { $0.key.utf8.elementsEqual(path[0].utf8) }?.value
        return (path[0], Self.set(new, path.dropFirst(), in: top))
    }

    private static func set(_ new: JSON?, _ path: ArraySlice<String>, in value: JSON?) -> JSON? {
        guard let key = path.first else { return new }
        guard case .object(var members) = value ?? .object([]) else { return value }
        let place = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
        let inner = set(new, path.dropFirst(), in: place.map { members[$0].value })
        switch (place, inner) {
        case (let place?, let inner?): members[place] = JSON.Member(key, inner)
        case (let place?, nil): members.remove(at: place)
        case (nil, let inner?): members.append(JSON.Member(key, inner))
        case (nil, nil): break
        }
        return .object(members)
    }
}

/// The paragraphs of a conflict in a text.
package struct ConflictParagraphs: Sendable {
    /// Where they stand, and which of the two values, from 0.
    package private(set) var found: [(range: Range<Int>, value: Int)] = []
    /// An empty line with the text's line ends.
    package let border: [UInt8]

    package init(of values: [JSON], in text: [UInt8]) {
        let paragraphs = ParagraphText(text)
        border = paragraphs.border
        for paragraph in paragraphs.paragraphs {
            let words = paragraph.text
            let value = values.firstIndex {
                if case .string(let value) = $0 { value.utf8.elementsEqual(words.utf8) } else { false }
            }
            if let value { found.append((paragraph.body.startIndex..<paragraph.body.endIndex, value)) }
        }
    }
}

extension JSON {
    /// Whether two values are equal, as merging compares them; null counts as absent.
    package static func areSameValue(_ a: JSON?, _ b: JSON?) -> Bool {
        areSame(a == .null ? nil : a, b == .null ? nil : b)
    }
}
