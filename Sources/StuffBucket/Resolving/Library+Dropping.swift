internal import Files
public import Items

extension Library {
    /// Drops the pages and documents of items from this device. An exchange holds them: they are fetched when they are opened,
    /// and `keep` brings them back.
    ///
    /// Fields, texts, histories and earlier captures stay, and so does what is searched. A file is dropped only after the
    /// exchange's copy was read and has its hash, and only as it was then: what an editor saves meanwhile stays. No item
    /// changes, so nothing is in the journal.
    ///
    /// - Parameters:
    ///   - items: the items.
    ///   - exchanges: where the files may be, in the order in which they are asked.
    ///   - worker: the program that unpacks.
    ///   - mode: a dry run reads the exchange's copies, and drops nothing.
    ///   - monitor: is told the number of items done, and cancels.
    /// - Throws: `SyncError` if no exchange can be read, `.isBusy`, and `.isReplicated` in a work tree of git and a folder of
    ///   Syncthing; `ItemError` where the library cannot be written;
    ///   `.cancelled`; `CaptureWorker.Failure`.
    public func drop(
        _ items: [Row], to exchanges: [ExchangeFolder], _ worker: CaptureWorker, _ mode: ChangeMode = .real,
        _ monitor: Monitor = Monitor()
    ) throws -> DropReport {
        try refuseReplicated()
        return try withExchanges(items, exchanges, worker, monitor) { run, row, session, report in
            guard try store.item(row.id, in: row.folder) != nil else { throw ItemError.noItem(row.id) }
            let outcome = try run.drop(row.id, in: row.folder, session, isDry: mode == .dry)
            report.byteCount += outcome.byteCount
            if mode == .real,
                outcome.left.contains(where: { if case .notInExchange = $0.reason { true } else { false } }),
                run.state(of: row.id) != nil
            {
                try run.forgetKnown(row.id)
            }
            return (outcome.byteCount > 0, outcome.left)
        }
    }

    /// Brings pages and documents of items back to this device, from an exchange. They stay here from now on, also where the
    /// exchange is used by a thin replica.
    ///
    /// Each file has its hash when it gets its name. A file that another program put in its place meanwhile stays.
    ///
    /// - Parameters:
    ///   - items: the items.
    ///   - exchanges: where the files may be, in the order in which they are asked.
    ///   - worker: the program that unpacks.
    ///   - monitor: is told the number of items done, and cancels.
    /// - Throws: as `drop`.
    public func keep(
        _ items: [Row], from exchanges: [ExchangeFolder], _ worker: CaptureWorker, _ monitor: Monitor = Monitor()
    ) throws -> DropReport {
        try withExchanges(items, exchanges, worker, monitor) { run, row, session, report in
            guard let stored = try store.item(row.id, in: row.folder) else { throw ItemError.noItem(row.id) }
            let outcome = try run.keep(stored, isKept: true, session)
            report.byteCount += outcome.byteCount
            var left: [(path: String, reason: DropReport.Reason)] = outcome.missing.map {
                ($0.path, .object($0.object, $0.reason))
            }
            left += outcome.unreachable.map { ($0, .inRemovedExchange) }
            if outcome.fileCount > 0, let cache = OpenedFiles(store), let away = stored.away { cache.remove(away) }
            // Missing, and no exchange has it.
            if outcome.fileCount == 0, left.isEmpty {
                left = stored.unavailablePaths.map { ($0, .unavailable) }
                if left.isEmpty, let awaited = awaitedDocument(of: stored) { left = [(awaited, .notArrived)] }
            }
            return (outcome.fileCount > 0, left)
        }
    }

    /// The number of items of which files are away.
    public func awayCount() -> Int { awayIDs().count }

    /// The items of which files are away, sorted.
    func awayIDs() -> [ItemID] { awayRecords().map(\.id) }

    /// What is away, by item, sorted; each record is read when its turn comes.
    func awayRecords() -> AnyIterator<(id: ItemID, away: AwayFiles)> {
        var ids = idsOfAwayRecords().makeIterator()
        return AnyIterator { [store] in
            while let id = ids.next() {
                if let away = store.awayRecord(of: id), !away.isEmpty { return (id, away) }
            }
            return nil
        }
    }

    private func idsOfAwayRecords() -> [ItemID] {
        guard let device = store.device, let all = try? device.directory.directory(Layout.away),
            let shards = try? all.entries()
        else { return [] }
        let names = shards.compactMap(\.name.string).flatMap { shard in
            ((try? all.directory(shard).entries()) ?? []).compactMap(\.name.string)
        }
        return names.compactMap { ItemID($0) }.sorted()
    }

