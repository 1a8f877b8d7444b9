internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// Takes packs of other devices: their states become a copy of the library in `.sbfs`, which is joined as any other copy is.
extension SyncRun {
    /// A pack, or an object in it, is waited for so long. Then what came after it is taken without it.
    private static let patienceSeconds: Int64 = 86_400

    func take(_ header: StepHeader) throws {
        let names = memory.names
        forgetUnnamed()
        let isNew = heads.values.contains { !$0.packs.allSatisfy(names.contains) }
        if !isNew, memory.unfinished.isEmpty { return }
        guard let lock = ForeignChanges(store)?.lock() else { throw SyncError.isBusy }
        var header = header
        header.bringsItems = true
        let step = try library.begin(header)
        let outcome = Result { try takeNew(names) }
        // The end of the step looks at versions, and would wait for the lock.
        _ = consume lock
        step.end()
        try outcome.get()
    }

    /// Takes packs that are not taken yet.
    private func takeNew(_ taken: Set<Items.ContentHash>) throws {
        var names = taken
        try retryUnfinished(names)
        var batch = PackBatch()
        // Devices with a pack that is taken without what it follows: so are the later ones.
        var awaited: Set<ItemID> = []
        var isProgress = true
        while isProgress {
            isProgress = false
            for (device, head) in heads.sorted(by: { $0.key < $1.key }) {
                packs: for pack in head.packs where !names.contains(pack) {
                    try monitor.check()
                    try exchange.bring(upcoming(head.packs, names))
                    switch try arrival(of: pack, names, isAwaited: awaited.contains(device)) {
                    case .waits(let reason):
                        if isWaitedFor(pack, device, reason) { break packs }
                        // Those of the batch come before it.
                        try join(&batch)
                        memory.taken[device, default: []].append(pack)
                        try place.write(memory)
                    case .whole(let unpacked):
                        if unpacked.header?.after.allSatisfy(names.contains) != true { awaited.insert(device) }
                        if isWritingAll, let header = unpacked.header, !isForAll(header) { notForAll.insert(pack) }
                        if !batch.canAdd(unpacked) { try join(&batch) }
                        try add(unpacked, pack, device, to: &batch)
                        // It may have waited for another head.
                        let path = ExchangeLayout.object(pack, .tar)
                        report.left.removeAll { $0.path == path }
                        if batch.isFull { try join(&batch) }
                    }
                    names.insert(pack)
                    isProgress = true
                }
            }
        }
        try join(&batch)
        try joinDeferred()
    }

    /// Takes packs once more of which files were not joined yet: no other pack said what those here were made of.
    private func joinDeferred() throws {
        isJoiningDeferred = true
        for (pack, device) in deferredPacks {
            guard case .whole(let unpacked) = try arrival(of: pack, [], isAwaited: true) else { continue }
            var batch = PackBatch()
            try add(unpacked, pack, device, to: &batch)
            let missing = try joined(batch)
            finish(pack, device, missing[pack] ?? [])
        }
        ownRecord.settle()
        try saveKnown()
    }

    /// Packs of a head that come next; a cloud gives them together.
    private func upcoming(_ packs: [Items.ContentHash], _ names: Set<Items.ContentHash>) -> [String] {
        packs.lazy.filter { !names.contains($0) }.prefix(16).map { ExchangeLayout.object($0, .tar) }
    }

    /// What came of reading a pack.
    enum Arrival {
        case whole(UnpackedPack)
        /// It cannot be taken now.
        case waits(SyncReport.Reason)
    }

    /// Waits no more for packs that no head names: their device wrote all of them once more.
    private func forgetUnnamed() {
        let named = Set(heads.values.flatMap(\.packs)).union(memory.packs)
        // The head of a device that cannot be read now may name them.
        memory.unfinished.removeAll { heads[$0.device] != nil && !named.contains($0.pack) }
    }

    /// Tries again what earlier syncs could not take.
    private func retryUnfinished(_ names: Set<Items.ContentHash>) throws {
        for unfinished in memory.unfinished where names.contains(unfinished.pack) {
            guard case .whole(let unpacked) = try arrival(of: unfinished.pack, names) else { continue }
            var batch = PackBatch()
            try add(unpacked, unfinished.pack, unfinished.device, to: &batch)
            let missing = try joined(batch)
            finish(unfinished.pack, unfinished.device, missing[unfinished.pack] ?? [])
        }
    }

    /// Joins the packs of a batch, and remembers that they were taken.
    private func join(_ batch: inout PackBatch) throws {
        if batch.packs.isEmpty { return }
        let missing = try joined(batch)
        for (pack, device) in batch.packs {
            memory.taken[device, default: []].append(pack)
            finish(pack, device, missing[pack] ?? [])
            report.takenPackCount += 1
            monitor.show(report.takenPackCount)
        }
        batch = PackBatch()
        try saveKnown()
        try place.write(memory)
    }

