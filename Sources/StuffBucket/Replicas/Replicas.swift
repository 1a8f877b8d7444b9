internal import Files
internal import Items
internal import Synchronization
internal import Time

/// Notes the versions that this device makes, and joins those that other devices made: Documentation/Merge.md.
///
/// A command notes the state that it finds before its first change of an item, and the state that it leaves when its step
/// ends. What other programs changed is noted by the next writing command, or by a daemon.
final class Replicas: ChangeWitness, Sendable {
    let store: ItemStore
    /// Writes without a journal.
    let session: WriteSession
    private let touched = Mutex<[ItemID: Touched]>([:])
    /// How many more bytes of what the step writes are kept.
    private let room = Atomic<Int>(Replicas.keptByteLimit)

    /// An item that the step changed.
    private struct Touched {
        let folder: String
        /// The state before; `nil` if it could not be noted.
        let before: Found?
        /// What was written or removed of item.json and text.md.
        var written: [Component: WrittenFile] = [:]
        /// Conflicts that the step ends: paths relative to the item's folder.
        var resolved: [String] = []
    }

    /// The state that a command finds.
    private struct Found {
        let hashes: StateHashes
        /// The version of the whole state and its text, if it is not written yet: an item that does not change in the end
        /// gets none.
        var unwritten: (version: Version, text: [UInt8]?)?
        /// For each component a version that has its bytes. Mostly they are one; several, if devices met and nothing is
        /// joined yet: the person changes what is live.
        let versions: [Component: Items.ContentHash]

        /// The one version that has the whole state. A page or a document may be of none, while that of the latest version is not
        /// here yet: a version of what is live would take it back.
        let name: Items.ContentHash?

        init(_ hashes: StateHashes, _ name: Items.ContentHash) {
            self.init(hashes, Dictionary(uniqueKeysWithValues: Component.allCases.map { ($0, name) }), name: name)
        }

        init(_ hashes: StateHashes, _ versions: [Component: Items.ContentHash], name: Items.ContentHash?) {
            self.hashes = hashes
            self.versions = versions
            self.name = name
        }
    }

    init(_ session: WriteSession) {
        store = session.store
        self.session = WriteSession(beside: session)
    }

    // MARK: Commands

    func willChange(_ id: ItemID) {
        if touched.withLock({ $0[id] != nil }) { return }
        let own = Layout.itemFolder(id)
        let isOwn = ((try? store.root.statusIfPresent(of: own)) ?? nil)?.kind == .directory
        let folder = isOwn ? own : (try? session.folder(of: id)) ?? own
        // A version that cannot be noted, for example on a full disk, stops no change: a missing version loses nothing.
        let before = (try? found(id, in: folder)) ?? nil
        touched.withLock { if $0[id] == nil { $0[id] = Touched(folder: folder, before: before) } }
    }

    func didWrite(_ name: String, of id: ItemID, _ bytes: [UInt8]?) {
        let hash = bytes.map { Items.ContentHash(of: $0) }
        let count = bytes?.count ?? 0
        let isKept = room.subtract(count, ordering: .relaxed).newValue >= 0
        let component: Component = name == Layout.itemFile ? .item : .text
        touched.withLock { $0[id]?.written[component] = WrittenFile(hash: hash, bytes: isKept ? bytes : nil) }
    }

    /// So much of what a step writes is kept until it ends, in case another program replaces it before: 64 MiB.
    private static let keptByteLimit = 64 << 20

