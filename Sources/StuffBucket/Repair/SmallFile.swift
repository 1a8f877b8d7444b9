internal import Files
internal import Items
internal import JSONFormat

/// A small file that is damaged or missing and that no hash finds alone: item.json, a file of history/, a tombstone, or one of a
/// collection, a tag or a smart folder. Packs hold them.
struct SmallFile {
    /// The item that has the file; `nil` for a tombstone, a collection, a tag or a smart folder.
    let id: ItemID?
    /// Relative to the library's folder: where the file is here.
    let folder: String
    /// Relative to `folder`.
    let path: String
    /// The damaged file; `nil` for a missing one.
    let seen: FileStatus?

    /// The file's path as packs and other copies have it, relative to the library's folder.
    let place: String

    /// item.json of an item.
    init(itemFileOf id: ItemID, in folder: String, seen: FileStatus?) {
        self.init(Layout.itemFile, of: id, in: folder, seen: seen)
    }

    init(_ path: String, of id: ItemID, in folder: String, seen: FileStatus?) {
        self.id = id
        self.folder = folder
        self.path = path
        self.seen = seen
        place = Layout.itemFolder(id) + "/" + path
    }

    init(_ name: String, in folder: NamedFolder, seen: FileStatus) {
        id = nil
        self.folder = folder.path
        path = name
        self.seen = seen
        place = folder.path + "/" + name
    }

    init(tombstoneOf id: ItemID, seen: FileStatus?) {
        self.id = nil
        place = Layout.tombstone(id)
        folder = Layout.tombstones
        path = String(Substring(place.utf8.dropFirst(Layout.tombstones.utf8.count + 1)))
        self.seen = seen
    }

    var isItemFile: Bool { path == Layout.itemFile }

    /// Relative to the library's folder.
    var full: String { folder + "/" + path }

    /// The hash in the name of a file of history/.
    var hash: Items.ContentHash? {
        id == nil ? nil : path.pathComponents.last.flatMap { Items.ContentHash(hex: $0.utf8.prefix(64)) }
    }
}

extension Library {
    /// Files of collections, tags and smart folders that are no JSON object.
    func brokenNamedFiles() throws -> [SmallFile] {
        var broken: [SmallFile] = []
        for folder in NamedFolder.allCases {
            for name in try store.names(in: folder.path).filter({ NamedFolder.isFile($0) }).sorted() {
                guard
                    let file = try store.root.contentsIfPresent(
                        of: folder.path + "/" + name, limit: Tombstone.byteLimit),
                    !NamedFolder.isReadable(file.bytes)
                else { continue }
                broken.append(SmallFile(name, in: folder, seen: file.status))
            }
        }
        return broken
    }

    /// Tombstones that are no JSON object.
    func brokenTombstones(_ ids: Set<ItemID>) throws -> [SmallFile] {
        try ids.sorted().compactMap { id in
            guard let file = try store.root.contentsIfPresent(of: Layout.tombstone(id), limit: Tombstone.byteLimit),
                !NamedFolder.isReadable(file.bytes)
            else { return nil }
            return SmallFile(tombstoneOf: id, seen: file.status)
        }
    }

