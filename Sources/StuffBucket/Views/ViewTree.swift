internal import Files
internal import Glibc

/// The files of a view, seen from its folder. No symbolic link is followed on the way to them.
final class ViewTree: Sendable {
    /// What has a path in the view.
    enum Occupant: Sendable {
        case nothing
        /// A file or link of the manifest as it was written.
        case ours(ViewEntry, FileStatus)
        /// A file of the manifest with other bytes, or a file in the place of a link: programs save by renaming a new file.
        case edited(FileStatus, sha256: String)
        /// Something that the manifest does not have, or an entry of another kind.
        case other(FileStatus)
    }

    let root: Directory

    init(_ root: consuming Directory) { self.root = root }

    /// Calls `body` with the folder of a path and the last name.
    ///
    /// - Parameter isMade: whether missing folders are made.
    /// - Returns: `nil` if the folder is absent.
    func with<Result>(
        _ path: String, isMade: Bool = false, _ body: (borrowing Directory, String) throws(FileError) -> Result
    ) throws(FileError) -> Result? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return try body(root, path) }
        let name = String(Substring(path.utf8[path.utf8.index(after: slash)...]))
        let parent = String(Substring(path.utf8[..<slash]))
        // Another thread may remove an empty folder just after it was found or made.
        for attempt in 1...3 {
            if let folder = try open(parent, isMade: isMade) {
                do throws(FileError) {
                    return try body(folder, name)
                } catch let error where error.number == ENOENT && isMade && attempt < 3 {
                    continue
                }
            } else if !isMade {
                return nil
            }
        }
        throw FileError(.open, root.full(parent), .system(ENOENT))
    }

    private func open(_ path: String, isMade: Bool) throws(FileError) -> Directory? {
        do throws(FileError) {
            return try root.directory(path)
        } catch let error where error.number == ENOENT {
            if !isMade { return nil }
        }
        var made = ""
        for part in path.pathComponents {
            made += (made.isEmpty ? "" : "/") + part
            try root.makeDirectory(made)
        }
        do throws(FileError) {
            return try root.directory(path)
        } catch let error where error.number == ENOENT {
            return nil
        }
    }

    /// What has a path, judged by the manifest's entries for it.
    func occupant(of path: String, _ entries: [ViewEntry]) throws(FileError) -> Occupant {
        try with(path) { (folder, name) throws(FileError) in try Self.occupant(name, in: folder, entries) } ?? .nothing
    }

    /// The first part of a path in whose place, where a folder was, something else is; `nil` if all are folders or absent.
    func folderReplaced(on path: String) throws(FileError) -> String? {
        let parts = path.pathComponents
        for count in parts.indices.dropFirst() {
            let folder = parts[..<count].joined(separator: "/")
            guard let status = try root.statusIfPresent(of: folder) else { return nil }
            if status.kind != .directory { return folder }
        }
        return nil
    }

    static func occupant(
        _ name: String, in folder: borrowing Directory, _ entries: [ViewEntry]
    ) throws(FileError) -> Occupant {
        guard let status = try folder.statusOfKnownPath(name) else { return .nothing }
        switch status.kind {
        case .symbolicLink:
            let target = try folder.target(of: name)
            let ours = entries.first { $0.content == .link(target: target) }
            return ours.map { .ours($0, status) } ?? .other(status)
        case .regular:
            let look = FileLook(status)
            if let ours = entries.first(where: { $0.seen == look && $0.isFile }) { return .ours(ours, status) }
            let files = entries.filter(\.isFile)
            if entries.isEmpty { return .other(status) }
            if let ours = files.first(where: { $0.wasCutOff(status) }) { return .ours(ours, status) }
            let hash = try hash(folder.file(name))
            if let ours = files.first(where: { $0.content == .file(byteCount: status.byteCount, sha256: hash) }) {
                return .ours(ours, status)
            }
            return .edited(status, sha256: hash)
        default: return .other(status)
        }
    }

    static func hash(_ file: borrowing Descriptor) throws(FileError) -> String {
        var hash = SHA256()
        while true {
            let chunk = try file.readChunk(1 << 20)
            if chunk.isEmpty { return hash.finish() }
            hash.update(chunk)
        }
    }

    /// Removes a folder and those above it as far as they are empty. The first level stays, and so do smart folders.
    func removeEmptyFolders(above path: String, keeping: Set<String> = []) {
        var parts = path.pathComponents.dropLast()
        while parts.count > 1 {
            let folder = parts.joined(separator: "/")
            if keeping.contains(folder) { return }
            let isRemoved =
                (try? with(folder) { (parent, name) throws(FileError) in
                    try parent.removeDirectory(name)
                    return true
                }) ?? nil
            if isRemoved != true { return }
            parts = parts.dropLast()
        }
    }
}

extension ViewEntry {
    var isFile: Bool { if case .file = content { true } else { false } }

    /// Whether a link to the item in All leads to this document or text.
    func isTarget(of reference: ViewEntry) -> Bool {
        guard case .link(let target) = reference.content, part == .document || part == .text else { return false }
        var rest = target[...]
        while rest.hasPrefix("../") { rest = rest.dropFirst(3) }
        return rest.utf8.elementsEqual(path.utf8)
    }

    /// Whether a file is empty since power was lost before its bytes were on the disk: it has the time that it was given. Bytes that
    /// were made have none, and nothing of a person's is in such an empty file.
    fileprivate func wasCutOff(_ status: FileStatus) -> Bool {
        guard case .file(let byteCount, _) = content, byteCount > 0, status.byteCount == 0 else { return false }
        guard let source else { return true }
        return status.modified == seen?.modified || status.modified == source.modified
    }
}
