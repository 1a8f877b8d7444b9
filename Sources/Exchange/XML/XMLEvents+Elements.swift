internal import JSONFormat

extension XMLEvents {
    /// Whether a text between elements holds more than white space.
    static func isWords(_ text: String) -> Bool { text.utf8.contains { $0 > 0x20 } }

    /// Names of attributes that say something: all but versions.
    static func untakenAttributes(_ attributes: [(name: String, value: String)], of owner: String) -> [String] {
        attributes.filter { $0.name != "version" && !$0.value.isEmpty }.map {
            owner + " " + ImportedEntry.cut($0.name, 60)
        }
    }

    /// What an element contains.
    struct Contents {
        /// The text without markup, trimmed.
        var text: String
        /// The source between the tags, if other elements are within.
        var markup: String?
    }

    /// Reads to the end of the current element.
    mutating func contents() -> Contents {
        if isEmptyElement { return Contents(text: text()) }
        let start = tokenEnd
        var output = ""
        var end = byteCount
        var hasMarkup = false
        var depth = 1
        while let event = next() {
            switch event {
            case .start:
                depth += 1
                hasMarkup = true
            case .end: depth -= 1
            case .text(let text): output += text
            }
            if depth == 0 {
                end = tokenStart
                break
            }
        }
        return Contents(
            text: ImportText.trimmed(output), markup: hasMarkup ? source(start, max(start, end)) : nil)
    }

    /// Deeper elements are read as text.
    private static let depthLimit = 16

    /// Reads to the end of the current element, as JSON: its text, or an object of its attributes, its text and the
    /// elements within. The address alone stands for an element with nothing else.
    mutating func value(_ attributes: [(name: String, value: String)], depth: Int = 0) -> JSON {
        var names: [String] = []
        var values: [String: [JSON]] = [:]
        func add(_ name: String, _ value: JSON) {
            if value == .string("") { return }
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(value)
        }
        for attribute in attributes {
            add(attribute.name, .string(attribute.value))
        }
        var text = ""
        reading: while let event = next() {
            switch event {
            case .start(let name, let attributes):
                add(
                    name,
                    depth < Self.depthLimit ? value(attributes, depth: depth + 1) : .string(self.text()))
            case .end: break reading
            case .text(let part): text += part
            }
        }
        text = ImportText.trimmed(text)
        if names.isEmpty { return .string(text) }
        add("text", .string(text))
        if names == ["url"] || names == ["href"], let address = values[names[0]]?.first { return address }
        return .object(
            names.map { name in
                let list = values[name] ?? []
                return JSON.Member(name, list.count == 1 ? list[0] : .array(list))
            })
    }
}
