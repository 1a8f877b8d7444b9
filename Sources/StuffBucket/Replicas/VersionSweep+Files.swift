internal import Files
internal import Items
internal import JSONFormat
internal import Merge

/// Pages and documents of which one lost: Documentation/Merge.md § 3. history/ does not hold their bytes, so the device that
/// has them keeps them.
extension VersionSweep {
    /// So many earlier joins are looked at, the latest.
    private static let joinLimit = 64

    /// The files that lost in this join, and in those that this device sees for the first time. If another copy is at hand,
    /// in all earlier ones: an interrupted join may have left what it has.
    func losers(_ joined: Joined) throws(ItemError) -> [Merged.Loser] {
        var losers = joined.losers
        let seen = other == nil ? Set(memory.at.flatMap { graph.node(of: $0) }.map(graph.lineage) ?? []) : []
        var places: Set<Int> = []
        for head in graph.heads { places.formUnion(graph.lineage(of: head)) }
        let joins = places.subtracting(seen).filter { graph.versions[$0].parents.count > 1 }
            .sorted { a, b in
                let (one, two) = (graph.versions[a].updatedAt?.milliseconds, graph.versions[b].updatedAt?.milliseconds)
                return (one ?? 0, a) > (two ?? 0, b)
            }
        for place in joins.prefix(Self.joinLimit) {
            let version = try existing(graph.versions[place].name)
            for loser in try graph.joinedParents(of: version, text: text)?.losers ?? []
            where !losers.contains(loser) && !isEnded(loser, in: place) {
                losers.append(loser)
            }
        }
        // One that has only another name than the winner is not lost.
        let winners = Set(joined.state.files.map(\.sha256))
        return losers.filter {
            $0.unit == .page || $0.unit == .document && !$0.files.allSatisfy { winners.contains($0.sha256) }
        }
    }

    /// Keeps what is here and lost: a document beside the winner's place, a page as a snapshot. A copying tool may have
    /// replaced it; then it comes from its second name.
    mutating func keepOwn(_ losers: [Merged.Loser]) throws(ItemError) {
        for loser in losers {
            guard let hash = StateHashes.hash(loser.files) else { continue }
            let second = secondNames(hash)
            if loser.unit == .page {
                let isLive = hash == live.hashes.page
                // An exchange holds one that is away or damaged.
                let absent = live.away.union(live.damaged)
                if isLive, loser.files.contains(where: { absent.contains($0.path) }) { continue }
                guard let stored = try store.item(id, in: folder) else { continue }
                if isLive {
                    try session.keepPage(of: stored, at: now)
                } else if let second, let fields = try archiveFields(of: hash) {
                    try session.keepPage(loser.files, from: second, in: stored, fields, at: now)
                }
            } else {
                for file in loser.files {
                    // A copying program may have brought it beside the winner.
                    let isHere = live.files.contains(file) || !isWorkTree && lies(file)
                    guard let copy = isHere ? OtherCopy(store, folder: folder) : second else { continue }
                    if let path = try session.keepDocument(file, from: copy, isLast: isHere, of: id, in: folder) {
                        kept.append(path)
                    }
                }
            }
        }
    }

    /// item.json of the first version with a page, which says how it was captured; `nil` if no version has it.
    private func archiveFields(of page: Items.ContentHash) throws(ItemError) -> JSONDocument? {
        guard let name = graph.versions(with: .page, page).min(by: { depth($0) < depth($1) }) else { return nil }
        return try? JSONDocument(parsing: JSONWriter.file(.object(existing(name).item)))
    }

    /// Keeps what is live in the other copy and lost, as above.
    mutating func keepOther(_ losers: [Merged.Loser]) throws(ItemError) {
        guard let other else { return }
        for loser in losers {
            if loser.unit == .page {
                if loser.files.isEmpty || loser.files != other.live.files.filter({ Component(of: $0) == .page }) {
                    continue
                }
                guard let stored = try store.item(id, in: folder) else { continue }
                try session.keepPage(loser.files, from: other.copy, in: stored, other.json, at: now)
            } else {
                for file in loser.files where other.live.files.contains(file) {
                    // The device that has it keeps it, too.
                    if let path = try session.keepDocument(
                        file, from: other.copy, isLast: false, of: id, in: folder)
                    {
                        kept.append(path)
                    }
                }
            }
        }
    }

