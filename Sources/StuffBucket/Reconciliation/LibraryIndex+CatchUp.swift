internal import Items
internal import Search

extension LibraryIndex {
    /// Above this number of rows, they are not compared one by one.
    static let showLimit = 5000

    /// Compares items that are about to be shown with their files, and updates the index for those that changed.
    ///
    /// - Returns: whether the index was right about all of them.
    func catchUp(_ rows: [Row]) throws -> Bool {
        if rows.count > Self.showLimit { return false }
        let folder = try place.indexFolder()
        guard let snapshot = try folder.snapshot() else { return true }
        let hints = rows.map { row in
            Sweep.Hint(id: row.id, shard: UInt8(row.folder.dropLast(37).suffix(2), radix: 16) ?? row.id.shardNumber)
        }
        let sweep = Sweep(
            self, folder, snapshot, since: SweepState.read(in: place), .items(hints), patience: .milliseconds(500))
        let report = try sweep.run(Monitor())
        return !report.isChanged && !report.isPostponed
    }

    /// Compares a part of the items with their files, and updates the index.
    ///
    /// - Parameter guardsLoss: judges the numbers of items that are gone and that came, before the index forgets any.
    /// - Returns: the report, and the index of now; `nil` if another process writes it all the time.
    func reconcile(
        _ scope: Sweep.Scope, _ monitor: Monitor = Monitor(),
        guardsLoss: @escaping Sweep.LossJudgement
    ) throws -> (report: SweepReport, snapshot: IndexSnapshot)? {
        let folder = try place.indexFolder()
        guard let snapshot = try folder.snapshot() else {
            guard let report = try rebuild(monitor), let snapshot = try folder.snapshot() else { return nil }
            return (report, snapshot)
        }
        let sweep = Sweep(
            self, folder, snapshot, since: SweepState.read(in: place), scope, patience: .seconds(2),
            guardsLoss: guardsLoss)
        let report = try sweep.run(monitor)
        if report.isPostponed { return nil }
        // Another process may have committed, too.
        return (report, try folder.snapshot() ?? snapshot)
    }
}
