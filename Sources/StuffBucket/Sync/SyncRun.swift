internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// One sync of a library with an exchange: what other devices wrote is taken, and then what is new here is written.
///
/// After each pack that was taken, and after each that was written, this device's memory says so: an interrupted sync goes on
/// there.
final class SyncRun {
    let library: Library
    let folder: ExchangeFolder
    let exchange: ExchangeStore
    let place: SyncFolder
    /// Packs and unpacks; `nil` where nothing is.
    private let workerIfAny: CaptureWorker?
    let monitor: Monitor
    let reading: StateReading
    var memory: SyncMemory
    var report = SyncReport()
    /// What the exchange holds, by shard; loaded when first needed.
    var known: [String: [ItemID: SyncFolder.Known]] = [:]
    var states: [String: [ItemID: PackedState]] = [:]
    /// What this device remembers of this exchange from before it was emptied, and of other ones; and the states there that are its own,
    /// by shard, each with the time when the last sync there ended that looked at every item.
    let others: [SyncFolder]
    /// The memories of the exchanges that are named here; `nil` if nobody said which.
    var named: [SyncFolder]?
    var otherStates: [String: [ItemID: (state: PackedState, lookedAt: Timestamp?)]] = [:]
    /// What this device knows of the person's own files; loaded when first needed.
    lazy var ownRecord = OwnFileRecord(store)
    /// Items of which an earlier state was put back since the last sync, and those that were looked at.
    lazy var putBack = (try? PutBackItems(store)?.read()) ?? []
    var putBackSeen: Set<ItemID> = []
    /// Items whose state is written though the exchange has it.
    var toldAgain: Set<ItemID> = []
    /// Whether packs are taken again of which something was missing.
    var isRetrying = false
    /// Files of the person's own that were not joined yet, because nobody knew what they were made of, and what other devices said of
    /// them meanwhile; with the packs that have theirs.
    var deferred: [ItemID: [[UInt8]: [OwnFilePast]]] = [:]
    var deferredPacks: [(pack: Items.ContentHash, device: ItemID)] = []
    /// Items of which a state came that names versions which are not here, as after a purge here that another device took back.
    var lackingHistory: Set<ItemID> = []
    /// Items that are not sent yet, because their documents are those of earlier versions; and those of which the exchange was asked for
    /// the last one.
    var outdated: [OutdatedDocument] = []
    var renewed: Set<ItemID> = []
    /// Whether all packs were taken, so that such files are joined as they are.
    var isJoiningDeferred = false
    /// Whether files come and go here with what git checks out.
    lazy var isWorkTree = library.replicated(by: [".git"]) != nil
    /// The files of items as this device had them before this run took others. A person may rename one of them over another one.
    var earlierFiles: [ItemID: [KnownFile]] = [:]
    /// How many known items were found in a shard; nothing for a shard that was not looked at.
    var knownCounts: [String: Int] = [:]
    /// Shards whose known items changed since they were written.
    var changedShards: Set<String> = []
    var besides: [String: Items.ContentHash]
    /// The heads of other devices that can be used.
    var heads: [ItemID: ExchangeHead] = [:]
    /// What these ask for: paths in the exchange.
    lazy var needed = Set(heads.values.flatMap(\.needs))
    /// The devices with a head in the exchange, also one that cannot be used.
    private(set) var devicesWithHead: Set<ItemID> = []
    /// Whether everything is written once more: such packs follow no other device's.
    var isWritingAll = false
    /// Packs that were taken meanwhile and that no device that joins can take: what they hold is written as well.
    var notForAll: Set<Items.ContentHash> = []
    /// Lists of packs that could not be read: paths in the exchange.
    var lackedLists: [String] = []
    /// Objects of which this device needs a file and that are missing or damaged: paths in the exchange.
    var lacked: [String] = []
    private var hasWrittenHead = false
    /// Items of which this run left files out.
    var leftOutNow: Set<ItemID> = []
    /// Objects that this run read to their ends and found whole.
    var verified: Set<Items.ContentHash> = []
    /// Items that this run did not join whole: a fault ended that, or the exchange lacks an object.
    var unjoined: Set<ItemID> = []
    /// Items that are not thin because of a fault: the next sync tries again.
    var faulted: Set<ItemID> = []
    private var unpackerIfUsed: BundleUnpacker?