    /// - Throws: `SyncError.isReplicated` if dropped files would go in other copies, too: the library's folder is a work tree of
    ///   git or a folder of Syncthing, or lies in one. Git carries what its index names alone.
    func refuseReplicated() throws {
        if let found = replicated(by: [".git", ".stfolder"]) {
            throw SyncError.isReplicated(path: found.folder, mark: found.mark)
        }
    }

    /// The folder that another program replicates as the library, or with it, and the name in it that tells so.
    func replicated(by marks: [String]) -> (folder: String, mark: String)? {
        let library = FilePath.real(store.root.path) ?? FilePath.absolute(store.root.path)
        var folder = library
        while true {
            if let directory = try? Directory(path: folder.isEmpty ? "/" : folder) {
                for mark in marks where (try? directory.statusIfPresent(of: mark)) ?? nil != nil {
                    let inner = Array(library.utf8.dropFirst(folder.utf8.count + 1))
                    if mark == ".git", !inner.isEmpty, !Self.isTracked(inner, in: directory) { continue }
                    return (folder, mark)
                }
            }
            guard let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            folder = String(Substring(folder.utf8[..<slash]))
        }
    }

    /// Whether git's index may name a file below a folder of its work tree.
    private static func isTracked(_ folder: [UInt8], in tree: borrowing Directory) -> Bool {
        do throws(FileError) {
            // The folder of a linked work tree is elsewhere.
            guard try tree.statusIfPresent(of: ".git")?.kind == .directory else { return true }
            guard let index = try tree.contentsIfPresent(of: ".git/index", limit: 1 << 28)?.bytes else { return false }
            // From version 4 on, and in an index of parts, names are not written out.
            guard index.count > 8, index[7] < 4 else { return true }
            return contains(index, folder + [UInt8(ascii: "/")]) || contains(index, Array("link".utf8) + [0])
        } catch {
            return true
        }
    }

    private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: wanted[0]) {
            if rest[start...].starts(with: wanted) { return true }
            rest = rest[(start + 1)...]
        }
        return false
    }

    /// Asks the exchanges one after the other for each item, until one leaves nothing.
    private func withExchanges(
        _ items: [Row], _ exchanges: [ExchangeFolder], _ worker: CaptureWorker, _ monitor: Monitor,
        _ body: (SyncRun, Row, WriteSession, inout DropReport) throws -> (
            isDone: Bool, left: [(path: String, reason: DropReport.Reason)]
        )
    ) throws -> DropReport {
        try requireWritable()
        guard let lock = try SyncFolder.lock(store) else { throw SyncError.isBusy }
        defer { withExtendedLifetime(lock) {} }
        var report = DropReport()
        var runs = try runs(of: exchanges, worker, monitor, &report.unreachable)
        func requireOne() throws {
            if runs.isEmpty, let first = report.unreachable.first { throw first.reason }
        }
        try requireOne()
        // No item changes: nothing of this belongs to a step.
        let session = WriteSession(beside: session)
        defer { settle() }
        for (count, row) in items.enumerated() {
            try monitor.check()
            monitor.show(count, of: items.count)
            var isDone = false
            var left: [(path: String, reason: DropReport.Reason)] = []
            for run in runs {
                do {
                    // What came from a cloud is only compared, or is in its place now.
                    defer { run.exchange.removeCopies() }
                    let outcome = try body(run, row, session, &report)
                    isDone = isDone || outcome.isDone
                    left = outcome.left
                } catch let error as ItemError {
                    if error.concernsTheDisk { throw error }
                    if case .cancelled = error { throw error }
                    left = [(row.folder, .fault(error))]
                } catch let error as SyncError {
                    // A cloud that does not answer is asked once.
                    report.unreachable.append(.init(folder: run.folder, reason: error))
                    runs.removeAll { $0 === run }
                    try requireOne()
                } catch let error as FileError {
                    throw ItemError.file(error)
                }
                if left.isEmpty { break }
            }
            if isDone { report.done.append(row.id) }
            if !isDone, left.isEmpty { report.unchanged.append(row.id) }
            report.left += left.map { .init(item: row.id, path: $0.path, reason: $0.reason) }
        }
        return report
    }

    /// A run for each exchange that can be read.
    func runs(
        of exchanges: [ExchangeFolder], _ worker: CaptureWorker?, _ monitor: Monitor,
        _ unreachable: inout [UnreachableExchange]
    ) throws -> [SyncRun] {
        var runs: [SyncRun] = []
        func places() throws -> [SyncFolder] { try exchanges.compactMap { try syncFolder($0) } }
        for folder in exchanges {
            do {
                guard let place = try syncFolder(folder) else { continue }
                let run = SyncRun(self, folder, try exchange(folder, monitor), place, worker, monitor)
                run.named = try places()
                runs.append(run)
            } catch {
                unreachable.append(UnreachableExchange(folder: folder, reason: error))
            }
        }
        return runs
    }
}
