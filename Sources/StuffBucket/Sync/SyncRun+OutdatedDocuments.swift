internal import Files
internal import Items

/// Items whose document here is that of an earlier version, and the exchange has the last one's: a program that copies, or a person,
/// put the files of before back.
///
/// The bytes of the last version's document are nowhere here, so that this device cannot bring them back by itself.
extension SyncRun {
    struct OutdatedDocument {
        let found: StateReading.Found
        /// The document here.
        let path: String
        /// The document of the last version.
        let newer: PackedState.File
    }

    /// - Parameter last: the state that the exchange has of the item.
    /// - Returns: `nil` if the document here is no earlier one, the exchange has not the last one, or it was looked for already.
    func outdatedDocument(_ found: StateReading.Found, _ last: PackedState?) throws -> OutdatedDocument? {
        guard let own = found.state.document, !found.away.contains(own.path), !renewed.contains(found.state.id),
            let version = try laterDocument(than: own, of: found.state, in: found.folder)
        else { return nil }
        if let newer = last?.document, newer.version == version {
            if last?.leftOut.contains(where: { $0.path == newer.path }) ?? false { return nil }
            return OutdatedDocument(found: found, path: own.path, newer: newer)
        }
        // No state has it: a device waited for it when it wrote the item.
        guard try exchange.byteCount(version.sha256, .raw) == version.size else { return nil }
        let newer = PackedState.File(
            path: version.path, sha256: version.sha256, size: version.size, modified: found.state.item.modified)
        return OutdatedDocument(found: found, path: own.path, newer: newer)
    }

    /// Whether the document of an item here is that of an earlier version than the last one. Each sync looks for the last one.
    func hasOutdatedDocument(_ state: PackedState, in folder: String) throws -> Bool {
        guard let own = state.document else { return false }
        return try laterDocument(than: own, of: state, in: folder) != nil
    }

    /// - Parameter own: the document here.
    /// - Returns: the document of the last version, if there is one such version and the document here is that of an earlier one.
    private func laterDocument(
        than own: PackedState.File, of state: PackedState, in folder: String
    ) throws -> Version.File? {
        if state.history.isEmpty { return nil }
        let folder = VersionFolder(of: folder, in: store), versions = try folder.list().outlines
        let heads = versions.heads, document = StateHashes.hash([own.version])
        guard heads.count == 1, let last = heads[0].content.document, last != document else { return nil }
        // A first version may lack the document as it was stored.
        let isEarlier = versions.contains { version in
            if version.content.document != nil || !version.parents.isEmpty {
                return version.content.document == document
            }
            guard let first = try? folder.existing(version.name) else { return false }
            return LiveState.documentHash(in: first.item) == own.sha256
        }
        if !isEarlier { return nil }
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
                !$0.path.utf8.elementsEqual(document.path.utf8) && !extras.contains(Array($0.path.utf8))
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
