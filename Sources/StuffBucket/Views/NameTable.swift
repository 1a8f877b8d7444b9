internal import Characters
internal import Files
internal import Items
private import Synchronization

/// Who has which name in the folders of a view, without regard to case and normal form: `names` of the manifest.
///
/// 256 files `names/<two digits>`, by the first digits of hash16 of the folder, a NUL and the folded name. Each line is that
/// hash16, a space and the owner: an item's id, or hash16 of a group. A look-up reads one file, so its cost hardly grows with the
/// view.
final class NameTable: Sendable {
    private struct Part {
        var owners: [String: String] = [:]
        var isChanged = false
    }

    private let manifest: ViewManifest
    private let parts = Mutex<[String: Part]>([:])
    private static let folder = "names"

    init(_ manifest: ViewManifest) { self.manifest = manifest }

    static func hash16(_ text: String) -> String { String(SHA256.hex(Array(text.utf8)).prefix(16)) }

    private static func key(_ folder: String, _ name: String) -> String {
        hash16(folder + "\0" + HumanName.folded(name))
    }

    /// The owner of a name; `nil` if it is free.
    func owner(of name: String, in folder: String) throws(FileError) -> String? {
        let key = Self.key(folder, name)
        return try with(String(key.prefix(2))) { $0.owners[key] }
    }

    func claim(_ name: String, in folder: String, for owner: String) throws(FileError) {
        let key = Self.key(folder, name)
        try with(String(key.prefix(2))) { part in
            if part.owners[key] == owner { return }
            part.owners[key] = owner
            part.isChanged = true
        }
    }

    /// Makes a name free if this owner has it.
    func release(_ name: String, in folder: String, of owner: String) throws(FileError) {
        let key = Self.key(folder, name)
        try with(String(key.prefix(2))) { part in
            if part.owners[key] != owner { return }
            part.owners[key] = nil
            part.isChanged = true
        }
    }

    private func with<Result: Sendable>(
        _ digits: String, _ body: (inout sending Part) -> sending Result
    ) throws(FileError) -> Result {
        let failure: FileError
        do {
            return try parts.withLock { parts in
                var part = try parts[digits] ?? read(digits)
                defer { parts[digits] = part }
                return body(&part)
            }
        } catch let error as FileError {
            failure = error
        } catch {
            failure = FileError(.read, manifest.directory.full(Self.folder), .busy)
        }
        throw failure
    }

    private func read(_ digits: String) throws(FileError) -> Part {
        var part = Part()
        let path = Self.folder + "/" + digits
        guard let contents = try manifest.directory.contentsIfPresent(of: path, limit: 256 << 20) else { return part }
        for line in contents.bytes.split(separator: 0x0A) where line.count > 17 && line[line.startIndex + 16] == 0x20 {
            let key = String(decoding: line.prefix(16), as: UTF8.self)
            part.owners[key] = String(decoding: line.dropFirst(17), as: UTF8.self)
        }
        return part
    }

    /// Writes what changed; before the files of items are changed.
    ///
    /// - Parameter isSynced: whether to wait until it is on the disk. What has a name that a loss of power took out of the table is
    ///   a person's own.
    func flush(isSynced: Bool = false) throws(FileError) {
        let changed = parts.withLock { parts in parts.filter(\.value.isChanged) }
        if changed.isEmpty { return }
        let isNew = try manifest.directory.makeDirectory(Self.folder, permissions: 0o700)
        let folder = try manifest.directory.directory(Self.folder)
        for (digits, part) in changed {
            let lines = part.owners.map { "\($0) \($1)\n" }.sorted().joined()
            try folder.replaceFile(digits, with: Array(lines.utf8))
            if isSynced { try folder.file(digits).syncData() }
            parts.withLock { $0[digits]?.isChanged = false }
        }
        if isSynced {
            try folder.sync()
            if isNew { try manifest.directory.sync() }
        }
    }
}
