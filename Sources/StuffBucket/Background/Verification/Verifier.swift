internal import Files
package import Items
package import Time

/// Reads every file of the library to its end within 30 days, a part at a time, and reports what is damaged.
///
/// A file with a recorded hash (a document, a file of a saved page, a version) is compared with it. Of all others, the
/// first reading notes on this device what they hold. If a file later has other bytes although neither its size nor its
/// time changed, that is a fault; an edit is none. Items that were read longest ago come first.
///
/// The kernel reads each file from the disk and keeps nothing of it in its cache. At rest, the notes have 24 bytes for
/// each item (DeviceFiles.md § D9); in memory 32 bytes, and 40 for each item up to 4,096 that waits.
///
/// For use by one thread.
package final class Verifier {
    /// Days within which every file is read.
    static let period = 30
    /// Days after which an item is read again: some before the period ends.
    static let age = 25
    /// Bytes a second that a caller should not exceed.
    package static let bytesPerSecond = 5_000_000

    private let store: ItemStore
    private let device: DeviceFolder
    private var table: VerifiedTable
    /// The next items, the one that was read longest ago last.
    private var queue: [(id: ItemID, key: UInt64)] = []
    private let queueLimit: Int
    private var current: ItemReading?
    /// Items that changed while they were read, and the day: they are read on a later one.
    private var overtaken: [UInt64: Int] = [:]
    /// Faulty items that this object has read. Others are due at once, so that a new process knows their faults.
    private var knownFaults: Set<UInt64> = []
    private var isDirty = false
    private var lastNote = ContinuousClock.now
    private let noteInterval: Duration

    /// - Parameters:
    ///   - queueLimit: items that are chosen at once.
    ///   - noteInterval: how often what was read is noted on the disk.
    init?(_ store: ItemStore, queueLimit: Int = 4096, noteInterval: Duration = .seconds(60)) {
        guard let device = store.device else { return nil }
        self.store = store
        self.device = device
        self.queueLimit = queueLimit
        self.noteInterval = noteInterval
        table = VerifiedTable.read(in: device.directory)
    }

    deinit { _ = note() }

    // MARK: Reading

    /// Reads a part.
    ///
    /// - Parameters:
    ///   - byteBudget: about how many bytes are read. Each file counts at least 4,096.
    ///   - now: the current time.
    ///   - monitor: stops the reading within a megabyte. The next call goes on, with another monitor.
    /// - Throws: if a folder of the library cannot be listed.
    package func run(
        byteBudget: Int, at now: Timestamp = .now, _ monitor: Monitor = Monitor()
    ) throws -> VerificationTurn {
        var turn = VerificationTurn()
        var budget = byteBudget
        let today = VerifiedDay.day(of: now)
        while budget > 0, !monitor.isCancelled {
            if current == nil {
                if queue.isEmpty, let next = try fill(Int(today)) {
                    turn.next = next
                    turn.memoryFault = note()
                    return turn
                }
                guard let (id, key) = queue.popLast() else { continue }
                // Counts for an item without files, too, so that every call ends.
                budget -= 1
                current = try? ItemReading(id, key: key, in: store)
                // Not here yet, or its folder cannot be read, which every sweep reports.
                if current == nil { overtaken[key] = Int(today) }
            }
            guard let reading = current else { continue }
            let before = budget
            let progress = reading.read(&budget, monitor)
            turn.byteCount += before - budget
            switch progress {
            case .more: continue
            case .overtaken: overtaken[reading.key] = Int(today)
            case .done: take(reading, today, &turn)
            }
            current = nil
        }
        if ContinuousClock.now - lastNote >= noteInterval { turn.memoryFault = note() }
        return turn
    }

    /// Closes the file that is being read, and notes what was read. Call it before a longer pause.
    ///
    /// - Returns: the error if it could not be noted.
    @discardableResult
    package func rest() -> FileError? {
        if let reading = current { queue.append((reading.id, reading.key)) }
        current = nil
        return note()
    }

    /// Has a faulty item read again now, because somebody changed it.
    public func readAgain(_ id: ItemID) {
        let key = table.key(id)
        knownFaults.remove(key)
        overtaken[key] = nil
        guard table[key]?.hasFault ?? false, current?.key != key, !queue.contains(where: { $0.key == key }) else {
            return
        }
        queue.append((id, key))
    }

    /// How much was read within 30 days, by what this object knows.
    ///
    /// - Throws: `ItemError` if a folder of the library cannot be listed.
    package func status(at now: Timestamp = .now) throws -> VerificationStatus {
        try VerificationStatus(table, try allIDs(), at: now)
    }

    private func take(_ reading: ItemReading, _ today: UInt16, _ turn: inout VerificationTurn) {
        let earlier = table[reading.key]
        let verdict = Verdict(of: reading, earlier: earlier, today: today)
        table.put(verdict.record)
        isDirty = true
        turn.itemCount += 1
        if verdict.record.hasFault { knownFaults.insert(reading.key) } else { knownFaults.remove(reading.key) }
        if verdict.record.hasFault || earlier?.hasFault ?? false {
            turn.results.append(VerificationTurn.Result(id: reading.id, findings: verdict.findings))
        }
    }

    /// Writes what was read, so that the next process need not read it again.
    private func note() -> FileError? {
        if !isDirty { return nil }
        lastNote = .now
        do throws(FileError) {
            try table.write(in: device.directory)
            isDirty = false
            return nil
        } catch {
            return error
        }
    }

    // MARK: Choosing

    /// Chooses the items that were read longest ago and are due.
    ///
    /// - Returns: when the next one is due, if none is now.
    private func fill(_ today: Int) throws -> VerificationTurn.Next? {
        table.settle()
        overtaken = overtaken.filter { $0.value == today }
        var isPresent = [Bool](repeating: false, count: table.records.count)
        var chosen: [(day: Int, id: ItemID, key: UInt64)] = []
        var soonest: Int?
        for shard in try store.shards().names {
            for id in try store.shard(shard).ids {
                let key = table.key(id)
                if let place = table.settledPlace(of: key) { isPresent[place] = true }
                let day = dueDay(key, today)
                if day > today {
                    soonest = min(soonest ?? day, day)
                    continue
                }
                chosen.append((day, id, key))
                if chosen.count >= 2 * queueLimit { Self.cut(&chosen, to: queueLimit) }
            }
        }
        let count = table.records.count
        table.prune(isPresent)
        if table.records.count != count { isDirty = true }
        Self.cut(&chosen, to: queueLimit)
        queue = chosen.reversed().map { ($0.id, $0.key) }
        if !queue.isEmpty { return nil }
        return soonest.map { .at(VerifiedDay.start(of: $0)) } ?? .whenItemsAreAdded
    }

    private static func cut(_ chosen: inout [(day: Int, id: ItemID, key: UInt64)], to limit: Int) {
        chosen.sort { ($0.day, $0.key) < ($1.day, $1.key) }
        if chosen.count > limit { chosen.removeLast(chosen.count - limit) }
    }

    /// The day from which an item should be read; lower for one that was read longer ago, −1 for one that never was.
    private func dueDay(_ key: UInt64, _ today: Int) -> Int {
        if let day = overtaken[key] { return day + 1 }
        guard let record = table[key], let age = Self.age(of: record, today) else { return -1 }
        if record.hasFault { return knownFaults.contains(key) ? today - age + 1 : today - age }
        return today - age + Self.age
    }

    /// Days since an item was read; `nil` if that is in the future by more than a day: the clock was wrong then.
    static func age(of record: VerifiedRecord, _ today: Int) -> Int? {
        let age = today - Int(record.day)
        return age < -1 ? nil : max(0, age)
    }

    private func allIDs() throws -> [ItemID] {
        try store.shards().names.flatMap { try store.shard($0).ids }
    }
}
