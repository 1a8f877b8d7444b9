public import Files
public import JSONFormat
public import Time

/// An item as it lies on disk: item.json parsed, and what stands beside it.
public struct StoredItem: Sendable {
    /// The fields of item.json.
    public let item: Item
    /// The whole item.json, with keys that have no field here.
    public let json: JSONDocument
    /// The item's folder, relative to the library's.
    public let folder: String
    /// Status of item.json.
    public let status: FileStatus
    /// Status of text.md, if there is one.
    public let text: FileStatus?
    /// The item's document; `nil` where there is none.
    public let document: StoredDocument?
    /// What else the folder contains.
    public let parts: ItemParts
    /// Whether the file is there that `htmlRelativePath` names.
    let hasPromisedPage: Bool
    /// Values that do not fit their fields.
    public let faults: [FieldFault]
    /// The time to sort and filter by: FORMAT.md § Effective time.
    public let effectiveUpdatedAt: Timestamp
    /// `createdAt`, else the time in the id, else that of item.json; at most now.
    public let createdAt: Timestamp

    /// The item's id, which its folder is named by.
    public var id: ItemID { item.id }

    /// How the item started: as stored, else by what it holds.
    public var kind: Item.Kind {
        item.type ?? (item.linkURL != nil ? .link : document != nil ? .document : .snippet)
    }

    /// What the source said that has no field here, under the source's names; what is no string as JSON.
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

/// The file that is the item's document: in document/, or loose in the item's folder until the next change by a writer.
public struct StoredDocument: Sendable {
    /// The file's name, without a path.
    public let name: String
    /// The status of the file.
    public let status: FileStatus
    /// Whether it is in the item's folder itself, and not in document/.
    public var isLoose = false

    /// Relative to the item's folder.
    public var path: String { isLoose ? name : Layout.document + "/" + name }
}

extension StoredItem {
    /// Times later than a day from now are read as now.
    static func bounded(_ time: Timestamp, now: Timestamp) -> Timestamp {
        time > now.adding(seconds: 86_400) ? now : time
    }

    /// - Parameters:
    ///   - times: modification times of item.json, text.md and the document.
    ///   - adoptedAt: when this copy of the library was first opened here; files not younger than that were brought by
    ///     the copying itself (git clone, unzip) and say nothing of an edit.
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
