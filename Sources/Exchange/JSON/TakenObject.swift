internal import JSONFormat
internal import Time

/// An object of another program's JSON from which values are taken one by one; what is left at the end has no field of ours.
struct TakenObject {
    let object: JSONObject
    private var taken: Set<String> = []

    init(_ object: JSONObject) { self.object = object }

    /// Counts keys as taken, whatever they hold.
    mutating func take(_ keys: String...) { taken.formUnion(keys) }

    /// The first of these that is a text and not empty. Others of them are taken if they say the same.
    mutating func string(_ keys: String...) -> String? {
        var found: String?
        for key in keys {
            guard let text = object.string(key) else { continue }
            if found == nil || found == text { taken.insert(key) }
            found = found ?? text
        }
        return found
    }

    /// A text, or several as one: authors.
    mutating func joined(_ keys: String...) -> String? {
        for key in keys {
            let list = object.tags(key, separator: "\0")
            if list.isEmpty { continue }
            taken.insert(key)
            return list.joined(separator: ", ")
        }
        return nil
    }

    mutating func flag(_ keys: String...) -> Bool {
        for key in keys where object[key] != nil {
            // A word that is no flag stays among the other fields.
            guard let flag = object.plainFlag(key) else { continue }
            taken.insert(key)
            if flag { return true }
        }
        return false
    }

    mutating func tags(_ keys: String..., separator: Character = ",") -> [String] {
        var tags: [String] = []
        for key in keys where object[key] != nil {
            taken.insert(key)
            tags += object.tags(key, separator: separator)
        }
        return tags
    }

    /// The first of these that holds a date; a text that is none is kept by the entry, and told.
    mutating func date(
        _ time: WritableKeyPath<ImportedEntry, Timestamp?>, _ keys: String..., expected: ImportDate.Unit,
        of entry: inout ImportedEntry
    ) {
        for key in keys where entry[keyPath: time] == nil {
            guard let text = object.scalar(key) else { continue }
            taken.insert(key)
            entry.setDate(time, text, name: key, expected: expected)
        }
    }

    mutating func published(_ keys: String..., of entry: inout ImportedEntry) {
        for key in keys where entry.published == nil {
            guard let text = object.scalar(key) else { continue }
            taken.insert(key)
            entry.setPublished(text, name: key)
        }
    }

    /// Quotes and notes as annotations of an item; what else they have stays with them.
    mutating func annotations(_ keys: String..., of entry: inout ImportedEntry) {
        for key in keys where object[key] != nil {
            taken.insert(key)
            let elements = object.elements(key)
            if elements.isEmpty, let text = object.string(key) { entry.annotations.append(.string(text)) }
            entry.annotations += elements.compactMap { object.annotation($0) }
        }
    }

    /// Gives an entry all that was not taken.
    func rest(to entry: inout ImportedEntry) {
        for member in object.copies() where !taken.contains(member.key) { entry.keep(member.key, member.value) }
    }
}

extension JSONObject {
    /// A number as it is spelt, or a text that is not empty.
    func scalar(_ key: String) -> String? {
        guard let value = self[key] else { return nil }
        return string(key) ?? numberSpelling(value)
    }

    /// `nil` for what is neither a truth value nor a usual spelling of one.
    func plainFlag(_ key: String) -> Bool? {
        guard self[key] != nil else { return nil }
        if flag(key) { return true }
        guard let text = scalar(key)?.lowercased() else { return isFalse(key) ? false : nil }
        return ["0", "false", "no"].contains(text) ? false : nil
    }

    /// - Returns: `nil` for what has neither a quote nor a note.
    func annotation(_ value: JSONDocument.Value) -> JSON? {
        guard let object = inner(value) else { return text(value).map(JSON.string) }
        var taken: Set<String> = []
        func first(_ keys: [String]) -> String? {
            for key in keys where !taken.contains(key) {
                if let text = object.string(key) {
                    taken.insert(key)
                    return text
                }
            }
            return nil
        }
        let quote = first(["quote", "highlight", "exact"])
        // Beside a quote, "text" is what the person wrote of it; alone, it is the quote.
        let quoted = quote ?? first(["text", "content"])
        let note = first(["note", "annotation", "comment"] + (quote != nil ? ["text"] : []))
        if quoted == nil, note == nil { return nil }
        var members: [JSON.Member] = []
        if let quoted { members.append(JSON.Member("quote", .string(quoted))) }
        if let note { members.append(JSON.Member("note", .string(note))) }
        for key in ["createdAt", "created_at", "created", "highlighted_at"] {
            guard let text = object.scalar(key), let time = ImportDate.timestamp(text) else { continue }
            taken.insert(key)
            members.append(JSON.Member("createdAt", .string(time.rfc3339)))
            break
        }
        for member in object.copies()
        where !taken.contains(member.key) && !["quote", "note", "createdAt"].contains(member.key) {
            if member.value != .null { members.append(member) }
        }
        return .object(members)
    }
}
