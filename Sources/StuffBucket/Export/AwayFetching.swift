internal import Files
internal import Items

/// Brings files that are away out of exchanges, one item after the other, for a full export.
final class AwayFetching {
    private let library: Library
    private let exchanges: [ExchangeFolder]
    private let worker: CaptureWorker
    private let monitor: Monitor
    private let session: WriteSession
    /// The exchanges that can be read; opened when the first file is away.
    private var runsIfOpen: [SyncRun]?
    /// Those that cannot.
    private var unreachable: [UnreachableExchange] = []

    init(_ library: Library, _ exchanges: [ExchangeFolder], _ worker: CaptureWorker, _ monitor: Monitor) {
        self.library = library
        self.exchanges = exchanges
        self.worker = worker
        self.monitor = monitor
        session = WriteSession(beside: library.session)
    }

    /// What came of an item's files.
    struct Brought {
        /// Folders with the files, each at its path below the item's folder, and with its hash.
        var staged: [StagedArchive] = []
        /// What no exchange gives: paths below the item's folder.
        var missing: [(path: String, why: [UnreachableExchange])] = []
    }

    /// Brings what is away of an item.
    func bring(_ stored: StoredItem) throws -> Brought {
        var brought = Brought()
        let away = try library.store.awayFiles(of: stored)
        for component in [Component.page, .document] where !away.files(of: component).isEmpty {
            var faults: [UnreachableExchange] = []
            if let staged = try bring(away, component, &faults) {
                brought.staged.append(staged)
            } else {
                let paths = away.paths.filter { PackedState.isDocument($0) == (component == .document) }
                brought.missing += paths.map { ($0, unreachable + faults) }
            }
        }
        return brought
    }

    func discard(_ brought: Brought) {
        for staged in brought.staged { session.discard(staged) }
    }

    private func bring(
        _ away: AwayFiles, _ component: Component, _ faults: inout [UnreachableExchange]
    ) throws -> StagedArchive? {
        for run in try runs() {
            var staged: StagedArchive?
            do {
                let new = try session.stageArchive()
                staged = new
                let fault = try run.fetch(away, component, into: new.parentPath, new.name)
                run.exchange.removeCopies()
                guard let fault else { return new }
                run.noteLack(fault.path)
                faults.append(.init(folder: run.folder, reason: ObjectFault(path: fault.path, reason: fault.reason)))
            } catch {
                if let staged { session.discard(staged) }
                if case .cancelled? = error as? ItemError { throw error }
                guard error is FileError || error is ItemError || error is SyncError else { throw error }
                // The disk of the exchange, or of the library, cannot do it: the rest is exported all the same.
                faults.append(.init(folder: run.folder, reason: error))
                continue
            }
            if let staged { session.discard(staged) }
        }
        return nil
    }

    private func runs() throws -> [SyncRun] {
        if let runsIfOpen { return runsIfOpen }
        let runs = try library.runs(of: exchanges, worker, monitor, &unreachable)
        runsIfOpen = runs
        return runs
    }
}