    private func finish(_ pack: Items.ContentHash, _ device: ItemID, _ missing: [String]) {
        let since = memory.unfinished.first { $0.pack == pack }?.since ?? .now
        memory.unfinished.removeAll { $0.pack == pack }
        if !missing.isEmpty {
            memory.unfinished.append(.init(pack: pack, device: device, since: since, missing: missing))
        }
    }

    /// Whether a pack waits for a day: then it is taken without what it follows, which perhaps no head names any more.
    private func wasLongAwaited(_ pack: Items.ContentHash) -> Bool {
        guard let known = memory.unfinished.first(where: { $0.pack == pack }) else { return false }
        return min(known.since, .now).adding(seconds: Self.patienceSeconds) <= .now
    }

    /// - Returns: false if it was waited for long enough.
    private func isWaitedFor(_ pack: Items.ContentHash, _ device: ItemID, _ reason: SyncReport.Reason) -> Bool {
        leave(ExchangeLayout.object(pack, .tar), reason)
        if let known = memory.unfinished.firstIndex(where: { $0.pack == pack }) {
            // A clock that was ahead then must not make the wait longer.
            let since = min(memory.unfinished[known].since, .now)
            memory.unfinished[known].since = since
            // Another program may read it. A clock that jumped ends the wait and loses nothing: it is tried again.
            return reason == .tooNew || since.adding(seconds: Self.patienceSeconds) > .now
        }
        memory.unfinished.append(.init(pack: pack, device: device, since: .now))
        return true
    }

    // MARK: One pack

    /// - Parameter isAwaited: whether what the pack follows was waited for long enough.
    func arrival(
        of pack: Items.ContentHash, _ names: Set<Items.ContentHash>, isAwaited: Bool = false
    ) throws -> Arrival {
        var reason = SyncReport.Reason.notHereYet
        guard let file = try exchange.object(pack, .tar, &reason) else { return .waits(reason) }
        let arriving = try place.emptyArriving()
        var unpacked = UnpackedPack()
        let fault = try unpack(file, pack, into: arriving, &unpacked)
        exchange.forgetCopies([ExchangeLayout.object(pack, .tar)])
        if let fault { return .waits(fault) }
        guard let header = unpacked.header else { return .waits(.damaged("")) }
        if !header.after.allSatisfy({ names.contains($0) }), !isAwaited, !wasLongAwaited(pack) {
            return .waits(.comesLater)
        }
        for beside in header.besides {
            if case .tombstone? = ExchangeLayout.place(inPack: beside.path) { continue }
            guard try arriving.statusIfPresent(of: beside.path) != nil else { continue }
            try arriving.fileForWriting(beside.path).setModified(beside.modified)
        }
        return .whole(unpacked)
    }

    /// Puts what arrived of a pack to the packs of a batch.
    func add(
        _ unpacked: UnpackedPack, _ pack: Items.ContentHash, _ device: ItemID, to batch: inout PackBatch
    ) throws {
        let incoming = batch.packs.isEmpty ? try place.emptyIncoming() : try place.incomingFolder()
        for state in unpacked.states where batch.owners[state.id] != nil {
            // The earlier state had it.
            let folder = Layout.itemFolder(state.id)
            guard try incoming.statusIfPresent(of: folder)?.kind == .directory else { continue }
            let item = try incoming.directory(folder)
            try item.removeTree(Layout.textFile)
            for name in try names(in: Layout.conflicts, of: item) where !state.conflicts.contains(name) {
                try item.directory(Layout.conflicts).removeFile(name)
            }
        }
        try Self.moveAll(from: place.arrivingFolder(), to: incoming)
        batch.add(unpacked, pack, device)
    }

    private func names(in name: String, of item: borrowing Directory) throws -> [String] {
        guard try item.statusIfPresent(of: name)?.kind == .directory else { return [] }
        return try item.directory(name).entries().compactMap(\.name.string)
    }

    /// Moves all files of a folder into another one, over those of the same names.
    private static func moveAll(
        from source: borrowing Directory, to target: borrowing Directory
    ) throws(FileError) {
        for entry in try source.entries() {
            guard let name = entry.name.string else { continue }
            if entry.kind == .directory {
                try target.makeDirectory(name)
                try moveAll(from: source.directory(name), to: target.directory(name))
            } else {
                try source.replace(name, to: target, as: name)
            }
        }
    }

