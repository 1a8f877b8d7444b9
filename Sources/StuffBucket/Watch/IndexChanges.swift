internal import Items
internal import Search

/// The changes between two states of the index, whichever process made them.
enum IndexChanges {
    /// - Returns: changes of items in no particular order.
    static func between(_ earlier: IndexSnapshot, _ now: IndexSnapshot) throws -> [LibraryChange] {
        var changes: [LibraryChange] = []
        try now.forEachChange(since: earlier) { key, before, now in
            let id = ItemID(key)
            guard let now else {
                changes.append(.removed(id))
                return
            }
            guard let before else {
                changes.append(.added(id))
                return
            }
            changes += Self.changes(of: id, ItemRecordView(before), ItemRecordView(now))
        }
        return changes
    }

    private static func changes(
        of id: ItemID, _ before: ItemRecordView?, _ now: ItemRecordView?
    ) -> [LibraryChange] {
        // A record of an earlier program says nothing about what changed.
        guard let now, let before else {
            return [.changed(id, LibraryChange.Details(files: Set(LibraryChange.File.allCases)))]
        }
        var details = LibraryChange.Details()
        let fields = now.fields.differences(from: before.fields)
        details.fields = fields.fields
        details.hasOtherKeys = fields.others
        for (part, file) in files where now.mark(of: part)?.content != before.mark(of: part)?.content {
            details.files.insert(file)
        }
        var changes: [LibraryChange] = []
        let isTrashed = now.flags.contains(.trashed)
        if isTrashed != before.flags.contains(.trashed) { changes.append(isTrashed ? .trashed(id) : .restored(id)) }
        let isMoved = now.shard != before.shard
        if details != LibraryChange.Details() || isMoved { changes.append(.changed(id, details)) }
        return changes
    }

    private static let files: [(ItemPart, LibraryChange.File)] = [
        (.text, .text), (.reader, .reader), (.page, .page), (.document, .document), (.conflicts, .conflicts),
        (.history, .history),
    ]
}
