internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// The part of an exchange in a cloud that is on this device: heads, and objects on their way. It is a folder with
/// the layout of an exchange.
final class CloudCopy {
    let rclone: Rclone
    /// The folder's full path.
    let path: String
    private let root: Directory
    /// Heads as the cloud lists them.
    private(set) var listed: [ItemID: Rclone.Entry] = [:]
    /// exchange.json as the cloud lists it.
    private var top: Rclone.Entry?
    /// Files that are there and that rclone could not bring the last time, as a remote of the type crypt that cannot decrypt them, and why.
    private(set) var failures: [String: String] = [:]
    private static let listFile = ".heads"
    private static let namesFile = ".names"
    private static let arriving = ".arriving-"

    init(_ rclone: Rclone, in folder: String) throws {
        self.rclone = rclone
        path = folder
        root = try Directory(path: folder)
    }

    /// Brings exchange.json, if it is not here.
    ///
    /// - Returns: whether it is there.
    func bringRoot() throws -> Bool {
        if try root.statusIfPresent(of: ExchangeLayout.file) != nil { return true }
        return try bringFile()
    }

    /// - Returns: whether exchange.json is here.
    /// - Throws: `SyncError.malformed` if rclone breaks off within the file, or cannot decrypt what is there.
    private func bringFile() throws -> Bool {
        do {
            try bring([ExchangeLayout.file])
        } catch SyncError.cloud(_, .failed(_, let message))
            where ["unexpected EOF", "decrypt"].contains(where: { message.contains(text: $0) })
        {
            throw SyncError.malformed(path: rclone.path + "/" + ExchangeLayout.file)
        }
        return try root.statusIfPresent(of: ExchangeLayout.file) != nil
    }

    // MARK: Heads

    /// Makes the heads here those of the cloud: one listing, and a copy of each head that changed.
    ///
    /// - Returns: whether exchange.json is another file than it was.
    /// - Throws: `SyncError.noExchange` if the cloud has no exchange there any more.
    func bringHeads() throws -> Bool {
        let rules = [
            "-R", "--files-only", "--include", "/\(ExchangeLayout.file)", "--include",
            "/\(ExchangeLayout.heads)/*.json",
        ]
        let entries = try rclone.list("", rules) ?? []
        guard let top = entries.first(where: { $0.path == ExchangeLayout.file }) else {
            throw SyncError.noExchange(path: rclone.path)
        }
        self.top = top
        let known = knownHeads()
        let isChanged = try known[ExchangeLayout.file] != top || !isHere(top)
        if isChanged {
            try root.removeTree(ExchangeLayout.file)
            // The cloud lists it, and rclone cannot decrypt it.
            if try !bringFile() { throw SyncError.malformed(path: rclone.path + "/" + ExchangeLayout.file) }
        }
        listed = [:]
        var changed: [String] = []
        for entry in entries {
            let parts = entry.path.pathComponents
            guard parts.count == 2, let device = ExchangeLayout.device(ofHead: parts[1]) else { continue }
            listed[device] = entry
            if try known[entry.path] != entry || !isHere(entry) { changed.append(entry.path) }
        }
        if try root.statusIfPresent(of: ExchangeLayout.heads) != nil {
            let folder = try root.directory(ExchangeLayout.heads)
            for entry in try folder.entries() {
                guard let name = entry.name.string else { continue }
                let device = ExchangeLayout.device(ofHead: name)
                if device.map({ listed[$0] == nil }) ?? true || changed.contains(ExchangeLayout.heads + "/" + name) {
                    try folder.removeFile(name)
                }
            }
        }
        try bring(changed)
        try writeListed()
        return isChanged
    }

    /// Whether the copy of a file has the size that the cloud lists. A loss of power may have cut it. Some clouds do not say sizes.
    private func isHere(_ entry: Rclone.Entry) throws -> Bool {
        guard let here = try root.statusIfPresent(of: entry.path) else { return false }
        return entry.byteCount <= 0 || here.byteCount == entry.byteCount
    }

    private func writeListed() throws {
        try root.replaceFile(Self.listFile, with: bytes(of: [top].compactMap(\.self) + listed.values))
    }

    private func knownHeads() -> [String: Rclone.Entry] {
        guard
            let json = ((try? root.contentsIfPresent(of: Self.listFile, limit: ExchangeLayout.headByteLimit)) ?? nil)
                .flatMap({ JSONReading($0.bytes) })
        else { return [:] }
        var known: [String: Rclone.Entry] = [:]
        for entry in json.objects("heads") {
            guard let path = entry.text("path"), let modified = entry.text("modified") else { continue }
            known[path] = Rclone.Entry(path: path, byteCount: entry.count("size") ?? 0, modified: modified)
        }
        return known
    }

