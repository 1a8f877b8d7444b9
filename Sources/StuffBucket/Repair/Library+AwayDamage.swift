internal import Files
public import Items

extension Library {
    /// Looks into exchanges for the files that are away, and reads each object to its end.
    ///
    /// What an exchange lacks, or has damaged, is remembered: the next sync asks other devices for it.
    ///
    /// - Parameters:
    ///   - exchanges: where the files may be.
    ///   - areAll: whether these are all exchanges of this device; otherwise the rest may have what they lack.
    ///   - worker: gives the program that unpacks; asked only if files are away.
    ///   - monitor: is told the number of items done, and cancels.
    /// - Returns: a finding for each page and document that an exchange cannot give, an error if none can; and one for each
    ///   exchange that cannot be reached.
    /// - Throws: `ItemError`; `CaptureWorker.Failure`.
    public func awayDamage(
        in exchanges: [ExchangeFolder], areAll: Bool = true, _ worker: () throws -> CaptureWorker,
        _ monitor: Monitor = Monitor()
    ) throws -> [Finding] {
        let ids = awayIDs()
        if ids.isEmpty { return [] }
        if exchanges.isEmpty {
            return areAll ? [Finding(.warning, Layout.items, .noExchange(itemCount: ids.count))] : []
        }
        var unreachable: [UnreachableExchange] = []
        var look = AwayLook(runs: try runs(of: exchanges, worker(), monitor, &unreachable))
        look.unreachable = unreachable
        look.isComplete = areAll
        do {
            for (count, id) in ids.enumerated() {
                try monitor.check()
                monitor.show(count, of: ids.count)
                guard let folder = try session.folder(of: id),
                    let stored = ((try? store.item(id, in: folder)) ?? nil)
                else { continue }
                try look.look(stored, store)
            }
        } catch let error as FileError {
            throw ItemError.file(error)
        }
        return look.findings
            + look.unreachable.map { Finding(.warning, $0.folder.path, .exchangeUnreachable($0.reason)) }
    }
}

/// A look at what exchanges have of files that are away.
private struct AwayLook {
    /// Those that can be read.
    var runs: [SyncRun]
    var unreachable: [UnreachableExchange] = []
    /// Whether no further exchange may have what these lack.
    var isComplete = true
    var findings: [Finding] = []

    init(runs: [SyncRun]) { self.runs = runs }

    mutating func look(_ stored: StoredItem, _ store: ItemStore) throws {
        let away = try store.awayFiles(of: stored)
        for component in [Component.page, .document] {
            guard let first = away.files(of: component).first else { continue }
            let path = stored.folder + "/" + (component == .page ? Layout.pageFile : first.file.path)
            try look(away, component, of: stored.id, path)
        }
    }

    private mutating func look(
        _ away: AwayFiles, _ component: Component, of id: ItemID, _ path: String
    ) throws {
        var faults: [(run: SyncRun, fault: ObjectFault)] = []
        var isThere = false
        for run in runs {
            do {
                let fault = try run.compare(away, component)
                run.exchange.removeCopies()
                guard let fault else {
                    isThere = true
                    continue
                }
                faults.append((run, ObjectFault(path: fault.path, reason: fault.reason)))
            } catch {
                if case .cancelled? = error as? ItemError { throw error }
                guard error is FileError || error is SyncError else { throw error }
                // It went away meanwhile, or its disk fails: it is named once.
                runs.removeAll { $0 === run }
                unreachable.append(.init(folder: run.folder, reason: error))
            }
        }
        // An exchange that never had the item lacks nothing.
        var named = faults.filter { $0.run.state(of: id) != nil }
        if named.isEmpty, !isThere, isComplete, unreachable.isEmpty { named = Array(faults.prefix(1)) }
        for (run, fault) in named {
            run.noteLack(fault.path)
            findings.append(
                Finding(
                    isThere ? .warning : .error, path,
                    .awayFault(exchange: run.folder.path, fault, isElsewhere: isThere)))
        }
    }
}
