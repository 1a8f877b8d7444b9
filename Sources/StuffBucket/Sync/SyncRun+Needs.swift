internal import Files
internal import Items

/// Writes again what is missing or damaged in the exchange: Documentation/Exchange.md § 2.
extension SyncRun {
    /// Looks at each head once: as long as a device does not sync, its head asks for the same. What this device itself
    /// lacks counts each time.
    func answerNeeds(_ found: [ItemID: [UInt8]]) throws {
        let asking = heads.filter { !$0.value.needs.isEmpty }
        // A head may say later again what it said before.
        let hashes = Set(
            asking.keys.compactMap { device in
                found[device].map { Items.ContentHash(of: $0 + Array(exchange.headTime(device).rfc3339.utf8)) }
            })
        let isNew = !hashes.isSubset(of: memory.answered)
        memory.answered = hashes
        let needs = Set(lacked).union(isNew ? asking.values.flatMap(\.needs) : [])
            .filter { $0.hasPrefix(ExchangeLayout.objects + "/") }
        if needs.isEmpty { return }
        var rawNames: Set<Items.ContentHash> = []
        var tarNames: Set<Items.ContentHash> = []
        var waiting: Set<Items.ContentHash> = []
        for path in needs {
            let name = path.pathComponents.last ?? ""
            guard let (hash, form) = ExchangeLayout.object(named: name) else { continue }
            if try isThere(hash, form) {
                if form == .tar { waiting.insert(hash) }
                continue
            }
            if form == .tar { tarNames.insert(hash) } else { rawNames.insert(hash) }
        }
        // They are there and of no use to the devices that ask.
        try addWaitingInVain(waiting, to: &tarNames)
        for (name, packs) in PackLists.byName(of: memory.packs) where rawNames.contains(name) {
            try write(packs)
            rawNames.remove(name)
        }
        if rawNames.isEmpty, tarNames.isEmpty { return try exchange.place(replacing: true) }
        let writer = try objectWriter()
        for shard in try store.shards().names {
            load(shard)
            for id in (known[shard] ?? [:]).keys.sorted() {
                try monitor.check()
                guard let state = state(of: id) else { continue }
                try write(state, &rawNames, &tarNames, writer)
            }
        }
        try exchange.place(replacing: true)
        // A pack cannot be made again: what is here is written once more, and waits for none. The device that wrote it may never
        // come back.
        let ofOthers = Set(memory.taken.values.joined())
        let lost = tarNames.intersection(ofOthers).subtracting(memory.replaced)
        if lost.isEmpty, tarNames.isDisjoint(with: memory.packs) { return }
        try writeAll()
        memory.replaced = memory.replaced.union(lost).intersection(ofOthers)
    }

    /// Whether the exchange has an object with the bytes that its name says.
    func isThere(_ hash: Items.ContentHash, _ form: ExchangeLayout.Form) throws -> Bool {
        try fault(of: hash, form) == nil
    }

    /// - Returns: why an object is of no use; `nil` if it has the bytes that its name says.
    func fault(
        of hash: Items.ContentHash, _ form: ExchangeLayout.Form
    ) throws -> SyncReport.Reason? {
        var reason = SyncReport.Reason.notHereYet
        guard let file = try exchange.object(hash, form, &reason) else { return reason }
        if form == .tar { return try isSound(hash) ? nil : .damaged("") }
        var sum = SHA256()
        while let chunk = try? file.readChunk(1 << 20) {
            try monitor.check()
            if chunk.isEmpty { return sum.finish() == hash.hex ? nil : .damaged("") }
            sum.update(chunk)
        }
        return .damaged("")
    }

    // MARK: What this device lacks

    /// Remembers that an object is missing or damaged: the next sync looks again, writes it if the file is here, and else
    /// asks for it.
    func noteLack(_ path: String) {
        guard path.hasPrefix(ExchangeLayout.objects + "/") else { return }
        let known = Set(place.lacked())
        if !known.contains(path) { try? place.write(lacked: known.union([path]).sorted()) }
    }

