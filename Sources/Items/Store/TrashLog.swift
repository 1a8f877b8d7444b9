internal import Files
package import Time

/// `.sbfs/trash`: when this device first saw items in the trash, one line each, `<id> <time>`.
///
/// Losing the file only delays a purge.
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
            // Accepts complete times only: a torn time would read as an earlier one. A later line is a later stay in
            // the trash.
            let text = String(decoding: parts[1], as: UTF8.self)
            if let time = Timestamp(text), time.rfc3339 == text { seen[id] = time }
        }
    }

    /// When an item may be purged at the earliest; `nil` if this device has not seen it in the trash yet.
    ///
    /// A record from more than a day in the future comes from a wrong clock and does not count.
    package func due(_ item: Item, days: Int, at now: Timestamp = .now) -> Timestamp? {
        guard let first = seen[item.id], first <= now.adding(seconds: 86_400) else { return nil }
        let start = max(first, min(item.trashedAt ?? first, now))
        return start.adding(seconds: Int64(days) * 86_400)
    }

    /// Records that items are in the trash now.
    package static func note(_ ids: [ItemID], at time: Timestamp, in store: ItemStore) throws(ItemError) {
        guard let device = store.device, !ids.isEmpty else { return }
        // Begins with a line end, so that a torn last line damages no other line.
        let lines = "\n" + ids.map { "\($0) \(time.rfc3339)\n" }.joined()
        try files { () throws(FileError) in try device.directory.append(Array(lines.utf8), to: Layout.trashLog) }
    }
}
