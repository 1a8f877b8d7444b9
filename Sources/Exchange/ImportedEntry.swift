public import Items
public import JSONFormat
public import Time

/// One thing as a foreign file has it, before it becomes an item or joins one.
public struct ImportedEntry: Sendable, Equatable {
    /// Where it stands in the file, for reports.
    public var place: ImportPlace
    /// As written, without white space around it; not checked.
    public var url: String?
    /// The title as the source has it; `nil` where it gives none.
    public var title: String?
    /// What the source says about it; `nil` where it says nothing.
    public var description: String?
    /// The bytes of its text, UTF-8 where the source is; `nil` where it has none.
    public var text: [UInt8]?
    /// What the text is made of, where it is made of passages that a person marked.
    public var passages: [ImportedPassage] = []
    /// As the source spells them, in its order.
    public var tags: [String] = []
    /// Names of the folders it is in, outermost first, as the source spells them.
    public var folder: [String] = []
    /// Further collections, with `/` between levels.
    public var collections: [String] = []
    /// When the source says that it was made; `nil` where it does not say.
    public var createdAt: Timestamp?
    /// When the source says that it was changed last; `nil` where it does not say.
    public var updatedAt: Timestamp?
    /// What the source calls it; with a prefix that names the source.
    public var externalID: String?
    /// Who wrote what is linked, as one string; `nil` where the source does not say.
    public var author: String?
    /// The name of the site that is linked; `nil` where the source does not say.
    public var site: String?
    /// As a BCP 47 tag, if the source is right.
    public var language: String?
    /// A calendar date or an instant, spelt as item.json has it.
    public var published: String?
    /// Strings, or objects with `quote`, `note` and `createdAt`, as item.json has them.
    public var annotations: [JSON] = []
    /// Whether the source marks it as a favourite.
    public var isFavorite = false
    /// Whether the source keeps it at the top.
    public var isPinned = false
    /// Its place in manual order, smallest first; `nil` where the source gives none.
    public var sortOrder: Double?
    /// The name of the file that it is, where other files may refer to it by that name.
    public var fileName: String?
    /// A file to be copied into the item.
    public var documentPath: String?
    /// The item's own id, where the file was written by this program.
    public var itemID: ItemID?
    /// Further members of item.json, where the file was written by this program.
    public var members: [JSON.Member] = []
    /// What has no field in an item, under the names that the source has for it.
    public var fields: [JSON.Member] = []
    /// Names of what was not taken.
    public var untaken: [String] = []
    /// What of it was taken in another form than it came, as sentences that begin with "its".
    public var remarks: [String] = []

    /// Makes an entry of which nothing but its place is known.
    public init(at place: ImportPlace) { self.place = place }

    // MARK: Giving it values

    /// Keeps a value that has no field of its own; nothing is kept of what says nothing.
    public mutating func keep(_ name: String, _ value: JSON) {
        if [.null, .string(""), .array([]), .object([])].contains(value) { return }
        let name = Self.cut(name, Self.folderNameByteLimit)
        if name.isEmpty || fields.contains(where: { $0.key == name }) { return }
        fields.append(JSON.Member(name, value))
    }

    /// A date as the source spells it; one that is not understood is kept as it is, and told.
    public mutating func setDate(
        _ time: WritableKeyPath<ImportedEntry, Timestamp?>, _ text: String, name: String,
        expected: ImportDate.Unit = .seconds, isDayFirst: Bool? = nil
    ) {
        if ImportDate.isNone(text) || self[keyPath: time] != nil { return }
        if let found = ImportDate.timestamp(text, expected: expected, isDayFirst: isDayFirst) {
            self[keyPath: time] = found
        } else {
            keep(name, .string(text))
            remarks.append("its date \"\(Self.cut(text, 60))\" is in no form that import knows")
        }
    }

    /// When the page was published; kept as the source spells it where it is not a date.
    public mutating func setPublished(_ text: String, name: String) {
        if ImportDate.isNone(text) { return }
        if published == nil, let found = ImportDate.published(text) {
            published = found
        } else {
            keep(name, .string(text))
        }
    }

    /// Adds to the text, behind a blank line.
    public mutating func addText(_ added: String) {
        if added.isEmpty { return }
        if text == nil { text = [] } else { text?.append(contentsOf: "\n\n".utf8) }
        text?.append(contentsOf: added.utf8)
    }

    // MARK: Bounds

    /// Longer fields are cut: no file may make an item.json that is too large to be read.
    public static let fieldByteLimit = 65_536
    /// Bytes of a folder's name, of a tag and of the name of a further field; longer ones are cut.
    public static let folderNameByteLimit = 500
    /// Levels of folders in each other; what is deeper counts as in the last of them.
    public static let folderDepthLimit = 100
    /// Tags of one entry, and as many further collections; those behind are left out.
    public static let tagCountLimit = 500
    /// Of all that has no field of its own, and of all annotations.
    public static let fieldsByteLimit = 65_536
    /// Bytes of all annotations of one entry, as JSON: 1 MiB.
    public static let annotationsByteLimit = 1 << 20
    /// Lists and objects in each other, in a value that is kept.
    public static let depthLimit = 32

    /// The entry within the bounds, and what was cut off.
    public func bounded() -> (entry: ImportedEntry, cut: [String]) {
        var entry = self
        var cut: [String] = []
        func bound(_ text: inout String?, _ name: String) {
            guard let long = text, long.utf8.count > Self.fieldByteLimit else { return }
            text = Self.cut(long, Self.fieldByteLimit)
            cut.append("its \(name) has \(long.utf8.count) bytes and was cut to \(Self.fieldByteLimit)")
        }
        bound(&entry.title, "title")
        bound(&entry.description, "description")
        bound(&entry.author, "author")
        bound(&entry.site, "site")
        bound(&entry.language, "language")
        entry.boundFields()
        if let id = entry.externalID, id.utf8.count > 1000 { entry.externalID = nil }
        if tags.count > Self.tagCountLimit {
            entry.tags = Array(tags.prefix(Self.tagCountLimit))
            cut.append("of its \(tags.count) tags the first \(Self.tagCountLimit) were taken")
        }
        entry.tags = entry.tags.map { Self.cut($0, Self.folderNameByteLimit) }
        entry.collections = entry.collections.prefix(Self.tagCountLimit).map { Self.cut($0, 5000) }
        return (entry, cut)
    }

    /// Keeps fields and annotations while they are within their limits, and names the others.
    private mutating func boundFields() {
        var room = Self.fieldsByteLimit
        fields = fields.filter { field in
            room -= Self.byteCount(field.value) + field.key.utf8.count
            // Too deep, and item.json could not be read any more.
            if room >= 0, field.value.depth <= Self.depthLimit { return true }
            untaken.append(field.key)
            return false
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

    /// The beginning of a text in at most so many bytes, never within a character's bytes.
    public static func cut(_ text: String, _ byteLimit: Int) -> String {
        if text.utf8.count <= byteLimit { return text }
        var bytes = Array(text.utf8.prefix(byteLimit + 1))
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSON {
    /// How many lists and objects stand in each other.
    public var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}
