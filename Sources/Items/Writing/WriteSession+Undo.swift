internal import Files
internal import JSONFormat
internal import Synchronization
package import Time

/// One part of a step that is undone.
public enum StepPart: Hashable, Sendable {
    case item(ItemID)
    /// A file in collections/, tags/ or smart/, or library.json.
    case file(String)
}

extension WriteSession {
    /// Undoes a step, each item separately, unless the same values were changed since.
    ///
    /// Undoing makes ordinary new changes: they are merged with versions that an editor saves meanwhile, and recorded
    /// in the journal. Items that the step added go into the trash, unless a person changed them since. A second undo
    /// finds nothing to do.
    ///
    /// - Parameter isDryRun: whether to report the outcome without changing anything.
    /// - Returns: for each part whether it changed (or would change), or the error: `.changedSince` if the same
    ///   values were changed since, `.refused` for changes that cannot be undone.
    package func undo(
        _ step: StepContents, isDryRun: Bool = false, at time: Timestamp = .now,
        _ monitor: Monitor = Monitor()
    ) -> [(part: StepPart, result: Result<Bool, ItemError>)] {
        if step.ids.count > 8 { try? findMisplaced() }
        let results = Mutex<[Int: Result<Bool, ItemError>]>([:])
        // The body does not throw, so this does not either.
        try? Workers.run(step.ids.count, threads: isDryRun ? Workers.count : 8) { [self] index in
            let result = outcome { () throws(ItemError) in
                try monitor.check()
                return try undo(step, step.ids[index], isDryRun, time)
            }
            let count = results.withLock { results in
                results[index] = result
                return results.count
            }
            monitor.show(count, of: step.ids.count)
        }
        let done = results.withLock { $0 }
        let trashed =
            isDryRun
            ? []
            : step.ids.indices.filter { index in
                step.items[step.ids[index]]?.isAdded == true && (try? done[index]?.get()) == true
            }.map { step.ids[$0] }
        try? TrashLog.note(trashed, at: time, in: store)
        let items = step.ids.indices.map { index in
            (StepPart.item(step.ids[index]), done[index] ?? .failure(.noItem(step.ids[index])))
        }
        let files = step.paths.map { path in
            (
                StepPart.file(path),
                outcome { () throws(ItemError) in
                    try monitor.check()
                    return try undoFile(step, path, isDryRun)
                }
            )
        }
        return items + files
    }

    private func outcome(_ body: () throws(ItemError) -> Bool) -> Result<Bool, ItemError> {
        do throws(ItemError) { return .success(try body()) } catch { return .failure(error) }
    }

    /// Whether any change that a step records for an item is present. A change is absent if it was never made or was
    /// undone.
    package func isReversible(_ step: StepContents, _ id: ItemID, in stored: StoredItem) -> Bool {
        do throws(ItemError) {
            return try undo(step, id, true, .now)
        } catch {
            return true
        }
    }

    // MARK: Items

    private func undo(
        _ step: StepContents, _ id: ItemID, _ isDryRun: Bool, _ time: Timestamp
    ) throws(ItemError) -> Bool {
        guard let changes = step.items[id] else { return false }
        guard let stored = try item(id) else {
            // The item was never put in place, or was purged since.
            if changes.isAdded { return false }
            if let lasting = changes.lasting { throw .lasting(id, lasting) }
            if ((try? store.tombstone(of: id)) ?? nil) != nil { throw .lasting(id, .purge) }
            throw .noItem(id)
        }
        if changes.isAdded {
            if stored.item.hasBothTrashMarks { return false }
            if try isChangedSince(changes, stored) { throw .changedSince(id, what: "the new item") }
            var edit = ItemEdit(base: stored.json)
            edit.trash(at: time)
            if isDryRun { return true }
            return try update(stored, edit, at: time)
        }
        if let lasting = changes.lasting { throw .lasting(stored.id, lasting) }
        let text = try reversal(ofText: changes.texts, of: stored)
        let document = try reversal(ofDocuments: changes.documents, step, of: stored)
        let moves = try movesBack(changes.moves, of: stored)
        let hasText = text.map { $0.old != nil } ?? (stored.text != nil)
        guard let edit = changes.reversedEdit(without: hasText ? .textContent : nil) else { return false }
        let isEdited = try check(edit, of: stored, time)
        if !isEdited, text == nil, document == nil, moves.isEmpty { return false }
        if isDryRun { return true }
        switch document {
        case .bring(let kept, let current)?: try bring(kept, step, over: current, to: stored, edit, time)
        case .takeAway?: try detachDocument(from: stored, edit, at: time)
        case nil: if isEdited { try update(stored, edit, at: time) }
        }
        if let text { try put(text, step, into: stored, time) }
        try moveBack(moves, of: stored)
        return true
    }

