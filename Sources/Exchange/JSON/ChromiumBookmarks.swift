internal import JSONFormat

/// The `Bookmarks` file of Chromium, Chrome, Edge, Brave and others: three roots of folders and URLs, dates in
/// microseconds since 1601 as strings, each with a `guid`.
enum ChromiumBookmarks {
    static func isOne(_ root: JSONObject) -> Bool { root.object("roots") != nil }

    static func read(_ document: JSONDocument, _ root: JSONObject, _ sink: ImportSink) throws {
        guard let roots = root.object("roots") else { return }
        // On most machines the other roots are empty. A later version may have more.
        for name in root.keys.subtracting(["roots", "version"]).sorted() {
            try sink(.untaken(ImportedEntry.cut(name, 60)))
        }
        let known = ["bookmark_bar", "other", "synced"]
        for name in known + roots.keys.subtracting(known).sorted() {
            guard let folder = roots.object(name) else { continue }
            // As in the browser's own HTML export: entries in "Other bookmarks" are at the top.
            let path = name == "other" ? [] : FolderPath.appended(folder.string("name") ?? name, to: [])
            try children(folder, path, document, sink)
        }
    }

    private static func children(
        _ folder: JSONObject, _ path: [String], _ document: JSONDocument, _ sink: ImportSink
    ) throws {
        for child in folder.elements("children") {
            guard let node = JSONObject(child, of: document) else {
                try sink(.fault(ImportFault(.offset(document.offset(child)), .notBookmark)))
                continue
            }
            switch node.string("type") {
            case "folder":
                let inner = FolderPath.appended(node.string("name") ?? "", to: path)
                try JSONObject.tellFolder(node, except: ["children", "name", "type"], sink)
                if node.elements("children").isEmpty {
                    if inner.count > path.count { try sink(.folder(ImportedFolder(inner))) }
                } else {
                    try children(node, inner, document, sink)
                }
            case "url":
                var entry = ImportedEntry(at: .offset(node.offset))
                var source = TakenObject(node)
                entry.url = source.string("url").map(ImportText.trimmed)
                entry.title = source.string("name")
                entry.folder = path
                source.date(\.createdAt, "date_added", expected: .webKit, of: &entry)
                source.date(\.updatedAt, "date_modified", expected: .webKit, of: &entry)
                entry.externalID = source.string("guid").map { "chromium:" + $0 }
                source.take("type")
                if ImportDate.isNone(node.scalar("date_last_used") ?? "") { source.take("date_last_used") }
                // A number that means nothing outside of this file.
                if node.has("id") { entry.untaken.append("id") }
                source.take("id")
                source.rest(to: &entry)
                try sink(.entry(entry))
            default: try sink(.fault(ImportFault(.offset(node.offset), .neitherBookmarkNorFolder)))
            }
        }
    }
}
