internal import Files
package import Time

/// When this device first saw items in the trash: `.sbfs/trash`, one line each, `<id> <time>`.
///
/// Losing it only lengthens the time until a purge.
package struct TrashLog {
    private var seen: [ItemID: Timestamp] = [:]

    /// Reads the log and skips torn and foreign lines.
    package init(in store: ItemStore) {
        guard let device = store.device,
            let contents = try? device.directory.contentsIfPresent(of: Layout.trashLog, limit: 256 << 20)
        else { return }
        for line in contents.bytes.split(separator: 0x0A) {
            let parts = line.split(separator: 0x20)
            guard parts.count == 2, let id = ItemID(utf8: Array(parts[0])) else { continue }
            // Whole times only: a torn one would read as an earlier one. A later line is a later stay in the trash.
            let text = String(decoding: parts[1], as: UTF8.self)
            if let time = Timestamp(text), time.rfc3339 == text { seen[id] = time }
        }
    }

    /// From when on an item may be purged, or `nil` if this device has not seen it in the trash yet.
    package func due(_ item: Item, days: Int) -> Timestamp? {
        guard let first = seen[item.id] else { return nil }
        let start = max(first, min(item.trashedAt ?? first, .now))
        return start.adding(seconds: Int64(days) * 86_400)
    }

    /// Notes items as seen in the trash now.
    package static func note(_ ids: [ItemID], at time: Timestamp, in store: ItemStore) throws(ItemError) {
        guard let device = store.device, !ids.isEmpty else { return }
        // A line end first, so that a torn last line spoils no other.
        let lines = "\n" + ids.map { "\($0) \(time.rfc3339)\n" }.joined()
        try files { () throws(FileError) in try device.directory.append(Array(lines.utf8), to: Layout.trashLog) }
    }
}
