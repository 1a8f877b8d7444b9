internal import Files
internal import Items
internal import JSONFormat

/// Unpacks the packs of other devices.
extension SyncRun {
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

    func names(in name: String, of item: borrowing Directory) throws -> [String] {
        guard try item.statusIfPresent(of: name)?.kind == .directory else { return [] }
        return try item.directory(name).entries().compactMap(\.name.string)
    }

    /// Moves all files of a folder into another one, over those of the same names.
    static func moveAll(
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
}
