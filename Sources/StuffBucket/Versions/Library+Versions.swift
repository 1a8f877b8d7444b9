public import Items
internal import JSONFormat
internal import Merge

extension Library {
    /// The versions of an item that are in its history/, with their relations; their contents are not kept in memory.
    ///
    /// - Throws: `ItemError.file` if a file cannot be read, `.cancelled`.
    public func versions(of stored: StoredItem, _ monitor: Monitor = Monitor()) throws(ItemError) -> ItemVersions {
        let folder = VersionFolder(of: stored.folder, in: store)
        let listing = try folder.list(monitor)
        let gone = store.purgedVersions(of: stored.id, listing.outlines, listing.texts)
        let waited = try KnownStates(reading: store).read(stored.id).waited(now: .now)
        let graph = VersionGraph(listing.outlines, texts: listing.texts, gone: gone, waited: waited) {
            name throws(ItemError) in
            try folder.existing(name)
        }
        let heads = Set(graph.heads)
        let text = try store.text(of: stored).map { Items.ContentHash(of: $0) }
        // Versions that differ in the page or the document alone have one item and one text.
        var hasCurrent = false
        let versions = try graph.latestFirst().map { place throws(ItemError) in
            let outline = graph.versions[place]
            let node = graph.node(of: outline.name)
            let isNow = hasCurrent ? false : try isCurrent(outline, text, stored, folder)
            if isNow { hasCurrent = true }
            return ItemVersion(
                hash: outline.name, parentHashes: outline.parents, updatedAt: outline.updatedAt,
                isHead: node.map(heads.contains) ?? false, isCurrent: isNow, isWaiting: node == nil)
        }
        return ItemVersions(
            versions: versions, strangers: listing.strangers.map { (folder.path(of: $0.name), $0.fault) })
    }

    private func isCurrent(
        _ outline: VersionOutline, _ text: Items.ContentHash?, _ stored: StoredItem, _ folder: VersionFolder
    ) throws(ItemError) -> Bool {
        // Hardly any two versions have one time, so hardly any is read again.
        guard outline.text == text, outline.updatedAt == stored.item.updatedAt else { return false }
        return try folder.existing(outline.name).item == stored.json.exactMembers(stored.json.root)
    }

    /// What a version changed.
    ///
    /// - Returns: what differs from the version it came from; `nil` if it came from none or from several, or that one is
    ///   not here.
    /// - Throws: `ItemError.file` if a version cannot be read, `.refused` if it is not here any more.
    public func changes(by version: ItemVersion, of stored: StoredItem) throws(ItemError) -> VersionChanges? {
        let folder = VersionFolder(of: stored.folder, in: store)
        guard version.parentHashes.count == 1, case .success(let parent)? = try folder.version(version.parentHashes[0])
        else { return nil }
        let child = try folder.existing(version.hash)
        var texts: VersionChanges.Texts?
        if parent.text != child.text { texts = .init(old: try folder.text(parent), new: try folder.text(child)) }
        return VersionChanges(
            fields: Self.fields(parent.item, child.item), texts: texts, files: Self.files(parent.files, child.files))
    }

    /// What `Step.restore` with this version would change.
    ///
    /// - Throws: as `Step.restore`.
    public func changes(
        restoring version: ItemVersion, in stored: StoredItem
    ) throws(ItemError) -> VersionChanges {
        let folder = VersionFolder(of: stored.folder, in: store)
        let version = try folder.existing(version.hash)
        let edited = try session.preview(of: version, in: stored)
        let current = try store.text(of: stored)
        let wanted = try folder.neededText(of: version, stored.id) ?? version.textInItem
        return VersionChanges(
            fields: Self.fields(stored.json.exactMembers(stored.json.root), edited),
            texts: current == wanted ? nil : .init(old: current, new: wanted), files: [])
    }

    /// The files of a version that the item lacks now. `Step.restore` does not bring them: history/ does not hold their bytes.
    ///
    /// - Returns: paths relative to the item's folder, sorted.
    /// - Throws: as `Step.restore`.
    public func filesNotBrought(
        restoring version: ItemVersion, in stored: StoredItem
    ) throws(ItemError) -> [String] {
        let version = try VersionFolder(of: stored.folder, in: store).existing(version.hash)
        var missing: [String] = []
        do throws(FileError) {
            for file in version.files where try store.root.statusIfPresent(of: stored.folder + "/" + file.path) == nil {
                missing.append(file.path)
            }
        } catch {
            throw .file(error)
        }
        return missing
    }

    private static func fields(
        _ old: [JSON.Member], _ new: [JSON.Member]
    ) -> (old: JSONDocument, new: JSONDocument)? {
        guard let old = JSONDocument(object: old), let new = JSONDocument(object: new),
            let before = old.part(unlike: new), let after = new.part(unlike: old)
        else { return nil }
        return before.members(before.root).isEmpty && after.members(after.root).isEmpty ? nil : (before, after)
    }

    private static func files(
        _ old: [Version.File], _ new: [Version.File]
    ) -> [(path: String, change: VersionChanges.FileChange)] {
        let before = Dictionary(old.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let after = Dictionary(new.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let paths = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { path in
            (path, before[path] == nil ? .new : after[path] == nil ? .removed : .changed)
        }
    }
}

extension VersionFolder {
    /// A version that was listed a moment ago.
    ///
    /// - Throws: `ItemError.refused` if it is not here any more, or damaged since.
    func existing(_ name: Items.ContentHash) throws(ItemError) -> Version {
        switch try version(name) {
        case .success(let version)?: return version
        case .failure(let fault)?: throw .refused(.noVersion(path: path(of: name), fault))
        case nil: throw .refused(.noVersion(path: path(of: name), nil))
        }
    }

    /// The bytes of a version's text; `nil` for none, and if they are not here.
    fileprivate func text(_ version: Version) throws(ItemError) -> [UInt8]? {
        if let hash = version.text { return try text(hash) }
        return version.textInItem
    }

    /// The bytes of a version's text.md; `nil` for none.
    ///
    /// - Throws: `ItemError.refused` if they are not here.
    func neededText(of version: Version, _ id: ItemID) throws(ItemError) -> [UInt8]? {
        guard let hash = version.text else { return nil }
        guard let bytes = try text(hash) else {
            throw .refused(.versionTextNotHere(id, version: version.name.hex))
        }
        return bytes
    }
}