    /// The state that a command finds, noted if it is missing.
    private func found(_ id: ItemID, in folder: String) throws(ItemError) -> Found? {
        guard let states = KnownStates(store) else { return nil }
        var memory = states.read(id)
        guard let live = try SyncFolder.live(id, in: folder, store, &memory.files) else { return nil }
        let versions = VersionFolder(of: folder, in: store)
        if let at = memory.at, case .success(let version)? = try versions.version(at),
            StateHashes(version) == live.hashes, memory.lost.allSatisfy({ isThere(folder + "/" + $0) }),
            memory.conflicts.allSatisfy({ isThere(folder + "/" + Layout.conflicts + "/" + $0) })
        {
            // The index takes what lies there now for the command's own: it finds what came before no more.
            if states.hasNews(id, in: folder, store) { ForeignChanges(store)?.note([id]) }
            return Found(live.hashes, at)
        }
        let isFirst = try versions.names().versions.isEmpty
        let isCompared = isFirst && touched.withLock { $0.count } < Self.comparisonLimit
        let known = isCompared ? KnownBytes(store)?.last(id) : nil
        if isFirst, !wasEdited(live, since: known) {
            // A conflict copy, for example.
            if hasNewEntry(folder, live) { ForeignChanges(store)?.note([id]) }
            let root = live.version([], isAsWritten: known?.isAsWritten ?? false)
            var found = Found(live.hashes, root.name)
            if touched.withLock({ $0.count }) < Self.waitingLimit {
                found.unwritten = (root, live.text)
            } else {
                try session.note(root, text: live.text, of: id, in: folder)
            }
            return found
        }
        // Another program changed something since, or brought something. What came is joined at the end of the step.
        ForeignChanges(store)?.note([id])
        var sweep = try VersionSweep(
            id, in: folder, session, states, KnownBytes(store), isWorkTree: isWorkTree, now: .now)
        guard let explained = try sweep?.explainLive(), let hashes = sweep?.live.hashes else { return nil }
        let name = explained[.item].flatMap { sweep?.outline($0)?.content == hashes ? $0 : nil }
        return Found(hashes, explained, name: name)
    }

    private func isThere(_ path: String) -> Bool { ((try? store.root.statusIfPresent(of: path)) ?? nil) != nil }

    /// So many first versions wait in memory for the end of a step.
    private static let waitingLimit = 1000

    /// So many items of a step are compared with what was known of them: what other programs changed is taken in before
    /// a step, so there is hardly ever one.
    private static let comparisonLimit = 100

    /// Whether an item without versions is not as it was last read.
    private func wasEdited(_ live: LiveState, since known: KnownBytes.Source?) -> Bool {
        if live.hasEditedDocument || live.hasUnnamedDocument || live.hasRenamedDocument { return true }
        guard let known else { return false }
        return known.item != live.itemBytes || known.text != live.text
    }

    /// Whether something came to an item's folder since item.json was written.
    private func hasNewEntry(_ folder: String, _ live: LiveState) -> Bool {
        guard let item = live.status(of: .item), let there = (try? store.root.statusIfPresent(of: folder)) ?? nil else {
            return false
        }
        return there.changed > item.changed + 2_000_000_000
    }

    /// Notes the states that the step left.
    ///
    /// - Parameter resolved: the conflicts that the step ended, for each item: paths relative to its folder.
    func endStep(resolved: [ItemID: [String]]) {
        for (id, paths) in resolved {
            willChange(id)
            touched.withLock { $0[id]?.resolved = paths }
        }
        let items = touched.withLock { touched in
            defer { touched = [:] }
            return touched
        }
        room.store(Self.keptByteLimit, ordering: .relaxed)
        if items.isEmpty { return }
        guard let states = KnownStates(store) else { return }
        let list = Array(items)
        let returned = try? Workers.map(list) { [self] id, item in
            // As above: what is not noted now is noted by the next sweep.
            (try? noteResult(id, item, states)) ?? []
        }
        tell((returned ?? []).flatMap { $0 })
    }

    /// - Returns: files that another program set back before the step.
    private func noteResult(_ id: ItemID, _ item: Touched, _ states: KnownStates) throws(ItemError) -> [Returned] {
        guard let before = item.before else { return [] }
        var memory = states.read(id)
        guard let live = try SyncFolder.live(id, in: item.folder, store, &memory.files) else { return [] }
        memory.files = live.knownFiles(after: memory.files)
        memory.noteSmall(live.smallFiles)
        let replaced = item.written.filter { component, file in
            let bytes = component == .item ? live.itemBytes : live.text
            return bytes.map { Items.ContentHash(of: $0) } != file.hash
        }
        if !replaced.isEmpty {
            ForeignChanges(store)?.note([id])
            guard replaced.values.allSatisfy(\.isWhole) else { return [] }
            return try noteReplaced(id, item, before, replaced, states)
        }
        if let name = before.name {
            if live.hashes == before.hashes, item.resolved.isEmpty {
                if before.unwritten != nil { return [] }
                memory.at = name
                memory.from = nil
                do throws(FileError) {
                    try states.write(memory, of: id)
                } catch {
                    throw .file(error)
                }
                return []
            }
            if let root = before.unwritten {
                try session.note(root.version, text: root.text, of: id, in: item.folder)
            }
            let version = live.version([name], resolved: item.resolved)
            var replaced = live.hashes.replaced(since: before.hashes)
            // Another copy may save the first page, too, and a copying program put that in the place of this one.
            if before.hashes.page == nil { replaced.insert(.page) }
            for component in replaced {
                states.keepFiles(of: component, live, of: id, in: store, &memory.files)
            }
            states.foresee(version.name, on: name, of: id, memory)
            try session.note(version, text: live.text, of: id, in: item.folder)
            let texts = [before.unwritten?.version.text, version.text].compactMap(\.self)
            states.keepHistory([name, version.name], texts, of: id, in: item.folder, store)
            states.confirm(id)
            return []
        }
        var sweep = try VersionSweep(
            id, in: item.folder, session, states, nil, isWorkTree: isWorkTree, now: .now)
        try sweep?.noteChanges(from: before.hashes, before.versions, resolved: item.resolved)
        try run(&sweep, id)
        return returned(by: sweep, id)
    }

