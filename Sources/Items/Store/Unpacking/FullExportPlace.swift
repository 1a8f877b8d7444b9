internal import Files
internal import Glibc

/// Where an entry of a full export belongs in a library, judged by its path alone: FORMAT.md § 16.1.
package enum FullExportPlace {
    /// A folder of the layout, which the library has or makes when needed.
    case layout
    /// `rest` is the path below the item's folder; empty for the folder itself.
    case item(ItemID, shard: String, rest: String)
    /// A file in the item's document/ whose name begins with a dot: taken if item.json names it as the document.
    case hiddenDocument(ItemID, shard: String, name: String)
    case settings
    /// A file in collections/, tags/ or smart/.
    case named(NamedFolder, String)
    /// A tombstone, or a file in inbox/; it is never put over another one.
    case beside(String)
    /// A file that the library makes again when it is missing.
    case derived
    case leftOut(LeftOut.Reason)

    /// Purge and `check` still cover everything within this depth.
    package static let depthLimit = 60

    /// Bytes of a name and of a path, above which no file system here has a place (NAME_MAX, PATH_MAX).
    private static let nameLimit = 255
    private static let pathLimit = 4095

    package init(_ path: String, isFolder: Bool) {
        // By the bytes, before anything compares characters: a name may be millions of combining marks.
        let isTooLong = path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.count > Self.nameLimit }
        if isTooLong || path.utf8.count > Self.pathLimit {
            self = .leftOut(.refusedName(ENAMETOOLONG))
            return
        }
        guard Directory.isSafe(path) else {
            self = .leftOut(.unsafePath)
            return
        }
        let parts = path.pathComponents
        switch parts[0] {
        case Layout.device: self = .leftOut(.device)
        case Layout.libraryFile:
            self = parts.count > 1 ? .leftOut(.noPlace) : isFolder ? .leftOut(.wrongKind) : .settings
        case Layout.items: self = Self.item(parts, isFolder)
        case Layout.tombstones: self = Self.tombstone(parts, path, isFolder)
        case Layout.collections, Layout.tags, Layout.smart: self = Self.named(parts, isFolder)
        case Layout.inbox: self = Self.inbox(parts, path, isFolder)
        // The file itself is checked by `Unpacking.isOwnSupportFile`.
        case Layout.editorFolder where isFolder && parts.count == 1: self = .derived
        case Layout.schemaFolder: self = path == Layout.schemaFile || parts.count == 1 ? .derived : .leftOut(.noPlace)
        default: self = .leftOut(parts[0].hasPrefix(".") ? .hidden : .noPlace)
        }
    }

    /// Whether an entry with this path is imported. The person's own files beside the library's are not, nor are
    /// files on which other programs act.
    ///
    /// - Parameter document: the path of the item's document, from its item.json.
    package static func isTaken(_ path: String, isFolder: Bool, document: String?) -> Bool {
        switch FullExportPlace(path, isFolder: isFolder) {
        case .hiddenDocument: document.map { $0.utf8.elementsEqual(path.utf8) } ?? false
        case .leftOut: path == Layout.editorFile || SupportFile.allCases.contains { $0.path == path }
        default: true
        }
    }

    /// The item whose folder has this path; `nil` for any other path.
    package static func item(_ path: String) -> ItemID? {
        if case .item(let id, _, rest: "") = FullExportPlace(path, isFolder: true) { id } else { nil }
    }

    private static func item(_ parts: [String], _ isFolder: Bool) -> FullExportPlace {
        if parts.count == 1 { return isFolder ? .layout : .leftOut(.wrongKind) }
        guard Layout.isShard(parts[1]) else { return .leftOut(.noPlace) }
        if parts.count == 2 { return isFolder ? .layout : .leftOut(.wrongKind) }
        guard let id = ItemID(parts[2]), id.description == parts[2] else { return .leftOut(.noPlace) }
        let rest = parts.dropFirst(3)
        if rest.isEmpty, !isFolder { return .leftOut(.wrongKind) }
        if let name = rest.first, let isFile = Layout.isFile(ofItem: name) {
            if isFile == (isFolder || rest.count > 1) { return .leftOut(.wrongKind) }
        }
        if rest.count > depthLimit { return .leftOut(.tooDeep(limit: depthLimit)) }
        for (index, name) in rest.enumerated() {
            switch ControlName(name, isFolder: isFolder || index < rest.count - 1) {
            case .repository: return .leftOut(.control)
            case .hidden:
                if !isFolder, rest.count == 2, rest.first == Layout.document, index == 1, name.hasPrefix(".") {
                    return .hiddenDocument(id, shard: parts[1], name: name)
                }
                return .leftOut(.hidden)
            case nil: break
            }
        }
        return .item(id, shard: parts[1], rest: rest.joined(separator: "/"))
    }

    private static func tombstone(_ parts: [String], _ path: String, _ isFolder: Bool) -> FullExportPlace {
        if parts.count == 1 || parts.count == 2 && Layout.isShard(parts[1]) {
            return isFolder ? .layout : .leftOut(.wrongKind)
        }
        guard parts.count == 3, parts[2].hasSuffix(".json"), let id = ItemID(String(parts[2].dropLast(5))),
            Layout.tombstone(id) == path
        else { return .leftOut(.noPlace) }
        return isFolder ? .leftOut(.wrongKind) : .beside(path)
    }

    private static func named(_ parts: [String], _ isFolder: Bool) -> FullExportPlace {
        if parts.count == 1 { return isFolder ? .layout : .leftOut(.wrongKind) }
        guard parts.count == 2, let folder = NamedFolder(rawValue: parts[0]), parts[1].hasSuffix(".json"),
            !Layout.isTemporary(parts[1])
        else { return .leftOut(.noPlace) }
        return isFolder ? .leftOut(.wrongKind) : .named(folder, parts[1])
    }

    private static func inbox(_ parts: [String], _ path: String, _ isFolder: Bool) -> FullExportPlace {
        if parts.count == 1 || path == Layout.rejected { return isFolder ? .layout : .leftOut(.wrongKind) }
        let isInside = parts.count == 2 || parts.count == 3 && path.hasPrefix(Layout.rejected + "/")
        guard isInside, !parts[parts.count - 1].hasPrefix(".") else { return .leftOut(.noPlace) }
        return isFolder ? .leftOut(.noPlace) : .beside(path)
    }
}
