internal import Files
public import Items

/// What a repair of damaged and missing files did.
public struct RepairReport: Sendable {
    /// A file of an item.
    public struct File: Sendable {
        /// Relative to the library's folder.
        public let path: String
        /// Whether it was missing; otherwise it was damaged.
        public let isMissing: Bool
    }

    /// The number of items that were read.
    public internal(set) var itemCount = 0
    /// Files that are right again, or would be, with item.json that could not be read.
    public internal(set) var repaired: [File] = []
    /// Files of which no source has the right bytes.
    public internal(set) var lost: [File] = []
    /// Files that another program changed meanwhile. They stay as they are.
    public internal(set) var changed: [String] = []
    /// Documents that are not what item.json says, though they have the age of their items, and of which no source tells more: edited by
    /// a program that keeps times, or damaged. They stay as they are.
    public internal(set) var doubtful: [String] = []
    /// Files that cannot be read, relative to the library's folder: JSON that does not parse and that no source has, and what the disk
    /// cannot read.
    public internal(set) var unreadable: [String] = []
    /// Items that were not here and came back from an exchange, or would; also those of which item.json alone was missing.
    public internal(set) var broughtBack: [ItemID] = []
    /// Items that a source has, and that are neither here nor purged.
    public internal(set) var absent: [ItemID] = []
    /// Items of which item.json would come back. A dry run looks at no other file of them.
    public internal(set) var unlooked: [ItemID] = []
    /// Exchanges with which this device has not synced yet, by their paths: it does not know what they have of an item.
    public internal(set) var unsynced: [String] = []

    init() {}
}

/// Where a repair looks for the right bytes.
public enum RepairPlace: Sendable {
    /// The folder of another copy of the library.
    case copy(String)
    case exchange(ExchangeFolder)
}

extension Library {
    /// Brings damaged and missing files back from other copies and exchanges, where their bytes have the recorded hash.
    ///
    /// A file is damaged if it has another hash than was recorded for it, and was not modified since. A document of which item.json alone
    /// tells, and that something wrote since with an old time, is damaged if a source has a file of its size with that hash. Hashes are recorded for
    /// documents, files in assets/ and history/, what was seen of items with versions, and what an exchange holds. A damaged
    /// file that is replaced stays with the step in the journal. With all items, those that an exchange has and that are neither
    /// here nor purged come back with their history.
    ///
    /// An item.json that cannot be read comes from the item's last version; without one, and for a file of a collection, a tag or a
    /// smart folder, from a source. The other files of its item are looked at when it is back.
    ///
    /// - Parameters:
    ///   - items: the items; `nil` for all.
    ///   - places: where the bytes may be, in the order in which they are asked.
    ///   - exchanges: those of this device. A file that is away and that none of them has is missing. With none, and if one cannot be
    ///     read, no such file is.
    ///   - worker: the program that unpacks.
    ///   - mode: a dry run reads and compares everything, and changes nothing.
    ///   - header: the step's name.
    ///   - monitor: is told the number of items done, and cancels; what was repaired stays.
    /// - Throws: `MergeRefusal`, `SyncError`, `ItemError`, `CaptureWorker.Failure`.
    public func repair(
        _ items: [Row]? = nil, from places: [RepairPlace], besides exchanges: [ExchangeFolder] = [],
        _ worker: CaptureWorker, _ mode: ChangeMode = .real, as header: StepHeader = StepHeader(command: "repair"),
        _ monitor: Monitor = Monitor()
    ) throws -> RepairReport {
        try requireWritable()
        guard let lock = try SyncFolder.lock(store) else { throw SyncError.isBusy }
        defer { withExtendedLifetime(lock) {} }
        do {
            let sources = try places.map { place -> RepairSource in
                switch place {
                case .copy(let path): return .copy(try copy(at: path))
                case .exchange(let folder):
                    guard let place = try syncFolder(folder) else { throw ItemError.refused(.notWritable(path: path)) }
                    return .exchange(SyncRun(self, folder, try exchange(folder, monitor), place, worker, monitor))
                }
            }
            var header = header
            header.bringsItems = true
            let step = mode == .dry ? nil : try begin(header)
            defer {
                step?.end()
                settle()
            }
            var unreachable: [UnreachableExchange] = []
            let holders = try runs(of: exchanges, nil, monitor, &unreachable)
            var report = try repair(items, sources, unreachable.isEmpty ? holders : [], mode, monitor)
            for case .exchange(let run) in sources where run.memory.completedAt == nil && run.memory.lookedAt == nil {
                report.unsynced.append(run.folder.path)
            }
            return report
        } catch let error as FileError {
            throw ItemError.file(error)
        }
    }

