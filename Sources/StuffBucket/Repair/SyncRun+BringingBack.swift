internal import Files
internal import Items
internal import JSONFormat

/// Items that somebody removed by hand, from all packs of an exchange.
extension SyncRun {
    /// Brings versions from packs that were taken before a purge here removed them. Without them, this device would join later edits
    /// otherwise than those that have them.
    func bringLackingHistory() throws {
        if lackingHistory.isEmpty { return }
        let told = report.taken.left
        report.taken.left = []
        // What the packs have besides is from before the state that came.
        defer {
            report.taken.left = told + report.taken.left.filter { if case .older = $0.reason { false } else { true } }
        }
        _ = try bringBack(lackingHistory, smallFiles: [])
        lackingHistory = []
    }

    /// Brings items back that are not here, with their history, or the history of items that are.
    ///
    /// - Parameters:
    ///   - ids: the items.
    ///   - small: files that are wanted besides.
    /// - Returns: the bytes of the latter, by their places, as the exchange has them last; and the states of which it lacks files.
    func bringBack(
        _ ids: Set<ItemID>, smallFiles small: [SmallFile]
    ) throws -> (files: [String: [UInt8]], lacking: [ReturningItems.Lacking]) {
        try readHeads(exchange.heads())
        var lists = heads.mapValues(\.packs)
        lists[memory.device] = memory.packs
        var files: [String: [UInt8]] = [:]
        var names: Set<Items.ContentHash> = []
        var returning = ReturningItems(ids, lists.sorted { $0.key < $1.key }.map(\.value))
        try place.removeReturning()
        // First in the order of the packs, then also those of which an earlier one is lost.
        for isAwaited in [false, true] {
            var isProgress = true
            while isProgress {
                isProgress = false
                for (_, packs) in lists.sorted(by: { $0.key < $1.key }) {
                    for pack in packs where !names.contains(pack) {
                        try monitor.check()
                        guard case .whole(let unpacked) = try arrival(of: pack, names, isAwaited: isAwaited) else {
                            if isAwaited { continue }
                            break
                        }
                        names.insert(pack)
                        isProgress = true
                        try take(small, &files)
                        try setAside(unpacked, pack, &returning)
                    }
                }
            }
        }
        let lacking = try join(returning)
        place.removeIncoming()
        try saveKnown()
        return (files, lacking)
    }

    /// Takes small files out of the pack that arrives, if they are those that the exchange has last.
    private func take(_ small: [SmallFile], _ files: inout [String: [UInt8]]) throws {
        let arriving = try place.arrivingFolder()
        for file in small {
            guard let bytes = try arriving.contentsIfPresent(of: file.place, limit: Version.byteLimit)?.bytes else {
                continue
            }
            let hash = Items.ContentHash(of: bytes)
            let last =
                file.hash ?? (file.isItemFile ? file.id.flatMap { state(of: $0)?.item.sha256 } : besides[file.place])
            if hash == last, file.isWhole(bytes) { files[file.place] = bytes }
        }
    }

    /// Puts aside what the pack that arrives has of items that come back.
    private func setAside(
        _ unpacked: UnpackedPack, _ pack: Items.ContentHash, _ returning: inout ReturningItems
    ) throws {
        returning.note(pack, after: unpacked.header?.after ?? [])
        let arriving = try place.arrivingFolder()
        for state in unpacked.states where returning.ids.contains(state.id) {
            let folder = Layout.itemFolder(state.id)
            guard try arriving.statusIfPresent(of: folder + "/" + Layout.itemFile) != nil else { continue }
            let aside = try place.returningFolder()
            try Self.makeFolders(of: folder + "/" + Layout.itemFile, in: aside)
            let source = try arriving.directory(folder)
            let target = try aside.directory(folder)
            for name in [Layout.itemFile, Layout.textFile] where try source.statusIfPresent(of: name) != nil {
                try source.replace(name, to: target, as: Self.name(name, in: pack))
            }
            for name in [Layout.history, Layout.conflicts] where try source.statusIfPresent(of: name) != nil {
                try target.makeDirectory(name)
                try Self.moveAll(from: source.directory(name), to: target.directory(name))
            }
            try returning.add(state, in: pack) { path, later in
                guard PackedState.isDocument(path) else { return false }
                if PackedState.isLostDocument(path) {
                    try aside.writeFile(Layout.libraryFile, store.settings.json.bytes)
                    let library = try ItemStore(reading: place.returningPath)
                    let versions = try VersionFolder(of: folder, in: library).list().outlines
                    return versions.contains { $0.resolved.contains(path) }
                }
                return try documentPath(of: later, in: target) != path
            }
        }
    }

