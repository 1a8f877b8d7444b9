import StuffBucket

extension Commands {
    static let title = Command(
        "title", .change, "Set an item's title", arguments: "ITEM… TITLE",
        details: "TITLE is the last word on the line, quoted. An empty one removes the title.",
        options: Invocation.changeOptions,
        examples: [.init("sbfs title @1 'A better title'", "rename an item"), .init("sbfs title @1 ''", "remove it")]
    ) { invocation in
        guard let title = invocation.positionals.last, invocation.positionals.count > 1 || invocation.has("query")
        else {
            throw invocation.usage("title needs an item and a title")
        }
        let selection = try invocation.items(Array(invocation.positionals.dropLast()))
        return try invocation.change(selection, done: "titled") { stored in
            var edit = ItemEdit(base: stored.json)
            if title.isEmpty { edit.remove(.title) } else { edit.set(.title, .string(title)) }
            return edit
        }
    }

    static let set = Command(
        "set", .change, "Set fields of items", arguments: "ITEM… FIELD=VALUE…",
        details: """
            Sets fields of item.json by name; an empty VALUE removes the field. Fields: \
            \(settableFields.map(\.key).joined(separator: ", ")). Tags, text and documents have their own commands. \
            "sbfs edit" changes any field.
            """,
        options: Invocation.changeOptions,
        examples: [
            .init("sbfs set @1 isFavorite=true", "mark as a favourite"),
            .init("sbfs set -q 'site:example.org' linkSite='Example'", "set a field of many items"),
            .init("sbfs set @1 description=", "remove a field"),
        ]
    ) { invocation in
        var names: [String] = []
        var assignments: [(ItemField, JSON?)] = []
        for word in invocation.positionals {
            if let assignment = try assignment(word, invocation) {
                assignments.append(assignment)
            } else {
                names.append(word)
            }
        }
        if assignments.isEmpty { throw invocation.usage("set needs FIELD=VALUE") }
        let selection = try invocation.items(names)
        return try invocation.change(selection, done: "changed") { stored in
            var edit = ItemEdit(base: stored.json)
            for (field, value) in assignments {
                if field == .linkURL, case .string(let link)? = value, link != stored.item.linkURL {
                    try tellOthers(withLink: link, than: stored, selection.library, invocation)
                }
                if let value { edit.set(field, value) } else { edit.remove(field) }
            }
            return edit
        }
    }

    static let settableFields = ItemField.allCases.filter { !$0.isManaged }

    /// - Returns: `nil` if the word is no assignment but an item's name.
    private static func assignment(_ word: String, _ invocation: Invocation) throws -> (ItemField, JSON?)? {
        let scalars = word.unicodeScalars
        guard let equals = scalars.firstIndex(of: "="), equals != word.startIndex else { return nil }
        let key = String(word[..<equals])
        guard key.allSatisfy({ $0.isLetter && $0.isASCII || $0 == "_" }) else { return nil }
        guard let field = settableFields.first(where: { $0.key == key }) else {
            if let managed = ItemField.allCases.first(where: { $0.key == key }) {
                throw invocation.usage("\(managed.key) is not set by hand; \(instead(managed))")
            }
            let nearest = Spelling.nearest(key, in: settableFields.map(\.key)).map { "; did you mean \"\($0)\"?" } ?? ""
            throw invocation.usage("there is no field \"\(key)\"\(nearest)")
        }
        let text = String(scalars[scalars.index(after: equals)...])
        return (field, text.isEmpty ? nil : try value(text, for: field, invocation))
    }

    private static func instead(_ field: ItemField) -> String {
        switch field {
        case .tags: "use \"sbfs tag\" or \"sbfs collection\""
        case .textContent: "use \"sbfs edit --text\" or \"sbfs append\""
        case .documentRelativePath, .documentName, .documentSHA256: "use \"sbfs attach\" or \"sbfs detach\""
        case .trashedAt: "use \"sbfs trash\" or \"sbfs restore\""
        case .id, .updatedAt: "it is kept by sbfs itself"
        default: "use \"sbfs edit\""
        }
    }

    /// The typed text as a field's value. An empty text, which removes the field, must not be passed.
    ///
    /// - Throws: `UsageError` that says what the field must be.
    static func value(_ text: String, for field: ItemField, _ invocation: Invocation) throws -> JSON {
        func wrong(_ expected: String) -> UsageError {
            invocation.usage("\(field.key) must be \(expected), not \"\(text)\"")
        }
        switch field.kind {
        case .bool:
            switch text.lowercased() {
            case "true", "yes", "1": return .bool(true)
            case "false", "no", "0": return .bool(false)
            default: throw wrong("true or false")
            }
        case .number, .count:
            guard let json = try? JSONDocument(parsing: Array(text.utf8)), json.kind(json.root) == .number,
                Double(text)?.isFinite == true, field.kind == .number || (Int(text) ?? -1) >= 0
            else { throw wrong(field.kind == .count ? "a whole number from 0 on" : "a number") }
            return .number(text)
        case .time:
            guard Timestamp(text) != nil else { throw wrong("a time such as 2026-11-21T10:15:00Z or 2026-11-21") }
            return .string(text)
        case .word(let words):
            guard words.contains(text) else { throw wrong("one of " + words.joined(separator: ", ")) }
            return .string(text)
        case .url:
            guard LinkIdentity(text) != nil else { throw wrong("an http or https URL") }
            return .string(text)
        default: return .string(text)
        }
    }
}
