internal import Exchange
internal import Files
internal import Items

/// A folder of Markdown files that an export writes into.
///
/// It replaces the files of an earlier export and the notes that an import read there, as far as nobody changed them since.
/// Everything else stays as it is and is told.
final class MarkdownFolder {
    /// What became of one item.
    enum Result {
        case written
        /// In place of the note that was imported from there.
        case replaced(String)
        /// A text that is no Markdown and says the same is there already.
        case there(String)
        /// Under the second name, since another file has the first.
        case beside(there: String, written: String)
        /// The item's file was changed since the import or the last export.
        case changed(String)
    }

    private let root: Directory
    private var written: Set<String> = []
    /// Whether notes of the library were imported from here or exported to here before. A file in the place of a note that
    /// is not as it was is a changed version of it then, and elsewhere a stranger's.
    private(set) var isHome = false
    let isEmpty: Bool
    /// Folders that are there, by their paths.
    private var made: Set<String> = []
    /// Folders that got another name, since a file or a link has theirs: the new name by the wanted path.
    private var renamed: [String: String] = [:]

    init(_ path: String) throws {
        try Directory.make(path: path)
        root = try Directory(path: path)
        isEmpty = try root.entries().isEmpty
    }

    /// Gives the folders of an item's note names that no file and no link has. The same names as in an earlier export.
    func settle(_ place: inout MarkdownPlace) throws {
        for level in place.folders.indices {
            let parent = place.folders[..<level].map { $0 + "/" }.joined()
            let wanted = place.folders[level]
            if let known = renamed[parent + wanted] {
                place.folders[level] = known
                continue
            }
            var name = wanted
            var number = 1
            while !made.contains(parent + name), let status = try root.statusIfPresent(of: parent + name) {
                if status.kind == .directory {
                    made.insert(parent + name)
                } else {
                    number += 1
                    name = MarkdownPlace.folder(wanted, number: number)
                }
            }
            if name != wanted { renamed[parent + wanted] = name }
            place.folders[level] = name
        }
    }

    /// What is there in the place of folders, and the folders that were made instead; by their paths.
    var renamedFolders: [(there: String, written: String)] {
        renamed.sorted { $0.key < $1.key }.map { wanted, name in
            let parent = wanted.pathComponents.dropLast().map { $0 + "/" }.joined()
            return (there: wanted, written: parent + name)
        }
    }

    /// Looks whether the item's note is here, as an import or an export of it.
    func look(for stored: StoredItem, at place: MarkdownPlace) throws {
        if isHome || isEmpty { return }
        for path in [place.path, place.origin].compactMap({ $0 }) {
            guard let status = try root.statusIfPresent(of: path), status.kind == .regular else { continue }
            switch try holder(path, stored.id, stored.externalIDs) {
            case .own, .ownChanged, .origin: isHome = true
            case .other, nil: break
            }
        }
    }

    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - text: what the item's text alone is.
    func write(_ bytes: [UInt8], text: [UInt8]?, of stored: StoredItem, at place: MarkdownPlace) throws -> Result {
        if let origin = place.origin, origin != place.path,
            try root.statusIfPresent(of: origin)?.kind == .regular,
            try contents(origin) == text ?? []
        {
            return .there(origin)
        }
        for folder in place.folderPaths where made.insert(folder).inserted { try root.makeDirectory(folder) }
        var taken: String?
        for path in [place.path, place.otherPath] {
            // Two names are one where the disk or the next program takes no account of case.
            if written.contains(path.lowercased()) { continue }
            let holder = try holder(path, stored.id, stored.externalIDs)
            switch holder {
            case .other:
                if isHome, path == place.origin { return .changed(path) }
                taken = taken ?? path
                continue
            case .ownChanged:
                if try contents(path) != bytes { return .changed(path) }
            case .own, .origin, nil: break
            }
            written.insert(path.lowercased())
            let file = try OutputFile(root.full(path), .oneOfMany)
            try file.write(bytes)
            try file.finish()
            // By this a later export sees whether the file was changed since.
            try root.file(path).setModified(stored.effectiveUpdatedAt.milliseconds * 1_000_000)
            if case .origin? = holder { return .replaced(path) }
            return taken.map { .beside(there: $0, written: path) } ?? .written
        }
        throw ItemError.refused(.notOurs(path: root.full(place.path)))
    }

    /// Waits until all of it is on the disk.
    func sync() throws { try root.syncFileSystem() }

    // MARK: What is there

    private enum Holder {
        /// An earlier export's file of the item, as the export left it.
        case own
        case ownChanged
        /// The file that the item was imported from, as it was then.
        case origin
        case other
    }

    /// - Returns: `nil` where nothing has the name.
    private func holder(_ path: String, _ id: ItemID, _ externalIDs: [String]) throws -> Holder? {
        guard let status = try root.statusIfPresent(of: path) else { return nil }
        guard status.kind == .regular, status.byteCount <= Layout.textByteLimit, let bytes = try contents(path) else {
            return .other
        }
        let head = MarkdownNote.head(of: bytes)
        if head.id == id {
            return Self.isExportTime(status.modified, head.updatedAt?.milliseconds) ? .own : .ownChanged
        }
        return externalIDs.contains(MarkdownNote.externalID(of: bytes, path: path)) ? .origin : .other
    }

    private func contents(_ path: String) throws -> [UInt8]? {
        try root.contentsIfPresent(of: path, limit: Layout.textByteLimit)?.bytes
    }

    /// Whether a file's time of modification is the one that the export gave it; some disks keep even seconds only.
    private static func isExportTime(_ modified: Int64, _ updated: Int64?) -> Bool {
        guard let updated, updated.magnitude < 1 << 42 else { return false }
        let difference = modified - updated * 1_000_000
        return difference == 0 || (modified % 1_000_000_000 == 0 && abs(difference) < 2_000_000_000)
    }
}
