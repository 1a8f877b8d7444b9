internal import Items

/// Joins one item that two copies of the library have. Safe from several threads, for different items.
struct ItemMeeting: Sendable {
    /// What came of one item.
    struct Outcome: Sendable {
        enum State: Sendable {
            /// Both have the same.
            case same
            /// The other copy has nothing new, and lacks some of what is here.
            case newer
            /// They differed.
            case joined
            /// Nothing could be joined; `left` says why.
            case left
        }

        var state = State.left
        /// What stayed as it is here.
        var left: [MergeReport.Left] = []
        /// Paths of lost documents, beside the winner now, relative to the library's folder.
        var kept: [String] = []
        /// In the item as it is after the join, if it differed.
        var conflictCount = 0
    }

    private let library: Library
    private let other: ItemStore
    /// Whether nothing is written, and the outcome says what would be.
    private let isDry: Bool

    /// Whether the other copy is what an exchange brought: its devices write no damaged file.
    private let isFromExchange: Bool
    /// Items that programs changed here and whose versions are not looked at yet.
    private let changedHere: Set<ItemID>
    /// Items that are looked at again though no file changed.
    private let unsettled: Set<ItemID>

    private var store: ItemStore { library.store }

    /// - Parameter changed: items whose files differ from the index, and which nobody noted yet.
    init(_ library: Library, _ other: ItemStore, isDry: Bool, isFromExchange: Bool, changed: Set<ItemID>) {
        self.library = library
        self.other = other
        self.isDry = isDry
        self.isFromExchange = isFromExchange
        unsettled = Set(ForeignChanges(library.store)?.read()?.ids ?? [])
        changedHere = isDry ? changed.union(unsettled) : []
    }

    /// - Parameters:
    ///   - ours: the item's folder, relative to the library's.
    ///   - theirs: the same in the other copy.
    ///   - same: files that the other copy lacks because they are the same here.
    func meet(
        _ id: ItemID, ours: String, theirs: String, same: [Version.File] = []
    ) throws(ItemError) -> Outcome {
        let document = same.first { Component(of: $0) == .document }?.path
        guard let there = try other.glance(id, in: theirs, elsewhere: document),
            let here = try store.glance(id, in: ours)
        else {
            return try Outcome(left: [.init(theirs, missingItemFile(ours, theirs) ?? .noVersions)])
        }
        for (store, folder) in [(store, ours), (other, theirs)] {
            if let refusal = try noFolder(in: folder, store) {
                return Outcome(left: [.init(folder, .fault(.refused(refusal)))])
            }
        }
        let own = try other.compareOwnFiles(there, with: store, in: ours)
        func left(_ paths: [String]) -> [MergeReport.Left] { paths.map { .init(ours + "/" + $0, .differs) } }
        if here.looksEqual(there), own.lacked.isEmpty, own.blocked.isEmpty, try !isShowingAnother(id),
            try !hasNews(ours, there)
        {
            // A sync has placed what an exchange brought of them.
            return Outcome(state: .same, left: isFromExchange ? [] : left(own.differing))
        }
        var live = try other.live(there, areOthersWhole: isFromExchange)
        var known: LiveState?
        /// The item here; its files are hashed once.
        func liveHere() throws(ItemError) -> LiveState {
            if let known { return known }
            let found = try store.live(here, known: KnownStates(store)?.read(id).files ?? [])
            known = found
            return found
        }
        if !same.isEmpty {
            let own = try liveHere()
            live = live.adding(same.filter(own.files.contains), of: own)
        }
        if let damage = try damage(here, there, live, liveHere) {
            return Outcome(left: [
                .init((damage.isHere ? ours : theirs) + "/" + damage.path, .damaged(isHere: damage.isHere))
            ])
        }
        if let path = try awayInTheWay(here, live, liveHere) {
            return Outcome(left: [.init(theirs, .fault(.refused(.away(id, path: path))))])
        }
        let state = OtherState(
            copy: OtherCopy(other, folder: theirs), live: live, json: there.stored.json,
            isFromExchange: isFromExchange)
        /// Whether both have the same bytes.
        func isEqual() throws(ItemError) -> Bool {
            if here.looksEqual(there) { return true }
            return try liveHere().hashes == live.hashes
        }
        if isDry {
            var outcome = try preview(here.stored, there.stored, state)
            outcome.left += left(own.differing + own.blocked)
            if outcome.state == .same, !own.lacked.isEmpty { outcome.state = .joined }
            if outcome.state == .same, try !isEqual() { outcome.state = .newer }
            return outcome
        }
        let conflicts = try Set(store.names(in: ours + "/" + Layout.conflicts))
        let meeting = try library.replicas.join(id, in: ours, with: state)
        var outcome = Outcome()
        if !meeting.isJoined { outcome.left.append(.init(theirs, .noVersions)) }
        if meeting.isUnusable { outcome.left.append(.init(theirs, .unusable)) }
        if meeting.isOtherOlder { outcome.left.append(.init(theirs, .older)) }
        outcome.left += left(meeting.differing)
        outcome.left += meeting.refused.map { .init(theirs + "/" + $0, .leftOut(.control)) }
        outcome.kept = meeting.kept.map { ours + "/" + $0 }
        let now = try store.glance(id, in: ours)
        let conflictsNow = try Set(store.names(in: ours + "/" + Layout.conflicts))
        if now?.looksEqual(here) == true, outcome.kept.isEmpty, conflictsNow == conflicts, !meeting.hasOwnFiles {
            if try isEqual() {
                outcome.state = .same
            } else {
                // What could not be joined is named.
                outcome.state = !meeting.isJoined || meeting.isUnusable || meeting.isOtherOlder ? .left : .newer
            }
        } else {
            outcome.state = .joined
            outcome.conflictCount =
                try ConflictFolder(of: ours, in: store).list().conflicts.count
                + (now.map { store.lostDocuments(of: $0.stored).count } ?? 0)
        }
        return outcome
    }

