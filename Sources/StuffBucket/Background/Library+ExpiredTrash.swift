internal import Files
public import Items
public import Time

/// The items in the trash that may be purged without a person, and those that may not.
public struct ExpiredTrash: Sendable {
    /// Why an item stays in the trash although its days have passed.
    public enum Obstacle: Hashable, Sendable {
        /// It has a version that a person has not looked at: in conflicts/, or a conflict copy of a program that
        /// copies the library.
        case conflict
        /// It has a version that is not the one in the trash, or one that waits for others: an edit of another device that
        /// is not joined yet.
        case versions
    }

    /// An item that is due, and its files at that time: a later change stops its purge.
    public struct Entry: Sendable {
        /// The item as read.
        public let stored: StoredItem
        /// Its files.
        public let tree: ItemTree
    }

    /// Items with both marks whose days have passed since this device saw them in the trash.
    public var due: [Entry] = []
    /// Items that are due and stay.
    public var kept: [(id: ItemID, obstacle: Obstacle)] = []
    /// Items that this device sees in the trash for the first time; their days begin now.
    public var fresh: [ItemID] = []
    /// The number of items in the library, those in the trash included.
    public var itemCount = 0
    /// Why the clock is not trusted; nothing is due then.
    public var doubt: ClockDoubt?

    /// The largest number of items, and the largest share of the library in percent, that are purged without a
    /// person.
    public static let limit = (count: 20, percent: 5)

    /// Whether a person is asked first: more than 20 items are due, or more than 5 % of the library.
    public var waitsForConsent: Bool {
        due.count > Self.limit.count || due.count * 100 > itemCount * Self.limit.percent
    }
}

/// What one run of the background purge did.
public enum ExpiredPurge: Sendable {
    /// The items that are gone, and those that could not be purged.
    case purged([ItemID], failures: [(id: ItemID, error: ItemError)])
    /// More items are due than are purged without a person; `sbfs purge` asks.
    case waitsForConsent(count: Int, itemCount: Int)
    /// Items were purged less than a day ago. Ask again then.
    case notBefore(Timestamp)
    /// The clock is not trusted.
    case clockInDoubt(ClockDoubt)
}

extension Library {
    /// What is due in the trash. Changes nothing.
    ///
    /// - Throws: As `find`, and `ItemError` if an item in the trash cannot be read.
    public func expiredTrash(at now: Timestamp = .now) throws -> ExpiredTrash {
        var trash = ExpiredTrash()
        trash.itemCount = try ids().count
        trash.doubt = session.clockDoubt(at: now)
        let log = TrashLog(in: store)
        var found = try trashed().map(\.stored)
        let known = Set(found.map(\.id))
        found += try unfinishedPurges().filter { !known.contains($0.id) }
        for stored in found where stored.item.hasBothTrashMarks {
            guard let due = log.due(stored.item, days: store.settings.purgeDays, at: now) else {
                trash.fresh.append(stored.id)
                continue
            }
            if due > now || trash.doubt != nil { continue }
            // The files are listed before the obstacles are looked for: what appears later stops the purge.
            guard let tree = try? store.tree(of: stored) else { continue }
            if let obstacle = try obstacle(of: stored, tree) {
                trash.kept.append((stored.id, obstacle))
            } else {
                trash.due.append(ExpiredTrash.Entry(stored: stored, tree: tree))
            }
        }
        return trash
    }

    /// Purges what is due in the trash, as a background step. At most one run a day purges anything.
    ///
    /// An item is due when it has both marks and the library's days have passed since this device first saw it in the
    /// trash. Its tombstone is durable before anything of it is removed. An item stays if it has conflicts or
    /// versions that are not joined yet, or if anything in it changes meanwhile.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - command: the step's name in the list of steps.
    ///   - monitor: cancels between two items.
    /// - Throws: As `expiredTrash`; `ItemError` if the library cannot be written; `.cancelled`. Items that cannot be
    ///   purged are part of the result.
    public func purgeExpired(
        at now: Timestamp = .now, command: String, _ monitor: Monitor = Monitor()
    ) throws -> ExpiredPurge {
        try requireWritable()
        let trash = try expiredTrash(at: now)
        if let doubt = trash.doubt { return .clockInDoubt(doubt) }
        try TrashLog.note(trash.fresh, at: now, in: store)
        if trash.due.isEmpty { return .purged([], failures: []) }
        let day: Int64 = 86_400
        if let last = session.backgroundMemory.purgedAt, last <= now, now < last.adding(seconds: day) {
            return .notBefore(last.adding(seconds: day))
        }
        if trash.waitsForConsent { return .waitsForConsent(count: trash.due.count, itemCount: trash.itemCount) }
        var purged: [ItemID] = []
        var failures: [(id: ItemID, error: ItemError)] = []
        try inBackground(command) { step in
            step.makeRoom()
            // Noted first: a run that is killed purges no second batch on the same day.
            try session.remember { $0.purgedAt = now }
            for entry in trash.due {
                try monitor.check()
                do throws(ItemError) {
                    try step.purge(entry.stored, seen: entry.tree, at: now)
                    purged.append(entry.stored.id)
                } catch {
                    failures.append((entry.stored.id, error))
                }
            }
        }
        return .purged(purged, failures: failures)
    }
}

extension Library {
    /// Why no program may purge an item with these files without a person.
    private func obstacle(of stored: StoredItem, _ tree: ItemTree) throws(ItemError) -> ExpiredTrash.Obstacle? {
        if tree.hasEntry(below: Layout.conflicts) || tree.hasConflictCopy { return .conflict }
        if !tree.hasEntry(below: Layout.history) { return nil }
        let all = try versions(of: stored)
        let heads = all.versions.filter(\.isHead)
        let isJoined = heads.count == 1 && heads[0].isCurrent && !all.versions.contains(where: \.isWaiting)
        return isJoined && all.strangers.isEmpty ? nil : .versions
    }
}
