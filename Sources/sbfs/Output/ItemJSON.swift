import StuffBucket

/// An item as JSON on one line: every key of its item.json, always `id`, and `sbfs` with derived values.
enum ItemJSON {
    /// - Parameter search: the members that a search adds to `sbfs`.
    static func bytes(
        _ stored: StoredItem, _ library: Library, hasText: Bool, search: [(String, JSON?)] = []
    ) throws -> [UInt8] {
        let text = hasText ? try library.text(of: stored) : nil
        let conflictCount = library.conflictCount(of: stored)
        let waiting = hasText ? try library.waitingJoin(of: stored) : nil
        let away = stored.isDocumentAway ? stored.away?.documentByteCount : nil
        // Whether one is awaited is told by more files, and only where one item is shown.
        let absent = stored.unavailablePaths + [hasText ? library.awaitedDocument(of: stored) : nil].compactMap(\.self)
        let derived = JSON.members(
            [
                ("kind", .string(stored.kind.rawValue)),
                ("displayTitle", .string(library.displayTitle(of: stored))),
                ("collections", .strings(stored.item.collections)),
                ("isTrashed", .bool(stored.item.isTrashed)),
                ("createdAt", .string(stored.createdAt.rfc3339)),
                ("updatedAt", .string(stored.effectiveUpdatedAt.rfc3339)),
                ("folder", .string(stored.folder)),
                ("document", stored.documentName.map { .string($0) }),
                ("documentByteCount", (stored.document?.status.byteCount ?? away).map { .integer($0) }),
                ("archive", stored.archiveState.map { .string($0.rawValue) }),
                ("unavailable", absent.isEmpty ? nil : .strings(absent)),
                ("away", stored.away?.paths.isEmpty == false ? .strings(stored.away?.paths ?? []) : nil),
                ("conflicts", conflictCount == 0 ? nil : .integer(conflictCount)),
                ("waiting", waiting.flatMap { $0.isEmpty ? nil : $0.json }),
                ("textByteCount", stored.text.map { .integer($0.byteCount) }),
                ("text", text.map { .string(String(decoding: $0, as: UTF8.self)) }),
            ] + search)
        return stored.json.oneLine(
            leading: [JSON.Member("id", .string(stored.id.description))],
            trailing: [JSON.Member("sbfs", derived)])
    }
}