    /// Notes what the step left of an item of which another program replaced files since, and joins that program's bytes: they came
    /// from what the step found, or from what it left.
    private func noteReplaced(
        _ id: ItemID, _ item: Touched, _ before: Found, _ replaced: [Component: WrittenFile], _ states: KnownStates
    ) throws(ItemError) -> [Returned] {
        if let root = before.unwritten {
            try session.note(root.version, text: root.text, of: id, in: item.folder)
        }
        var sweep = try VersionSweep(
            id, in: item.folder, session, states, KnownBytes(store), isWorkTree: isWorkTree, now: .now)
        if sweep?.memory.at == nil { sweep?.memory.at = before.name }
        try sweep?.noteChanges(from: before.hashes, before.versions, resolved: item.resolved, replaced)
        try run(&sweep, id)
        return returned(by: sweep, id)
    }

    /// What waits on is looked at by each step, and listed.
    private func run(_ sweep: inout VersionSweep?, _ id: ItemID) throws(ItemError) {
        if try sweep?.run() == true { ForeignChanges(store)?.note([id]) }
    }

    // MARK: Sweeps

    /// What becomes of bytes that no version explains.
    enum Arrivals {
        /// They wait for the history/ that explains them.
        case wait
        /// They are noted on the nearest version.
        case areNoted
    }

    /// Takes in what other programs changed since the last call, of the items that the index found changed.
    ///
    /// - Parameter saves: what programs saved a moment ago; what was replaced before this call is noted.
    /// - Returns: the number of items that were looked at.
    @discardableResult
    func settle(
        _ monitor: Monitor = Monitor(), _ arrivals: Arrivals = .wait, saves: RecentSaves? = nil
    ) throws(ItemError) -> Int {
        guard let list = ForeignChanges(store), saves != nil || !list.isEmpty, let states = KnownStates(store),
            let lock = list.lock()
        else { return 0 }
        defer { withExtendedLifetime(lock) {} }
        let replaced = saves?.takeReplaced() ?? [:]
        // What is not noted stays in memory, also if this call ends before it comes to the item.
        let unnoted = Mutex(replaced)
        defer { for (id, files) in unnoted.withLock({ $0 }) { saves?.keepAgain(files, of: id) } }
        list.note(Array(replaced.keys))
        guard let found = list.read() else { return 0 }
        let isWorkTree = isWorkTree
        let bytes = KnownBytes(store)
        let returned = Mutex<[Returned]>([])
        defer { tell(returned.withLock { $0 }) }
        let done = Atomic<Int>(0), total = found.ids.count
        // By shard: what was known of them is read once for each.
        let groups = Dictionary(grouping: found.ids, by: \.shardNumber).sorted { $0.key < $1.key }.map(\.value)
        let left: [[ItemID]]
        do {
            left = try Workers.map(groups, pieceSize: 1) { [self] group in
                try group.sorted().filter { id in
                    try monitor.check()
                    defer { monitor.show(done.wrappingAdd(1, ordering: .relaxed).newValue, of: total) }
                    do throws(ItemError) {
                        let folder = try session.folder(of: id) ?? Layout.itemFolder(id)
                        let (isLeft, files) = try sweep(
                            id, in: folder, states, bytes, isWorkTree: isWorkTree, arrivals, replaced[id] ?? [:])
                        unnoted.withLock { $0[id] = nil }
                        if !files.isEmpty { returned.withLock { $0 += files } }
                        return isLeft
                    } catch {
                        if case .cancelled = error { throw error }
                        // An item that cannot be read now is looked at again.
                        return true
                    }
                }
            }
        } catch {
            // Nothing else is thrown in there.
            throw error as? ItemError ?? .cancelled
        }
        list.forget(found.byteCount, but: left.flatMap { $0 })
        return total
    }