    private func repair(
        _ items: [Row]?, _ sources: [RepairSource], _ holders: [SyncRun], _ mode: ChangeMode, _ monitor: Monitor
    ) throws -> RepairReport {
        var report = RepairReport()
        var small: [SmallFile] = []
        // Those of items of which no other file can be looked at before item.json is back.
        var itemFiles: [SmallFile] = []
        let ids = try items?.map(\.id) ?? store.shards().names.flatMap { try store.shard($0).ids }
        for (count, id) in ids.enumerated() {
            try monitor.check()
            monitor.show(count, of: ids.count)
            guard let folder = try session.folder(of: id) else { continue }
            report.itemCount += 1
            let found: StoredItem?
            do throws(ItemError) {
                found = try store.item(id, in: folder)
            } catch {
                let path = folder + "/" + Layout.itemFile
                if case .cancelled = error { throw error }
                if error.concernsJSON, let seen = try status(of: path) {
                    itemFiles.append(SmallFile(itemFileOf: id, in: folder, seen: seen))
                } else {
                    report.unreadable.append(path)
                }
                continue
            }
            if let found {
                try repairItem(found, sources, holders, mode, monitor, &small, &report)
            } else if try status(of: folder + "/" + Layout.itemFile) == nil {
                itemFiles.append(SmallFile(itemFileOf: id, in: folder, seen: nil))
            }
        }
        if items == nil {
            let purged = Set(try store.tombstoneIDs())
            // What was purged stays away, also if somebody removed the tombstone.
            let lost = sources.reduce(into: Set<ItemID>()) { $0.formUnion($1.purgedIDs) }.subtracting(ids)
                .subtracting(purged)
            report.absent = try sources.reduce(into: Set<ItemID>()) { $0.formUnion(try $1.ids()) }
                .subtracting(ids).subtracting(purged).subtracting(lost).sorted()
            small += try brokenTombstones(purged) + lost.sorted().map { SmallFile(tombstoneOf: $0, seen: nil) }
            small += try brokenNamedFiles()
        }
        try repair(itemFiles + small, sources, mode, &report)
        small = []
        let broughtBack = Set(report.broughtBack), repaired = Set(report.repaired.map(\.path))
        for (count, file) in itemFiles.enumerated() {
            try monitor.check()
            monitor.show(count, of: itemFiles.count)
            guard let id = file.id, broughtBack.contains(id) || repaired.contains(file.full) else { continue }
            if mode == .dry {
                report.unlooked.append(id)
                continue
            }
            let found: StoredItem?
            do throws(ItemError) {
                found = try store.item(id, in: file.folder)
            } catch {
                if case .cancelled = error { throw error }
                report.unreadable.append(file.full)
                continue
            }
            if let found { try repairItem(found, sources, holders, mode, monitor, &small, &report) }
        }
        small.removeAll(where: \.isItemFile)
        if !small.isEmpty { try repair(small, sources, mode, &report) }
        return report
    }

    private func status(of path: String) throws -> FileStatus? { try store.root.statusIfPresent(of: path) }

