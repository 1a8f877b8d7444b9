internal import Exchange
internal import Files
internal import Items

/// A folder for the Markdown files of an export. Only files of the same items are replaced.
final class MarkdownFolder {
    private let root: Directory
    private var written: Set<String> = []

    init(_ path: String) throws {
        try Directory.make(path: path)
        root = try Directory(path: path)
    }

    func write(_ bytes: [UInt8], of id: ItemID, at place: MarkdownPlace) throws {
        let folder = place.folders.joined(separator: "/")
        var made = ""
        for part in place.folders {
            made += (made.isEmpty ? "" : "/") + part
            try root.makeDirectory(made)
        }
        for name in [place.name, place.otherName] {
            let path = (folder.isEmpty ? "" : folder + "/") + name
            // Names that differ only in case may be one name on the disk or for the next program.
            if written.contains(path.lowercased()) { continue }
            if try !isFree(path, id) { continue }
            written.insert(path.lowercased())
            let file = try OutputFile(root.full(path), isOneOfMany: true)
            try file.write(bytes)
            try file.finish()
            return
        }
        throw ItemError.refused(.notOurs(path: root.full((folder.isEmpty ? "" : folder + "/") + place.name)))
    }

    /// Syncs all files to the disk.
    func sync() throws { try root.syncFileSystem() }

    /// Whether the name is free, or is that of the same item's file from an earlier export.
    private func isFree(_ path: String, _ id: ItemID) throws -> Bool {
        guard let status = try root.statusIfPresent(of: path) else { return true }
        if status.kind != .regular { return false }
        let start = try root.prefixIfPresent(of: path, count: 65_536) ?? []
        return MarkdownNote.id(of: start) == id
    }
}
