internal import Files
internal import Items

/// Joins what packs brought, as the items of another copy of the library.
extension SyncRun {
    /// Joins the items of the packs of a batch.
    ///
    /// - Returns: what is missing, for each pack.
    @discardableResult
    func joined(_ batch: PackBatch) throws -> [Items.ContentHash: [String]] {
        let incoming = try place.incomingFolder()
        let leftOut = Dictionary(memory.leftOut.map { ($0.id, $0.files) }) { first, _ in first }
        try incoming.writeFile(Layout.libraryFile, store.settings.json.bytes)
        var missing: [Items.ContentHash: [String]] = [:]
        func miss(_ paths: [String], of id: ItemID?) {
            if paths.isEmpty { return }
            // Any pack may have brought what is of no item.
            for pack in id.flatMap({ batch.owners[$0] }).map({ [$0] }) ?? batch.packs.map(\.pack) {
                missing[pack, default: []] += paths
            }
        }
        var sameHere: [ItemID: [Version.File]] = [:]
        var came: [PackedState] = []
        // Files that stay on a thin replica, of the items that are joined now or that an interrupted sync joined.
        var stays: [ItemID: Set<Version.File>] = [:]
        var here: [ItemID: Set<Version.File>] = [:]
        var owns: [ItemID: [[UInt8]: OwnFile]] = [:]
        var had: [ItemID: Set<[UInt8]>] = [:]
        var meetings: [ItemID: [OwnFileMeeting]] = [:]
        var pages: [ItemID: (here: Items.ContentHash?, there: Items.ContentHash?)] = [:]
        // Items of which this batch did not bring everything. An earlier pack may lack what this one has.
        var notJoined: Set<ItemID> = []
        for state in batch.states {
            try monitor.check()
            let folder = Layout.itemFolder(state.id)
            guard try incoming.statusIfPresent(of: folder + "/" + Layout.itemFile) != nil else { continue }
            let own = try ownState(state.id, meeting: state)
            let files = try own.map { try ownFiles(of: $0.state, in: $0.folder) } ?? [:]
            let met = ownFileMeetings(files, own?.state, state)
            if let own, own.state.contentHash == state.contentHash {
                // Nothing is new.
                let files = settled(files, met.meetings, own.state)
                note(files, of: state.id, isWhole: true)
                if memory.arriving[state.id] != nil { stays[state.id] = filesHere(own.state) }
                took(
                    state, look: isTold(files, by: state) && isNamed(own.state, leftOut[state.id]) ? own.look : .unread,
                    batch)
                try incoming.directory(Layout.items + "/" + state.id.shard).removeTree(state.id.description)
                continue
            }
            let noFolders =
                try own.map { own in try store.noFolders(in: own.folder).map { own.folder + "/" + $0 } } ?? []
            if !noFolders.isEmpty {
                for path in noFolders { leave(path, .noFolder) }
                miss(noFolders, of: state.id)
                try incoming.directory(Layout.items + "/" + state.id.shard).removeTree(state.id.description)
                continue
            }
            if let path = damageInTheWay(own, of: state) {
                miss([path], of: state.id)
                try incoming.directory(Layout.items + "/" + state.id.shard).removeTree(state.id.description)
                continue
            }
            if self.folder.isThin { stays[state.id] = own.map { filesHere($0.state) } ?? [] }
            if let object = try bringAway(for: state) {
                miss([object], of: state.id)
                try incoming.directory(Layout.items + "/" + state.id.shard).removeTree(state.id.description)
                continue
            }
            try setTimes(state, folder, incoming)
            let versions = Set((own?.state.files ?? []).map(\.version))
            here[state.id] = versions.union(met.put)
            owns[state.id] = files
            had[state.id] = own.map { Set($0.state.ownFiles.keys) }
            meetings[state.id] = met.meetings
            pages[state.id] = (own?.state.page, state.page)
            if !met.deferred.isEmpty, let pack = batch.owners[state.id],
                let device = batch.packs.first(where: { $0.pack == pack })?.device
            {
                deferredPacks.append((pack, device))
                miss(met.deferred.map { folder + "/" + $0 }, of: state.id)
            }
            // A file of the person's own there may be the document here.
            let extras = state.ownFiles
            sameHere[state.id] = state.files.filter { extras[Array($0.path.utf8)] == nil }.map(\.version)
                .filter(versions.contains)
            came.append(state)
        }
        var changed: [ItemID] = []
        /// Prints and pictures change after the page: a snapshot of the page here has those that are here.
        var prints: [ItemID: [OwnFileMeeting]] = [:]
        func follow(_ meetings: [OwnFileMeeting], of id: ItemID, isPageNew: Bool = false) throws {
            let folder = Layout.itemFolder(id)
            let followed = try self.follow(meetings, of: id, incoming, isPageNew: isPageNew)
            if followed.isChanged, !changed.contains(id) { changed.append(id) }
            for (path, reason) in followed.refused { leave(folder + "/" + path, reason) }
            miss(followed.refused.map { folder + "/" + $0.path }, of: id)
        }
        let brought = came.flatMap { objects(of: $0, besides: here[$0.id] ?? []) }
        try exchange.bring(brought)
        defer { exchange.forgetCopies(brought) }
        /// Objects that are missing or damaged, and that nobody needs.
        var needless: Set<String> = []
        for state in came {
            try monitor.check()
            let folder = Layout.itemFolder(state.id)
            var lacked = try fetch(state, folder, besides: here[state.id] ?? [], into: incoming)
            if !lacked.isEmpty, let own = try ownState(state.id, meeting: state) {
                let replaced = try replacedObjects(lacked, of: state, own.state, in: own.folder)
                lacked.removeAll(where: replaced.contains)
                needless.formUnion(replaced)
            }
            miss(lacked, of: state.id)
            if !lacked.isEmpty { notJoined.insert(state.id) }
            // A file that was renamed goes when it is here under its new name.
            let met = (meetings[state.id] ?? []).filter { lacked.isEmpty || $0.there != nil }
            try follow(met.filter { !$0.isOfPrint }, of: state.id)
            prints[state.id] = met.filter(\.isOfPrint)
        }
        if folder.isThin { try noteArriving(came, besides: stays) }
        let other = try ItemStore(reading: place.incomingPath)
        var merge = CopyMerge(library, other, isDry: false, sameHere: sameHere, monitor)
        let joined = try merge.run()
        report.taken.add(joined)
        for left in joined.left {
            switch left.reason {
            case .fault, .leftOut(.notWritable):
                let id = left.path.pathComponents.lazy.compactMap { ItemID($0) }.first
                miss([left.path], of: id)
                if let id { notJoined.insert(id) }
                leave(left.path, .notJoined)
            default: break
            }
        }
        unjoined.formUnion(notJoined)
        for (id, met) in prints where !met.isEmpty && !notJoined.contains(id) {
            var met = met
            if met.contains(where: \.isChange), let before = pages[id], let now = try ownState(id)?.state.page {
                // Of two prints of two new pages, that of the page which stands has the name.
                if before.here != before.there, [before.here, before.there].contains(now) {
                    met = met.map { $0.decided(isOurs: now == before.here) }
                    meetings[id] = (meetings[id] ?? []).map {
                        $0.isOfPrint ? $0.decided(isOurs: now == before.here) : $0
                    }
                }
                try follow(met, of: id, isPageNew: now != before.here)
            } else {
                try follow(met, of: id)
            }
            let paths = met.map { Layout.itemFolder(id) + "/" + $0.path }
            report.taken.left.removeAll { paths.contains($0.path) }
        }
        report.taken.joined += changed.filter { !joined.joined.contains($0) }
        let unread = report.left.filter { $0.reason == .notReadable }.map(\.path)
        report.taken.left.removeAll { unread.contains($0.path) }
        for state in came {
            let own = try ownState(state.id, meeting: state)
            let isSame = own?.state.contentHash == state.contentHash
            if let own { try noteOutdated(own.state, in: own.folder, as: state) }
            if let own, !isWorkTree, !Set(state.history).isSubset(of: own.state.history) {
                lackingHistory.insert(state.id)
            }
            var files = owns[state.id] ?? [:]
            if let own {
                files = settled(files, meetings[state.id] ?? [], own.state)
                if let before = had[state.id] { nameKept(before, own.state) }
                note(files, of: state.id, isWhole: isSame)
                let blocked = try blockedFiles(of: state, own, meetings[state.id] ?? []).map { own.folder + "/" + $0 }
                for path in blocked { leave(path, .inTheWay) }
                miss(blocked, of: state.id)
                report.taken.left.removeAll { blocked.contains($0.path) }
            }
            if let own, isSame {
                let isDone =
                    isTold(files, by: state) && isNamed(own.state, leftOut[state.id])
                    && memory.outdated[state.id] == nil
                took(state, look: isDone ? own.look : .unread, batch)
            } else if let own, let last = self.state(of: state.id), last.contentHash == own.state.contentHash,
                known(of: state.id)?.content == last.contentHash, !state.hasDocument(lackedBy: own.state)
            {
                // The other device has an older file than the one that it had once: it has to hear of it again. What a pack says
                // that was taken before is of then.
                if !isRetrying, lacks(files, state) { toldAgain.insert(state.id) }
                // Theirs brought nothing, and perhaps lacks files. The exchange has the item as it is here, but for files that
                // were away and that may be here again.
                remember(
                    last,
                    look: last.leftOut.isEmpty && isTold(files, by: last) && !toldAgain.contains(state.id)
                        && isNamed(own.state, leftOut[state.id]) ? own.look : .unread)
            } else {
                hold(state)
            }
        }
        try noteHidden(joined.added + joined.joined + changed + batch.besides.compactMap(\.purged))
        noteInside(came.map(\.id))
        if folder.isThin { try makeThin(stays.keys.filter { !unjoined.contains($0) }.sorted(), besides: stays) }
        for beside in batch.besides {
            let limit = Tombstone.byteLimit
            if let theirs = try incoming.contentsIfPresent(of: beside.path, limit: limit)?.bytes {
                besides[beside.path] = Items.ContentHash(of: theirs)
            }
        }
        forget(needless, besides: missing, batch)
        return missing
    }

