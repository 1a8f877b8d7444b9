internal import Items
internal import JSONFormat
internal import Time

/// The output of `sbfs export --format json` and `ndjson` and `sbfs list --json`: each object is an item.json, with
/// its text as `textContent`.
enum ItemsJSON {
    static func isOne(_ object: JSONObject) -> Bool {
        guard let id = object.string("id"), ItemID(id) != nil else { return false }
        return object.string("type").map { ["snippet", "link", "document"].contains($0) } ?? false
            || object["sbfs"] != nil
    }

    static func entry(_ object: JSONObject, at place: ImportPlace) -> ImportedEntry {
        var entry = ImportedEntry(at: place)
        entry.itemID = object.string("id").flatMap { ItemID($0) }
        entry.url = object.string(ItemField.linkURL.key)
        entry.title = object.string(ItemField.title.key)
        entry.description = object.string(ItemField.description.key)
        let text = object.string(ItemField.textContent.key) ?? object.object("sbfs")?.string("text")
        entry.text = text.map { Array($0.utf8) }
        entry.tags = object.tags(ItemField.tags.key)
        entry.createdAt = object.string(ItemField.createdAt.key).flatMap { Timestamp($0) }
        entry.updatedAt = object.string(ItemField.updatedAt.key).flatMap { Timestamp($0) }
        entry.isPinned = object.flag(ItemField.isPinned.key)
        entry.isFavorite = object.flag(ItemField.isFavorite.key)
        entry.sortOrder = object.number(ItemField.sortOrder.key)
        entry.externalID = object.string(ItemField.sourceExternalID.key)
        entry.members = object.copies().filter { !handled.contains($0.key) }
        return entry
    }

    /// Keys that are read above, or are about things that such a file lacks: documents and saved pages.
    private static let handled: Set<String> = Set(
        [
            ItemField.id, .linkURL, .title, .description, .textContent, .tags, .createdAt, .updatedAt, .isPinned,
            .isFavorite, .sortOrder, .sourceExternalID, .documentRelativePath, .documentName, .documentSHA256,
            .htmlRelativePath, .favicon, .archiveStatus, .capturedBy, .archiveReason, .archiveAttempts, .archivedAt,
        ].map(\.key)
    ).union(["sbfs"])
}