    private func repairItem(
        _ stored: StoredItem, _ sources: [RepairSource], _ holders: [SyncRun], _ mode: ChangeMode, _ monitor: Monitor,
        _ small: inout [SmallFile], _ report: inout RepairReport
    ) throws {
        var wanted = WantedFiles(store, monitor)
        let absent = Self.absent(stored.away, holders)
        try wanted.look(stored, sources.lazy.compactMap { $0.state(of: stored.id) }.first, absent: absent)
        report.unreadable += wanted.unreadable
        // What sources that were asked do not have. Another one may.
        var lost = try Set(sources.flatMap { try $0.lost(stored) })
        defer {
            report.lost += lost.sorted().map { .init(path: stored.folder + "/" + $0, isMissing: true) }
        }
        if wanted.found.isEmpty { return }
        let staged = try session.stageArchive()
        defer { session.discard(staged) }
        let folder = try Directory(path: staged.path)
        for file in wanted.found {
            let named = RepairReport.File(path: stored.folder + "/" + file.path, isMissing: file.status == nil)
            if file.path == Layout.itemFile, let status = file.status {
                small.append(SmallFile(itemFileOf: stored.id, in: stored.folder, seen: status))
                continue
            }
            let isHere =
                try bringText(file, of: stored, into: folder)
                || bringKept(file, of: stored, into: folder, monitor)
                || sources.contains { try $0.bring(file, of: stored.id, into: folder, monitor) }
            if !isHere, file.path.hasPrefix(Layout.history + "/") {
                small.append(SmallFile(file.path, of: stored.id, in: stored.folder, seen: file.status))
            } else if !isHere, file.isDoubtful {
                report.doubtful.append(named.path)
            } else if !isHere {
                if !lost.contains(file.path) { report.lost.append(named) }
            } else if mode == .dry {
                lost.remove(file.path)
                report.repaired.append(named)
            } else if try session.mend(
                file.path, from: staged, of: stored.id, in: stored.folder, seen: file.status)
            {
                lost.remove(file.path)
                report.repaired.append(named)
                try removeSetAside(file.path, of: stored.id, in: stored.folder)
                if stored.away?.document?.file.path == file.path { try session.forgetAway([.document], of: stored.id) }
            } else {
                report.changed.append(named.path)
            }
        }
    }
}

extension Library {
    /// The files that are away, and that no exchange of this device has, as far as names and sizes tell.
    private static func absent(_ away: AwayFiles?, _ holders: [SyncRun]) -> [Version.File] {
        guard let away, !holders.isEmpty else { return [] }
        return [Component.page, .document].flatMap { component in
            holders.allSatisfy { $0.lack(of: away, component) != nil } ? away.files(of: component).map(\.file) : []
        }
    }

    /// Removes what was set aside of a file of history/ that is whole again.
    func removeSetAside(_ path: String, of id: ItemID, in folder: String) throws {
        guard path.hasPrefix(Layout.history + "/") else { return }
        try session.removeNeedless(path + Layout.damagedEnding, of: id, in: folder)
    }

    /// Brings a document that another copy took out, or that lost a conflict, from the name that it has for 30 days.
    private func bringKept(
        _ file: WantedFile, of stored: StoredItem, into folder: borrowing Directory, _ monitor: Monitor
    ) throws -> Bool {
        guard file.path.hasPrefix(Layout.document + "/"), !file.digits.isEmpty,
            let states = try? KnownStates(reading: store)
        else { return false }
        for path in states.keptDocuments(of: stored.id) {
            if let kept = try? store.root.fileIfPresent(path),
                try RepairSource.copy(kept, as: file, into: folder, monitor)
            {
                return true
            }
        }
        return false
    }

    /// Brings text.md, or a text of history/, into a folder: from history/, from the second name or the bytes that this device
    /// keeps of it, or from text.md.
    ///
    /// - Returns: false if the file is no text, or nothing here has it whole.
    private func bringText(_ file: WantedFile, of stored: StoredItem, into folder: borrowing Directory) throws -> Bool {
        let isOfHistory = file.path.utf8.elementsEqual("\(Layout.history)/\(file.digits).md".utf8)
        guard isOfHistory || file.path == Layout.textFile, let hash = Items.ContentHash(hex: file.digits.utf8),
            let text = try VersionFolder(of: stored.folder, in: store).text(hash)
                ?? KnownStates(reading: store).keptText(hash, of: stored.id)
                ?? KnownBytes(store)?.last(stored.id)?.text.flatMap({ Items.ContentHash(of: $0) == hash ? $0 : nil })
                ?? store.text(of: stored).flatMap({ Items.ContentHash(of: $0) == hash ? $0 : nil })
        else { return false }
        if isOfHistory { _ = try folder.makeDirectory(Layout.history) }
        try folder.writeFile(file.path, text)
        return true
    }
}

extension ItemError {
    /// Whether a file was read and is not the JSON that it should be.
    var concernsJSON: Bool {
        switch self {
        case .malformed, .fault, .unsuitable: true
        default: false
        }
    }
}