    /// Something else in the place of history/ or conflicts/.
    private func noFolder(in folder: String, _ store: ItemStore) throws(ItemError) -> Refusal? {
        do throws(FileError) {
            guard let name = try store.noFolders(in: folder).first else { return nil }
            let path = folder + "/" + name
            let kind = try store.root.statusIfPresent(of: path)?.kind ?? .regular
            return .wrongKind(path: store.root.full(path), kind, expected: .directory)
        } catch {
            throw .file(error)
        }
    }

    private func missingItemFile(_ ours: String, _ theirs: String) throws(ItemError) -> MergeReport.Reason? {
        do throws(FileError) {
            for (store, folder) in [(other, theirs), (store, ours)]
            where try store.root.statusIfPresent(of: folder + "/" + Layout.itemFile) == nil {
                return .fault(.refused(.noItemFile(folder: store.root.full(folder))))
            }
            return nil
        } catch {
            throw .file(error)
        }
    }

    /// Whether a page or a document is live here that is not of the last state known, though it may look like the one there.
    private func isShowingAnother(_ id: ItemID) throws(ItemError) -> Bool {
        if !unsettled.contains(id) { return false }
        return try !KnownStates(reading: store).read(id).showing.isEmpty
    }

    /// A file of the page or the document that is damaged in one of the copies: both have it with one time of modification, which
    /// no program that saves a file leaves, and one of them alone is as sbfs stored it, or as a version has it.
    private func damage(
        _ here: ItemGlance, _ there: ItemGlance, _ theirs: LiveState, _ ours: () throws(ItemError) -> LiveState
    ) throws(ItemError) -> (path: String, isHere: Bool)? {
        if let path = theirs.damaged.min() { return (path, isHere: false) }
        let suspects = theirs.files.filter { file in
            guard here.away[file.path] == nil, let one = here.statuses[file.path],
                let two = there.statuses[file.path]
            else { return false }
            // It lost its bytes, if the item says that it had some.
            if one.byteCount == 0, two.byteCount > 0 { return true }
            // Each device of an exchange says of its own files what is damaged. The join keeps what such a document replaces.
            if isFromExchange { return false }
            return !KnownFile.isSaved((one.modified, one.byteCount), since: (two.modified, two.byteCount))
        }
        if suspects.isEmpty { return nil }
        let ours = try ours()
        for file in suspects {
            if ours.damaged.contains(file.path) { return (file.path, isHere: true) }
            guard let own = ours.files.first(where: { $0.path == file.path }), own.sha256 != file.sha256 else {
                continue
            }
            // A command may have noted a damaged document in a version, but did not store it.
            for hashes in [storedHashes(here, there), try notedHashes(here, there)]
            where hashes.contains(own.sha256) != hashes.contains(file.sha256) {
                let isHere = !hashes.contains(own.sha256)
                // An empty one that the item records lost nothing, and the other one was saved since.
                if !isHere, own.size == 0, here.statuses[file.path]?.modified != there.statuses[file.path]?.modified {
                    break
                }
                return (file.path, isHere)
            }
        }
        return nil
    }

