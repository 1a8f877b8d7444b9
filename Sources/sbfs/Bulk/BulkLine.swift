import StuffBucket

/// One item as a line of text: `3fa9c01b  pf  "Title"  #tag @Collection/Nested description="…"  ~8d2f01c7a4be  ; remark`.
///
/// Flags: `p` pinned, `f` favourite, `x` in the trash, `-` none. After `~` stands the name of the fields that the item had. A title, and any word with white space or a
/// quotation mark, is a JSON string.
struct BulkLine {
    var isPinned = false
    var isFavorite = false
    var isTrashed = false
    /// The person's own title; empty for none.
    var title = ""
    /// Tags including `collection:` tags, without the trash mark.
    var tags: [String] = []
    /// Values of further fields as typed; empty for none.
    var fields: [ItemField: String] = [:]
    /// The name of the fields from which the line was printed; `nil` if a person wrote it.
    var printedFrom: String?

    init() {}

    init(_ stored: StoredItem, _ shown: [ItemField]) { self.init(stored.item, stored.json, shown) }

    /// The line of an item as it was.
    init(_ id: ItemID, _ json: JSONDocument, _ shown: [ItemField]) {
        var faults: [FieldFault] = []
        self.init(Item(id: id, json: json, faults: &faults), json, shown)
    }

    private init(_ item: Item, _ json: JSONDocument, _ shown: [ItemField]) {
        isPinned = item.isPinned
        isFavorite = item.isFavorite
        isTrashed = item.isTrashed
        title = item.title ?? ""
        tags = item.tags.filter { !TagList.areSame($0, TagList.trashcan) }
        for field in shown {
            let value = json.member(field.key, of: json.root)
            fields[field] = value.map { json.string($0) ?? Self.spelling($0, json) } ?? ""
        }
    }

    private static func spelling(_ value: JSONDocument.Value, _ json: JSONDocument) -> String {
        json.kind(value) == .null ? "" : String(decoding: json.spelling(value), as: UTF8.self)
    }

    /// - Parameters:
    ///   - id: the id in the form to show.
    ///   - remark: identifies an item without a title for the reader.
    func text(_ id: String, _ shown: [ItemField], remark: String?) -> String {
        let marks = (isPinned ? "p" : "") + (isFavorite ? "f" : "") + (isTrashed ? "x" : "")
        var parts = [id, TextWidth.pad(marks.isEmpty ? "-" : marks, to: 3), Self.quoted(title)]
        for tag in tags {
            let collection = CollectionName(tag: tag)
            parts.append((collection == nil ? "#" : "@") + Self.word(collection?.name ?? tag))
        }
        for field in shown {
            parts.append(field.key + "=" + (fields[field].map { $0.isEmpty ? "" : Self.word($0) } ?? ""))
        }
        if let printedFrom { parts.append("~" + printedFrom) }
        if let remark { parts.append("; " + Printable.line(remark)) }
        return parts.joined(separator: "  ")
    }

    /// The value unchanged if possible, else as a JSON string.
    private static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text.utf8.first != UInt8(ascii: "\"") && Printable.line(text) == text
            && !text.unicodeScalars.contains { $0.properties.isWhitespace }
        return isPlain ? text : quoted(text)
    }

    static func quoted(_ text: String) -> String {
        let json = JSON.string(text)
        return String(decoding: Printable.json(json.oneLine), as: UTF8.self)
    }
}

extension BulkLine {
    /// An error in a line, for the person.
    struct Fault: Error {
        let message: String
    }

    /// Parses a line that is no comment.
    ///
    /// - Returns: the id as typed, and the rest.
    static func parse(_ line: [UInt8]) throws -> (id: String, line: BulkLine) {
        guard String(validating: line, as: UTF8.self) != nil else { throw Fault(message: "it is not UTF-8") }
        var words = BulkWords(bytes: line)
        guard let id = try words.next(), !id.isQuoted else {
            throw Fault(message: "the line does not begin with an id")
        }
        var result = BulkLine()
        guard let marks = try words.next(), !marks.isQuoted else {
            throw Fault(message: "the flags are missing after the id (p, f, x or -)")
        }
        try result.take(marks: marks.text)
        guard let title = try words.next(), title.isQuoted, title.prefix.isEmpty else {
            throw Fault(message: "the title must follow the flags, in quotation marks")
        }
        result.title = title.text
        while let word = try words.next() { try result.take(word) }
        return (id.text, result)
    }

