internal import Characters
internal import Files
package import Items
package import Time

/// One item as a Markdown file with front matter.
package enum MarkdownNote {
    /// - Parameter path: relative to the imported folder; `nil` for a single file.
    static func entry(_ bytes: [UInt8], at place: ImportPlace, path: String?) -> ImportedEntry {
        var entry = ImportedEntry(at: place)
        entry.externalID = externalID(of: bytes, path: path ?? "")
        guard let head = FrontMatter(bytes) else {
            entry.text = bytes
            if FrontMatter.isMeant(bytes) { entry.remarks.append(.unreadFrontMatter) }
            return entry
        }
        var kept: [UInt8] = []
        for part in head.entries where !take(part, into: &entry) {
            kept += bytes[part.lines]
            if part.value == nil, mainKeys.contains(part.key), entry.remarks.isEmpty {
                entry.remarks = [.unreadFrontMatter]
            }
        }
        let text: [UInt8]
        if kept.isEmpty {
            text = Array(bytes[head.end...])
        } else {
            // Unknown parts must not be lost: they stay as the head of the text.
            let open = bytes.prefix(through: bytes.firstIndex(of: 0x0A) ?? 0)
            text = open + kept + bytes[head.close.lowerBound...]
        }
        entry.text = text.isEmpty ? nil : text
        return entry
    }

    /// Parts that a person would miss.
    private static let mainKeys: Set<String> = ["title", "tags", "tag", "keywords", "collections", "collection"]

    /// What a note is known by: its place in the folder that it is imported from, and its bytes.
    package static func externalID(of bytes: [UInt8], path: String) -> String {
        "text:" + SHA256.hex(Array(path.utf8) + [0] + bytes).prefix(32)
    }

    /// The item that an export wrote the file of, and when that was changed last.
    package static func head(of bytes: [UInt8]) -> (id: ItemID?, updatedAt: Timestamp?) {
        let entry = entry(bytes, at: .line(1), path: nil)
        return (entry.itemID, entry.updatedAt)
    }

    /// - Returns: false for a part that has no field or does not fit: a second title, an invalid date.
    private static func take(_ part: FrontMatter.Entry, into entry: inout ImportedEntry) -> Bool {
        guard let value = part.value else { return false }
        func fill<Value>(_ place: inout Value?, _ new: Value?) -> Bool {
            if case .text(let text) = value, text.isEmpty { return true }
            guard place == nil, let new else { return false }
            place = new
            return true
        }
        func mark(_ place: inout Bool) -> Bool {
            guard let word = value.text?.word, word == "true" || word == "false" else { return false }
            place = word == "true"
            return true
        }
        let date = value.text.flatMap { ImportDate.timestamp($0) }
        switch part.key {
        case "title": return fill(&entry.title, value.text)
        case "tags", "tag", "keywords":
            entry.tags += value.list.map {
                $0.utf8.first == UInt8(ascii: "#") ? String($0.unicodeScalars.dropFirst()) : $0
            }
        case "collections", "collection": entry.collections += value.list
        case "folder":
            guard entry.folder.isEmpty, let folder = value.text else { return false }
            entry.folder = FolderPath.split(folder)
        // "source: a friend" is no link.
        case "url", "link", "source":
            return fill(&entry.url, value.text.flatMap { $0.utf8.starts(with: "http".utf8) ? $0 : nil })
        case "description", "summary": return fill(&entry.description, value.text)
        case "created", "date", "createdat", "created_at": return fill(&entry.createdAt, date)
        case "updated", "modified", "lastmod", "updatedat", "updated_at": return fill(&entry.updatedAt, date)
        case "favorite", "favourite", "starred": return mark(&entry.isFavorite)
        case "pinned": return mark(&entry.isPinned)
        case "order": return fill(&entry.sortOrder, value.text.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil })
        case "id", "sbfs-id": return fill(&entry.itemID, value.text.flatMap { ItemID($0) })
        default: return false
        }
        return true
    }

    /// The facts about an item in a Markdown file.
    package struct Head: Sendable {
        package var id: String
        package var title: String?
        package var url: String?
        package var description: String?
        package var tags: [String] = []
        package var collections: [String] = []
        /// The collection of the file's folder, with `/` between levels.
        package var folder: String?
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

    /// The whole file: one head, including the parts of the text's own head that have no field here.
    package static func bytes(_ head: Head, text: [UInt8]?) -> [UInt8] {
        let text = text ?? []
        guard let own = FrontMatter(text), !own.entries.isEmpty else { return whole(lines(head), text) }
        // YAML forbids one key twice: the text's own value stays, and ours uses another name, if there is one.
        let taken = Set(own.entries.map(\.key))
        let ours = lines(head).compactMap { line -> Line? in
            if !taken.contains(line.key) { return line }
            return line.otherKey.flatMap { taken.contains($0) ? nil : Line(key: $0, value: line.value) }
        }
        // Import leaves the head with the text if some parts have no field. So if this head has other parts, they are
        // text.
        var probe = ImportedEntry(at: .line(1))
        if let written = FrontMatter(whole(ours, [])) { for part in written.entries { _ = take(part, into: &probe) } }
        if own.entries.contains(where: { take($0, into: &probe) }) { return whole(lines(head), text) }
        let start = text.prefix(through: text.firstIndex(of: 0x0A) ?? 0)
        return Array(start) + ours.flatMap(\.bytes) + text[start.count...]
    }

    private struct Line {
        let key: String
        /// Another name that import accepts.
        var otherKey: String?
        /// All text after the colon, including further lines.
        let value: String

        var bytes: [UInt8] { Array((key + ":" + value + "\n").utf8) }
    }

    private static func whole(_ lines: [Line], _ text: [UInt8]) -> [UInt8] {
        Array("---\n".utf8) + lines.flatMap(\.bytes) + Array("---\n\n".utf8) + text
    }

    private static func lines(_ head: Head) -> [Line] {
        var lines = [Line(key: "id", otherKey: "sbfs-id", value: " " + head.id)]
        func add(_ key: String, _ value: String?, or other: String? = nil) {
            if let value { lines.append(Line(key: key, otherKey: other, value: value)) }
        }
        func quoted(_ text: String?) -> String? { text.map { " " + FrontMatter.quoted($0) } }
        func list(_ values: [String]) -> String? {
            values.isEmpty ? nil : values.map { "\n  - " + FrontMatter.quoted($0) }.joined()
        }
        add("title", quoted(head.title))
        add("url", quoted(head.url), or: "link")
        add("description", quoted(head.description), or: "summary")
        add("tags", list(head.tags), or: "keywords")
        add("collections", list(head.collections), or: "collection")
        add("folder", quoted(head.folder))
        add("created", " " + head.createdAt.rfc3339, or: "created_at")
        add("updated", " " + head.updatedAt.rfc3339, or: "updated_at")
        add("favorite", head.isFavorite ? " true" : nil, or: "favourite")
        add("pinned", head.isPinned ? " true" : nil)
        add("order", head.sortOrder.map { " \($0)" })
        return lines
    }
}