    /// The path of the document that the item.json of a state names; `nil` if it names none.
    private func documentPath(of newest: ReturningItems.Newest, in folder: borrowing Directory) throws -> String? {
        let name = Self.name(Layout.itemFile, in: newest.pack)
        guard let bytes = try folder.contentsIfPresent(of: name, limit: Version.byteLimit)?.bytes,
            let json = try? JSONDocument(parsing: bytes)
        else { return nil }
        var faults: [FieldFault] = []
        return Item(id: newest.state.id, json: json, faults: &faults).documentRelativePath
    }

    /// The name of a file of a state while it is aside.
    private static func name(_ file: String, in pack: Items.ContentHash) -> String { pack.hex + "." + file }

    /// Joins the newest states of items that come back, with all of their versions.
    ///
    /// - Returns: those of which the exchange lacks files.
    private func join(_ returning: ReturningItems) throws -> [ReturningItems.Lacking] {
        var lacking: [ReturningItems.Lacking] = []
        var number = 0
        while case let states = returning.round(number), !states.isEmpty {
            for start in stride(from: 0, to: states.count, by: PackBatch.itemLimit) {
                let group = states[start..<min(start + PackBatch.itemLimit, states.count)]
                let incoming = try place.emptyIncoming()
                for newest in group { try bring(newest, to: incoming) }
                var batch = PackBatch()
                batch.add(UnpackedPack(states: group.map(\.state)), group[start].pack, memory.device)
                let missing = Set(try joined(batch).values.joined())
                lacking += group.compactMap { ReturningItems.Lacking($0, missing) }
            }
            number += 1
        }
        try place.removeReturning()
        return lacking
    }

    /// Lets the next syncs take the packs of states again until the files that the exchange lacks are there, and ask other devices for
    /// these.
    func awaitFiles(of lacking: [ReturningItems.Lacking]) throws {
        if lacking.isEmpty { return }
        for state in lacking {
            let device = heads.first { $0.value.packs.contains(state.pack) }?.key ?? memory.device
            let known = memory.unfinished.first { $0.pack == state.pack }?.missing ?? []
            finish(state.pack, device, Set(known).union(state.objects).sorted())
        }
        try place.write(memory)
    }

    /// Moves what was put aside of an item to what comes.
    private func bring(_ newest: ReturningItems.Newest, to incoming: borrowing Directory) throws {
        let folder = Layout.itemFolder(newest.state.id)
        try Self.makeFolders(of: folder + "/" + Layout.itemFile, in: incoming)
        let source = try place.returningFolder().directory(folder)
        let target = try incoming.directory(folder)
        for name in [Layout.itemFile, Layout.textFile] {
            let aside = Self.name(name, in: newest.pack)
            if try source.statusIfPresent(of: aside) != nil { try source.replace(aside, to: target, as: name) }
        }
        for (folder, isWanted) in [
            (Layout.history, { _ in true }), (Layout.conflicts, { Set(newest.state.conflicts).contains($0) }),
        ] as [(String, (String) -> Bool)] where try source.statusIfPresent(of: folder) != nil {
            try target.makeDirectory(folder)
            for name in try names(in: folder, of: source) where isWanted(name) {
                try source.directory(folder).replace(name, to: target.directory(folder), as: name)
            }
        }
    }
}
