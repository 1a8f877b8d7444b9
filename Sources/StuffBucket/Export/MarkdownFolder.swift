internal import Exchange
internal import Files
internal import Items

/// A folder of Markdown files that an export writes into. It replaces files of the same items, and nothing else.
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
            // Two names are one where the disk or the next program takes no account of case.
            if written.contains(path.lowercased()) { continue }
            if try !isFree(path, id) { continue }
            written.insert(path.lowercased())
            let file = try OutputFile(root.full(path), isOneOfMany: true)
            try file.write(bytes)
            try file.finish()
            return
        }
        throw ExportError(
            "\(root.full((folder.isEmpty ? "" : folder + "/") + place.name)) belongs to something else; it was not changed"
        )
    }

    /// Waits until all of it is on the disk.
    func sync() throws { try root.syncFileSystem() }

    /// Whether nothing has the name, or an earlier export's file of the same item.
    private func isFree(_ path: String, _ id: ItemID) throws -> Bool {
        guard let status = try root.statusIfPresent(of: path) else { return true }
        if status.kind != .regular { return false }
        let start = try root.prefixIfPresent(of: path, count: 65_536) ?? []
        return MarkdownNote.id(of: start) == id
    }
}

/// What keeps one item out of an export.
struct ExportError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