    /// Whether a person changed an item since a step added it. An item that the step itself changed afterwards counts
    /// as unchanged, because its state was not recorded.
    private func isChangedSince(
        _ changes: StepContents.ItemChanges, _ stored: StoredItem
    ) throws(ItemError) -> Bool {
        guard let state = changes.addedState, changes.texts.isEmpty,
            changes.fields.allSatisfy({ AddedItem.isUnattended($0.old) && AddedItem.isUnattended($0.new) })
        else { return false }
        let text = stored.text == nil ? nil : try store.text(of: stored)
        return AddedItem.state(stored.json, text: text) != state
    }

    /// Whether the edit changes anything in item.json.
    private func check(_ edit: ItemEdit, of stored: StoredItem, _ time: Timestamp) throws(ItemError) -> Bool {
        do {
            return try edit.apply(to: stored.json, at: time) != nil
        } catch let clash as ItemEdit.Clash {
            throw .changedSince(stored.id, what: clash.key)
        } catch let fault as FieldFault {
            throw .fault(path: store.root.full(stored.folder + "/" + Layout.itemFile), fault)
        } catch {
            throw .refused(.other(error))
        }
    }

    // MARK: Texts

    private struct TextReversal {
        let first: StepReader.Entry
        let old: JournalRecord.Content?
        /// The current text.
        let current: [UInt8]?
    }

    /// - Returns: `nil` if the text already is as before the step.
    private func reversal(
        ofText entries: [StepReader.Entry], of stored: StoredItem
    ) throws(ItemError) -> TextReversal? {
        guard let net = entries.net else { return nil }
        let current = stored.text == nil ? nil : try store.text(of: stored)
        let hash = current.map(StagedName.hash)
        if hash == net.old?.hash { return nil }
        if hash != net.new?.hash { throw .changedSince(stored.id, what: "the text") }
        return TextReversal(first: net.first, old: net.old, current: current)
    }

    private func put(
        _ text: TextReversal, _ step: StepContents, into stored: StoredItem, _ time: Timestamp
    ) throws(ItemError) {
        guard text.old != nil else { return try removeText(stored, at: time) }
        guard let bytes = try step.file.contents(of: text.first).old else {
            throw .refused(.textNotKept(stored.id))
        }
        try updateText(stored, .replace(base: text.current, with: bytes), at: time)
    }

    // MARK: Documents

    private enum DocumentReversal {
        case bring(JournalRecord.KeptDocument, over: StoredDocument?)
        case takeAway
    }

    /// - Returns: `nil` if the document already is as before the step.
    private func reversal(
        ofDocuments changes: [(old: JournalRecord.KeptDocument?, new: JournalRecord.NewDocument?)],
        _ step: StepContents, of stored: StoredItem
    ) throws(ItemError) -> DocumentReversal? {
        guard let first = changes.first, let last = changes.last else { return nil }
        try refuseAwayDocument(stored)
        let hash = try stored.document.map { document throws(ItemError) in
            try files { () throws(FileError) in
                try store.root.file(stored.folder + "/" + document.path).sha256()
            }
        }
        let kept = try first.old.flatMap { kept throws(ItemError) in try keptHash(kept, step) }
        if first.old?.name == stored.document?.name, kept == hash, (first.old == nil) == (hash == nil) { return nil }
        // After a removal, another file of document/ may be the document. It is not the step's, and stays.
        let names = (old: first.old.map { FileName($0.name) }, now: stored.document.map { FileName($0.name) })
        let isOther = last.new == nil && names.old != nil && names.old != names.now
        if !isOther, last.new?.name != stored.document?.name || last.new?.sha256 != hash {
            throw .changedSince(stored.id, what: "the document")
        }
        guard let old = first.old else { return .takeAway }
        if kept == nil { throw .refused(.documentNotKept(name: old.name, stored.id)) }
        return .bring(old, over: isOther ? nil : stored.document)
    }

