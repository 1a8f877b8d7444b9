internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// Takes packs of other devices: their states become a copy of the library in `.sbfs`, which is joined as any other copy is.
extension SyncRun {
    /// A pack, or an object in it, is waited for so long. Then what came after it is taken without it.
    private static let patienceSeconds: Int64 = 86_400

    func take(_ header: StepHeader) throws {
        var names = Set(memory.packs)
        for packs in memory.taken.values { names.formUnion(packs) }
        forgetUnnamed()
        let isNew = heads.values.contains { !$0.packs.allSatisfy(names.contains) }
        if !isNew, memory.unfinished.isEmpty { return }
        guard let lock = ForeignChanges(store)?.lock() else { throw SyncError.isBusy }
        defer { withExtendedLifetime(lock) {} }
        var header = header
        header.bringsItems = true
        let step = try library.begin(header)
        defer { step.end() }
        try retryUnfinished(names)
        var isProgress = true
        while isProgress {
            isProgress = false
            for (device, head) in heads.sorted(by: { $0.key < $1.key }) {
                for pack in head.packs where !names.contains(pack) {
                    try monitor.check()
                    try exchange.bring(upcoming(head.packs, names))
                    let outcome = try take(pack, of: device, names)
                    if case .waits(let reason) = outcome, isWaitedFor(pack, device, reason) { break }
                    // It may have waited for another head.
                    if case .taken = outcome {
                        let path = ExchangeLayout.object(pack, .tar)
                        report.left.removeAll { $0.path == path }
                    }
                    names.insert(pack)
                    memory.taken[device, default: []].append(pack)
                    isProgress = true
                    if case .taken(let missing) = outcome {
                        finish(pack, device, missing)
                        report.takenPackCount += 1
                        monitor.show(report.takenPackCount)
                    }
                    try saveKnown()
                    try place.write(memory)
                }
            }
        }
    }

    /// Packs of a head that come next; a cloud gives them together.
    private func upcoming(_ packs: [Items.ContentHash], _ names: Set<Items.ContentHash>) -> [String] {
        packs.lazy.filter { !names.contains($0) }.prefix(16).map { ExchangeLayout.object($0, .tar) }
    }

