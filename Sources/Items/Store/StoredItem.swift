public import Files
public import JSONFormat
public import Time

/// An item as stored: the parsed item.json and the files beside it.
public struct StoredItem: Sendable {
    /// The fields of item.json.
    public let item: Item
    /// The whole item.json, with unknown keys.
    public let json: JSONDocument
    /// The item's folder, relative to the library's.
    public let folder: String
    /// The status of item.json.
    package let status: FileStatus
    /// The status of text.md; `nil` if there is none.
    public let text: FileStatus?
    /// The item's document; `nil` if there is none.
    public let document: StoredDocument?
    /// What else the folder contains.
    package let parts: ItemParts
    /// Whether the file named by `htmlRelativePath` exists.
    let hasPromisedPage: Bool
    /// The page and the document that are not on this device and that an exchange holds; `nil` if nothing is known to be away.
    public let away: AwayFiles?
    /// Values of item.json with a wrong type or range.
    public let faults: [FieldFault]
    /// The time for sorting and filtering: FORMAT.md § Effective time.
    public let effectiveUpdatedAt: Timestamp
    /// `createdAt`, else the time in the id, else the time of item.json; never in the future.
    public let createdAt: Timestamp

    /// The item's id, which is the name of its folder.
    public var id: ItemID { item.id }

    /// How the item started: as stored, else derived from its contents.
    public var kind: Item.Kind {
        item.type ?? (item.linkURL != nil ? .link : documentName != nil ? .document : .snippet)
    }

    /// The file name of the document, also of one that is away; `nil` without one.
    public var documentName: String? { document?.name ?? away?.documentName }

    /// Fields of the source that have no field here, under the source's names. Values that are no strings are given
    /// as JSON.
    public var sourceFields: [(name: String, value: String)] {
        guard let fields = json.member(ItemField.sourceFields.key, of: json.root), json.kind(fields) == .object else {
            return []
        }
        return json.members(fields).map { key, value in
            (
                json.string(key) ?? "",
                json.string(value) ?? String(decoding: json.spelling(value), as: UTF8.self)
            )
        }
    }

    /// Whether there is a text.md, or item.json still holds a text.
    public var hasText: Bool { text != nil || item.textContent != nil }
}

/// The item's document: a file in document/, or loose in the item's folder until a command next changes the item.
public struct StoredDocument: Sendable {
    /// The file's name, without a path.
    public let name: String
    /// The status of the file.
    public let status: FileStatus
    /// Whether the file is directly in the item's folder, not in document/.
    package var isLoose = false

    /// Relative to the item's folder.
    public var path: String { isLoose ? name : Layout.document + "/" + name }
}

extension StoredItem {
    /// Reads a time more than a day in the future as now.
    static func bounded(_ time: Timestamp, now: Timestamp) -> Timestamp {
        time > now.adding(seconds: 86_400) ? now : time
    }

    /// - Parameters:
    ///   - times: modification times of item.json, text.md and the document.
    ///   - adoptedAt: when this copy of the library was first opened here. Older files may have been brought by the
    ///     copying
    ///     itself (git clone, unzip), so their times say nothing about an edit.
    static func effectiveTime(
        updatedAt: Timestamp?, times: [Timestamp], adoptedAt: Timestamp?, now: Timestamp
    ) -> Timestamp {
        let latest = min(times.max() ?? now, now)
        guard let updatedAt else { return latest }
        let slack: Int64 = 2
        if latest <= updatedAt.adding(seconds: slack) { return bounded(updatedAt, now: now) }
        if let adoptedAt, latest <= adoptedAt { return bounded(updatedAt, now: now) }
        return latest
    }
}