    /// Remembers packs of this device that somebody removed from a folder. A cloud would be asked about each.
    func noteLostPacks() throws {
        if exchange.isCloud { return }
        for pack in memory.packs where try exchange.byteCount(pack, .tar) == nil {
            noteLack(ExchangeLayout.object(pack, .tar))
        }
    }

    /// Objects of which this device needs a file and that are of no use now, and why: those of files that are away, as far as
    /// names and sizes tell, and those that were found damaged when they were read.
    func lacks() throws -> [String: SyncReport.Reason] {
        var lacks: [String: SyncReport.Reason] = [:]
        let noted = place.lacked()
        let needed = noted.isEmpty ? [] : try wanted()
        for path in noted where needed.contains(path) {
            guard let (hash, form) = path.pathComponents.last.flatMap(ExchangeLayout.object(named:)) else { continue }
            lacks[path] = try fault(of: hash, form)
        }
        for (id, away) in library.awayRecords() {
            try monitor.check()
            for component in [Component.page, .document] {
                guard let fault = lack(of: away, component), lacks[fault.path] == nil,
                    isExpected(id, away, component)
                else { continue }
                lacks[fault.path] = fault.reason
            }
        }
        return lacks
    }

    /// The objects of items that are here, as the exchange and the records of what is away name them, and all packs that a head names.
    func wanted() throws -> Set<String> {
        var wanted = Set(memory.packs.map { ExchangeLayout.object($0, .tar) })
        for head in heads.values {
            wanted.formUnion(head.packs.map { ExchangeLayout.object($0, .tar) })
            wanted.formUnion(head.lists.map { ExchangeLayout.object($0, .raw) })
        }
        for shard in try Set(place.shards()).union(states.keys) {
            for (id, state) in states[shard] ?? place.states(shard) where try ownFolder(of: id) != nil {
                wanted.formUnion(state.bundles.map { ExchangeLayout.object($0.sha256, .tar) })
                wanted.formUnion(state.files.map { ExchangeLayout.object($0.sha256, .raw) })
            }
        }
        for (_, away) in library.awayRecords() {
            if let bundle = away.bundle { wanted.insert(ExchangeLayout.object(bundle, .tar)) }
            if let document = away.document { wanted.insert(ExchangeLayout.object(document.file.sha256, .raw)) }
        }
        return wanted
    }

    /// Whether this exchange should have what is away of an item: it says so, or no other exchange does.
    private func isExpected(_ id: ItemID, _ away: AwayFiles, _ component: Component) -> Bool {
        if isNamed(away, component, in: state(of: id)) { return true }
        let all = (try? SyncFolder.all(store)) ?? []
        return !all.contains { isNamed(away, component, in: $0.states(id.shard)[id]) }
    }

    /// Whether a state says that its exchange has what is away of a component.
    func isNamed(_ away: AwayFiles, _ component: Component, in state: PackedState?) -> Bool {
        guard let state else { return false }
        let left = Set(state.leftOut.map(\.path))
        if component == .page { return !left.contains("") && state.bundles.contains { $0.sha256 == away.bundle } }
        return state.files.contains { $0.sha256 == away.document?.file.sha256 && !left.contains($0.path) }
    }

    /// Names what is still missing, and remembers it.
    func leaveLacks() throws {
        let still = lacked.isEmpty ? [:] : try lacks()
        for (path, reason) in still.sorted(by: { $0.key < $1.key }) { leave(path, reason) }
        let paths = still.keys.sorted()
        let before = place.lacked()
        if paths != before { try place.write(lacked: paths) }
        try noteLost(Set(paths), wasLacking: !before.isEmpty)
    }

