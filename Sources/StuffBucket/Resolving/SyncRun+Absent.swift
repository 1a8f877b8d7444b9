internal import Files
internal import Items

/// Files that are not on this device and that the exchange of a run holds.
extension SyncRun {
    /// The files of an item that are away, or missing though the exchange has them.
    func absent(of stored: StoredItem) throws -> AwayFiles {
        var absent = try store.awayFiles(of: stored)
        guard let state = state(of: stored.id) else {
            if absent.document == nil { absent.document = try forgottenDocument(of: stored) }
            return absent
        }
        if absent.page.isEmpty, let bundle = state.bundles.first(where: { $0.folder.isEmpty }),
            let glance = try store.glance(stored.id, in: stored.folder)
        {
            let page = state.files(ofBundle: "")
            // A page that another program changed is not completed: its files are not those of the exchange.
            if page.contains(where: { glance.statuses[$0.path] == nil }), try isPart(glance, of: page) {
                absent.page = page.map(\.away)
                absent.bundle = bundle.sha256
            }
        }
        if absent.document == nil, let path = stored.item.documentRelativePath, stored.document?.path != path {
            let file = state.files.first { $0.path == path && PackedState.isDocument($0.path) }
            if let file, try !isRenamed(file, stored) { absent.document = file.away }
        }
        if absent.document == nil { absent.document = try forgottenDocument(of: stored) }
        return absent
    }

    /// The document that item.json names with its hash, if it is not here, nothing says where it is, and the exchange has it: `undo` brings
    /// back the name of one that was taken out as lost.
    private func forgottenDocument(of stored: StoredItem) throws -> AwayFiles.File? {
        guard stored.document == nil, let path = stored.item.documentRelativePath, PackedState.isDocument(path),
            let hash = stored.item.documentSHA256.flatMap({ Items.ContentHash(hex: $0.utf8) })
        else { return nil }
        let folder = VersionFolder(of: stored.folder, in: store)
        for name in try folder.names().versions {
            guard case .success(let version)? = try folder.version(name),
                let file = version.files.first(where: { $0.isAt(path) && $0.sha256 == hash })
            else { continue }
            if try fault(of: hash, .raw) != nil { return nil }
            return .init(file, modified: stored.effectiveUpdatedAt.milliseconds * 1_000_000)
        }
        return nil
    }

    /// Whether the document is here under another name. Otherwise another file of document/ counts in its place.
    private func isRenamed(_ file: PackedState.File, _ stored: StoredItem) throws -> Bool {
        guard stored.document != nil, let live = try store.live(stored.id, in: stored.folder) else { return false }
        return live.files.contains { $0.sha256 == file.sha256 }
    }

    /// Whether the files of a page that are here are those of the exchange.
    private func isPart(_ glance: ItemGlance, of page: [PackedState.File]) throws -> Bool {
        let live = try store.live(glance, known: KnownStates(store)?.read(glance.stored.id).files ?? [])
        let theirs = Set(page.map(\.version))
        return live.files.allSatisfy { Component(of: $0) != .page || theirs.contains($0) }
    }

    /// The object that the exchange lacks of what is away of a component, as far as names and sizes tell; `nil` if it has it.
    func lack(of away: AwayFiles, _ component: Component) -> ObjectFault? {
        let hash = component == .page ? away.bundle : away.document?.file.sha256
        guard let hash else { return nil }
        let form = component == .page ? ExchangeLayout.Form.tar : .raw
        // Of a cloud, only reading tells.
        if exchange.isCloud { return nil }
        let path = ExchangeLayout.object(hash, form)
        guard let byteCount = (try? exchange.byteCount(hash, form)) ?? nil else {
            if component == .document, (try? exchange.byteCount(hash, .zip)) ?? nil != nil { return nil }
            return ObjectFault(path: path, reason: .notHereYet)
        }
        let isWhole = component == .page || byteCount == away.documentByteCount
        return isWhole ? nil : ObjectFault(path: path, reason: .damaged(""))
    }

