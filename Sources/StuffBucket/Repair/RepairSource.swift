internal import Files
internal import Items

/// Where the bytes of damaged and missing files may be.
enum RepairSource {
    /// Another copy of the library.
    case copy(ItemStore)
    case exchange(SyncRun)

    /// What it knows of an item; only an exchange knows more than the item's own files.
    func state(of id: ItemID) -> PackedState? {
        if case .exchange(let run) = self { run.state(of: id) } else { nil }
    }

    /// What of an item's files that are away the exchange cannot give: paths below the item's folder. All of it is read, but
    /// not from a cloud.
    func lost(_ stored: StoredItem) throws -> [String] {
        guard case .exchange(let run) = self, let away = stored.away else { return [] }
        return try [Component.page, .document].compactMap { component in
            guard let first = away.files(of: component).first, !run.exchange.isCloud,
                let fault = try run.verify(away, component)
            else { return nil }
            run.noteLack(fault.path)
            return component == .page ? Layout.pageFile : first.file.path
        }
    }

    /// The items that it has.
    func ids() throws -> Set<ItemID> {
        switch self {
        case .copy(let other): return Set(try other.shards().names.flatMap { try other.shard($0).ids })
        case .exchange(let run): return try run.heldIDs()
        }
    }

    /// The items of which it had a tombstone when this device synced last; only an exchange is remembered.
    var purgedIDs: Set<ItemID> {
        guard case .exchange(let run) = self else { return [] }
        return Set(
            run.besides.keys.compactMap { path in
                if case .tombstone(let id)? = ExchangeLayout.place(inPack: path) { id } else { nil }
            })
    }

    /// Brings a file into a folder, at its path there.
    ///
    /// - Returns: whether it has the bytes that are wanted. Otherwise no file is left.
    func bring(_ file: WantedFile, of id: ItemID, into folder: borrowing Directory, _ monitor: Monitor) throws -> Bool {
        if file.digits.isEmpty { return try bringUnrecorded(file, of: id, into: folder, monitor) }
        switch self {
        case .copy(let other): return try Self.bring(file, of: id, from: other, into: folder, monitor)
        case .exchange(let run): return try run.bring(file, of: id, into: folder)
        }
    }

    /// Brings a file of a saved page that is missing and of which no hash is recorded: of the same capture, the other copy has the page.
    private func bringUnrecorded(
        _ file: WantedFile, of id: ItemID, into folder: borrowing Directory, _ monitor: Monitor
    ) throws -> Bool {
        guard case .copy(let other) = self, file.status == nil, let captured = file.capturedAt,
            [Layout.pageFile, Layout.readerFile].contains(file.path),
            let own = try other.folder(of: id), let stored = (try? other.item(id, in: own)) ?? nil,
            stored.capturedAt == captured,
            let source = try? other.root.fileIfPresent(own + "/" + file.path)
        else { return false }
        // As it is there, unless the copy itself knows it to be damaged.
        var records = RecordedFiles(stored, in: other)
        guard let hash = Items.ContentHash(hex: try source.sha256().utf8) else { return false }
        let status = try source.status()
        if try records.damage(Version.File(path: file.path, sha256: hash, size: status.byteCount), status) != nil {
            return false
        }
        let wanted = WantedFile(path: file.path, digits: hash.hex, modified: status.modified, status: nil)
        return try Self.copy(source, as: wanted, into: folder, monitor)
    }

    private static func bring(
        _ file: WantedFile, of id: ItemID, from other: ItemStore, into folder: borrowing Directory, _ monitor: Monitor
    ) throws -> Bool {
        guard let own = try other.folder(of: id) else { return false }
        var paths = [file.path]
        // A document may have another name there.
        if file.path.hasPrefix(Layout.document + "/"),
            let entries = try? other.root.directory(own + "/" + Layout.document).entries()
        {
            paths += entries.compactMap(\.name.string).map { Layout.document + "/" + $0 }
        }
        for path in paths {
            guard let source = try? other.root.fileIfPresent(own + "/" + path) else { continue }
            if try copy(source, as: file, into: folder, monitor) { return true }
        }
        return false
    }

    /// Copies a file and compares its hash.
    static func copy(
        _ source: borrowing Descriptor, as file: WantedFile, into folder: borrowing Directory, _ monitor: Monitor
    ) throws -> Bool {
        guard file.fits(byteCount: try source.status().byteCount) else { return false }
        try SyncRun.makeFolders(of: file.path, in: folder)
        let target = try folder.createFile(file.path)
        var hash = SHA256()
        while let chunk = try? source.readChunk(1 << 20), !chunk.isEmpty {
            try monitor.check()
            hash.update(chunk)
            try target.write(chunk)
        }
        if hash.finish().hasPrefix(file.digits) {
            try target.setModified(file.modified ?? source.status().modified)
            return true
        }
        try SyncRun.remove(file.path, in: folder)
        return false
    }
}

extension SyncRun {
    /// The items of which the exchange holds a state.
    func heldIDs() throws -> Set<ItemID> { Set(try place.shards().flatMap { place.states($0).keys }) }

    fileprivate func bring(_ file: WantedFile, of id: ItemID, into folder: borrowing Directory) throws -> Bool {
        let files = state(of: id)?.files ?? []
        guard let state = state(of: id),
            let held = files.first(where: { $0.path == file.path && $0.sha256.hex.hasPrefix(file.digits) })
                ?? files.first(where: { $0.sha256.hex.hasPrefix(file.digits) })
        else { return try bringUnnamed(file, into: folder) }
        guard let bundle = PackedState.bundle(of: held.path) else {
            var reason = SyncReport.Reason.notHereYet
            if let source = try rawObject(held.sha256, held.size, &reason),
                try RepairSource.copy(source, as: file, into: folder, monitor)
            {
                return true
            }
            if file.digits == held.sha256.hex { noteLack(ExchangeLayout.object(held.sha256, .raw)) }
            return false
        }
        guard let name = state.bundles.first(where: { $0.folder == bundle })?.sha256 else { return false }
        // The whole bundle is read for each of its files: damage is rare.
        let whole = ".bundle"
        defer { try? folder.removeTree(whole) }
        if try unpack(name, state.files(ofBundle: bundle), bundle, to: whole, folder) != nil {
            noteLack(ExchangeLayout.object(name, .tar))
            return false
        }
        guard let source = try folder.fileIfPresent(whole + "/" + held.path)
        else { return false }
        return try RepairSource.copy(source, as: file, into: folder, monitor)
    }

    /// Brings a file that no state names here: a device that lacked it may have written the last one.
    private func bringUnnamed(_ file: WantedFile, into folder: borrowing Directory) throws -> Bool {
        var reason = SyncReport.Reason.notHereYet
        guard let hash = Items.ContentHash(hex: file.digits.utf8),
            let source = try rawObject(hash, store.settings.maxFileByteCount, &reason)
        else { return false }
        return try RepairSource.copy(source, as: file, into: folder, monitor)
    }
}
