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
    /// Files that are right again, or would be.
    public internal(set) var repaired: [File] = []
    /// Files of which no source has the right bytes.
    public internal(set) var lost: [File] = []
    /// Files that another program changed meanwhile. They stay as they are.
    public internal(set) var changed: [String] = []
    /// Files that cannot be read, relative to the library's folder: item.json that does not parse, and what the disk cannot read.
    public internal(set) var unreadable: [String] = []
    /// Items that were not here and came back from an exchange, or would; also those of which item.json alone was missing.
    public internal(set) var broughtBack: [ItemID] = []
    /// Items that a source has, and that are neither here nor purged.
    public internal(set) var absent: [ItemID] = []

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
    /// A file is damaged if it has another hash than was recorded for it, and was not modified since. Hashes are recorded for
    /// documents, files in assets/ and history/, what was seen of items with versions, and what an exchange holds. A damaged
    /// file that is replaced stays with the step in the journal. With all items, those that an exchange has and that are neither
    /// here nor purged come back with their history.
    ///
    /// - Parameters:
    ///   - items: the items; `nil` for all.
    ///   - places: where the bytes may be, in the order in which they are asked.
    ///   - worker: the program that unpacks.
    ///   - mode: a dry run reads and compares everything, and changes nothing.
    ///   - header: the step's name.
    ///   - monitor: is told the number of items done, and cancels; what was repaired stays.
    /// - Throws: `MergeRefusal`, `SyncError`, `ItemError`, `CaptureWorker.Failure`.
    public func repair(
        _ items: [Row]? = nil, from places: [RepairPlace], _ worker: CaptureWorker, _ mode: ChangeMode = .real,
        as header: StepHeader = StepHeader(command: "repair"), _ monitor: Monitor = Monitor()
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
            return try repair(items, sources, mode, monitor)
        } catch let error as FileError {
            throw ItemError.file(error)
        }
    }

    private func repair(
        _ items: [Row]?, _ sources: [RepairSource], _ mode: ChangeMode, _ monitor: Monitor
    ) throws -> RepairReport {
        var report = RepairReport()
        var bare: [ItemID: String] = [:]
        let ids = try items?.map(\.id) ?? store.shards().names.flatMap { try store.shard($0).ids }
        for (count, id) in ids.enumerated() {
            try monitor.check()
            monitor.show(count, of: ids.count)
            guard let folder = try session.folders(of: id).first else { continue }
            report.itemCount += 1
            let found: StoredItem?
            do throws(ItemError) {
                found = try store.item(id, in: folder)
            } catch {
                switch error {
                case .malformed, .fault: report.unreadable.append(folder + "/" + Layout.itemFile)
                default: throw error
                }
                continue
            }
            if let found {
                try repairItem(found, sources, mode, monitor, &report)
            } else if try store.root.statusIfPresent(of: folder + "/" + Layout.itemFile) == nil {
                bare[id] = folder
            }
        }
        if items == nil {
            let purged = Set(try store.tombstoneIDs())
            report.absent = try sources.reduce(into: Set<ItemID>()) { $0.formUnion(try $1.ids()) }
                .subtracting(ids).subtracting(purged).sorted()
        }
        for case .exchange(let run) in sources { try bringBack(bare, from: run, mode, &report) }
        return report
    }

    /// Brings back items that an exchange has and that are not here, and item.json where it alone is missing.
    private func bringBack(
        _ bare: [ItemID: String], from run: SyncRun, _ mode: ChangeMode, _ report: inout RepairReport
    ) throws {
        let held = try run.heldIDs()
        let absent = Set(report.absent).intersection(held)
        let bare = bare.filter { held.contains($0.key) && !report.broughtBack.contains($0.key) }
        if absent.isEmpty, bare.isEmpty { return }
        if mode == .dry {
            report.broughtBack += absent.union(bare.keys).sorted()
            report.absent.removeAll(where: absent.contains)
            return
        }
        let files = try run.bringBack(absent, itemFilesOf: Set(bare.keys))
        for (id, folder) in bare.sorted(by: { $0.key < $1.key }) {
            guard let bytes = files[id] else { continue }
            let staged = try session.stageArchive()
            defer { session.discard(staged) }
            try Directory(path: staged.path).writeFile(Layout.itemFile, bytes)
            if try session.mend(Layout.itemFile, from: staged, of: id, in: folder, seen: nil) {
                report.broughtBack.append(id)
            }
        }
        let back = try absent.filter { try !session.folders(of: $0).isEmpty }
        report.broughtBack += back.sorted()
        report.absent.removeAll(where: back.contains)
    }

    private func repairItem(
        _ stored: StoredItem, _ sources: [RepairSource], _ mode: ChangeMode, _ monitor: Monitor,
        _ report: inout RepairReport
    ) throws {
        var wanted = WantedFiles(store, monitor)
        try wanted.look(stored, sources.lazy.compactMap { $0.state(of: stored.id) }.first)
        report.unreadable += wanted.unreadable
        for path in try Set(sources.flatMap { try $0.lost(stored) }).sorted() {
            report.lost.append(.init(path: stored.folder + "/" + path, isMissing: true))
        }
        if wanted.found.isEmpty { return }
        let staged = try session.stageArchive()
        defer { session.discard(staged) }
        let folder = try Directory(path: staged.path)
        for file in wanted.found {
            let told = RepairReport.File(path: stored.folder + "/" + file.path, isMissing: file.status == nil)
            let isHere = try sources.contains { try $0.bring(file, of: stored.id, into: folder, monitor) }
            if !isHere {
                report.lost.append(told)
            } else if mode == .dry {
                report.repaired.append(told)
            } else if try session.mend(
                file.path, from: staged, of: stored.id, in: stored.folder, seen: file.status)
            {
                report.repaired.append(told)
            } else {
                report.changed.append(told.path)
            }
        }
    }
}