    private func bytes(of entries: [Rclone.Entry]) -> [UInt8] {
        JSON.members([
            (
                "heads",
                .array(
                    entries.sorted { $0.path < $1.path }.map {
                        .members([
                            ("path", .string($0.path)), ("size", .integer($0.byteCount)),
                            ("modified", .string($0.modified)),
                        ])
                    })
            )
        ]).file
    }

    // MARK: Files

    /// Brings files that are not here. One that the cloud lacks is not here afterwards.
    func bring(_ paths: [String]) throws {
        let missing = try paths.filter { try root.statusIfPresent(of: $0) == nil }
        if missing.isEmpty { return }
        // rclone writes a file under its name at once, so a file gets its place when rclone is done.
        let name = Self.arriving + "\(UInt64.random(in: 1...UInt64.max))"
        try root.makeDirectory(name)
        defer { try? root.removeTree(name) }
        let arriving = try root.directory(name)
        let list = try writeList(missing)
        defer { try? root.removeFile(list) }
        let lines = try rclone.bring(root.full(list), into: root.full(name))
        for path in missing { failures[path] = Rclone.failure(of: path, in: lines) }
        for path in missing where try arriving.statusIfPresent(of: path)?.kind == .regular {
            let parts = path.pathComponents
            var made = ""
            for part in parts.dropLast() {
                made += (made.isEmpty ? "" : "/") + part
                try root.makeDirectory(made)
            }
            let folder = parts.dropLast().joined(separator: "/")
            let source = folder.isEmpty ? try arriving.duplicate() : try arriving.directory(folder)
            let target = folder.isEmpty ? try root.duplicate() : try root.directory(folder)
            try source.replace(parts[parts.count - 1], to: target, as: parts[parts.count - 1])
        }
    }

    /// Copies files that are here to the cloud.
    ///
    /// - Parameter replacing: whether files of the same size are replaced.
    func send(_ paths: [String], replacing: Bool = false) throws {
        if paths.isEmpty { return }
        let list = try writeList(paths)
        defer { try? root.removeFile(list) }
        try rclone.send(root.full(list), from: path, replacing: replacing)
    }

    /// Replaces a head in the cloud with the one here.
    func sendHead(_ path: String) throws { try rclone.replace(path, from: root.full(path)) }

    /// Whether the cloud lists the head of a device as it is here.
    func lists(_ device: ItemID) throws -> Bool {
        let path = ExchangeLayout.head(device)
        let name = path.pathComponents.last ?? ""
        let rules = ["--files-only", "--include", "/" + name]
        guard let found = try rclone.list(ExchangeLayout.heads, rules)?.first(where: { $0.path == name }) else {
            return false
        }
        // Some clouds do not say sizes.
        guard try found.byteCount == 0 || found.byteCount == root.statusIfPresent(of: path)?.byteCount else {
            return false
        }
        let entry = Rclone.Entry(path: path, byteCount: found.byteCount, modified: found.modified)
        // One that looks as before may be the one before: the next sync brings it.
        listed[device] = entry == listed[device] ? nil : entry
        try writeListed()
        return true
    }

    /// Deletes files in the cloud.
    func delete(_ paths: [String]) throws {
        if paths.isEmpty { return }
        let list = try writeList(paths)
        defer { try? root.removeFile(list) }
        try rclone.delete(root.full(list))
    }

    /// The objects that the cloud has.
    func objects() throws -> [Rclone.Entry] {
        try rclone.list(ExchangeLayout.objects, ["-R", "--files-only"]) ?? []
    }

    /// Removes what is here of these files.
    func remove(_ paths: [String]) {
        for path in paths {
            let parts = path.pathComponents
            if parts.count == 1 {
                try? root.removeFile(path)
            } else {
                try? root.directory(parts.dropLast().joined(separator: "/")).removeFile(parts[parts.count - 1])
            }
        }
    }

    /// Removes objects that are here: the cloud has them.
    func removeObjects() { try? root.removeTree(ExchangeLayout.objects) }

    /// Removes what a process that died left.
    func removeLeftovers() {
        for entry in (try? root.entries()) ?? [] {
            guard let name = entry.name.string else { continue }
            if name.hasPrefix(Self.arriving) || name.hasPrefix(Self.namesFile) { try? root.removeTree(name) }
        }
        removeObjects()
    }

    private func writeList(_ paths: [String]) throws(FileError) -> String {
        let name = Self.namesFile + "-\(UInt64.random(in: 1...UInt64.max))"
        try root.writeFile(name, Array(paths.map { $0 + "\n" }.joined().utf8))
        return name
    }
}