    private func keptHash(_ kept: JournalRecord.KeptDocument, _ step: StepContents) throws(ItemError) -> String? {
        try files { () throws(FileError) -> String? in
            do throws(FileError) {
                return try keptFile(kept, step)?.sha256()
            } catch let error where error.isAbsent {
                return nil
            }
        }
    }

    private func keptFile(
        _ kept: JournalRecord.KeptDocument, _ step: StepContents
    ) throws(FileError) -> Descriptor? {
        let shelf = JournalFormat.name(step.number) + JournalFormat.folderSuffix
        // The name comes from the step, which is trusted no more than any other file.
        guard Directory.isSafe(kept.kept), !kept.kept.utf8.contains(UInt8(ascii: "/")),
            let journal = try device?.journal(isMade: false)
        else { return nil }
        return try journal.file(shelf + "/" + kept.kept)
    }

    private func bring(
        _ kept: JournalRecord.KeptDocument, _ step: StepContents, over current: StoredDocument?, to stored: StoredItem,
        _ edit: ItemEdit, _ time: Timestamp
    ) throws(ItemError) {
        guard Directory.isSafe(kept.name), !kept.name.utf8.contains(UInt8(ascii: "/")) else {
            throw .refused(.documentNameUnusable(stored.id))
        }
        let source = try files { () throws(FileError) in try keptFile(kept, step) }
        guard let source else { throw .refused(.documentNotKept(name: kept.name, nil)) }
        // No limit here: the document was within the limit once, and the setting may be lower now.
        let staged = try staged(source, named: FileName(kept.name), for: stored.id, limit: .max)
        try place(
            staged.temporary, named: kept.name, sha256: staged.copy.sha256, over: current, in: stored, edit, at: time)
    }

    // MARK: Other files

    private func undoFile(_ step: StepContents, _ path: String, _ isDryRun: Bool) throws(ItemError) -> Bool {
        guard let net = step.files[path]?.net, let last = step.files[path]?.last else { return false }
        let found = try files { () throws(FileError) in
            try store.root.contentsIfPresent(of: path, limit: Self.limitBeside(path))
        }
        let current = found?.bytes
        let hash = current.map(StagedName.hash)
        if hash == net.old?.hash {
            // A copying tool brought a conflict back whose end is in a version: the next look would remove it.
            guard let current, let id = Self.conflictedItem(path), try isEnded(path) else { return false }
            if isDryRun { return true }
            let parts = path.pathComponents
            let isOpen = try reopenConflict(path, current)
            try removeNeedless(
                parts.suffix(2).joined(separator: "/"), of: id, in: parts.prefix(3).joined(separator: "/"))
            return isOpen
        }
        var old = try step.file.contents(of: net.first).old
        let parts = path.pathComponents
        let folder = parts.count == 2 ? NamedFolder(rawValue: parts[0]) : nil
        let state = folder == nil ? nil : found.map { NamedState($0.bytes, modified: $0.status.modified) }
        if hash != net.new?.hash {
            // An undone step left the times of then.
            guard let state, let new = try step.file.contents(of: last).new, state.isSame(as: new) else {
                throw .fileChangedSince(path)
            }
        }
        if net.old != nil, old == nil { throw .refused(.fileNotKept(path: path)) }
        if let bytes = old, let state {
            if state.isSame(as: bytes) { return false }
            old = state.undone(to: bytes, at: .now)
        }
        if old != nil { try refuseOrphan(path) }
        if isDryRun { return true }
        try refuseBroken(old, path)
        let isDone: Bool
        if let folder {
            isDone = try Swap(session: self, target: .named(folder, parts[1])).run(current, old)
        } else if path == Layout.libraryFile, let current, let old {
            isDone = try replaceSettings(current, with: old)
        } else if Self.conflictedItem(path) != nil, let old {
            return try reopenConflict(path, old)
        } else {
            isDone = try changeBeside(path, current, old)
        }
        if !isDone { throw .fileChangedSince(path) }
        return true
    }

    /// - Throws: `ItemError` if the bytes would make a file of collections/, tags/ or smart/ unusable.
    private func refuseBroken(_ bytes: [UInt8]?, _ path: String) throws(ItemError) {
        let parts = path.pathComponents
        guard let bytes, parts.count == 2, let folder = NamedFolder(rawValue: parts[0]) else { return }
        _ = try NamedFile(folder: folder, file: parts[1], bytes: bytes)
    }
}
