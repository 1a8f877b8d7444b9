public import Items
internal import JSONFormat
public import Time

extension Library {
    /// Whether a file is one that `Step.complete` changes: item.json or text.md of an item, or a file of collections/, tags/ or smart/.
    ///
    /// - Parameter path: relative to the library's folder.
    public static func completes(_ path: String) -> Bool { JoinedPlace(path) != nil }
}

extension Step {
    /// Gives a file what a merge left out, and its item the conflicts of the merge. The conflicts come first.
    ///
    /// The saved page and the document stay, with their fields: a merge of one file knows nothing of them.
    ///
    /// - Parameters:
    ///   - path: the file, relative to the library's folder: one that `Library.completes`.
    ///   - seen: the bytes that it had when `again` was made.
    ///   - again: what the merge left out of it.
    ///   - time: when the step is made.
    /// - Returns: what was written: paths relative to the library's folder. A conflict that is there, or that a version ended, is not made
    ///   again.
    /// - Throws: `ItemError.conflict`, `.overtaken` or `.fileChangedSince` if another program changed the file since, `.locked` if another
    ///   one writes, `.file` if the disk is full.
    public func complete(
        _ path: String, seen: [UInt8], with again: MergeAgain, at time: Timestamp = .now
    ) throws(ItemError) -> [String] {
        let isChanged = again.bytes != seen
        var written: [String] = []
        switch JoinedPlace(path) {
        case .item(let id, let folder):
            written = try keep(again.conflicts, in: folder)
            if isChanged, try completeItem(id, folder, seen, again.bytes, time) { written.append(path) }
        case .text(let id, let folder):
            written = try keep(again.conflicts, in: folder)
            guard isChanged else { break }
            guard let stored = try store.item(id), stored.folder == folder else { throw .noItem(id) }
            if try session.updateText(stored, .replace(base: seen, with: again.bytes), at: time) {
                written.append(path)
            }
        case .named(let folder, let file):
            guard isChanged else { break }
            let modified = time.milliseconds * 1_000_000
            if try !session.replaceNamed(folder, file, seen, with: again.bytes, modified: modified) {
                throw .overtaken(path: path)
            }
            written.append(path)
        case nil: throw .fileChangedSince(path)
        }
        return written
    }

    private func completeItem(
        _ id: ItemID, _ folder: String, _ seen: [UInt8], _ new: [UInt8], _ time: Timestamp
    ) throws(ItemError) -> Bool {
        guard let before = try? JSONDocument(parsing: seen), before.kind(before.root) == .object,
            let stored = try store.item(id), stored.folder == folder
        else {
            try session.mend(id, in: folder, base: seen, with: new)
            return true
        }
        let path = folder + "/" + Layout.itemFile
        let fields = MergeAgain.staying
        guard let wanted = try? JSONDocument(parsing: new),
            let target = JSONDocument(
                object: wanted.exactMembers(wanted.root).filter { !fields.contains($0.key) }
                    + before.exactMembers(before.root).filter { fields.contains($0.key) })
        else { throw .fileChangedSince(path) }
        let edit: ItemEdit
        do throws(FieldFault) {
            edit = try ItemEdit(from: before, to: target)
        } catch {
            throw .fault(path: path, error)
        }
        return try edit.isEmpty ? false : session.update(stored, edit, at: time)
    }

    private func keep(_ conflicts: [FileJoin.Conflict], in folder: String) throws(ItemError) -> [String] {
        if conflicts.isEmpty { return [] }
        let ended = try Set(VersionFolder(of: folder, in: store).list().outlines.flatMap(\.resolved))
        var kept: [String] = []
        for conflict in conflicts {
            let names = conflict.names
            if names.contains(where: { ended.contains(Layout.conflicts + "/" + $0) }) { continue }
            var isThere = false
            for name in names where !isThere { isThere = try session.hasConflict(name, in: folder) }
            if !isThere, try session.addConflict(conflict.bytes, named: conflict.name, in: folder) {
                kept.append(folder + "/" + Layout.conflicts + "/" + conflict.name)
            }
        }
        return kept
    }
}