    private mutating func take(marks: String) throws {
        if marks == "-" { return }
        if marks == "trash" {
            isTrashed = true
            return
        }
        for mark in marks {
            switch mark {
            case "p": isPinned = true
            case "f": isFavorite = true
            case "x": isTrashed = true
            default: throw Fault(message: "\"\(marks)\" are no flags: p is pinned, f favourite, x trash, - none")
            }
        }
    }

    private mutating func take(_ word: BulkWords.Word) throws {
        switch word.prefix {
        case "#":
            let tag = TagList.trimmed(word.text)
            if tag.isEmpty { throw Fault(message: "a # has no tag after it") }
            if TagList.areSame(tag, TagList.trashcan) {
                throw Fault(message: "\"trashcan\" is the mark of the trash: use the flag x")
            }
            tags.append(tag)
        case "@":
            guard let name = CollectionName(word.text) else { throw Fault(message: "an @ has no collection after it") }
            tags.append(name.tag)
        case "~":
            if printedFrom != nil { throw Fault(message: "two words begin with ~") }
            printedFrom = word.text
        case "":
            throw Fault(
                message:
                    "\(BulkLine.quoted(word.text)) is neither #tag, @collection nor field=value; a value with spaces "
                    + "needs quotation marks")
        default:
            guard let field = ItemField(rawValue: word.prefix) else {
                throw Fault(message: "there is no field \"\(word.prefix)\"")
            }
            if fields[field] != nil { throw Fault(message: "\(field.key) stands there twice") }
            fields[field] = word.text
        }
    }
}

/// The words of a line: separated by white space, with quoted parts as JSON strings; `;` begins a remark.
struct BulkWords {
    struct Word {
        /// `#`, `@`, `~`, the field name before a `=`, or empty.
        let prefix: String
        let text: String
        let isQuoted: Bool
    }

    let bytes: [UInt8]
    private var place = 0
    private var count = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    /// - Returns: `nil` at the end, or at a remark.
    mutating func next() throws -> Word? {
        while place < bytes.count, isSpace(bytes[place]) { place += 1 }
        guard place < bytes.count, bytes[place] != UInt8(ascii: ";") else { return nil }
        count += 1
        // The id, the flags and the title have no prefix.
        let prefix = count > 3 ? takePrefix() : ""
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
            let start = place
            while place < bytes.count, !isSpace(bytes[place]) { place += 1 }
            return Word(prefix: prefix, text: String(decoding: bytes[start..<place], as: UTF8.self), isQuoted: false)
        }
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
        guard let json = try? JSONDocument(parsing: Array(bytes[start..<place])), let text = json.string(json.root),
            place == bytes.count || isSpace(bytes[place])
        else {
            let shown = String(decoding: bytes[start..<min(place, start + 40)], as: UTF8.self)
            throw BulkLine.Fault(
                message:
                    "\(shown) is no string in quotation marks (within it: \\\" for a quotation mark, \\\\ for a backslash)"
            )
        }
        return Word(prefix: prefix, text: text, isQuoted: true)
    }

    private mutating func takePrefix() -> String {
        for mark in ["#", "@", "~"] where mark.utf8.first == bytes[place] {
            place += 1
            return mark
        }
        var end = place
        while end < bytes.count, (0x41...0x5A).contains(bytes[end] & 0xDF) { end += 1 }
        guard end > place, end < bytes.count, bytes[end] == UInt8(ascii: "=") else { return "" }
        defer { place = end + 1 }
        return String(decoding: bytes[place..<end], as: UTF8.self)
    }
}
