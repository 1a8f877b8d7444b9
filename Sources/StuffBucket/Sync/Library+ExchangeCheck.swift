internal import Files
public import Items

/// What a reading of a whole exchange found.
public struct ExchangeCheckReport: Sendable {
    /// Objects that were read to their ends, with lists of packs and heads.
    public internal(set) var objectCount = 0
    /// The sum of the bytes of their files.
    public internal(set) var byteCount = 0
    /// What is missing, damaged or cannot be used: paths relative to the exchange, sorted.
    public internal(set) var faults: [SyncReport.Left] = []
    /// The same of objects that only earlier states of items name: nothing needs them any more. Sorted.
    public internal(set) var outdated: [SyncReport.Left] = []

    init() {}
}

extension Library {
    /// Reads everything that the heads of an exchange name, and compares it with the hashes of its names.
    ///
    /// What is missing or damaged is remembered: this device's next sync writes it again, or asks the other devices for it.
    ///
    /// - Parameters:
    ///   - folder: the exchange. All of it is fetched from a cloud.
    ///   - worker: the program that unpacks.
    ///   - monitor: is told the number of objects read, and cancels.
    /// - Throws: `SyncError`, `ItemError`, `CaptureWorker.Failure`.
    public func check(
        _ folder: ExchangeFolder, _ worker: CaptureWorker, _ monitor: Monitor = Monitor()
    ) throws -> ExchangeCheckReport {
        try withRun(folder, worker, monitor) { run in try run.check() }
    }
}

extension SyncRun {
    fileprivate func check() throws -> ExchangeCheckReport {
        let found = try exchange.heads()
        try readHeads(found)
        var report = ExchangeCheckReport()
        report.objectCount = heads.count
        report.faults = self.report.left
        if let bytes = found[memory.device] {
            try checkOwnHead(bytes, &report)
        } else if memory.head != nil {
            report.faults.append(.init(ExchangeLayout.head(memory.device), .notHereYet))
        }
        var packs = Set(memory.packs)
        for head in heads.values { packs.formUnion(head.packs) }
        // Of a list, nothing says the size.
        var raw: [Items.ContentHash: Int] = [:]
        var tar: Set<Items.ContentHash> = []
        // What only states name that were taken and that others replaced is needed no more.
        var needed = try wanted().union(memory.unfinished.flatMap(\.missing)).union(heldObjects())
        for pack in packs.sorted() {
            try monitor.check()
            guard let states = try unpacked(pack)?.states else {
                try look(pack, .tar, &report)
                continue
            }
            count(pack, .tar, &report)
            let isTaken = memory.names.contains(pack)
            for state in states {
                let left = Set(state.leftOut.map(\.path))
                for file in state.files where PackedState.bundle(of: file.path) == nil && !left.contains(file.path) {
                    raw[file.sha256] = file.size
                    if !isTaken { needed.insert(ExchangeLayout.object(file.sha256, .raw)) }
                }
                for bundle in state.bundles where !left.contains(bundle.folder) {
                    tar.insert(bundle.sha256)
                    if !isTaken { needed.insert(ExchangeLayout.object(bundle.sha256, .tar)) }
                }
            }
        }
        for list in heads.values.flatMap(\.lists) { raw[list] = 0 }
        for hash in tar.sorted() { try look(hash, .tar, &report) }
        for (hash, size) in raw.sorted(by: { $0.key < $1.key }) { try look(hash, .raw, size: size, &report) }
        report.faults.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        func isOutdated(_ fault: SyncReport.Left) -> Bool {
            let name = fault.path.pathComponents.last ?? ""
            guard let (hash, form) = ExchangeLayout.object(named: name) else { return false }
            // A document that the original packed is known by its own hash.
            return !needed.contains(ExchangeLayout.object(hash, form == .zip ? .raw : form))
        }
        report.outdated = report.faults.filter(isOutdated)
        report.faults.removeAll(where: isOutdated)
        for fault in report.faults { noteLack(fault.path) }
        exchange.removeCopies()
        return report
    }

    /// The objects that the last known states of items name, whether the items are here or not.
    private func heldObjects() throws -> Set<String> {
        try place.shards().reduce(into: []) { objects, shard in
            for state in place.states(shard).values {
                objects.formUnion(state.bundles.map { ExchangeLayout.object($0.sha256, .tar) })
                objects.formUnion(state.files.map { ExchangeLayout.object($0.sha256, .raw) })
            }
        }
    }

    private func checkOwnHead(_ bytes: [UInt8], _ report: inout ExchangeCheckReport) throws {
        report.objectCount += 1
        do throws(ExchangeHead.Refusal) {
            _ = try ExchangeHead(bytes, of: memory.device, in: exchange.library)
        } catch {
            report.faults.append(.init(ExchangeLayout.head(memory.device), SyncReport.Reason(error)))
        }
    }

    private func count(_ hash: Items.ContentHash, _ form: ExchangeLayout.Form, _ report: inout ExchangeCheckReport) {
        report.objectCount += 1
        report.byteCount += ((try? exchange.byteCount(hash, form)) ?? nil) ?? 0
        exchange.forgetCopies([ExchangeLayout.object(hash, form)])
        monitor.show(report.objectCount)
    }

    /// Reads an object to its end.
    ///
    /// - Parameter size: the bytes of a document, or of another file that is an object of its own.
    private func look(
        _ hash: Items.ContentHash, _ form: ExchangeLayout.Form, size: Int = 0, _ report: inout ExchangeCheckReport
    ) throws {
        try monitor.check()
        if let fault = try fault(of: hash, form) {
            if form == .raw, fault == .notHereYet, try exchange.has(hash, .zip) {
                return try lookAtZip(hash, size, &report)
            }
            report.faults.append(.init(ExchangeLayout.object(hash, form), fault))
        }
        count(hash, form, &report)
    }

    /// Reads a document that the original packed.
    private func lookAtZip(
        _ hash: Items.ContentHash, _ size: Int, _ report: inout ExchangeCheckReport
    ) throws {
        count(hash, .zip, &report)
        var reason = SyncReport.Reason.damaged("")
        if let file = try rawObject(hash, size, &reason) {
            if try file.sha256() == hash.hex { return }
            reason = .damaged("")
        }
        report.faults.append(.init(ExchangeLayout.object(hash, .zip), reason))
    }
}
