package import Items
package import JSONFormat
package import Time

/// One entry of a foreign file, before it becomes an item or is merged into one.
public struct ImportedEntry: Sendable, Equatable {
    /// Its place in the file, for reports.
    public var place: ImportPlace
    /// As written, without surrounding white space; unchecked.
    public var url: String?
    /// The source's title; `nil` for none.
    public var title: String?
    /// The source's description; `nil` for none.
    package var description: String?
    /// The bytes of its text, in UTF-8 if the source is; `nil` for none. Empty for an entry without a link that becomes an item
    /// without a text.
    package var text: [UInt8]?
    /// The parts of the text, if it consists of highlights.
    package var passages: [ImportedPassage] = []
    /// As the source spells them, in its order.
    package var tags: [String] = []
    /// Names of its folders, outermost first, as the source spells them.
    package var folder: [String] = []
    /// Further collections, with `/` between levels.
    package var collections: [String] = []
    /// The source's time of creation; `nil` for none.
    package var createdAt: Timestamp?
    /// The source's time of the last change; `nil` for none.
    package var updatedAt: Timestamp?
    /// Its id at the source, with a prefix that names the source.
    package var externalID: String?
    /// The author of the linked page, as one string; `nil` for none.
    package var author: String?
    /// The name of the linked site; `nil` for none.
    package var site: String?
    /// A BCP 47 tag, if the source is correct.
    package var language: String?
    /// A calendar date or an instant, spelt as in item.json.
    package var published: String?
    /// Strings, or objects with `quote`, `note` and `createdAt`, as in item.json.
    package var annotations: [JSON] = []
    /// Whether the source marks it as a favourite.
    package var isFavorite = false
    /// Whether the source pins it at the top.
    package var isPinned = false
    /// Its rank in manual order, smallest first; `nil` for none.
    package var sortOrder: Double?
    /// The name of its file, if other files may refer to it by that name.
    package var fileName: String?
    /// The path of a file that is copied into the item; `nil` for none.
    package var documentPath: String?
    /// The item's own id, if this program wrote the file.
    package var itemID: ItemID?
    /// Further members of item.json, if this program wrote the file.
    package var members: [JSON.Member] = []
    /// Values without a field in an item, under the source's names.
    package private(set) var fields: [JSON.Member] = []
    /// The places of `fields` by their names.
    private var fieldPlaces: [String: Int] = [:]
    /// Names of values that are left out.
    package var untaken: [String] = []
    /// Values that were imported in another form.
    package var remarks: [ImportRemark] = []

    /// Makes an entry with only a place.
    package init(at place: ImportPlace) { self.place = place }

    // MARK: Setting values

    /// Keeps a value that has no field here. Drops empty values. Different values under one name become a list.
    package mutating func keep(_ name: String, _ value: JSON) {
        switch value {
        case .null: return
        case .string(let text): if text.isEmpty { return }
        case .array(let elements): if elements.isEmpty { return }
        case .object(let members): if members.isEmpty { return }
        case .bool, .number: break
        }
        let name = Self.cut(name, Self.folderNameByteLimit)
        if name.isEmpty { return }
        guard let place = fieldPlaces[name] else {
            fieldPlaces[name] = fields.count
            fields.append(JSON.Member(name, value))
            return
        }
        let known = fields[place].value
        if known == value { return }
        guard case .array(let list) = known else {
            fields[place] = JSON.Member(name, .array([known, value]))
            return
        }
        if list.last == value { return }
        // Each addition copies the list.
        if list.count >= Self.repeatLimit { return untaken.append(name) }
        fields[place] = JSON.Member(name, .array(list + [value]))
    }

    /// Sets a date as the source spells it. An unreadable date is kept unchanged and reported; a second, different date is
    /// kept, and so is one that has not come yet, since an item gets no such date.
    package mutating func setDate(
        _ time: WritableKeyPath<ImportedEntry, Timestamp?>, _ text: String, name: String,
        expected: ImportDate.Unit = .seconds, dayOrder: ImportDate.DayOrder? = nil
    ) {
        if ImportDate.isNone(text) { return }
        let found = ImportDate.timestamp(text, expected: expected, dayOrder: dayOrder)
        if let known = self[keyPath: time] {
            if found != known { keep(name, .string(text)) }
        } else if let found {
            self[keyPath: time] = found
            if found > Timestamp.now.adding(seconds: 86_400) { keep(name, .string(text)) }
        } else {
            keep(name, .string(text))
            remarks.append(.unknownDate(Self.cut(text, 60)))
        }
    }

    /// Sets the date of publication. Text that is no date is kept as spelt.
    package mutating func setPublished(_ text: String, name: String) {
        if ImportDate.isNone(text) { return }
        if published == nil, let found = ImportDate.published(text) {
            published = found
        } else {
            keep(name, .string(text))
        }
    }

    /// Adds to the text, after a blank line.
    package mutating func addText(_ added: String) {
        if added.isEmpty { return }
        if text == nil { text = [] } else { text?.append(contentsOf: "\n\n".utf8) }
        text?.append(contentsOf: added.utf8)
    }

    /// Adds a text of a source that writes HTML, as Markdown. What Markdown cannot hold is named.
    mutating func addHTML(_ html: String) { addText(readable(html)) }