    /// Whether this device remembers what of an item here cannot travel. Else the item is read once more, and it is named.
    ///
    /// - Parameter known: what the memory says of the item.
    private func isNamed(_ own: PackedState, _ known: [PackedState.LeftOut]?) -> Bool {
        func names(_ files: [PackedState.LeftOut]) -> Set<String> {
            Set(files.filter { !$0.reason.isOfFile }.map(\.path))
        }
        return names(known ?? []) == names(own.leftOut)
    }

    /// Remembers that a batch brought an item as it is here now.
    private func took(_ state: PackedState, look: FolderLook, _ batch: PackBatch) {
        let isForAll = batch.owners[state.id].map { !notForAll.contains($0) } ?? true
        // What the other device left out may be here: then this one writes it. The item is read for that.
        let isLacking = state.leftOut.contains { $0.reason == .away || $0.reason == .tooLarge }
        if isForAll { remember(state, look: isLacking ? .unread : look) } else { hold(state) }
    }

    /// The state of an item here with a look that was taken before it was read; `nil` if it is not here or cannot be read.
    ///
    /// The look is 0 if files of it are damaged: the next sync reads it again.
    ///
    /// - Parameter other: the state that another device wrote. Where this device had none of the files whole, it tells damage.
    func ownState(
        _ id: ItemID, meeting other: PackedState? = nil
    ) throws -> (state: PackedState, folder: String, look: FolderLook, damaged: Set<String>)? {
        guard let folder = try ownFolder(of: id) else { return nil }
        var found: (look: FolderLook, byteCount: Int)?
        // The join of the item says why.
        _ = try ItemError.denial { found = try FolderLook.look(of: folder, in: store.root) }
        guard let look = found, let own = try readOwn(id, in: folder, meeting: other) else { return nil }
        return (own.state, folder, own.needsLook ? .unread : look.look, own.damaged)
    }

    /// - Returns: an item here as it is; `nil` if it cannot be read.
    func readOwn(_ id: ItemID, in folder: String, meeting other: PackedState? = nil) throws -> StateReading.Found? {
        do throws(ItemError) {
            let records = records(of: id)
            return try reading.read(
                id, in: folder, last: state(of: id), records: records ?? other?.recordedFiles ?? [],
                areOthersWhole: records != nil)
        } catch {
            if error.concernsTheDisk { throw error }
            return nil
        }
    }

    func setTimes(_ state: PackedState, _ folder: String, _ incoming: borrowing Directory) throws {
        try incoming.fileForWriting(folder + "/" + Layout.itemFile).setModified(state.item.modified)
        let text = folder + "/" + Layout.textFile
        if let own = state.text, try incoming.statusIfPresent(of: text) != nil {
            try incoming.fileForWriting(text).setModified(own.modified)
        }
    }
}

extension PackedState {
    /// Whether the item is the same, and this state has its document where the other one has none: another device brought it back.
    fileprivate func hasDocument(lackedBy other: PackedState) -> Bool {
        item.sha256 == other.item.sha256 && !recordedDocuments.isEmpty && other.recordedDocuments.isEmpty
    }
}
