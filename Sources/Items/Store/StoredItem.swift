package import Files
package import JSONFormat
package import Time

/// An item as it lies on disk: item.json parsed, and what stands beside it.
package struct StoredItem: Sendable {
    package let item: Item
    package let json: JSONDocument
    /// The item's folder, relative to the library's.
    package let folder: String
    /// Status of item.json.
    package let status: FileStatus
    /// Status of text.md, if there is one.
    package let text: FileStatus?
    package let document: StoredDocument?
    /// What else lies in the folder.
    package let parts: ItemParts
    /// Whether the file is there that `htmlRelativePath` names.
    let hasPromisedPage: Bool
    /// Values that do not fit their fields.
    package let faults: [FieldFault]
    /// The time to sort and filter by: FORMAT.md § Effective time.
    package let effectiveUpdatedAt: Timestamp
    /// `createdAt`, else the time in the id, else that of item.json; at most now.
    package let createdAt: Timestamp

    package var id: ItemID { item.id }

    /// How the item started: as stored, else by what it holds.
    package var kind: Item.Kind {
        item.type ?? (item.linkURL != nil ? .link : document != nil ? .document : .snippet)
    }

    /// What the source said that has no field here, under the source's names; what is no string as JSON.
    package var sourceFields: [(name: String, value: String)] {
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

    package var hasText: Bool { text != nil || item.textContent != nil }
}

/// The file that is the item's document: in document/, or loose in the item's folder until the next change by a writer.
package struct StoredDocument: Sendable {
    package let name: String
    package let status: FileStatus
    package var isLoose = false

    /// Relative to the item's folder.
    package var path: String { isLoose ? name : Layout.document + "/" + name }
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
