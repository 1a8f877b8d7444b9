internal import Files
internal import Items
internal import Merge

/// Lost documents: they lost in a join and lie beside the winner, until a person deletes them: Documentation/Merge.md § 3.
extension VersionSweep {
    /// The conflicts that versions end: paths relative to the item's folder.
    var ended: Set<String> { Set(outlines.flatMap(\.resolved)) }

    /// As `ended`, without documents that lost again since, and without those that somebody edited after they lost, here or in the other
    /// copy: an edit outlives the deletion of what it was made of.
    func endedNow() throws(ItemError) -> Set<String> {
        var found: Set<String> = []
        let copies = [OtherCopy(store, folder: folder)] + [other?.copy].compactMap(\.self)
        for path in ended {
            if Self.isLoser(path) {
                if try !isEnded(path) { continue }
                if copies.contains(where: { $0.isEditedLoser(path) }) { continue }
            }
            found.insert(path)
        }
        return found
    }

    /// Notes that a person deleted a lost document: a version ends the conflict, for other copies too. In a git work tree the
    /// file goes with the checkout.
    mutating func noteDeletedLosers() throws(ItemError) {
        guard !isWorkTree, !hasBroughtBackHistory, let at = memory.at else { return }
        var gone: [String] = []
        for path in memory.lost where status(of: path) == nil && !live.away.contains(path) {
            if try !isEnded(path) { gone.append(path) }
        }
        if !gone.isEmpty { memory.at = try note([:], on: at, resolved: gone.sorted()) }
    }

    /// Whether a person moved a lost document to the winner's place, and so chose it: it is gone under its own name, and no
    /// version that came from elsewhere says the same.
    func hasChosenLoser(_ value: Items.ContentHash) -> Bool {
        guard let document = live.files.first(where: { Component(of: $0) == .document }), let at = memory.at,
            memory.lost.contains(where: { path in
                Layout.tells(path, document.sha256) && status(of: path) == nil
            })
        else { return false }
        return graph.versions(with: .document, value).allSatisfy { graph.isAncestor($0, of: at) }
    }

    /// Whether versions end the conflict of a lost document. One that a person chose again since, and that lost again, is
    /// another conflict.
    ///
    /// - Parameter path: relative to the item's folder.
    private func isEnded(_ path: String) throws(ItemError) -> Bool {
        let ending = outlines.filter { $0.resolved.contains(path) }
        if ending.isEmpty { return false }
        let seen = graph.lineages(of: ending.compactMap { graph.node(of: $0.name) })
        var hasIt: [Items.ContentHash: Bool] = [:]
        for outline in outlines {
            guard let document = outline.content.document, hasIt[document] == nil else { continue }
            hasIt[document] = try existing(outline.name).files.contains {
                Component(of: $0) == .document && Layout.tells(path, $0.sha256)
            }
        }
        func hasDocument(_ place: Int) -> Bool { graph.versions[place].content.document.flatMap { hasIt[$0] } ?? false }
        // A person chose it: it is no loser.
        if graph.heads.contains(where: hasDocument) { return true }
        return graph.counting.allSatisfy { place in
            !hasDocument(place) || seen.contains(place) || graph.origins(of: place).contains(where: hasDocument)
        }
    }

    /// Removes lost documents whose conflicts a version ends. One that was edited since stays.
    func removeEndedLosers() throws(ItemError) {
        for path in ended.sorted() where Self.isLoser(path) && status(of: path) != nil {
            if try !isEnded(path) { continue }
            guard let item = try? store.root.directory(folder),
                let file = (try? ItemStore.hashed(path, in: item)) ?? nil, Layout.tells(path, file.sha256)
            else { continue }
            try session.removeNeedless(path, of: id, in: folder)
        }
    }

    /// Whether a person deleted what lost in a join: a version that comes from the join ends the conflict.
    func isEnded(_ loser: Merged.Loser, in join: Int) -> Bool {
        guard loser.unit == .document, !loser.files.isEmpty else { return false }
        let ending = outlines.filter { outline in
            loser.files.allSatisfy { Self.lostPaths(of: $0).contains(where: outline.resolved.contains) }
        }
        return ending.contains { graph.node(of: $0.name).map { graph.lineage(of: $0).contains(join) } ?? false }
    }

    /// The lost documents that are here now.
    var losersHere: [String] {
        guard let stored = (try? store.item(id, in: folder)) ?? nil else { return memory.lost }
        return store.lostDocuments(of: stored)
    }

    /// Remembers lost documents and conflicts that came after the look.
    mutating func rememberLosers() throws(ItemError) {
        let here = losersHere, conflicts = memory.conflicts
        noteConflicts()
        if here == memory.lost, conflicts == memory.conflicts { return }
        memory.lost = here
        do throws(FileError) {
            try states.write(memory, of: id)
        } catch {
            throw .file(error)
        }
    }

    /// The paths that a document may have if it loses, relative to the item's folder.
    static func lostPaths(of file: Version.File) -> [String] {
        Layout.conflictNames(of: file.path.pathComponents.last ?? "", file.sha256).map { Layout.document + "/" + $0 }
    }

    /// Whether a path from a version is that of a lost document: no other document is removed by its name.
    private static func isLoser(_ path: String) -> Bool {
        let parts = path.pathComponents
        return parts.count == 2 && parts[0] == Layout.document && Directory.isSafe(path)
            && Layout.isConflictName(Array(parts[1].utf8))
    }

    func status(of path: String) -> FileStatus? {
        (try? store.root.statusIfPresent(of: folder + "/" + path)) ?? nil
    }
}

extension OtherCopy {
    /// Whether a lost document is here, and somebody edited it since it lost.
    ///
    /// - Parameter path: relative to the item's folder.
    func isEditedLoser(_ path: String) -> Bool {
        guard let item = try? store.root.directory(folder), let file = (try? ItemStore.hashed(path, in: item)) ?? nil
        else { return false }
        return !Layout.tells(path, file.sha256)
    }
}
