internal import Characters
internal import JSONFormat
internal import Time

/// An object of another program's JSON from which values are taken one by one; the remaining ones have no field here.
struct TakenObject {
    let object: JSONObject
    private var taken: Set<String> = []
    /// Names of what is left out of lists of names.
    private var untaken: [String] = []

    init(_ object: JSONObject) { self.object = object }

    /// Marks keys as taken, with any value.
    mutating func take(_ keys: String...) { taken.formUnion(keys) }

    /// The first text that is not empty. Equal texts under the other keys are taken too.
    mutating func string(_ keys: String...) -> String? {
        var found: String?
        for key in keys {
            guard let text = object.string(key) else { continue }
            if found == nil || found.map({ $0.utf8.elementsEqual(text.utf8) }) ?? false { taken.insert(key) }
            found = found ?? text
        }
        return found
    }

    /// A text, or several joined into one: authors.
    mutating func joined(_ keys: String...) -> String? {
        for key in keys {
            let list = object.names(key, separator: "\0", takesKeys: false)
            if list.names.isEmpty { continue }
            taken.insert(key)
            untaken += list.untaken
            return list.names.joined(separator: ", ")
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

    mutating func tags(_ keys: String..., separator: Unicode.Scalar = ",") -> [String] {
        var tags: [String] = []
        for key in keys where object[key] != nil {
            taken.insert(key)
            let list = object.names(key, separator: separator)
            tags += list.names
            untaken += list.untaken
        }
        return tags
    }

    /// The first of these with a date. A text that is no date is kept by the entry and reported.
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

    /// Quotes and notes as annotations of an item; their other members stay with them.
    mutating func annotations(_ keys: String..., of entry: inout ImportedEntry) {
        for key in keys where object[key] != nil {
            taken.insert(key)
            let elements = object.elements(key)
            if elements.isEmpty, let text = object.string(key) { entry.annotations.append(.string(text)) }
            for element in elements {
                // A highlight without words: a place in the page alone.
                guard let annotation = object.annotation(element)?.readable(&entry) else {
                    entry.untaken.append(key)
                    continue
                }
                entry.annotations.append(annotation)
            }
        }
    }

    /// Adds all remaining values to an entry.
    func rest(to entry: inout ImportedEntry) {
        entry.untaken += untaken
        for member in object.copies() where !taken.contains(member.key) { entry.keep(member.key, member.value) }
    }
}

extension JSONObject {
    /// A number as spelt, or a text that is not empty.
    func scalar(_ key: String) -> String? {
        guard let value = self[key] else { return nil }
        return string(key) ?? numberSpelling(value)
    }

    /// `nil` for a value that is no truth value in any usual spelling.
    func plainFlag(_ key: String) -> Bool? {
        guard self[key] != nil else { return nil }
        if flag(key) { return true }
        guard let text = scalar(key)?.word.lowercased() else { return isFalse(key) ? false : nil }
        return ["0", "false", "no"].contains(text) ? false : nil
    }

    /// - Returns: `nil` for a value without quote and note.
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
        // Beside a quote, "text" is the person's note; alone, it is the quote.
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

extension JSON {
    /// An annotation with its quote and its note as Markdown, where they are HTML.
    fileprivate func readable(_ entry: inout ImportedEntry) -> JSON {
        switch self {
        case .string(let text): return .string(entry.likelyReadable(text))
        case .object(let members):
            return .object(
                members.map { member in
                    guard ["quote", "note"].contains(member.key), case .string(let text) = member.value else {
                        return member
                    }
                    return JSON.Member(member.key, .string(entry.likelyReadable(text)))
                })
        default: return self
        }
    }
}