    var store: ItemStore { library.store }

    init(
        _ library: Library, _ folder: ExchangeFolder, _ exchange: ExchangeStore, _ place: SyncFolder,
        _ worker: CaptureWorker?, _ monitor: Monitor
    ) {
        self.library = library
        self.folder = folder
        self.exchange = exchange
        self.place = place
        workerIfAny = worker
        self.monitor = monitor
        memory = place.memory() ?? SyncMemory(device: .random())
        report.hasNewDevice = place.hasDamagedMemory()
        besides = place.besides()
        others =
            [try? place.former()].compactMap(\.self)
            + ((try? SyncFolder.all(library.store)) ?? []).filter { !$0.isSame(as: place) }
        reading = StateReading(
            store: library.store, known: KnownStates(library.store),
            byteLimit: library.store.settings.maxFileByteCount)
    }

    func run(_ header: StepHeader) throws -> SyncReport {
        memory.attemptedAt = .now
        // What a sync that was killed copied from a cloud may be cut.
        exchange.removeCopies()
        memory.leftOut.removeAll { left in library.session.isKnownGone(left.id) }
        var found: [ItemID: [UInt8]] = [:]
        if try ItemError.denial({ found = try exchange.heads() }) != nil {
            // Nothing is known of what other devices wrote, nor of what this one did.
            leave(ExchangeLayout.heads, .notReadable)
            try place.write(memory)
            return report
        }
        try lookAtOwnHead(found[memory.device])
        // Its temporary files have this name: a sync that is killed leaves some.
        if place.memory()?.device != memory.device { try place.write(memory, isSynced: true) }
        try readHeads(found)
        try noteInside()
        try library.takeInChanges(monitor, .areNoted)
        try take(header)
        try makeLeftThin()
        if !folder.isReadOnly { try noteLostPacks() }
        lacked = try lacks().keys.sorted()
        // They go with what a sync that was killed left of a cloud.
        if !folder.isReadOnly { exchange.removeLeftovers(of: memory.device) }
        if !memory.outdated.isEmpty { try bringOutdated() }
        if folder.isReadOnly {
            try findOutdated()
            if !outdated.isEmpty {
                try renewOutdated(header)
                if folder.isThin { try makeThin(renewed.sorted()) }
            }
        } else {
            if try nameUnnamed(found) { try writeAll() } else { try send() }
            if !outdated.isEmpty {
                try renewOutdated(header)
                try send()
                if folder.isThin { try makeThin(renewed.sorted()) }
            }
            try answerNeeds(found)
            if !lacked.isEmpty { lacked = try lacks().keys.sorted() }
            // Another program may have brought back an old one.
            let there = found[memory.device].map { Items.ContentHash(of: $0) }
            try writeHead(isNeeded: there != memory.head)
            // If it is gone, the next sync finds that, and writes everything again.
            if hasWrittenHead, try !exchange.hasHead(memory.device) {
                leave(ExchangeLayout.head(memory.device), .notHereYet)
                exchange.forgetSentHead(memory.device)
                // Perhaps nothing was written at all: the next sync writes it again.
                let unlisted = try exchange.unlisted()
                for path in unlisted { noteLack(path) }
                lacked += unlisted
            }
        }
        try leaveOutdated()
        try leaveLacks()
        try nameLacking()
        if !folder.isReadOnly { try nameNotSmallFiles() }
        report.notHeardOf = notHeardOf()
        report.missing = try missingItems()
        if report.left.isEmpty { memory.completedAt = .now }
        if !folder.isReadOnly {
            memory.lookedAt = .now
            memory.beganAt = memory.attemptedAt
        }
        memory.failureCount = 0
        memory.failure = nil
        try saveKnown()
        try place.write(memory)
        place.removeIncoming()
        if !folder.isReadOnly, report.left.isEmpty, report.unreadable.isEmpty { try place.removeFormer() }
        exchange.removeCopies()
        report.leftOut = memory.leftOut.filter { leftOutNow.contains($0.id) }.flatMap { left in
            left.files.map { SyncReport.LeftOutFile(left.id, $0) }
        }
        return report
    }