    /// Whether a join that was interrupted left an item a page that no device saved.
    func isPageUnfinished(_ id: ItemID, in folder: String) throws(ItemError) -> Bool {
        guard let states = KnownStates(store) else { return false }
        let sweep = try VersionSweep(
            id, in: folder, session, states, KnownBytes(store), isWorkTree: isWorkTree, now: .now)
        return try sweep?.isPageUnfinished() ?? false
    }

    /// Joins the versions of an item that other devices brought, and that no step joined yet.
    ///
    /// - Returns: whether there were any, and they are joined.
    func joinArrived(_ id: ItemID, in folder: String) throws(ItemError) -> Bool {
        guard try VersionFolder(of: folder, in: store).names().versions.count > 1, let states = KnownStates(store),
            let lock = ForeignChanges(store)?.lock()
        else { return false }
        defer { withExtendedLifetime(lock) {} }
        var sweep = try VersionSweep(
            id, in: folder, session, states, KnownBytes(store), isWorkTree: isWorkTree, now: .now)
        guard let heads = sweep?.graph.heads.count, heads > 1 else { return false }
        try run(&sweep, id)
        tell(returned(by: sweep, id))
        return sweep?.graph.heads.count == 1
    }

    /// A file that had the bytes of an earlier version, and has the newer ones again.
    private struct Returned {
        let id: ItemID
        let file: String
        let version: Items.ContentHash
    }

    private func returned(by sweep: VersionSweep?, _ id: ItemID) -> [Returned] {
        for notice in sweep?.notices ?? [] { store.tell(notice) }
        return (sweep?.returned ?? []).map { component, version in
            Returned(id: id, file: component == .text ? Layout.textFile : Layout.itemFile, version: version)
        }
    }

    private func tell(_ returned: [Returned]) {
        PutBackItems(store)?.note(Set(returned.map(\.id)).sorted())
        // Of one item the text, which a person sees first.
        guard let first = returned.min(by: { ($0.id, $1.file) < ($1.id, $0.file) }) else { return }
        store.tell(
            .earlierReplaced(
                first.id, file: first.file, version: String(first.version.hex.prefix(8)),
                others: Set(returned.map(\.id)).count - 1))
    }

    /// - Returns: whether the item has to be looked at again though no file changes, and the files that were earlier ones.
    private func sweep(
        _ id: ItemID, in folder: String, _ states: KnownStates, _ bytes: KnownBytes?, isWorkTree: Bool,
        _ arrivals: Arrivals, _ saved: [Component: RecentSaves.Save]
    ) throws(ItemError) -> (isLeft: Bool, returned: [Returned]) {
        if try session.purgeHidden(id, in: folder) {
            states.forget([id])
            return (false, [])
        }
        var sweep = try VersionSweep(
            id, in: folder, session, states, bytes, isWorkTree: isWorkTree, now: .now)
        sweep?.isPatient = arrivals == .wait
        // What git replaced, a person had replaced.
        if !isWorkTree { sweep?.saved = saved }
        let isLeft = try sweep?.run() ?? false
        return (isLeft, returned(by: sweep, id))
    }

    /// Joins small files that a copying program replaced, and the conflict copies of small files.
    ///
    /// - Parameters:
    ///   - withTombstones: whether those of tombstones as well, for which 256 folders are listed.
    ///   - isNoting: whether the small files that are there now are remembered.
    ///   - settled: as for `WriteSession.joinArrivedSmallFiles`.
    func joinCopies(
        withTombstones: Bool, isNoting: Bool = true, settled: [NamedFolder: Int64] = [:]
    ) throws(ItemError) {
        try session.joinArrivedSmallFiles(isNoting: isNoting, settled: settled)
        try session.joinSmallFileCopies()
        if withTombstones { try session.joinTombstoneCopies() }
    }

    /// Whether the library's folder is a work tree of git.
    var isWorkTree: Bool { (try? store.root.statusIfPresent(of: ".git")) ?? nil != nil }
}