    /// Makes the page and the document of a state live, from the other copy or from their second names, where they are there.
    mutating func bringFiles(_ state: ItemState, _ hashes: StateHashes) throws(ItemError) {
        var isChanged = false
        for component in [Component.page, .document] {
            guard let value = hashes[component], value != live.hashes[component],
                let source = source(of: component, value) ?? formerName(of: component, in: state)
            else { continue }
            // What loses is kept, and the bytes that it had are not here: it is mended first.
            if live.damaged.contains(where: { Component(ofFileAt: $0) == component }) { continue }
            // What no version has is not replaced.
            if let now = live.hashes[component], graph.versions(with: component, now, isCounting: true).isEmpty {
                let isKnown = component == .page ? try isPageUnfinished() : try hasUnrecordedDocument()
                if !isKnown { continue }
            }
            let files = state.files.filter { Component(of: $0) == component }
            // Nothing else may have the bytes of what goes.
            if !isWorkTree { states.keepFiles(of: component, live, of: id, in: store, &memory.files) }
            if try bring(component, files, from: source) {
                try makeNewer(files)
                isChanged = true
            }
        }
        if isChanged { try lookAgain() }
    }

    /// Gives files a modification time in the second after the ones that they replaced, if theirs is not later: a copying
    /// program that takes the newer file would bring the one that lost back. rsync compares whole seconds.
    private func makeNewer(_ files: [Version.File]) throws(ItemError) {
        for file in files where !live.files.contains(file) {
            guard let old = live.statuses[file.path] else { continue }
            do throws(FileError) {
                let new = try store.root.file(folder + "/" + file.path)
                let second: Int64 = 1_000_000_000
                if try new.status().modified / second <= old.modified / second {
                    try new.setModified((old.modified / second + 1) * second)
                }
            } catch {
                // Another program took it away since.
                if error.isAbsent { continue }
                throw .file(error)
            }
        }
    }

    /// Gives files of a page or a document that are here and won the next whole second, if one that lost has the path and the size. If both
    /// were saved in one second, a copying program would take them for the same.
    mutating func setApart(_ state: ItemState, _ losers: [Merged.Loser]) throws(ItemError) {
        if isWorkTree || other != nil || drafts != nil { return }
        let lost = losers.flatMap(\.files)
        let second: Int64 = 1_000_000_000
        var isChanged = false
        for winner in state.files where live.files.contains(winner) && !live.away.contains(winner.path) {
            guard let status = live.statuses[winner.path],
                lost.contains(where: { $0.isAt(winner.path) && $0.size == winner.size && $0.sha256 != winner.sha256 })
            else { continue }
            do throws(FileError) {
                try store.root.file(folder + "/" + winner.path).setModified((status.modified / second + 1) * second)
                isChanged = true
            } catch {
                if !error.isAbsent { throw .file(error) }
            }
        }
        if isChanged { try lookAgain() }
    }

    /// Takes a second off the modification time of files of a page or a document that lost to files of their size, which are not here: saved
    /// in one second, a copying program would take the two for the same, and never bring the others.
    mutating func stepAside(_ component: Component, for state: ItemState) throws(ItemError) {
        if isWorkTree || other != nil || drafts != nil || !component.isOfFiles { return }
        let second: Int64 = 1_000_000_000
        var isChanged = false
        for file in live.files where Component(of: file) == component && !live.away.contains(file.path) {
            let lacks = state.files.contains { $0.isAt(file.path) && $0.size == file.size && $0.sha256 != file.sha256 }
            guard lacks, let status = live.statuses[file.path] else { continue }
            do throws(FileError) {
                try store.root.file(folder + "/" + file.path).setModified(status.modified - second)
                isChanged = true
            } catch {
                if !error.isAbsent { throw .file(error) }
            }
        }
        if isChanged { try lookAgain() }
    }

    mutating func lookAgain() throws(ItemError) {
        guard let now = try store.live(id, in: folder, known: memory.files) else { return }
        live = now
        memory.files = now.knownFiles(after: memory.files)
    }

    /// Where the files of a page or a document may be that are not live; `nil` if they are nowhere.
    private func source(of component: Component, _ hash: Items.ContentHash) -> OtherCopy? {
        if let other, hash == other.live.hashes[component] { return other.copy }
        // What is not here at all was left out of this copy on purpose, unless a folder of before the item had it came back.
        if live.hashes[component] == nil, !isFromBefore(component) { return nil }
        return secondNames(hash)
    }

    /// This copy, if its document has the bytes of a state's under a former name. A copying program brings the new name unless another file
    /// has it here, such as one that lost.
    private func formerName(of component: Component, in state: ItemState) -> OtherCopy? {
        guard component == .document, other == nil, !isWorkTree, drafts == nil,
            let new = state.files.first(where: { Component(of: $0) == .document }),
            let old = live.files.first(where: { Component(of: $0) == .document }),
            old.sha256 == new.sha256, !live.away.contains(old.path), !live.damaged.contains(old.path)
        else { return nil }
        return OtherCopy(store, folder: folder)
    }

