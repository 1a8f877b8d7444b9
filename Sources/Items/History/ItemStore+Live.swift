package import Files
internal import JSONFormat

extension ItemStore {
    /// The state of an item's files now. A damaged file counts as it was recorded: damage is no edit.
    ///
    /// - Parameters:
    ///   - folder: the item's, relative to the library's.
    ///   - known: hashes of files that need not be read if they look unchanged, and what tells damage.
    ///   - areOthersWhole: whether files that are not known are whole: `known` has all files that the item had when this device saw it
    ///     last, so they are new. Otherwise the item tells damage.
    /// - Returns: as `glance`.
    /// - Throws: as `glance`.
    package func live(
        _ id: ItemID, in folder: String, known: [KnownFile] = [], areOthersWhole: Bool = false
    ) throws(ItemError) -> LiveState? {
        guard let glance = try glance(id, in: folder) else { return nil }
        return try live(glance, known: known, areOthersWhole: areOthersWhole)
    }

    /// The state of the files that a glance saw, with hashes.
    ///
    /// - Parameters:
    ///   - known: hashes of files that need not be read if they look unchanged.
    ///   - areOthersWhole: whether files that are not known are whole, as another device had them, or new. Otherwise the item tells damage.
    /// - Throws: `ItemError.file` if a file cannot be read.
    package func live(
        _ glance: ItemGlance, known: [KnownFile] = [], areOthersWhole: Bool = false
    ) throws(ItemError) -> LiveState {
        var found: [Version.File] = []
        var damaged: Set<String> = []
        var unknown: [(file: Version.File, status: FileStatus)] = []
        var doubted: [(file: Version.File, known: Version.File)] = []
        let cache = known.byPath
        try files { () throws(FileError) in
            let item = try root.directory(glance.folder)
            for (path, status) in glance.statuses where path != Layout.itemFile && path != Layout.textFile {
                if let file = glance.away[path] {
                    found.append(file)
                } else if let known = cache[path], known.isOf(path, status) {
                    found.append(known.file)
                } else if let file = try Self.hashed(path, in: item) {
                    guard let record = cache[path] else {
                        unknown.append((file, status))
                        continue
                    }
                    if record.file.sha256 != file.sha256, record.isDamaged(status),
                        !known.hasElsewhere(file)
                    {
                        doubted.append((file, record.file))
                    } else {
                        found.append(file)
                    }
                }
            }
        }
        var records = RecordedFiles(glance.stored, in: self)
        for (file, known) in doubted {
            // A program may put another file there that has the same time. An empty one lost its bytes.
            if file.size > 0, try records.names(file.sha256, at: file.path) {
                found.append(file)
            } else {
                damaged.insert(file.path)
                found.append(known)
            }
        }
        for (file, status) in unknown {
            switch areOthersWhole ? nil : try records.damage(file, status) {
            case nil, .doubtful: found.append(file)
            case .whole(let recorded):
                damaged.insert(file.path)
                found.append(recorded)
            case .unsized: damaged.insert(file.path)
            }
        }
        found.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        let json = glance.stored.json
        let members = json.exactMembers(json.root)
        return LiveState(
            folder: glance.folder, itemBytes: json.bytes, members: members, text: glance.text, files: found,
            hashes: StateHashes(item: members, text: glance.text.map { ContentHash(of: $0) }, files: found),
            statuses: glance.statuses, away: Set(glance.away.keys), damaged: damaged)
    }

    /// Reads a file to its end.
    ///
    /// - Returns: the file with its hash and its size, as it was read.
    package static func hashed(_ path: String, in item: borrowing Directory) throws(FileError) -> Version.File? {
        try hashed(path, item.file(path))
    }

    /// Reads an open file from where it is to its end.
    ///
    /// - Parameter path: what the file is called in the result.
    package static func hashed(_ path: String, _ file: borrowing Descriptor) throws(FileError) -> Version.File? {
        var hash = SHA256()
        var size = 0
        while true {
            let chunk = try file.readChunk(1 << 20)
            if chunk.isEmpty { break }
            size += chunk.count
            hash.update(chunk)
        }
        return ContentHash(hex: hash.finish().utf8).map { Version.File(path: path, sha256: $0, size: size) }
    }
}