    /// - Returns: why the pack cannot be taken; `nil` if it was unpacked and has the hash of its name.
    private func unpack(
        _ file: borrowing Descriptor, _ pack: Items.ContentHash, into incoming: borrowing Directory,
        _ unpacked: inout UnpackedPack
    ) throws -> SyncReport.Reason? {
        var refusal: ExchangeHead.Refusal?
        let writer = try IncomingWriter(incoming.path)
        var found = UnpackedPack()
        let library = store.settings.id
        func finishFile() throws {
            guard let (place, bytes) = writer.finish() else { return }
            switch place {
            case .pack:
                do throws(ExchangeHead.Refusal) {
                    found.header = try PackHeader(bytes, of: library)
                } catch {
                    refusal = error
                }
            case .state(let id):
                if let state = JSONReading(bytes).flatMap(PackedState.init), state.id == id {
                    found.states.append(state)
                } else {
                    refusal = .damaged
                }
            default: break
            }
        }
        let outcome = try read(file) { path, bytes in
            guard let path else { return try writer.write(bytes) }
            try finishFile()
            try writer.begin(path)
        }
        switch outcome {
        case .fault(let fault): return fault.kind == .bomb ? .tooLarge : .damaged(fault.detail)
        case .whole(let sum): if sum.sha256 != pack.hex { return .damaged("") }
        }
        try finishFile()
        unpacked = found
        return refusal.map { SyncReport.Reason($0) }
    }

    /// - Parameter limit: the file may unpack to so many bytes; `nil` where nothing says how many it should have.
    func read(
        _ file: borrowing Descriptor, limit: Int? = nil, _ give: (_ path: [UInt8]?, _ bytes: [UInt8]) throws -> Void
    ) throws -> BundleUnpacker.Outcome {
        var failure: FileError?
        let unpacker = try unpacker()
        let outcome = try unpacker.run(
            limit: limit,
            {
                do throws(FileError) {
                    return try file.readChunk(1 << 18)
                } catch {
                    // A disk that cannot read it now: the object counts as damaged, and is tried again.
                    failure = error
                    return []
                }
            }, give)
        if let failure { return .fault(.init(.damaged, offset: 0, failure.description)) }
        return outcome
    }

    /// A pack; `nil` if it is not there or damaged.
    func unpacked(_ pack: Items.ContentHash) throws -> UnpackedPack? {
        var reason = SyncReport.Reason.notHereYet
        guard let file = try exchange.object(pack, .tar, &reason) else { return nil }
        let incoming = try place.emptyIncoming()
        defer { place.removeIncoming() }
        var unpacked = UnpackedPack()
        if try unpack(file, pack, into: incoming, &unpacked) != nil { return nil }
        return unpacked
    }

    // MARK: Joining

