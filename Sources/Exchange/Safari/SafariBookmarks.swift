internal import JSONFormat
internal import PropertyList
internal import Time

/// Safari's own Bookmarks.plist, binary or XML: lists that contain leaves, lists and proxies (such as history).
enum SafariBookmarks {
    static func read(_ bytes: [UInt8], _ sink: ImportSink) throws {
        let root: PropertyList
        do {
            root = try PropertyList(bytes)
        } catch {
            return try sink(.fault(ImportFault(.offset(error.offset), .propertyList(error))))
        }
        guard root["Children"] != nil else { throw ImportError(.noBookmarks) }
        for (name, value) in root.sortedMembers where !ofLists.union(["WebBookmarkFileVersion"]).contains(name) {
            if name != "Title" || value.string != "" { try sink(.untaken(ImportedEntry.cut(name, 60))) }
        }
        var number = 0
        try list(root, [], isRoot: true, &number, sink)
    }

    private static func list(
        _ list: PropertyList, _ path: [String], isRoot: Bool = false, _ number: inout Int, _ sink: ImportSink
    ) throws {
        for child in list["Children"]?.elements ?? [] {
            switch child["WebBookmarkType"]?.string {
            case "WebBookmarkTypeList":
                let title = child["Title"]?.string ?? ""
                let name = name(title)
                let inner = FolderPath.appended(name, to: path)
                for (name, _) in child.sortedMembers where !ofLists.contains(name) && name != "Title" {
                    try sink(.untaken("folder " + ImportedEntry.cut(name, 60)))
                }
                if !name.utf8.elementsEqual(title.utf8) { try sink(.untaken("folder Title " + title)) }
                if (child["Children"]?.elements ?? []).isEmpty {
                    // Every file contains the browser's own folders.
                    if !isRoot, inner.count > path.count { try sink(.folder(ImportedFolder(inner))) }
                } else {
                    try self.list(child, inner, &number, sink)
                }
            case "WebBookmarkTypeLeaf":
                number += 1
                try sink(.entry(leaf(child, path, number)))
            case "WebBookmarkTypeProxy":
                try sink(.untaken("proxy " + ImportedEntry.cut(child["Title"]?.string ?? "", 60)))
            default:
                number += 1
                try sink(.fault(ImportFault(.entry(number), .neitherBookmarkNorList)))
            }
        }
    }

    private static func leaf(_ leaf: PropertyList, _ path: [String], _ number: Int) -> ImportedEntry {
        var entry = ImportedEntry(at: .entry(number))
        entry.url = leaf["URLString"]?.string.map(ImportText.trimmed)
        let title = leaf["URIDictionary"]?["title"]?.string ?? leaf["Title"]?.string
        entry.title = title.flatMap { $0.isEmpty ? nil : $0 }
        entry.folder = path
        entry.externalID = leaf["WebBookmarkUUID"]?.string.map { "safari:" + $0 }
        let reading = leaf["ReadingList"]
        for (name, value) in leaf.sortedMembers where !taken.contains(name) { keep(value, as: name, in: &entry) }
        for (name, value) in reading?.sortedMembers ?? [] where !["DateAdded", "PreviewText"].contains(name) {
            keep(value, as: name, in: &entry)
        }
        if case .date(let seconds)? = reading?["DateAdded"] {
            entry.createdAt = ImportDate.timestamp(seconds, expected: .apple)
        }
        entry.description = (reading?["PreviewText"] ?? leaf["previewText"])?.string
        if let other = leaf["previewText"]?.string, other != entry.description {
            entry.keep("previewText", .string(other))
        }
        if title == leaf["URIDictionary"]?["title"]?.string, let other = leaf["Title"]?.string, other != title {
            entry.keep("Title", .string(other))
        }
        for (name, value) in leaf["URIDictionary"]?.sortedMembers ?? [] where name != "title" {
            if !name.isEmpty {
                keep(value, as: name, in: &entry)
            } else if value.string != leaf["URLString"]?.string {
                // The key "" repeats the address.
                keep(value, as: "URIDictionary", in: &entry)
            }
        }
        return entry
    }

    /// What makes a list.
    private static let ofLists: Set<String> = ["Children", "WebBookmarkType"]

    private static let taken: Set<String> = [
        "URLString", "URIDictionary", "Title", "WebBookmarkUUID", "WebBookmarkType", "ReadingList", "previewText",
    ]

    /// Keeps texts, numbers and dates under their names. Only this browser can read packed bytes.
    private static func keep(_ value: PropertyList, as name: String, in entry: inout ImportedEntry) {
        switch value {
        case .string(let text): entry.keep(name, .string(text))
        case .integer(let number): entry.keep(name, .number(String(number)))
        case .bool(let flag): entry.keep(name, .bool(flag))
        case .date(let seconds):
            if let time = ImportDate.timestamp(seconds, expected: .apple) { entry.keep(name, .string(time.rfc3339)) }
        default: entry.untaken.append(name)
        }
    }

    /// The names of Safari's own folders, as in its HTML export.
    private static func name(_ title: String) -> String {
        switch title {
        case "BookmarksBar": "Favorites"
        case "BookmarksMenu": "Bookmarks Menu"
        case "com.apple.ReadingList": "Reading List"
        default: title
        }
    }
}

extension PropertyList {
    /// By name: the order in the file is unknown.
    fileprivate var sortedMembers: [(String, PropertyList)] {
        if case .dictionary(let members) = self {
            members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        } else {
            []
        }
    }
}
