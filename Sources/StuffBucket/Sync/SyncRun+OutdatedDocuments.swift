internal import Files
internal import Items

/// Items whose document here is that of an earlier version, and the exchange has the last one's: a program that copies, or a person,
/// put the files of before back.
///
/// The bytes of the last version's document are nowhere here, so that this device cannot bring them back by itself.
extension SyncRun {
    struct OutdatedDocument {
        let found: StateReading.Found
        /// The document here, if there is one.
        let path: String?
        /// The document of the last version.
        let newer: PackedState.File
    }

    /// - Parameter last: the state that the exchange has of the item.
    /// - Returns: `nil` if the document here is no earlier one, the exchange has not the last one, or it was looked for already.
    func outdatedDocument(_ found: StateReading.Found, _ last: PackedState?) throws -> OutdatedDocument? {
        let id = found.state.id, own = found.state.document
        if memory.outdated[id] == nil {
            guard let own, let newer = last?.document, newer.sha256 != own.sha256 else { return nil }
        }
        guard own != nil || found.state.recordedDocuments.isEmpty, !found.away.contains(where: PackedState.isDocument),
            !renewed.contains(id), let version = try laterDocument(than: own, of: found.state, in: found.folder)
        else { return nil }
        if let newer = last?.document, newer.version == version {
            if last?.leftOut.contains(where: { $0.path == newer.path }) ?? false { return nil }
            return OutdatedDocument(found: found, path: own?.path, newer: newer)
        }
        // No state has it: a device waited for it when it wrote the item.
        if try !isHere(version) { return nil }
        return OutdatedDocument(
            found: found, path: own?.path, newer: .init(version, modified: found.state.item.modified))
    }

    /// Remembers that the item here has an earlier document than that of its last version, or none, as another device wrote it that waits
    /// for that one: its head asks for the document.
    ///
    /// - Parameter state: what the other device wrote.
    func noteOutdated(_ own: PackedState, in folder: String, as state: PackedState) throws {
        if needed.isEmpty || store.awayRecord(of: own.id)?.document != nil { return }
        guard own.document != nil || own.recordedDocuments.isEmpty,
            let version = try laterDocument(than: own.document, of: own, in: folder),
            needed.contains(ExchangeLayout.object(version.sha256, .raw)),
            !state.files.contains(where: { $0.sha256 == version.sha256 }),
            !state.leftOut.contains(where: { PackedState.isDocument($0.path) }),
            !others.contains(where: { $0.memory()?.awaits(version.sha256) ?? false })
        else { return }
        memory.outdated[own.id] = version.sha256
    }

    /// Copies those documents from a cloud, which are looked for in this run.
    func bringOutdated() throws {
        try exchange.bring(memory.outdated.values.map { ExchangeLayout.object($0, .raw) }.sorted())
    }

    /// Looks for them in a read-only exchange, for which no item is read to be sent.
    func findOutdated() throws {
        for id in memory.outdated.keys.sorted() {
            guard let folder = try ownFolder(of: id), let found = try readOwn(id, in: folder),
                let document = try outdatedDocument(found, nil)
            else { continue }
            outdated.append(document)
        }
    }

    /// Names documents that are still to come, and forgets those that an item needs no more.
    func leaveOutdated() throws {
        for (id, hash) in memory.outdated.sorted(by: { $0.key < $1.key }) {
            guard store.awayRecord(of: id)?.document == nil, let own = try ownState(id),
                own.state.document != nil || own.state.recordedDocuments.isEmpty,
                let version = try laterDocument(than: own.state.document, of: own.state, in: own.folder),
                version.sha256 == hash
            else {
                memory.outdated[id] = nil
                continue
            }
            if try !isHere(version) { leave(ExchangeLayout.object(hash, .raw), .notHereYet) }
        }
    }

    private func isHere(_ file: Version.File) throws -> Bool {
        try exchange.byteCount(file.sha256, .raw) == file.size || exchange.byteCount(file.sha256, .zip) != nil
    }

    /// - Parameter own: the document here.
    /// - Returns: the document of the last version, if there is one such version and the document here is that of an earlier one, or there
    ///   is none.
    func laterDocument(
        than own: PackedState.File?, of state: PackedState, in folder: String
    ) throws -> Version.File? {
        if state.history.isEmpty { return nil }
        let folder = VersionFolder(of: folder, in: store), versions = try folder.list().outlines
        let heads = versions.heads, document = own.flatMap { StateHashes.hash([$0.version]) }
        guard heads.count == 1, let last = heads[0].content.document, last != document else { return nil }
        // A first version may lack the document as it was stored.
        let isEarlier = versions.contains { version in
            if version.content.document != nil || !version.parents.isEmpty {
                return version.content.document == document
            }
            guard let own, let first = try? folder.existing(version.name) else { return false }
            return LiveState.documentHash(in: first.item) == own.sha256
        }
        if own != nil, !isEarlier { return nil }
        return try folder.existing(heads[0].name).files.first { StateHashes.hash([$0]) == last }
    }

    /// Brings the documents of last versions from the exchange, and joins them as those of another copy of the library. An item of
    /// which the exchange lacks the document stays as it is.
    func renewOutdated(_ header: StepHeader) throws {
        let outdated = outdated
        self.outdated = []
        renewed.formUnion(outdated.map(\.found.state.id))
        let incoming = try place.emptyIncoming()
        defer { place.removeIncoming() }
        try incoming.writeFile(Layout.libraryFile, store.settings.json.bytes)
        var sameHere: [ItemID: [Version.File]] = [:]
        for document in outdated {
            try monitor.check()
            let found = document.found
            let folder = Layout.itemFolder(found.state.id)
            var reason = SyncReport.Reason.notHereYet
            guard let source = try rawObject(document.newer.sha256, document.newer.size, &reason),
                try copy(document.newer, from: source, to: folder, incoming) == nil
            else { continue }
            try incoming.writeFile(folder + "/" + Layout.itemFile, found.item)
            if let text = found.text { try incoming.writeFile(folder + "/" + Layout.textFile, text) }
            try setTimes(found.state, folder, incoming)
            let extras = Set(found.state.extras.map { Array($0.utf8) })
            sameHere[found.state.id] = found.state.files.filter {
                $0.path != document.path && !extras.contains(Array($0.path.utf8))
            }.map(\.version)
        }
        if sameHere.isEmpty { return }
        guard let lock = ForeignChanges(store)?.lock() else { throw SyncError.isBusy }
        var header = header
        header.bringsItems = true
        let step = try library.begin(header)
        let other = try ItemStore(reading: place.incomingPath)
        var merge = CopyMerge(library, other, isDry: false, sameHere: sameHere, monitor)
        let outcome = Result { try merge.run() }
        _ = consume lock
        if !header.isBackground { step.noteJoined(merge.report) }
        step.end()
        report.taken.add(try outcome.get())
    }
}

extension PackedState {
    /// The document; `nil` without one, or if there are several files that may be it.
    fileprivate var document: File? {
        let paths = recordedDocuments
        let documents = files.filter { paths.contains(Array($0.path.utf8)) && Self.isDocument($0.path) }
        return documents.count == 1 ? documents[0] : nil
    }
}
