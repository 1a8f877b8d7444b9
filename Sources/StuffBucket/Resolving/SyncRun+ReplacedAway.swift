internal import Files
internal import Items

/// Pages and documents that are away, and in whose place a program put another file: Documentation/Exchange.md § 9.
///
/// Nobody saw here what the new file replaces, so both stay: a document as one that lost, a page as a snapshot.
extension SyncRun {
    /// - Returns: the candidates that are written now. One waits if the exchange cannot give what was replaced.
    func keepingReplaced(_ candidates: [Candidate]) throws -> [Candidate] {
        try candidates.compactMap { candidate in
            try monitor.check()
            if candidate.isDenied { return candidate }
            switch try keepReplaced(of: candidate.id, in: candidate.folder) {
            case .nothing: return candidate
            case .waits: return nil
            case .kept: break
            }
            guard let (look, byteCount) = try FolderLook.look(of: candidate.folder, in: store.root) else { return nil }
            return Candidate(id: candidate.id, folder: candidate.folder, look: look, byteCount: byteCount)
        }
    }

    enum Replaced { case nothing, kept, waits }

    /// Keeps what was replaced of one item. An error of a file concerns this item alone.
    @discardableResult
    func keepReplaced(of id: ItemID, in folder: String) throws -> Replaced {
        guard let record = store.awayRecord(of: id), !record.isEmpty,
            let stored = ((try? store.item(id, in: folder)) ?? nil)
        else { return .nothing }
        do {
            let replaced = try replaced(record, in: stored)
            if replaced.isEmpty { return .nothing }
            guard let fault = try keep(replaced, of: stored, record) else { return .kept }
            noteLack(fault.path)
            leave(fault.path, fault.reason)
        } catch let error as ItemError where !error.concernsTheDisk || error.isDenied {
            if case .cancelled = error { throw error }
            report.unreadable.append(id)
        } catch let error as FileError where error.concernsOneFile {
            report.unreadable.append(id)
        }
        return .waits
    }

    /// What is away, is in the exchange's state of the item, and has another file in its place here.
    private func replaced(_ record: AwayFiles, in stored: StoredItem) throws -> AwayFiles {
        let state = state(of: stored.id)
        return try replaced(record, in: stored) { isNamed(record, $0, in: state) }
    }

    /// What is away, is not in the exchange's state of the item but in that of another one, and has another file in its place here. It stays
    /// in the record: a sync with that exchange keeps it.
    func replacedElsewhere(_ stored: StoredItem) throws -> AwayFiles {
        guard let record = store.awayRecord(of: stored.id), !record.isEmpty else { return AwayFiles() }
        let id = stored.id, state = state(of: id)
        return try replaced(record, in: stored) { component in
            !isNamed(record, component, in: state)
                && others.contains { isNamed(record, component, in: $0.states(id.shard)[id]) }
        }
    }

    /// Whether only exchanges that were removed here hold what a program replaced.
    func isInRemovedExchange(_ replaced: AwayFiles, _ component: Component, of id: ItemID) -> Bool {
        guard let named else { return false }
        return !others.contains { other in
            named.contains { $0.isSame(as: other) } && isNamed(replaced, component, in: other.states(id.shard)[id])
        }
    }

    private func replaced(
        _ record: AwayFiles, in stored: StoredItem, _ isHeld: (Component) -> Bool
    ) throws -> AwayFiles {
        var replaced = AwayFiles()
        if let document = record.document, try isReplaced(document, in: stored.folder), isHeld(.document) {
            replaced.document = document
        }
        let pages = record.page.filter { [Layout.pageFile, Layout.readerFile].contains($0.file.path) }
        if try pages.contains(where: { try isReplaced($0, in: stored.folder) }), isHeld(.page) {
            (replaced.page, replaced.bundle) = (record.page, record.bundle)
        }
        return replaced
    }

    private func isReplaced(_ file: AwayFiles.File, in folder: String) throws -> Bool {
        let path = folder + "/" + file.file.path
        guard let here = try store.root.statusIfPresent(of: path), here.kind == .regular, !file.isLike(here) else {
            return false
        }
        return try ItemStore.hashed(path, in: store.root)?.sha256 != file.file.sha256
    }

    /// - Returns: the object that is missing or damaged, and why. What else there is stays in the record.
    private func keep(
        _ replaced: AwayFiles, of stored: StoredItem, _ record: AwayFiles
    ) throws -> (path: String, reason: SyncReport.Reason)? {
        let session = WriteSession(beside: library.session)
        var record = record
        if let document = replaced.document, let name = replaced.documentName {
            var lost = AwayFiles()
            // Another file under the name would count as this one, which then is named nowhere.
            let kept = try store.conflictName(ofDocument: name, document.file.sha256, in: stored.folder)
            let path = Layout.document + "/" + kept.name
            lost.document = .init(
                .init(path: path, sha256: document.file.sha256, size: document.file.size), modified: document.modified)
            let staged = try session.stageArchive()
            defer { session.discard(staged) }
            if let fault = try fetch(lost, .document, into: staged.parentPath, staged.name) { return fault }
            try session.place(staged, lost.all, of: stored.id, in: stored.folder)
            record.document = nil
            try session.note(record, of: stored.id)
            store.tell(.awayReplaced(stored.id, file: document.file.path, kept: path))
        }
        if !replaced.page.isEmpty {
            let staged = try session.stageArchive()
            defer { session.discard(staged) }
            if let fault = try fetch(replaced, .page, into: staged.parentPath, staged.name) { return fault }
            let kept = try session.keepAsSnapshot(staged, of: stored, [])
            (record.page, record.bundle) = ([], nil)
            try session.note(record, of: stored.id)
            store.tell(.awayReplaced(stored.id, file: Layout.pageFile, kept: kept.path))
        }
        return nil
    }
}

extension AwayFiles {
    /// The same with what a program replaced, as far as nothing is away in its place.
    func adding(_ replaced: AwayFiles) -> AwayFiles {
        var all = self
        if all.document == nil { all.document = replaced.document }
        if all.page.isEmpty { (all.page, all.bundle) = (replaced.page, replaced.bundle) }
        return all
    }
}