    /// HTML as Markdown, and any other text as it is.
    mutating func readable(_ text: String) -> String {
        guard MarkdownOfHTML.hasTags(text) else { return text }
        let markdown = MarkdownOfHTML(text)
        untaken += markdown.lost
        return markdown.text
    }

    /// The same for a source that may write HTML or not.
    mutating func likelyReadable(_ text: String) -> String {
        MarkdownOfHTML.isLikely(text) ? readable(text) : text
    }

    /// Makes an entry without a link and a text one that is taken: its title stands for itself, and its description is the
    /// text where there is no title. Nothing is said twice.
    mutating func standAlone() {
        guard url == nil, text == nil, title != nil || description != nil else { return }
        text = title == nil ? description.map { Array($0.utf8) } : []
        if title == nil { description = nil }
    }

    // MARK: Bounds

    /// Longer fields are cut: no file may make an item.json too large to read.
    package static let fieldByteLimit = 65_536
    /// The limit in bytes for the name of a folder, of a tag and of a further field; longer ones are cut.
    package static let folderNameByteLimit = 500
    /// The deepest nesting of folders; deeper ones belong to the last level.
    package static let folderDepthLimit = 100
    /// The limit for the tags of one entry, and for its further collections; the others are left out.
    package static let tagCountLimit = 500
    /// The limit in bytes for the name of a further collection, all levels together.
    private static let collectionByteLimit = 5000
    /// The limit in bytes for all values without a field, and for all annotations.
    package static let fieldsByteLimit = 65_536
    /// The limit for all annotations of one entry, as JSON: 1 MiB.
    package static let annotationsByteLimit = 1 << 20
    /// The limit for the values under one name; the others are left out.
    static let repeatLimit = 1000
    /// The deepest nesting of lists and objects in a value that is kept.
    package static let depthLimit = 32

    /// The entry cut to the limits, and what was cut.
    package func bounded() -> (entry: ImportedEntry, cut: [ImportRemark]) {
        var entry = self
        var cut: [ImportRemark] = []
        func bound(_ text: inout String?, _ field: ImportRemark.ImportedField) {
            guard let long = text, long.utf8.count > Self.fieldByteLimit else { return }
            text = Self.cut(long, Self.fieldByteLimit)
            cut.append(.cutField(field, byteCount: long.utf8.count, limit: Self.fieldByteLimit))
        }
        bound(&entry.title, .title)
        bound(&entry.description, .description)
        bound(&entry.author, .author)
        bound(&entry.site, .site)
        bound(&entry.language, .language)
        entry.boundFields()
        if let id = entry.externalID, id.utf8.count > 1000 {
            entry.externalID = nil
            entry.untaken.append("id")
        }
        if tags.count > Self.tagCountLimit {
            entry.tags = Array(tags.prefix(Self.tagCountLimit))
            cut.append(.tagsLeftOut(count: tags.count, limit: Self.tagCountLimit))
        }
        for tag in entry.tags where tag.utf8.count > Self.folderNameByteLimit {
            cut.append(.cutField(.tag, byteCount: tag.utf8.count, limit: Self.folderNameByteLimit))
        }
        entry.tags = entry.tags.map { Self.cut($0, Self.folderNameByteLimit) }
        for (place, name) in entry.collections.enumerated() {
            if place >= Self.tagCountLimit {
                entry.untaken.append("collection")
            } else if name.utf8.count > Self.collectionByteLimit {
                cut.append(.cutField(.collection, byteCount: name.utf8.count, limit: Self.collectionByteLimit))
            }
        }
        entry.collections = entry.collections.prefix(Self.tagCountLimit).map { Self.cut($0, Self.collectionByteLimit) }
        return (entry, cut)
    }

    /// Keeps fields and annotations within their limits, and names the others.
    private mutating func boundFields() {
        var room = Self.fieldsByteLimit
        let kept = fields.filter { field in
            room -= Self.byteCount(field.value) + field.key.utf8.count
            // Deeper nesting would make item.json unreadable.
            if room >= 0, field.value.depth <= Self.depthLimit { return true }
            untaken.append(field.key)
            return false
        }
        if kept.count < fields.count {
            (fields, fieldPlaces) = ([], [:])
            for field in kept { keep(field.key, field.value) }
        }
        room = Self.annotationsByteLimit
        annotations = annotations.filter { annotation in
            room -= Self.byteCount(annotation)
            if room >= 0, annotation.depth <= Self.depthLimit { return true }
            untaken.append("annotations")
            return false
        }
    }

    private static func byteCount(_ value: JSON) -> Int {
        var writer = JSONWriter(.oneLine)
        writer.write(value)
        return writer.bytes.count
    }

    /// The name of an attribute or an element, cut to a length that no real name has.
    static func cutName(_ bytes: some Collection<UInt8>) -> String {
        cut(String(decoding: bytes.prefix(nameByteLimit + 1), as: UTF8.self), nameByteLimit)
    }

    private static let nameByteLimit = 200

    /// The first part of a text within a number of bytes, never cut within a character's bytes.
    package static func cut(_ text: String, _ byteLimit: Int) -> String {
        if text.utf8.count <= byteLimit { return text }
        var bytes = Array(text.utf8.prefix(byteLimit + 1))
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSON {
    /// The nesting depth of lists and objects.
    package var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}
