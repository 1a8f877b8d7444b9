internal import JSONFormat

/// Exports of services as arrays of objects with a URL: Pinboard, wallabag, Omnivore, Karakeep, linkding and their like.
///
/// They differ in the names of their members; these are told apart by the names themselves.
enum ServiceJSON {
    static func url(_ object: JSONObject) -> String? {
        object.string("url", "href", "uri", "link", "originalArticleUrl", "given_url", "resolved_url", "linkUrl")
            ?? object.object("content")?.string("url")
    }

    static func entry(_ object: JSONObject, at place: ImportPlace) -> ImportedEntry {
        var entry = ImportedEntry(at: place)
        entry.url = url(object).map(NetscapeBookmarks.trimmed)
        if object["extended"] != nil || object["href"] != nil {
            // Pinboard calls the title description.
            entry.title = object.string("description")
            entry.description = object.string("extended")
            entry.tags = object.tags("tags", separator: " ")
            if object.flag("toread") { entry.tags.append("toread") }
            if object.string("shared") == "no" { entry.tags.append("private") }
        } else {
            let content = object.object("content")
            entry.title = object.string("title", "given_title", "resolved_title", "name") ?? content?.string("title")
            entry.description = object.string("description", "excerpt", "summary") ?? content?.string("description")
            entry.tags = object.tags("tags", "tag_names", "labels", "tagNames")
            if object.flag("unread") { entry.tags.append("toread") }
        }
        entry.text = object.string("note", "notes").map { Array($0.utf8) }
        entry.createdAt = object.date(
            "time", "createdAt", "created_at", "dateAdded", "date_added", "savedAt", "created", "time_added",
            expected: .seconds)
        entry.updatedAt = object.date("updatedAt", "updated_at", "date_modified", "modified", expected: .seconds)
        entry.isFavorite = object.flag("is_starred", "favourited", "favorite", "isFavorite", "important")
        if let folder = object.string("folder", "collection") { entry.folder = FolderPath.split(folder) }
        return entry
    }
}
