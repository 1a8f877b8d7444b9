internal import Items

/// Objects of packs that were taken without them, and that nobody needs any more: Documentation/Exchange.md § 7.
extension SyncRun {
    /// So many later packs of a device are read, the newest first.
    private static let laterPackLimit = 64

    /// Waits no more for documents and bundles that a device replaced: in a later pack it has states of the items that come from those,
    /// and that have others in their places.
    ///
    /// - Parameter devices: those of which this run took packs; of the others nothing is new.
    func forgetOutdatedObjects(of devices: Set<ItemID>) throws {
        var read: [Items.ContentHash: [PackedState]] = [:]
        func states(_ pack: Items.ContentHash) throws -> [PackedState] {
            if let known = read[pack] { return known }
            try monitor.check()
            let states = try unpacked(pack)?.states ?? []
            read[pack] = states
            return states
        }
        for entry in memory.unfinished where devices.contains(entry.device) {
            let objects = entry.missing.filter { $0.hasPrefix(ExchangeLayout.objects + "/") }
            guard !objects.isEmpty, let head = heads[entry.device], let place = head.packs.firstIndex(of: entry.pack)
            else { continue }
            let taken = Set(memory.taken[entry.device] ?? [])
            let later = head.packs[(place + 1)...].filter(taken.contains).suffix(Self.laterPackLimit).reversed()
            if later.isEmpty { continue }
            let lacking = try states(entry.pack).filter { state in objects.contains(where: state.names) }
            var newer: [ItemID: PackedState] = [:]
            for pack in later where newer.count < lacking.count {
                for state in try states(pack)
                where newer[state.id] == nil && lacking.contains(where: { $0.id == state.id }) {
                    newer[state.id] = state
                }
            }
            let outdated = Set(
                objects.filter { path in
                    let named = lacking.filter { $0.names(path) }
                    return !named.isEmpty
                        && named.allSatisfy { state in newer[state.id]?.replaces(path, of: state) ?? false }
                })
            if outdated.isEmpty { continue }
            finish(entry.pack, entry.device, entry.missing.filter { !outdated.contains($0) })
            let still = Set(memory.unfinished.flatMap(\.missing))
            report.left.removeAll { outdated.contains($0.path) && !still.contains($0.path) }
        }
    }

    /// Objects that hold the document of a state whose versions are all here, and that somebody had and replaced, or that a person took out: no
    /// last version of the item has it, and no join asks for it.
    ///
    /// That the item here has another one tells nothing: it may have that because it lacks this one. Nor does a version of a join: what
    /// lost there is kept once it comes.
    ///
    /// - Parameters:
    ///   - paths: objects that are missing or damaged.
    ///   - own: the item here.
    func replacedObjects(
        _ paths: [String], of state: PackedState, _ own: PackedState, in folder: String
    ) throws -> Set<String> {
        // A lost document, a file of the person's own or a snapshot is in no version.
        let documents = state.recordedDocuments
        let asked = state.files.filter { documents == [Array($0.path.utf8)] }
        let versions = try VersionFolder(of: folder, in: store).list().outlines
        guard let file = asked.first, !versions.isEmpty, Set(state.history).isSubset(of: own.history),
            let path = paths.first(where: { file.isAt(object: $0) }),
            state.files.count(where: { $0.sha256 == file.sha256 }) == 1,
            !own.files.contains(where: { $0.sha256 == file.sha256 }),
            let old = StateHashes.hash([file.version])
        else { return [] }
        let folder = VersionFolder(of: folder, in: store)
        // A first version may lack the document as it was stored.
        let having = try versions.filter { version in
            if version.content.document != nil || !version.parents.isEmpty { return version.content.document == old }
            return try LiveState.documentHash(in: folder.existing(version.name).item) == file.sha256
        }
        let children = Dictionary(
            grouping: versions.flatMap { version in version.parents.map { (parent: $0, version: version) } },
            by: \.parent)
        // A version whose item.json names none was made by a person who took it out.
        func isWithout(_ version: VersionOutline) throws -> Bool {
            try LiveState.documentPath(in: folder.existing(version.name).item) == nil
        }
        let isReplaced = try having.allSatisfy { version in
            try (children[version.name] ?? []).contains { child in
                let new = child.version.content.document
                if new == old { return true }
                return try child.version.parents.count == 1 && (new != nil || isWithout(child.version))
            }
        }
        return !having.isEmpty && isReplaced ? [path] : []
    }

    /// Names objects no more that the packs of a batch lack and that nobody needs.
    ///
    /// - Parameter missing: what these packs still lack.
    func forget(_ needless: Set<String>, besides missing: [Items.ContentHash: [String]], _ batch: PackBatch) {
        if needless.isEmpty { return }
        let packs = Set(batch.packs.map(\.pack))
        let still = Set(missing.values.joined())
            .union(memory.unfinished.filter { !packs.contains($0.pack) }.flatMap(\.missing))
        report.left.removeAll { needless.contains($0.path) && !still.contains($0.path) }
    }
}

extension PackedState {
    /// Whether an object at this path of the exchange holds a file or a bundle of the state.
    fileprivate func names(_ path: String) -> Bool {
        files.contains { $0.isAt(object: path) } || bundles.contains { ExchangeLayout.object($0.sha256, .tar) == path }
    }

    /// Whether this state comes from another one, and has other files in the place of those that an object holds: the document, or the files
    /// of a bundle.
    fileprivate func replaces(_ path: String, of other: PackedState) -> Bool {
        if names(path) || !Set(history).isSuperset(of: other.history) { return false }
        let files = other.files.filter { $0.isAt(object: path) }
        let bundles = other.bundles.filter { ExchangeLayout.object($0.sha256, .tar) == path }
        // A lost document takes no place.
        let documents = other.recordedDocuments, hasDocument = !recordedDocuments.isEmpty
        return files.allSatisfy { hasDocument && documents.contains(Array($0.path.utf8)) }
            && bundles.allSatisfy { bundle in self.bundles.contains { $0.folder == bundle.folder } }
    }
}

extension PackedState.File {
    fileprivate func isAt(object path: String) -> Bool {
        [ExchangeLayout.Form.raw, .zip].contains { ExchangeLayout.object(sha256, $0) == path }
    }
}