    /// Removes what has no name yet, here and in the exchange: a disk may be full.
    func removeLeftovers() {
        place.removeIncoming()
        if !folder.isReadOnly { exchange.removeLeftovers(of: memory.device) }
    }

    func worker() throws -> CaptureWorker {
        guard let workerIfAny else { throw CaptureWorker.Failure.noPath }
        return workerIfAny
    }

    func unpacker() throws -> BundleUnpacker {
        if let unpackerIfUsed { return unpackerIfUsed }
        let new = try BundleUnpacker(worker(), byteLimit: ExchangeLayout.unpackedByteLimit, monitor)
        unpackerIfUsed = new
        return new
    }

    // MARK: Heads

    /// The packs of a device that this one knows, in their order.
    func packsKnown(of device: ItemID) -> [Items.ContentHash] {
        device == memory.device ? memory.packs : memory.taken[device] ?? []
    }

    func readHeads(_ found: [ItemID: [UInt8]]) throws {
        devicesWithHead = Set(found.keys)
        for (device, bytes) in found.sorted(by: { $0.key < $1.key }) where device != memory.device {
            do {
                heads[device] = try exchange.head(bytes, of: device, knowing: packsKnown(of: device))
            } catch let refusal as ExchangeHead.Refusal {
                if case .lacks(let list, _) = refusal {
                    let path = ExchangeLayout.object(list, .raw)
                    lackedLists.append(path)
                    leave(path, SyncReport.Reason(refusal))
                } else {
                    leave(ExchangeLayout.head(device), reason(refusal, ofHead: device))
                    // The next sync copies it from a cloud once more: perhaps only the copy is damaged.
                    if case .damaged = refusal { exchange.forgetCopies([ExchangeLayout.head(device)]) }
                }
            }
        }
        report.deviceCount = heads.count
    }

    /// Why a head is not used.
    func reason(_ refusal: ExchangeHead.Refusal, ofHead device: ItemID) -> SyncReport.Reason {
        exchange.mayReadHead(of: device) ? SyncReport.Reason(refusal) : .notReadable
    }

    /// Writes this device's head, if it says something new.
    private func writeHead(isNeeded: Bool) throws {
        let head = head
        let bytes = head.bytes(of: store.settings.id)
        let hash = Items.ContentHash(of: bytes)
        // Another device looks at the needs of each head once, by its bytes and its time. What it wrote may be lost again.
        let isAskedAgain = hash == memory.head && asksForFilesAlone
        if !isNeeded, hash == memory.head, !isAskedAgain || !memory.mayAskAgain { return }
        memory.asked = head.needs.isEmpty ? nil : (.now, isAskedAgain ? (memory.asked?.count ?? 0) + 1 : 0)
        try placeLists()
        memory.nextHead = hash
        try place.write(memory, isSynced: true)
        try exchange.write(bytes, ofHead: memory.device)
        hasWrittenHead = true
        memory.head = hash
        memory.nextHead = nil
        try place.write(memory)
    }

    /// Whether this device lacks objects of files, and no packs: what is asked of packs may make another device write everything once more.
    private var asksForFilesAlone: Bool {
        if lacked.isEmpty || !memory.unfinished.isEmpty || !lackedLists.isEmpty { return false }
        let packs = Set((memory.packs + heads.values.flatMap(\.packs)).map { ExchangeLayout.object($0, .tar) })
        return packs.isDisjoint(with: lacked)
    }

    /// Writes the lists of packs that the head names and the exchange lacks.
    private func placeLists() throws {
        let listed = PackLists.listed(of: memory.packs)
        // All packs are written once more: the lists of before are not named any more.
        if listed.count < memory.listCount { memory.listCount = 0 }
        if listed.count == memory.listCount { return }
        for packs in listed.dropFirst(memory.listCount) { try write(packs) }
        try exchange.place()
        memory.listCount = listed.count
    }