    /// Whether the live item.json is that of an earlier version, without such a file, which the last state known came from.
    private func isFromBefore(_ component: Component) -> Bool {
        guard let at = memory.at, !isWorkTree, live.hashes.item != outline(at)?.content.item else { return false }
        let earlier = graph.versions(with: .item, live.hashes.item)
        return !earlier.isEmpty
            && earlier.allSatisfy { outline($0)?.content[component] == nil && graph.isAncestor($0, of: at) }
    }

    /// The second names of the files of a page or a document; `nil` if they have none.
    private func secondNames(_ hash: Items.ContentHash) -> OtherCopy? {
        let folder = KnownStates.keptFolder(hash, of: id)
        let isThere = (try? store.root.statusIfPresent(of: folder)) ?? nil
        return isThere == nil ? nil : OtherCopy(store, folder: folder)
    }

    /// The files of a page or a document by their second names; none unless all are there.
    func secondFiles(_ component: Component, _ hash: Items.ContentHash) -> [Version.File] {
        let folder = KnownStates.keptFolder(hash, of: id)
        var files: [Version.File] = []
        guard let kept = try? store.root.directory(folder) else { return [] }
        for inner in ["", Layout.assets, Layout.document] {
            let names = (try? store.fileNames(in: inner.isEmpty ? folder : folder + "/" + inner)) ?? []
            for name in names {
                let path = inner.isEmpty ? name : inner + "/" + name
                if let file = (try? ItemStore.hashed(path, in: kept)) ?? nil, Component(of: file) == component {
                    files.append(file)
                }
            }
        }
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return StateHashes.hash(files) == hash ? files : []
    }

    /// - Returns: false if the files are not there.
    private mutating func bring(
        _ component: Component, _ files: [Version.File], from copy: OtherCopy
    ) throws(ItemError) -> Bool {
        if component == .page {
            guard let stored = try store.item(id, in: folder) else { return false }
            let earlier = try unfinishedPage()
            let placed = earlier == nil ? [] : live.files.filter(files.contains)
            let alone = placed.filter { earlier?.contains($0) == false }
            return try session.bringPage(
                files, placed: Set(placed.map(\.path)), alone: Set(alone.map(\.path)), from: copy, in: stored, at: now)
        }
        guard files.count == 1 else { return false }
        let old = live.files.first { Component(of: $0) == .document }
        let seen = old.flatMap { file in live.statuses[file.path].map { (file, $0) } }
        if let old, isBeginning(files[0], of: old) || isOfOneTime(files[0], from: copy, as: old),
            let path = try session.keepDocument(
                old, from: OtherCopy(store, folder: folder), isLast: true, of: id, in: folder)
        {
            kept.append(path)
        }
        let former = other == nil && copy.folder == folder ? old : nil
        return try session.bringDocument(files[0], from: copy, named: former, replacing: seen, of: id, in: folder)
    }

    /// Whether the document that comes has the path and the time of the one here, which no program that saves a file leaves. Its device takes
    /// it for an edit, but cannot know it where it remembers nothing: the one here is kept.
    private func isOfOneTime(_ new: Version.File, from copy: OtherCopy, as old: Version.File) -> Bool {
        guard other?.isFromExchange == true, new.isAt(old.path), let own = live.statuses[old.path],
            let came = (try? copy.store.root.statusIfPresent(of: copy.folder + "/" + new.path)) ?? nil
        else { return false }
        return !KnownFile.isSaved((came.modified, new.size), since: (own.modified, old.size))
    }

    /// A shorter document may have one beginning with another by chance.
    private static let cutByteCount = 1024

    /// Whether a document is the beginning of the one here. Perhaps a crash or a full disk cut it, and nobody wanted that: the whole
    /// one is kept.
    private func isBeginning(_ new: Version.File, of old: Version.File) -> Bool {
        guard new.size < old.size, old.size >= Self.cutByteCount,
            let file = try? store.root.file(folder + "/" + old.path)
        else { return false }
        var hash = SHA256()
        var left = new.size
        while left > 0 {
            guard let chunk = try? file.readChunk(min(left, 1 << 20)), !chunk.isEmpty else { return false }
            hash.update(chunk)
            left -= chunk.count
        }
        return hash.finish() == new.sha256.hex
    }
}