    /// What came of a pack.
    private enum Outcome {
        /// It was joined; the names of objects that are missing, or of items' joins that failed.
        case taken(missing: [String])
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
            let outcome = try take(unfinished.pack, of: unfinished.device, names)
            if case .taken(let missing) = outcome { finish(unfinished.pack, unfinished.device, missing) }
        }
    }

    private func finish(_ pack: Items.ContentHash, _ device: ItemID, _ missing: [String]) {
        let since = memory.unfinished.first { $0.pack == pack }?.since ?? .now
        memory.unfinished.removeAll { $0.pack == pack }
        if !missing.isEmpty {
            memory.unfinished.append(.init(pack: pack, device: device, since: since, missing: missing))
        }
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

    /// A pack that was unpacked.
    private struct Unpacked {
        var header: PackHeader?
        var states: [PackedState] = []
    }

    private func take(
        _ pack: Items.ContentHash, of device: ItemID, _ names: Set<Items.ContentHash>
    ) throws -> Outcome {
        var reason = SyncReport.Reason.notHereYet
        guard let file = try exchange.object(pack, .tar, &reason) else { return .waits(reason) }
        let incoming = try place.emptyIncoming()
        var unpacked = Unpacked()
        let fault = try unpack(file, pack, into: incoming, &unpacked)
        exchange.forgetCopies([ExchangeLayout.object(pack, .tar)])
        if let fault { return .waits(fault) }
        guard let header = unpacked.header else { return .waits(.damaged("")) }
        if !header.after.allSatisfy({ names.contains($0) }) { return .waits(.comesLater) }
        for beside in header.besides {
            if case .tombstone? = ExchangeLayout.place(inPack: beside.path) { continue }
            guard try incoming.statusIfPresent(of: beside.path) != nil else { continue }
            try incoming.fileForWriting(beside.path).setModified(beside.modified)
        }
        return .taken(missing: try join(unpacked, incoming))
    }

    /// - Returns: why the pack cannot be taken; `nil` if it was unpacked and has the hash of its name.
    private func unpack(
        _ file: borrowing Descriptor, _ pack: Items.ContentHash, into incoming: borrowing Directory,
        _ unpacked: inout Unpacked
    ) throws -> SyncReport.Reason? {
        var refusal: ExchangeHead.Refusal?
        let writer = try IncomingWriter(incoming.path)
        var found = Unpacked()
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

    func read(
        _ file: borrowing Descriptor, _ give: (_ path: [UInt8]?, _ bytes: [UInt8]) throws -> Void
    ) throws -> BundleUnpacker.Outcome {
        var failure: FileError?
        let unpacker = try unpacker()
        let outcome = try unpacker.run(
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

    /// The states of a pack; `nil` if it is not there or damaged.
    func states(in pack: Items.ContentHash) throws -> [PackedState]? {
        var reason = SyncReport.Reason.notHereYet
        guard let file = try exchange.object(pack, .tar, &reason) else { return nil }
        let incoming = try place.emptyIncoming()
        defer { place.removeIncoming() }
        var unpacked = Unpacked()
        if try unpack(file, pack, into: incoming, &unpacked) != nil { return nil }
        return unpacked.states
    }

    // MARK: Joining

    /// - Returns: what is missing.
    private func join(_ unpacked: Unpacked, _ incoming: borrowing Directory) throws -> [String] {
        try incoming.writeFile(Layout.libraryFile, store.settings.json.bytes)
        var missing: [String] = []
        var sameHere: [ItemID: [Version.File]] = [:]
        var came: [PackedState] = []
        var here: [ItemID: Set<Version.File>] = [:]
        for state in unpacked.states {
            try monitor.check()
            let folder = Layout.itemFolder(state.id)
            guard try incoming.statusIfPresent(of: folder + "/" + Layout.itemFile) != nil else { continue }
            let own = try ownState(state.id)
            if let own, own.state.contentHash == state.contentHash {
                // Nothing is new.
                remember(state, look: own.look)
                try incoming.directory(Layout.items + "/" + state.id.shard).removeTree(state.id.description)
                continue
            }
            if let object = try bringAway(for: state) {
                missing.append(object)
                try incoming.directory(Layout.items + "/" + state.id.shard).removeTree(state.id.description)
                continue
            }
            try setTimes(state, folder, incoming)
            let files = Set((own?.state.files ?? []).map(\.version))
            here[state.id] = files
            sameHere[state.id] = state.files.map(\.version).filter(files.contains)
            came.append(state)
        }
        let brought = came.flatMap { objects(of: $0, besides: here[$0.id] ?? []) }
        try exchange.bring(brought)
        defer { exchange.forgetCopies(brought) }
        for state in came {
            try monitor.check()
            missing += try fetch(state, Layout.itemFolder(state.id), besides: here[state.id] ?? [], into: incoming)
        }
        let other = try ItemStore(reading: place.incomingPath)
        var merge = CopyMerge(library, other, isDry: false, sameHere: sameHere, monitor)
        let joined = try merge.run()
        report.taken.add(joined)
        for left in joined.left {
            if case .fault = left.reason {
                missing.append(left.path)
                leave(left.path, .itemNotJoined)
            }
        }
        for state in came {
            let own = try ownState(state.id)
            if let own, own.state.contentHash == state.contentHash {
                remember(state, look: own.look)
            } else if let own, let last = self.state(of: state.id), last.contentHash == own.state.contentHash,
                known(of: state.id)?.content == last.contentHash
            {
                // Theirs brought nothing, and perhaps lacks files. The exchange has the item as it is here.
                remember(last, look: own.look)
            } else {
                hold(state)
            }
        }
        if folder.isThin { try makeThin(came.map(\.id)) }
        for beside in unpacked.header?.besides ?? [] {
            let limit = Tombstone.byteLimit
            if let theirs = try incoming.contentsIfPresent(of: beside.path, limit: limit)?.bytes {
                besides[beside.path] = Items.ContentHash(of: theirs)
            }
        }
        return missing
    }

    /// The state of an item here with a look that was taken before it was read; `nil` if it is not here or cannot be read.
    func ownState(_ id: ItemID) throws -> (state: PackedState, look: UInt64)? {
        guard let folder = try library.session.folders(of: id).first,
            let look = try FolderLook.look(of: folder, in: store.root)
        else { return nil }
        do throws(ItemError) {
            guard let found = try reading.read(id, in: folder, last: state(of: id)) else { return nil }
            return (found.state, look.look)
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

    // MARK: Objects

    /// The objects that hold the files of a state that are not here.
    private func objects(of state: PackedState, besides here: Set<Version.File>) -> [String] {
        if !exchange.isCloud { return [] }
        let left = Set(state.leftOut.filter { $0.reason != .name }.map(\.path))
        var paths: Set<String> = []
        for file in state.files where !here.contains(file.version) {
            guard let bundle = PackedState.bundle(of: file.path) else {
                if !left.contains(file.path) { paths.insert(ExchangeLayout.object(file.sha256, .raw)) }
                continue
            }
            if !left.contains(bundle), let name = state.bundles.first(where: { $0.folder == bundle })?.sha256 {
                paths.insert(ExchangeLayout.object(name, .tar))
            }
        }
        return paths.sorted()
    }

    /// Brings the files of a state that are not here.
    ///
    /// - Returns: the names of objects that are not there or damaged.
    private func fetch(
        _ state: PackedState, _ folder: String, besides here: Set<Version.File>, into incoming: borrowing Directory
    ) throws -> [String] {
        var missing: [String] = []
        let left = Set(state.leftOut.filter { $0.reason != .name }.map(\.path))
        var bundles: Set<String> = []
        // A document is found among the files beside it, so they are there together.
        let isInDocument = { (path: String) in path.pathComponents[0] == Layout.document }
        if state.files.contains(where: { isInDocument($0.path) && !here.contains($0.version) }) {
            for file in state.files where isInDocument(file.path) && here.contains(file.version) {
                guard let own = try library.session.folders(of: state.id).first,
                    let source = try store.root.fileIfPresent(own + "/" + file.path)
                else { continue }
                _ = try copy(file, from: source, to: folder, incoming)
            }
        }
        for file in state.files where !here.contains(file.version) {
            if let bundle = PackedState.bundle(of: file.path) {
                if !left.contains(bundle) { bundles.insert(bundle) }
                continue
            }
            if left.contains(file.path) { continue }
            let object = ExchangeLayout.object(file.sha256, .raw)
            var reason = SyncReport.Reason.notHereYet
            guard let source = try rawObject(file.sha256, &reason) else {
                leave(object, reason)
                missing.append(object)
                continue
            }
            if let reason = try copy(file, from: source, to: folder, incoming) {
                leave(object, reason)
                missing.append(object)
            }
        }
        for bundle in bundles.sorted() {
            guard let name = state.bundles.first(where: { $0.folder == bundle })?.sha256 else { continue }
            if let reason = try unpack(name, state.files(ofBundle: bundle), bundle, to: folder, incoming) {
                leave(ExchangeLayout.object(name, .tar), reason)
                missing.append(ExchangeLayout.object(name, .tar))
            }
        }
        return missing
    }

    /// An object that holds one file: as it is, or in a zip file.
    func rawObject(_ hash: Items.ContentHash, _ reason: inout SyncReport.Reason) throws -> Descriptor? {
        if let file = try exchange.object(hash, .raw, &reason) { return file }
        var zipReason = SyncReport.Reason.notHereYet
        guard let zip = try exchange.object(hash, .zip, &zipReason) else { return nil }
        let unpacked = try place.temporaryFile()
        var count = 0
        let outcome = try read(zip) { path, bytes in
            if path != nil { count += 1 }
            if count == 1 { try unpacked.write(bytes) }
        }
        guard case .whole = outcome, count == 1 else {
            reason = .damaged("")
            return nil
        }
        try unpacked.rewind()
        return unpacked
    }

    /// - Returns: why it was not copied.
    func copy(
        _ file: PackedState.File, from source: borrowing Descriptor, to folder: String,
        _ incoming: borrowing Directory
    ) throws -> SyncReport.Reason? {
        let path = folder + "/" + file.path
        try Self.makeFolders(of: path, in: incoming)
        let target = try incoming.createFile(path)
        var hash = SHA256()
        while true {
            try monitor.check()
            let chunk: [UInt8]
            do throws(FileError) {
                chunk = try source.readChunk(1 << 20)
            } catch {
                try Self.remove(path, in: incoming)
                return .damaged(error.description)
            }
            if chunk.isEmpty { break }
            hash.update(chunk)
            try target.write(chunk)
        }
        if hash.finish() != file.sha256.hex {
            try Self.remove(path, in: incoming)
            return .damaged("")
        }
        try target.setModified(file.modified)
        verified.insert(file.sha256)
        return nil
    }

    /// - Returns: why it was not unpacked.
    func unpack(
        _ name: Items.ContentHash, _ files: [PackedState.File], _ bundle: String, to folder: String,
        _ incoming: borrowing Directory
    ) throws -> SyncReport.Reason? {
        let top = bundle.isEmpty ? folder : folder + "/" + bundle
        let writer = try BundleFilesWriter(
            incoming.path, top, files, prefix: bundle.isEmpty ? "" : bundle + "/")
        let reason = try compare(name, writer)
        if reason != nil {
            for file in files where try incoming.statusIfPresent(of: folder + "/" + file.path) != nil {
                try Self.remove(folder + "/" + file.path, in: incoming)
            }
        }
        return reason
    }

    /// Reads a bundle to its end.
    ///
    /// - Returns: why it does not have the hash of its name, or the files that the writer expects.
    func compare(_ name: Items.ContentHash, _ writer: BundleFilesWriter) throws -> SyncReport.Reason? {
        var reason = SyncReport.Reason.notHereYet
        guard let source = try exchange.object(name, .tar, &reason) else { return reason }
        let outcome = try read(source) { path, bytes in
            if let path { try writer.begin(path) } else { try writer.write(bytes) }
        }
        try writer.finish()
        switch outcome {
        case .fault(let fault): return fault.kind == .bomb ? .tooLarge : .damaged(fault.detail)
        case .whole(let sum): if sum.sha256 != name.hex || !writer.isWhole { return .damaged("") }
        }
        verified.insert(name)
        return nil
    }

    static func makeFolders(of path: String, in folder: borrowing Directory) throws(FileError) {
        var made = ""
        for part in path.pathComponents.dropLast() {
            made += (made.isEmpty ? "" : "/") + part
            try folder.makeDirectory(made)
        }
    }

    static func remove(_ path: String, in folder: borrowing Directory) throws(FileError) {
        let parts = path.pathComponents
        try folder.directory(parts.dropLast().joined(separator: "/")).removeFile(parts[parts.count - 1])
    }
}
