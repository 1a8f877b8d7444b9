internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// Files that are damaged or missing here, and that nobody edited: Documentation/Exchange.md § 6.
extension SyncRun {
    /// Names damaged files of an item, relative to its folder.
    func noteDamage(_ paths: Set<String>, of id: ItemID, in folder: String) {
        for path in paths.sorted() { noteDamage(folder + "/" + path) }
    }

    /// Names a damaged file, relative to the library's folder.
    func noteDamage(_ path: String) {
        if !report.damaged.contains(path) { report.damaged.append(path) }
    }

    /// The files of an item as this device had them whole when it wrote or took them last, through this exchange or another; `nil` if it
    /// remembers nothing of the item.
    func records(of id: ItemID) -> [KnownFile]? {
        let last = state(of: id)
        let records = isOwn(last) ? last?.recordedFiles : otherState(of: id)?.state.recordedFiles
        guard let records, let earlier = earlierFiles[id] else { return records }
        // The first record of a path is that of the file there. The others tell what somebody renamed.
        let paths = Set(records.map { Array($0.file.path.utf8) })
        return records + earlier.filter { paths.contains(Array($0.file.path.utf8)) }
    }

    /// The item as this device wrote or took it last through another exchange, or through this one before it was emptied.
    func otherState(of id: ItemID) -> (state: PackedState, lookedAt: Timestamp?)? {
        if otherStates[id.shard] == nil {
            otherStates[id.shard] = others.reduce(into: [:]) { found, other in
                let states = other.ownStates(id.shard)
                if states.isEmpty { return }
                let lookedAt = other.memory()?.lookedAt
                found.merge(states.mapValues { ($0, lookedAt) }) { first, _ in first }
            }
        }
        return otherStates[id.shard]?[id]
    }

    /// - Returns: the path of a damaged file here, of which the other device has other bytes: what loses is kept, and the bytes
    ///   that it had are not here. `nil` if nothing stands in the way.
    func damageInTheWay(
        _ own: (state: PackedState, folder: String, look: FolderLook, damaged: Set<String>)?, of state: PackedState
    ) -> String? {
        guard let own, !own.damaged.isEmpty else { return nil }
        let theirs = Set(state.files.map(\.version))
        let ours = Dictionary(own.state.files.map { ($0.path, $0.version) }) { first, _ in first }
        // Of one whose size nothing says, no state has the file.
        guard let path = own.damaged.sorted().first(where: { ours[$0].map { !theirs.contains($0) } ?? true }) else {
            return nil
        }
        noteDamage([path], of: state.id, in: Layout.itemFolder(state.id))
        return Layout.itemFolder(state.id) + "/" + path
    }

    /// Keeps in a state the page and the document that item.json names, that no file is here of and that the exchange has, or that a sync
    /// waits for: somebody removed them by hand, or they have not arrived. They can be brought from there.
    func keepMissing(_ last: PackedState, in found: inout StateReading.Found) throws {
        let here = Set(found.state.files.map(\.path))
        let left = Set(last.leftOut.map(\.path))
        let missing = last.files.filter { file in
            guard !here.contains(file.path) else { return false }
            let bundle = PackedState.bundle(of: file.path)
            return (bundle == "" || PackedState.isDocument(file.path)) && !left.contains(bundle ?? file.path)
        }
        var faults: [FieldFault] = []
        guard !missing.isEmpty || memory.outdated[last.id] != nil, let json = try? JSONDocument(parsing: found.item)
        else { return }
        let item = Item(id: last.id, json: json, faults: &faults)
        var kept: [PackedState.File] = []
        if let path = item.documentRelativePath, found.state.recordedDocuments.isEmpty {
            let version = try laterDocument(than: nil, of: found.state, in: found.folder)
            kept += try missing.filter { file in
                try file.path == path && version.map { $0.sha256 == file.sha256 } ?? true
                    && (exchange.isCloud || memory.awaits(file.sha256)
                        || exchange.byteCount(file.sha256, .raw) == file.size
                        || exchange.byteCount(file.sha256, .zip) != nil)
            }
            if kept.isEmpty, let version, version.path == path, memory.awaits(version.sha256) {
                kept.append(.init(version, modified: found.state.item.modified))
            }
        }
        let page = found.state.files(ofBundle: "")
        if [.full, .partial].contains(item.archiveStatus), !here.contains(Layout.pageFile),
            Set(last.files(ofBundle: "").map(\.version)).isSuperset(of: page.map(\.version))
        {
            kept += missing.filter { PackedState.bundle(of: $0.path) == "" }
        }
        if kept.isEmpty { return }
        found.state.files = (found.state.files + kept).sorted {
            $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
        }
        found.state.leaveOutBelowFiles()
        if kept.contains(where: { $0.path == Layout.pageFile }),
            !found.state.bundles.contains(where: { $0.folder.isEmpty }),
            let bundle = last.bundles.first(where: { $0.folder.isEmpty })
        {
            found.state.bundles.append(bundle)
        }
    }

    /// Keeps in a state that a page or a document that item.json names is not here because it is above the limit of another device:
    /// the exchange does not have it.
    func keepLeftOut(_ last: PackedState, in found: inout StateReading.Found) {
        let here = Set(found.state.files.map(\.path))
        for left in last.leftOut where left.reason == .tooLarge {
            let isPage = left.path.isEmpty
            guard isPage ? !here.contains(Layout.pageFile) : PackedState.isDocument(left.path),
                !here.contains(left.path), !found.state.leftOut.contains(left),
                isPage || found.documentPath == left.path
            else { continue }
            found.state.leftOut.append(left)
        }
        found.state.leftOut.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Whether an object that is there already unpacks to the bytes that its name says.
    func isSound(_ name: Items.ContentHash) throws -> Bool {
        var reason = SyncReport.Reason.notHereYet
        guard let file = try exchange.object(name, .tar, &reason) else { return reason == .notHereYet }
        guard case .whole(let sum) = try read(file, { _, _ in }) else {
            return false
        }
        return sum.sha256 == name.hex
    }
}
