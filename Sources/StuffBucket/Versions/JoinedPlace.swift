internal import Items

/// A file that is joined, by its place in a library.
enum JoinedPlace {
    case item(ItemID, folder: String)
    case text(ItemID, folder: String)
    case named(NamedFolder, file: String)

    /// - Parameter path: relative to the library's folder.
    /// - Returns: `nil` for any other file.
    init?(_ path: String) {
        let parts = path.pathComponents
        if parts.count == 2, let folder = NamedFolder(rawValue: parts[0]), NamedFolder.isFile(parts[1]) {
            self = .named(folder, file: parts[1])
            return
        }
        guard parts.count == 4, parts[0] == Layout.items, let id = ItemID(parts[2]), id.shard == parts[1],
            id.description == parts[2]
        else { return nil }
        let folder = parts.dropLast().joined(separator: "/")
        switch parts[3] {
        case Layout.itemFile: self = .item(id, folder: folder)
        case Layout.textFile: self = .text(id, folder: folder)
        default: return nil
        }
    }
}