    /// Remembers of which items something that is away is in no exchange, for lists and queries.
    ///
    /// - Parameters:
    ///   - lacked: the objects that this exchange lacks.
    ///   - wasLacking: whether it lacked some before.
    private func noteLost(_ lacked: Set<String>, wasLacking: Bool) throws {
        let others = try SyncFolder.all(store).filter { !$0.isSame(as: place) }
        let othersLack = others.map { Set($0.lacked()) }
        if lacked.isEmpty, !wasLacking, othersLack.allSatisfy(\.isEmpty) { return }
        for (id, away) in library.awayRecords() {
            try monitor.check()
            let isLost = [Component.page, .document].contains { component in
                let hash = component == .page ? away.bundle : away.document?.file.sha256
                guard let hash else { return false }
                let path = ExchangeLayout.object(hash, component == .page ? .tar : .raw)
                if !lacked.contains(path), !othersLack.contains(where: { $0.contains(path) }) { return false }
                if !lacked.contains(path), isNamed(away, component, in: state(of: id)) { return false }
                return !zip(others, othersLack).contains { other, lack in
                    !lack.contains(path) && isNamed(away, component, in: other.states(id.shard)[id])
                }
            }
            if isLost == away.isLost { continue }
            var record = away
            record.isLost = isLost
            try library.session.note(record, of: id)
        }
    }

    /// Names the items that lack the objects that were left.
    func nameLacking() throws {
        let left = Set(report.left.map(\.path))
        if left.isEmpty { return }
        var lacking: [String: (item: ItemID, file: String)] = [:]
        func add(_ hash: Items.ContentHash?, _ form: ExchangeLayout.Form, _ id: ItemID, _ file: String) {
            guard let path = hash.map({ ExchangeLayout.object($0, form) }), left.contains(path) else { return }
            if lacking[path].map({ $0.item <= id }) ?? false { return }
            lacking[path] = (id, file)
        }
        for shard in try Set(place.shards()).union(states.keys) {
            for (id, state) in states[shard] ?? place.states(shard) {
                for bundle in state.bundles {
                    let folder = bundle.folder.isEmpty ? "" : bundle.folder + "/"
                    add(bundle.sha256, .tar, id, folder + Layout.pageFile)
                }
                for file in state.files { add(file.sha256, .raw, id, file.path) }
            }
        }
        for (id, away) in library.awayRecords() {
            add(away.bundle, .tar, id, Layout.pageFile)
            if let document = away.document?.file { add(document.sha256, .raw, id, document.path) }
        }
        for place in report.left.indices { report.left[place].lacking = lacking[report.left[place].path] }
    }

    /// Writes the objects of an item that are among these names, and takes them out.
    private func write(
        _ state: PackedState, _ rawNames: inout Set<Items.ContentHash>, _ tarNames: inout Set<Items.ContentHash>,
        _ writer: ObjectWriter
    ) throws {
        guard let folder = try ownFolder(of: state.id) else { return }
        var state = state
        var folders = Set(state.bundles.filter { tarNames.contains($0.sha256) }.map(\.folder))
        // The state is another device's, which may lack files: packing tells which bundles are those of the files here.
        if known(of: state.id)?.content != state.contentHash, let own = try ownState(state.id)?.state {
            state = own
            if !tarNames.isEmpty { folders = Set(own.files.compactMap { PackedState.bundle(of: $0.path) }) }
        }
        let files = state.files.filter { rawNames.contains($0.sha256) && PackedState.bundle(of: $0.path) == nil }
        if files.isEmpty, folders.isEmpty { return }
        // What changed meanwhile is asked for again.
        let orders =
            files.map { ObjectWriter.Order(state: state, folder: folder, files: [$0]) }
            + folders.sorted().map { ObjectWriter.Order(state: state, folder: folder, bundles: [$0]) }
        for var objects in try writer.write(orders).compactMap(\.self) {
            for other in objects.bundles where !tarNames.contains(other.object.hash) { exchange.discard(other.object) }
            objects.bundles.removeAll { !tarNames.contains($0.object.hash) }
            try keep(objects, nil)
            rawNames.subtract(objects.files.map(\.hash))
            tarNames.subtract(objects.bundles.map(\.object.hash))
        }
    }
}
