import Characters
internal import JSONFormat

/// Exports of services as arrays of objects: Pinboard, wallabag, Omnivore, Karakeep, ArchiveBox, linkding, Pocket and
/// similar ones.
///
/// They differ in the names of their members, which identify the service. Values without a field here are kept under
/// the service's names.
enum ServiceJSON {
    /// Whether an object is a bookmark, or a text of a service that has bookmarks.
    static func isOne(_ object: JSONObject) -> Bool {
        if url(object) != nil { return true }
        // Karakeep's texts and files, and bookmarks without their content.
        if let content = object.object("content") { return ["text", "asset"].contains(content.string("type")) }
        return object.has("content") && object.has("note") && object.has("tags")
    }

    private static let urlKeys = [
        "url", "href", "uri", "link", "originalArticleUrl", "given_url", "resolved_url", "linkUrl",
    ]

    static func url(_ object: JSONObject) -> String? {
        for key in urlKeys { if let url = object.string(key) { return url } }
        return object.object("content")?.string("url")
    }

    /// - Parameter lists: folders by the ids with which bookmarks refer to them.
    static func entry(_ object: JSONObject, at place: ImportPlace, lists: [String: [String]] = [:]) -> ImportedEntry {
        var entry = ImportedEntry(at: place)
        var source = TakenObject(object)
        let url = source.string(
            "url", "href", "uri", "link", "originalArticleUrl", "given_url", "resolved_url", "linkUrl")
        entry.url = url.map(ImportText.trimmed)
        if object.has("extended") || object.has("href") {
            // Pinboard calls the title "description".
            entry.title = source.string("description")
            entry.description = source.string("extended")
            entry.tags = source.tags("tags", "tag", separator: " ")
            if source.flag("toread") { entry.tags.append("toread") }
            source.take("shared")
            if object.string("shared")?.word == "no" { entry.tags.append("private") }
        } else {
            entry.title = source.string("title", "given_title", "resolved_title", "name")
            entry.description = source.string("description", "excerpt", "summary")
            // linkding and Pocket list their tags by name; Pocket as keys of an object.
            entry.tags = source.tags("tags", "tag_names", "labels", "tagNames")
            if source.flag("unread") { entry.tags.append("toread") }
        }
        state(&source, &entry)
        entry.addText(entry.likelyReadable(source.string("note", "notes") ?? ""))
        entry.author = source.joined("author", "authors", "byline", "creator", "published_by")
        entry.site = source.string("siteName", "site_name", "publisher")
        entry.language = source.string("language", "lang")
        source.published("publishedAt", "published_at", "datePublished", "date_published", "publishedDate", of: &entry)
        source.annotations("annotations", "highlights", of: &entry)
        content(object, &source, &entry)
        source.date(
            \.createdAt, "time", "bookmarked_at", "createdAt", "created_at", "dateAdded", "date_added", "savedAt",
            "saved_at",
            "created", "time_added", "bookmarked_date", "timestamp", expected: .seconds, of: &entry)
        source.date(
            \.updatedAt, "updatedAt", "updated_at", "modifiedAt", "modified_at", "date_modified", "modified",
            "time_updated", "updated", expected: .seconds, of: &entry)
        entry.isFavorite = source.flag(
            "is_starred", "is_fav", "favourited", "favorited", "favorite", "favourite", "isFavorite", "important")
        if let folder = source.string("folder", "collection") { entry.folder = FolderPath.split(folder) }
        for id in source.tags("lists") {
            if let path = lists[id] {
                entry.collections.append(FolderPath.joined(FolderPath.cleaned(path)))
            } else {
                entry.collections.append(id)
            }
        }
        // A globally unique id. Numbers that are unique only within one server do not count.
        if object.has("slug"), object.has("savedAt"), let id = source.string("id") {
            entry.externalID = "omnivore:" + id
        }
        // An entry without a link is identified by its id. An id of digits alone is unique only within one server.
        if entry.url == nil, let id = object.string("id"), !id.utf8.allSatisfy(\.isDigit) {
            entry.externalID = entry.externalID ?? "service:" + id
        }
        source.rest(to: &entry)
        entry.standAlone()
        return entry
    }

    /// Reads a service's states: unread and private become tags; the others keep their names.
    private static func state(_ source: inout TakenObject, _ entry: inout ImportedEntry) {
        if source.object.plainFlag("is_archived") == false {
            source.take("is_archived")
            entry.tags.append("toread")
        }
        if source.object.plainFlag("is_read") == false {
            source.take("is_read")
            entry.tags.append("toread")
        }
        if source.flag("private") { entry.tags.append("private") }
        if source.object.string("status")?.word.lowercased() == "unread" {
            source.take("status")
            entry.tags.append("toread")
        }
        // A number that means "no" is dropped.
        for key in ["archived", "favourited"] where source.object.plainFlag(key) == false { source.take(key) }
    }

    /// The article that a service saved, or the text of a bookmark without a page.
    private static func content(_ object: JSONObject, _ source: inout TakenObject, _ entry: inout ImportedEntry) {
        guard let content = object.object("content") else {
            // wallabag's articles are HTML; those of others may be.
            let text = source.string("content") ?? ""
            entry.addText(object.has("is_archived") ? entry.readable(text) : entry.likelyReadable(text))
            return
        }
        var inner = TakenObject(content)
        entry.url = (entry.url ?? inner.string("url")).map(ImportText.trimmed)
        entry.title = entry.title ?? inner.string("title")
        entry.description = entry.description ?? inner.string("description")
        entry.author = entry.author ?? inner.joined("author")
        entry.site = entry.site ?? inner.string("publisher")
        inner.published("datePublished", of: &entry)
        entry.addText(inner.string("text") ?? "")
        // Beside a text of its own the HTML stays among the source's own fields.
        if !content.has("text") { entry.addHTML(inner.string("htmlContent") ?? "") }
        let kind = content.string("type")
        if kind == "asset" { entry.remarks.append(.missingFile) }
        if kind != "asset" { inner.take("type") }
        source.take("content")
        var kept = ImportedEntry(at: entry.place)
        inner.rest(to: &kept)
        entry.keep("content", .object(kept.fields))
    }
}