    /// Puts small files in their places: item.json from the item's last version, all else from the first source that has it.
    /// Brings back the items that an exchange has and that are not here, in the same reading of its packs.
    func repair(
        _ files: [SmallFile], _ sources: [RepairSource], _ mode: ChangeMode, _ report: inout RepairReport
    ) throws {
        var open: [SmallFile] = []
        for file in files {
            if let bytes = try file.isItemFile ? lastItemFile(of: file) : nil {
                try put(bytes, file, mode, &report)
            } else {
                open.append(file)
            }
        }
        for case .copy(let other) in sources {
            try put(&open, mode, &report) { file in
                let bytes = try other.root.contentsIfPresent(of: file.place, limit: Version.byteLimit)?.bytes
                return bytes.flatMap { file.isWhole($0) ? $0 : nil }
            }
        }
        for case .exchange(let run) in sources {
            let absent = Set(report.absent).intersection(try run.heldIDs())
            if absent.isEmpty, open.isEmpty { continue }
            // A dry run reads the packs as well, and joins nothing.
            let found = try run.bringBack(mode == .dry ? [] : absent, smallFiles: open)
            try put(&open, mode, &report) { found.files[$0.place] }
            let back = try mode == .dry ? Array(absent) : absent.filter { try session.folder(of: $0) != nil }
            report.broughtBack += back.sorted()
            report.absent.removeAll(where: back.contains)
            for lacking in found.lacking {
                guard let folder = try session.folder(of: lacking.id) else { continue }
                report.lost += try lacking.paths.map { folder + "/" + $0 }
                    .filter { try store.root.statusIfPresent(of: $0) == nil }.map { .init(path: $0, isMissing: true) }
            }
            try run.awaitFiles(of: found.lacking)
        }
        for file in open {
            if file.seen == nil, file.folder == Layout.tombstones {
                report.lost.append(.init(path: file.full, isMissing: true))
            } else if file.seen == nil, file.isItemFile {
                let isEmpty = try store.root.directory(file.folder).entries().isEmpty
                guard let id = file.id, !isEmpty, !report.absent.contains(id), !report.broughtBack.contains(id),
                    try store.tombstoneContents(of: id) == nil
                else { continue }
                report.lost.append(.init(path: file.full, isMissing: true))
            } else if file.hash == nil {
                report.unreadable.append(file.full)
            } else {
                report.lost.append(.init(path: file.full, isMissing: file.seen == nil))
            }
        }
    }

    /// Puts the files in their places of which there are bytes, and takes them out.
    private func put(
        _ files: inout [SmallFile], _ mode: ChangeMode, _ report: inout RepairReport,
        _ bytes: (SmallFile) throws -> [UInt8]?
    ) throws {
        var open: [SmallFile] = []
        for file in files {
            if let bytes = try bytes(file) { try put(bytes, file, mode, &report) } else { open.append(file) }
        }
        files = open
    }

    private func put(_ bytes: [UInt8], _ file: SmallFile, _ mode: ChangeMode, _ report: inout RepairReport) throws {
        if mode != .dry {
            let staged = try session.stageArchive()
            defer { session.discard(staged) }
            let folder = try Directory(path: staged.path)
            try SyncRun.makeFolders(of: file.path, in: folder)
            try folder.writeFile(file.path, bytes)
            guard try session.mend(file.path, from: staged, of: file.id, in: file.folder, seen: file.seen) else {
                report.changed.append(file.full)
                return
            }
        }
        if mode != .dry, let id = file.id { try removeSetAside(file.path, of: id, in: file.folder) }
        if file.seen == nil, file.isItemFile, let id = file.id {
            report.broughtBack.append(id)
        } else {
            report.repaired.append(.init(path: file.full, isMissing: file.seen == nil))
        }
    }

    /// item.json as the item's versions have it: the last one that this device knew, or the latest of those that no other follows.
    /// An older state from elsewhere would count as a step back. Of an item without versions, it is the one that this device read last.
    func lastItemFile(of file: SmallFile) throws -> [UInt8]? {
        guard let id = file.id else { return nil }
        let folder = VersionFolder(of: file.folder, in: store)
        let outlines = try folder.list().outlines
        if outlines.isEmpty {
            return KnownBytes(store)?.last(id).map(\.item).flatMap { store.isItem($0, id) ? $0 : nil }
        }
        let latest = outlines.heads
            .max { ($0.updatedAt?.milliseconds ?? .min, $0.name) < ($1.updatedAt?.milliseconds ?? .min, $1.name) }
        let known = KnownStates(store)?.read(id).at
        let name = outlines.contains { $0.name == known } ? known : latest?.name
        guard let name, case .success(let version)? = try folder.version(name) else { return nil }
        return JSONWriter.file(.object(version.item))
    }
}

extension SmallFile {
    /// Whether bytes from a source are those of the file, as far as they tell.
    func isWhole(_ bytes: [UInt8]) -> Bool {
        if let hash { return Items.ContentHash(of: bytes) == hash }
        return NamedFolder.isReadable(bytes)
    }
}
