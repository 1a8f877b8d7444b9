internal import JSONFormat

/// Firefox's backup of its bookmarks as JSON: a tree of containers and places, dates in microseconds since 1970.
enum FirefoxBookmarks {
    static func isOne(_ root: JSONObject) -> Bool {
        root.string("root") == "placesRoot" || root.string("type") == "text/x-moz-place-container"
    }

    static func read(_ document: JSONDocument, _ root: JSONObject, _ sink: ImportSink) throws {
        try children(root, [], document, sink)
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
            case "text/x-moz-place-container":
                // Each tag is also a folder here; the bookmarks themselves name their tags.
                if node.string("root") == "tagsFolder" || node.string("guid") == "tags________" { continue }
                // Each file has the browser's own folders.
                if node.string("root") == nil {
                    try JSONObject.tellFolder(node, except: ["children", "title", "type", "typeCode"], sink)
                }
                let name = name(of: node)
                let inner = name.map { FolderPath.appended($0, to: path) } ?? path
                if node.elements("children").isEmpty {
                    if node.string("root") == nil, inner.count > path.count { try sink(.folder(ImportedFolder(inner))) }
                } else {
                    try children(node, inner, document, sink)
                }
            case "text/x-moz-place":
                var entry = ImportedEntry(at: .offset(node.offset))
                var source = TakenObject(node)
                entry.url = source.string("uri").map(ImportText.trimmed)
                entry.title = source.string("title")
                entry.tags = source.tags("tags")
                if let keyword = source.string("keyword") { entry.tags.append("keyword-" + keyword) }
                entry.folder = path
                source.date(\.createdAt, "dateAdded", expected: .microseconds, of: &entry)
                source.date(\.updatedAt, "lastModified", expected: .microseconds, of: &entry)
                entry.externalID = source.string("guid").map { "firefox:" + $0 }
                // Numbers that mean nothing outside of this file, and the kind of entry.
                for key in ["id", "index"] where node.has(key) { entry.untaken.append(key) }
                source.take("id", "index", "type", "typeCode")
                // Older versions store the description as an annotation.
                source.take("annos")
                for annotation in node.elements("annos") {
                    if let anno = JSONObject(annotation, of: document), entry.description == nil,
                        anno.string("name") == "bookmarkProperties/description"
                    {
                        entry.description = anno.string("value")
                    } else {
                        entry.keep("annos", document.copy(annotation))
                    }
                }
                source.rest(to: &entry)
                try sink(.entry(entry))
            case "text/x-moz-place-separator":
                try sink(.untaken("separator"))
                if node.string("title") != nil { try sink(.untaken("separator title")) }
            default: try sink(.fault(ImportFault(.offset(node.offset), .neitherBookmarkNorFolder)))
            }
        }
    }

    /// As in the browser's own HTML export: entries in the menu are at the top.
    private static func name(of folder: JSONObject) -> String? {
        switch folder.string("root") {
        case "bookmarksMenuFolder": nil
        case "toolbarFolder": "Bookmarks Toolbar"
        case "unfiledBookmarksFolder": "Other Bookmarks"
        case "mobileFolder": "Mobile Bookmarks"
        default: folder.string("title")
        }
    }
}