    /// Writes a list, which waits for its name.
    func write(_ packs: ArraySlice<Items.ContentHash>) throws {
        let bytes = PackLists.bytes(of: packs)
        let object = try exchange.newObjects(by: memory.device).create()
        try object.write(bytes)
        exchange.keep(object.written(as: Items.ContentHash(of: bytes), .raw))
    }

    /// Writes this device's head after a pack.
    func writeHead() throws { try writeHead(isNeeded: true) }

    private var head: ExchangeHead {
        var head = ExchangeHead(memory.device)
        head.packs = memory.packs
        for (device, packs) in memory.taken { head.seen[device] = packs.last }
        head.needs = Array(
            Set(memory.unfinished.flatMap { $0.missing.isEmpty ? [ExchangeLayout.object($0.pack, .tar)] : $0.missing })
                .union(lackedLists).union(lacked).union(memory.awaited).filter {
                    $0.hasPrefix(ExchangeLayout.objects + "/")
                }.sorted().prefix(
                    ExchangeLayout.needLimit))
        head.settings = store.settings.json.bytes
        return head
    }

    /// The folder of an item here; `nil` without one, or if its shard may not be read.
    func ownFolder(of id: ItemID) throws -> String? {
        var folder: String?
        let shard = Layout.items + "/" + id.shard
        if try ItemError.denial({ folder = try library.session.folder(of: id) }) != nil {
            leave(shard, .notReadable)
        }
        return folder
    }

    func leave(_ path: String, _ reason: SyncReport.Reason) {
        if !report.left.contains(where: { $0.path == path }) { report.left.append(.init(path, reason)) }
    }

    // MARK: What the exchange holds

    func known(of id: ItemID) -> SyncFolder.Known? {
        load(id.shard)
        return known[id.shard]?[id]
    }

    func state(of id: ItemID) -> PackedState? {
        if states[id.shard] == nil { states[id.shard] = place.states(id.shard) }
        return states[id.shard]?[id]
    }

    /// Whether a state that the exchange holds is that of the item here when it was last read.
    func isOwn(_ state: PackedState?) -> Bool {
        state.map { known(of: $0.id)?.content == $0.contentHash } ?? false
    }

    func load(_ shard: String) { if known[shard] == nil { known[shard] = place.known(shard) } }

    /// Remembers that the exchange holds an item as it is here.
    func remember(_ state: PackedState, look: FolderLook) {
        load(state.id.shard)
        known[state.id.shard]?[state.id] = .init(look: look, content: state.contentHash)
        hold(state)
    }

    /// Remembers a state that the exchange holds.
    func hold(_ state: PackedState) {
        var state = state
        if let old = self.state(of: state.id) {
            if earlierFiles[state.id] == nil { earlierFiles[state.id] = old.recordedFiles }
            state.history = Set(state.history).union(old.history).sorted()
            state.conflicts = Set(state.conflicts).union(old.conflicts).sorted()
        }
        states[state.id.shard]?[state.id] = state
        changedShards.insert(state.id.shard)
    }

    /// Writes what the exchange holds. Only after the head that names it.
    func saveKnown() throws {
        for shard in changedShards.sorted() {
            if let known = known[shard] { try place.write(known, ofShard: shard) }
            if let states = states[shard] { try place.write(states, ofShard: shard) }
        }
        changedShards = []
        if ownRecord.isChanged {
            try ownRecord.write(store) { id in !library.session.isKnownGone(id) }
        }
        try PutBackItems(store)?.remove(putBackSeen)
        putBackSeen = []
        try place.write(besides: besides)
    }
}

extension SyncReport.Reason {
    init(_ refusal: ExchangeHead.Refusal) {
        switch refusal {
        case .damaged: self = .damaged("")
        case .otherLibrary: self = .otherLibrary
        case .tooNew: self = .tooNew
        case .lacks(_, let reason): self = reason
        }
    }
}

extension SyncReport.LeftOutFile {
    init(_ item: ItemID, _ file: PackedState.LeftOut) {
        self.init(item: item, path: file.path, byteCount: file.byteCount, reason: Reason(file.reason))
    }
}
