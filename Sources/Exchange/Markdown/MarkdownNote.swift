internal import Files
internal import Items
package import Time

/// One item as a Markdown file with front matter.
package enum MarkdownNote {
    /// - Parameter path: relative to the folder that is imported, if it comes from one.
    static func entry(_ bytes: [UInt8], at place: ImportPlace, path: String?) -> ImportedEntry {
        var entry = ImportedEntry(at: place)
        entry.externalID = "text:" + SHA256.hex(Array((path ?? "").utf8) + [0] + bytes).prefix(32)
        guard let head = FrontMatter(bytes) else {
            entry.text = bytes
            return entry
        }
        var isUnderstood = true
        for (key, value) in head.values {
            switch key {
            case "title": entry.title = value.text
            case "tags", "tag", "keywords":
                entry.tags += value.list.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
            case "collections", "collection": entry.collections += value.list
            case "folder": if let folder = value.text { entry.folder = FolderPath.split(folder) }
            case "url", "link", "source": entry.url = entry.url ?? value.text
            case "description", "summary": entry.description = value.text
            case "created", "date", "createdat", "created_at":
                entry.createdAt = value.text.flatMap { ImportDate.timestamp($0) }
            case "updated", "modified", "lastmod", "updatedat", "updated_at":
                entry.updatedAt = value.text.flatMap { ImportDate.timestamp($0) }
            case "favorite", "favourite", "starred": entry.isFavorite = value.text == "true"
            case "pinned": entry.isPinned = value.text == "true"
            case "order": entry.sortOrder = value.text.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
            case "id": entry.itemID = value.text.flatMap { ItemID($0) }
            default: isUnderstood = false
            }
        }
        if entry.url.map({ !$0.hasPrefix("http") }) ?? false {
            // "source: a friend" is no link.
            entry.url = nil
            isUnderstood = false
        }
        // What is not understood must not be lost: the head stays with the text.
        let text = isUnderstood ? Array(bytes[head.end...]) : bytes
        entry.text = text.isEmpty ? nil : text
        return entry
    }

    /// What a Markdown file says of an item.
    package struct Head: Sendable {
        package var id: String
        package var title: String?
        package var url: String?
        package var description: String?
        package var tags: [String] = []
        package var collections: [String] = []
        package var createdAt: Timestamp
        package var updatedAt: Timestamp
        package var isFavorite = false
        package var isPinned = false
        package var sortOrder: Double?

        package init(id: String, createdAt: Timestamp, updatedAt: Timestamp) {
            self.id = id
            self.createdAt = createdAt
            self.updatedAt = updatedAt
        }
    }

    /// The whole file.
    package static func bytes(_ head: Head, text: [UInt8]?) -> [UInt8] {
        var lines = ["---", "id: " + head.id]
        if let title = head.title { lines.append("title: " + FrontMatter.quoted(title)) }
        if let url = head.url { lines.append("url: " + FrontMatter.quoted(url)) }
        if let description = head.description { lines.append("description: " + FrontMatter.quoted(description)) }
        func list(_ key: String, _ values: [String]) {
            if values.isEmpty { return }
            lines.append(key + ":")
            lines += values.map { "  - " + FrontMatter.quoted($0) }
        }
        list("tags", head.tags)
        list("collections", head.collections)
        lines.append("created: " + head.createdAt.rfc3339)
        lines.append("updated: " + head.updatedAt.rfc3339)
        if head.isFavorite { lines.append("favorite: true") }
        if head.isPinned { lines.append("pinned: true") }
        if let order = head.sortOrder { lines.append("order: \(order)") }
        return Array((lines.joined(separator: "\n") + "\n---\n\n").utf8) + (text ?? [])
    }
}