    /// The hash of the document as sbfs stored it, of both copies.
    private func storedHashes(_ here: ItemGlance, _ there: ItemGlance) -> Set<Items.ContentHash> {
        Set([here, there].compactMap { $0.stored.item.documentSHA256.flatMap { Items.ContentHash(hex: $0.utf8) } })
    }

    /// The hashes of files in the versions of both copies.
    private func notedHashes(_ here: ItemGlance, _ there: ItemGlance) throws(ItemError) -> Set<Items.ContentHash> {
        var hashes: Set<Items.ContentHash> = []
        for (glance, store) in [(here, store), (there, other)] {
            let versions = VersionFolder(of: glance.folder, in: store)
            for name in try versions.names().versions {
                guard case .success(let version)? = try versions.version(name) else { continue }
                hashes.formUnion(version.files.map(\.sha256))
            }
        }
        return hashes
    }

    /// A page or a document that is away and differs from the other one: what loses is kept where its bytes are.
    ///
    /// - Returns: the path of a file of it; `nil` if nothing stands in the way.
    private func awayInTheWay(
        _ here: ItemGlance, _ theirs: LiveState, _ ours: () throws(ItemError) -> LiveState
    ) throws(ItemError) -> String? {
        if here.away.isEmpty { return nil }
        let ours = try ours()
        for component in [Component.page, .document] {
            let own = ours.files.filter { Component(of: $0) == component }
            let other = theirs.files.filter { Component(of: $0) == component }
            guard let file = own.first(where: { here.away[$0.path] != nil }), !other.isEmpty else { continue }
            if own != other { return file.path }
        }
        return nil
    }

    /// What `meet` would do.
    private func preview(
        _ here: StoredItem, _ there: StoredItem, _ state: OtherState
    ) throws(ItemError) -> Outcome {
        guard
            let preview = try library.replicas.preview(
                here.id, in: here.folder, with: state, wasChanged: changedHere.contains(here.id))
        else { return Outcome(left: [.init(there.folder, .noVersions)]) }
        if preview.isUnusable { return Outcome(left: [.init(there.folder, .unusable)]) }
        let before = Set(store.lostDocuments(of: here))
        let lost = before.union(other.lostDocuments(of: there)).filter { !preview.ended.contains($0) }
            .union(preview.kept)
        var outcome = Outcome(state: preview.isChanged || lost != before ? .joined : .same)
        if preview.isOtherOlder {
            outcome.left.append(.init(there.folder, .older))
            if outcome.state == .same { outcome.state = .left }
        }
        outcome.kept = preview.kept.map { here.folder + "/" + $0 }
        if outcome.state == .joined { outcome.conflictCount = preview.conflicts.count + lost.count }
        return outcome
    }

    /// Whether the other item has versions, conflicts, snapshots or lost documents that the one here lacks.
    private func hasNews(_ ours: String, _ there: ItemGlance) throws(ItemError) -> Bool {
        let theirs = there.folder
        let there = try VersionFolder(of: theirs, in: other).names()
        if !there.versions.isEmpty {
            let here = try VersionFolder(of: ours, in: store).names()
            if !Set(there.versions).isSubset(of: here.versions) { return true }
        }
        for folder in [Layout.conflicts, Layout.snapshots] {
            let names = try other.names(in: theirs + "/" + folder)
            if !names.isEmpty, try !Set(names).isSubset(of: store.names(in: ours + "/" + folder)) { return true }
        }
        let lost = try other.names(in: theirs + "/" + Layout.document).filter {
            Layout.isConflictName(Array($0.utf8))
        }
        let missing = try Set(lost).subtracting(store.names(in: ours + "/" + Layout.document))
        if missing.isEmpty { return false }
        // A person deleted them here.
        let ended = try Set(VersionFolder(of: ours, in: store).list().outlines.flatMap(\.resolved))
        let copy = OtherCopy(other, folder: theirs)
        return !missing.allSatisfy { name in
            let path = Layout.document + "/" + name
            return ended.contains(path) && !copy.isEditedLoser(path)
        }
    }
}