    /// Brings what is away of a component from the exchange.
    ///
    /// - Parameters:
    ///   - folder: the full path of a folder.
    ///   - name: the folder in it that gets the files at their paths.
    /// - Returns: the object that is missing or damaged, and why; `nil` if all files are there, each with its hash.
    func fetch(
        _ away: AwayFiles, _ component: Component, into folder: String, _ name: String
    ) throws -> (path: String, reason: SyncReport.Reason)? {
        let target = try Directory(path: folder)
        if component == .page, let bundle = away.bundle {
            return try unpack(bundle, away.page.map(PackedState.File.init), "", to: name, target).map {
                (ExchangeLayout.object(bundle, .tar), $0)
            }
        }
        guard component == .document, let file = away.document else { return nil }
        let object = ExchangeLayout.object(file.file.sha256, .raw)
        var reason = SyncReport.Reason.notHereYet
        guard let source = try rawObject(file.file.sha256, file.file.size, &reason) else { return (object, reason) }
        return try copy(PackedState.File(file), from: source, to: name, target).map { (object, $0) }
    }

    /// Reads what the exchange has of a component to its end, and makes it durable: a program that replicates the exchange may
    /// have written it a moment ago.
    ///
    /// - Returns: as `fetch`.
    func verify(
        _ away: AwayFiles, _ component: Component
    ) throws -> (path: String, reason: SyncReport.Reason)? {
        if let fault = try compare(away, component) { return fault }
        guard let hash = component == .page ? away.bundle : away.document?.file.sha256 else { return nil }
        let form = component == .page ? ExchangeLayout.Form.tar : .raw
        // What came back from a cloud is on its disks.
        if exchange.isCloud { return nil }
        do {
            var reason = SyncReport.Reason.notHereYet
            try exchange.object(hash, form, &reason)?.sync()
            return nil
        } catch let error as FileError {
            return (ExchangeLayout.object(hash, form), .damaged(error.description))
        }
    }

    /// Reads what the exchange has of a component to its end.
    ///
    /// - Returns: as `fetch`.
    func compare(
        _ away: AwayFiles, _ component: Component
    ) throws -> (path: String, reason: SyncReport.Reason)? {
        if component == .page, let bundle = away.bundle {
            if verified.contains(bundle) { return nil }
            let reason = try compare(
                bundle, BundleFilesWriter(comparing: away.page.map(PackedState.File.init), prefix: ""))
            return reason.map { (ExchangeLayout.object(bundle, .tar), $0) }
        }
        guard component == .document, let file = away.document, !verified.contains(file.file.sha256) else { return nil }
        let object = ExchangeLayout.object(file.file.sha256, .raw)
        var reason = SyncReport.Reason.notHereYet
        guard let source = try rawObject(file.file.sha256, file.file.size, &reason) else { return (object, reason) }
        var hash = SHA256()
        while true {
            try monitor.check()
            let chunk: [UInt8]
            do throws(FileError) {
                chunk = try source.readChunk(1 << 20)
            } catch {
                return (object, .damaged(error.description))
            }
            if chunk.isEmpty { break }
            hash.update(chunk)
        }
        if hash.finish() != file.file.sha256.hex { return (object, .damaged("")) }
        verified.insert(file.file.sha256)
        return nil
    }
}

extension PackedState {
    /// Whether a path below an item's folder is a file in document/.
    static func isDocument(_ path: String) -> Bool {
        let parts = path.pathComponents
        return parts.count == 2 && parts[0] == Layout.document
    }
}

extension PackedState.File {
    init(_ away: AwayFiles.File) {
        self.init(
            path: away.file.path, sha256: away.file.sha256, size: away.file.size, modified: away.modified)
    }

    init(_ file: Version.File, modified: Int64) {
        self.init(path: file.path, sha256: file.sha256, size: file.size, modified: modified)
    }

    /// The file as one that is away.
    var away: AwayFiles.File { .init(version, modified: modified) }
}