    /// Joins the items of the packs of a batch.
    ///
    /// - Returns: what is missing, for each pack.
    @discardableResult
    func joined(_ batch: PackBatch) throws -> [Items.ContentHash: [String]] {
        let incoming = try place.incomingFolder()
        try incoming.writeFile(Layout.libraryFile, store.settings.json.bytes)
        var missing: [Items.ContentHash: [String]] = [:]
        func miss(_ paths: [String], of id: ItemID?) {
            guard let pack = id.flatMap({ batch.owners[$0] }) ?? batch.packs.last?.pack, !paths.isEmpty else { return }
            missing[pack, default: []] += paths
        }
        var sameHere: [ItemID: [Version.File]] = [:]
        var came: [PackedState] = []
        var here: [ItemID: Set<Version.File>] = [:]
        var owns: [ItemID: [[UInt8]: OwnFile]] = [:]
        var meetings: [ItemID: [OwnFileMeeting]] = [:]
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
                took(state, look: isTold(files, by: state) ? own.look : 0, batch)
                try incoming.directory(Layout.items + "/" + state.id.shard).removeTree(state.id.description)
                continue
            }
            if let path = damageInTheWay(own, of: state) {
                miss([path], of: state.id)
                try incoming.directory(Layout.items + "/" + state.id.shard).removeTree(state.id.description)
                continue
            }
            if let object = try bringAway(for: state) {
                miss([object], of: state.id)
                try incoming.directory(Layout.items + "/" + state.id.shard).removeTree(state.id.description)
                continue
            }
            try setTimes(state, folder, incoming)
            let versions = Set((own?.state.files ?? []).map(\.version))
            // A name in another form of normalisation is another file.
            let exact = Set((own?.state.files ?? []).map { Array($0.path.utf8) })
            let others = state.files.filter { PackedState.isOwnFile($0.path) && !exact.contains(Array($0.path.utf8)) }
            here[state.id] = versions.subtracting(others.map(\.version))
                .union(met.put)
            owns[state.id] = files
            meetings[state.id] = met.meetings
            if !met.deferred.isEmpty, let pack = batch.owners[state.id],
                let device = batch.packs.first(where: { $0.pack == pack })?.device
            {
                deferredPacks.append((pack, device))
                miss(met.deferred.map { folder + "/" + $0 }, of: state.id)
            }
            sameHere[state.id] = state.files.map(\.version).filter(versions.contains)
            came.append(state)
        }
        var changed: [ItemID] = []
        let brought = came.flatMap { objects(of: $0, besides: here[$0.id] ?? []) }
        try exchange.bring(brought)
        defer { exchange.forgetCopies(brought) }
        for state in came {
            try monitor.check()
            let folder = Layout.itemFolder(state.id)
            let lacked = try fetch(state, folder, besides: here[state.id] ?? [], into: incoming)
            miss(lacked, of: state.id)
            // A file that was renamed goes when it is here under its new name.
            let met = (meetings[state.id] ?? []).filter { lacked.isEmpty || $0.there != nil }
            let followed = try follow(met, of: state.id, incoming)
            if followed.isChanged { changed.append(state.id) }
            for path in followed.refused { leave(folder + "/" + path, .isWritten) }
            miss(followed.refused.map { folder + "/" + $0 }, of: state.id)
        }
        let other = try ItemStore(reading: place.incomingPath)
        var merge = CopyMerge(library, other, isDry: false, sameHere: sameHere, monitor)
        let joined = try merge.run()
        report.taken.add(joined)
        report.taken.joined += changed.filter { !joined.joined.contains($0) }
        for left in joined.left {
            if case .fault = left.reason {
                miss([left.path], of: left.path.pathComponents.lazy.compactMap { ItemID($0) }.first)
                leave(left.path, .itemNotJoined)
            }
        }
        for state in came {
            let own = try ownState(state.id, meeting: state)
            let isSame = own?.state.contentHash == state.contentHash
            var files = owns[state.id] ?? [:]
            if let own {
                files = settled(files, meetings[state.id] ?? [], own.state)
                note(files, of: state.id, isWhole: isSame)
            }
            if let own, isSame {
                took(state, look: isTold(files, by: state) ? own.look : 0, batch)
            } else if let own, let last = self.state(of: state.id), last.contentHash == own.state.contentHash,
                known(of: state.id)?.content == last.contentHash
            {
                // The other device has an older file than the one that it had once: it has to hear of it again.
                if lacks(files, state) { toldAgain.insert(state.id) }
                // Theirs brought nothing, and perhaps lacks files. The exchange has the item as it is here, but for files that
                // were away and that may be here again.
                remember(
                    last,
                    look: last.leftOut.isEmpty && isTold(files, by: last) && !toldAgain.contains(state.id)
                        ? own.look : 0)
            } else {
                hold(state)
            }
        }
        noteInside(came.map(\.id))
        if folder.isThin { try makeThin(came.map(\.id)) }
        for beside in batch.besides {
            let limit = Tombstone.byteLimit
            if let theirs = try incoming.contentsIfPresent(of: beside.path, limit: limit)?.bytes {
                besides[beside.path] = Items.ContentHash(of: theirs)
            }
        }
        return missing
    }

    /// Remembers that a batch brought an item as it is here now.
    private func took(_ state: PackedState, look: UInt64, _ batch: PackBatch) {
        let isForAll = batch.owners[state.id].map { !notForAll.contains($0) } ?? true
        if isForAll { remember(state, look: look) } else { hold(state) }
    }

    /// The state of an item here with a look that was taken before it was read; `nil` if it is not here or cannot be read.
    ///
    /// The look is 0 if files of it are damaged: the next sync reads it again.
    ///
    /// - Parameter other: the state that another device wrote. Where this device had none of the files whole, it tells damage.
    func ownState(
        _ id: ItemID, meeting other: PackedState? = nil
    ) throws -> (state: PackedState, folder: String, look: UInt64, damaged: Set<String>)? {
        guard let folder = try library.session.folders(of: id).first,
            let look = try FolderLook.look(of: folder, in: store.root)
        else { return nil }
        do throws(ItemError) {
            let last = state(of: id)
            var records = records(of: id)
            if records.isEmpty { records = other?.recordedFiles ?? [] }
            guard let found = try reading.read(id, in: folder, last: last, records: records) else { return nil }
            return (found.state, folder, found.needsLook ? 0 : look.look, found.damaged)
        } catch {
            if error.concernsTheDisk { throw error }
            return nil
        }
    }

    private func setTimes(_ state: PackedState, _ folder: String, _ incoming: borrowing Directory) throws {
        try incoming.fileForWriting(folder + "/" + Layout.itemFile).setModified(state.item.modified)
        let text = folder + "/" + Layout.textFile
        if let own = state.text, try incoming.statusIfPresent(of: text) != nil {
            try incoming.fileForWriting(text).setModified(own.modified)
        }
    }
}
