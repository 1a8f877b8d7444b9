internal import Files
public import Items
public import Time

extension LibraryView {
    /// What in the view is not as the library made it: edited copies, files that were deleted, and a person's own files.
    ///
    /// Reads the whole view by stat, and the bytes of files whose status changed.
    ///
    /// - Parameter monitor: is told items done and in all, and cancels the call, which only reads.
    /// - Returns: in the order of their paths.
    /// - Throws: `ViewError.missing` if the view is gone.
    public func changes(_ monitor: Monitor = Monitor()) throws -> [ViewChange] {
        let lock = try manifest.lock()
        defer { withExtendedLifetime(lock) {} }
        switch try state() {
        case .missing: throw ViewError.missing(path: path)
        case .foreign: throw ViewError.foreign(path: path)
        case .present: break
        }
        let tree = ViewTree(try Directory(path: record.folder).directory(ViewRecord.folderName))
        var changes: [ViewChange] = []
        var known: Set<[UInt8]> = []
        // Links and files in the place of the view's folders. What was in a folder is not looked for behind a link.
        var blocked: Set<String> = []
        let ids = try manifest.ids()
        for (number, id) in ids.enumerated() {
            try monitor.check()
            if number % 100 == 0 { monitor.show(number, of: ids.count) }
            guard let item = try manifest.item(id) else { continue }
            for (path, entries) in item.byPath {
                known.insert(path)
                let path = String(decoding: path, as: UTF8.self)
                do {
                    if let change = try change(at: path, entries, item, id, tree) { changes.append(change) }
                } catch let error as FileError {
                    guard let folder = try tree.folderReplaced(on: path) else { throw error }
                    if blocked.insert(folder).inserted {
                        changes.append(ViewChange(path: folder, kind: .inTheWay(id)))
                    }
                }
            }
        }
        // With the folders around them.
        for path in known {
            var path = path[...]
            while let slash = path.lastIndex(of: UInt8(ascii: "/")), known.insert(Array(path[..<slash])).inserted {
                path = path[..<slash]
            }
        }
        let names = NameTable(manifest)
        try addOwn("", tree, known, names, &changes, depth: 0)
        return changes.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private func change(
        at path: String, _ entries: [ViewEntry], _ item: ViewItem, _ id: ItemID, _ tree: ViewTree
    ) throws -> ViewChange? {
        guard let entry = entries.last else { return nil }
        switch try tree.occupant(of: path, entries) {
        case .ours: return nil
        case .nothing: return ViewChange(path: path, kind: .missing(id))
        case .other: return ViewChange(path: path, kind: .inTheWay(id))
        case .edited:
            // A file in the place of a link to the item in All: an edited copy of what the link leads to.
            let copied = entry.part == .reference ? item.entries.last { $0.isTarget(of: entry) } : entry
            guard let entry = copied else { return ViewChange(path: path, kind: .inTheWay(id)) }
            var change = ViewChange(path: path, kind: .edited(id, entry.part))
            if let now = try source(of: entry, id) { change.isOutdated = try isOutdated(entry, now.path, now.status) }
            return change
        }
    }

    /// The library's file that an entry is a copy of.
    private func source(of entry: ViewEntry, _ id: ItemID) throws -> (path: String, status: FileStatus)? {
        guard let stored = (try? library.store.item(id)) ?? nil else { return nil }
        switch entry.part {
        case .document: return stored.document.map { (stored.folder + "/" + $0.path, $0.status) }
        case .text: return stored.text.map { (stored.folder + "/" + Layout.textFile, $0) }
        default: return nil
        }
    }

    /// Whether the library's file has other bytes than those that were copied. Another program may have written the same again.
    private func isOutdated(_ entry: ViewEntry, _ path: String, _ status: FileStatus) throws -> Bool {
        guard FileLook(status) != entry.source, case .file(let byteCount, let hash) = entry.content else {
            return false
        }
        return try byteCount != status.byteCount || library.store.root.file(path).sha256() != hash
    }

    /// Adds what the manifest does not have. A folder of a person's own is named once.
    private func addOwn(
        _ folder: String, _ tree: ViewTree, _ known: Set<[UInt8]>, _ names: NameTable,
        _ changes: inout [ViewChange], depth: Int
    ) throws {
        guard depth < 64, let directory = folder.isEmpty ? try tree.root.duplicate() : try? tree.root.directory(folder)
        else { return }
        for entry in try directory.entries() {
            let path = (folder.isEmpty ? "" : folder + "/") + entry.name.repaired
            if folder.isEmpty, entry.name.string == ViewMarker.fileName { continue }
            if entry.kind == .directory {
                let before = changes.count
                let isMade = try isOurs(path, known, names)
                try addOwn(path, tree, known, names, &changes, depth: depth + 1)
                if isMade { continue }
                changes.removeSubrange(before...)
                changes.append(ViewChange(path: path, kind: .own))
            } else if !known.contains(Array(path.utf8)) || entry.name.string == nil {
                changes.append(ViewChange(path: path, kind: .own))
            }
        }
    }

    /// Whether the view made a folder: it is one of those that every view has, that of a group, or holds an entry.
    private func isOurs(_ path: String, _ known: Set<[UInt8]>, _ names: NameTable) throws -> Bool {
        let parts = path.pathComponents
        if parts.count == 1 {
            return record.profile == .documents
                ? path == ViewGroups.documents : ViewGroups.folders.contains(path)
        }
        let parent = parts.dropLast().joined(separator: "/")
        if try names.owner(of: parts[parts.count - 1], in: parent) != nil { return true }
        return known.contains(Array(path.utf8))
    }

    /// The view's own path of a file below its folder; `nil` for any other.
    ///
    /// - Parameter file: a path as a person typed it.
    public func relativePath(of file: String) -> String? {
        let bytes = Array(FilePath.absolute(file).utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash + 1 < bytes.count,
            let parent = FilePath.real(slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self))
        else { return nil }
        let real = parent + "/" + String(decoding: bytes[(slash + 1)...], as: UTF8.self)
        guard real.utf8.starts(with: (path + "/").utf8) else { return nil }
        return String(Substring(real.utf8.dropFirst(path.utf8.count + 1)))
    }
}

extension Step {
    /// Takes an edited copy of a document or a text from a view into its item.
    ///
    /// The item's earlier document stays in the journal: undoing the step brings it back, as long as the journal keeps it (the
    /// latest steps with at most 256 MiB). Refresh the view afterwards.
    ///
    /// - Parameters:
    ///   - change: an adoptable one of `LibraryView.changes`.
    ///   - view: the view.
    ///   - time: the time of the change.
    /// - Returns: the item.
    /// - Throws: `ViewError.notAdoptable`, or the `ItemError` of the change.
    @discardableResult
    public func adopt(_ change: ViewChange, from view: LibraryView, at time: Timestamp = .now) throws -> ItemID {
        let path = view.path + "/" + change.path
        guard change.isAdoptable, case .edited(let id, let part) = change.kind else {
            throw ViewError.notAdoptable(path: path)
        }
        guard let stored = try library.stored(id) else { throw ItemError.noItem(id) }
        let root = try Directory(path: view.folder).directory(ViewRecord.folderName)
        guard try view.state(of: root) == .present else { throw ViewError.missing(path: view.path) }
        // Beneath the view's folder, without symbolic links, and a regular file.
        let file = try root.file(change.path)
        let status = try file.status()
        let limit = part == .document ? store.settings.maxFileByteCount : Layout.textByteLimit
        if status.byteCount > limit {
            throw ItemError.tooLarge(name: path, byteCount: status.byteCount, limit: limit)
        }
        if part == .document {
            try session.replaceDocument(of: stored, with: file, at: time)
        } else {
            let bytes = try file.readAll(expecting: status.byteCount, limit: limit)
            try session.updateText(stored, .replace(base: library.text(of: stored), with: bytes), at: time)
        }
        return id
    }
}
