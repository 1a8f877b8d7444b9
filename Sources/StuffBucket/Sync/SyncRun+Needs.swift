internal import Files
internal import Items

/// Writes again what other devices miss in the exchange: Documentation/Exchange.md § 2.
extension SyncRun {
    /// Looks at each head once: as long as a device does not sync, its head asks for the same.
    func answerNeeds(_ found: [ItemID: [UInt8]]) throws {
        let asking = heads.filter { !$0.value.needs.isEmpty }
        let bytes = asking.keys.compactMap { found[$0] }
        let hashes = Set(bytes.map { Items.ContentHash(of: $0) })
        let isNew = !hashes.isSubset(of: memory.answered)
        memory.answered = hashes
        if !isNew { return }
        let needs = Set(asking.values.flatMap(\.needs)).filter { $0.hasPrefix(ExchangeLayout.objects + "/") }
        var rawNames: Set<Items.ContentHash> = []
        var tarNames: Set<Items.ContentHash> = []
        for path in needs {
            let name = path.pathComponents.last ?? ""
            guard let (hash, form) = ExchangeLayout.object(named: name), try !isThere(hash, form) else { continue }
            if form == .tar { tarNames.insert(hash) } else { rawNames.insert(hash) }
        }
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
        // A pack of this device cannot be made again: what all of them held is written once more, and waits for none.
        if !tarNames.isDisjoint(with: memory.packs) {
            memory.packs = []
            known = [:]
            states = [:]
            besides = [:]
            try place.forgetKnown()
            try send()
        }
    }

    /// Whether the exchange has an object with the bytes that its name says.
    private func isThere(_ hash: Items.ContentHash, _ form: ExchangeLayout.Form) throws -> Bool {
        var reason = SyncReport.Reason.notHereYet
        guard let file = try exchange.object(hash, form, &reason) else { return false }
        if form == .tar { return try isSound(hash) }
        var sum = SHA256()
        while let chunk = try? file.readChunk(1 << 20) {
            try monitor.check()
            if chunk.isEmpty { return sum.finish() == hash.hex }
            sum.update(chunk)
        }
        return false
    }

    /// Writes the objects of an item that are among these names, and takes them out.
    private func write(
        _ state: PackedState, _ rawNames: inout Set<Items.ContentHash>, _ tarNames: inout Set<Items.ContentHash>,
        _ writer: ObjectWriter
    ) throws {
        guard let folder = try library.session.folders(of: state.id).first else { return }
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
