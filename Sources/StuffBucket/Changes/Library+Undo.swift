public import Items

/// The outcome of undoing or redoing steps, for each item and file.
public struct UndoReport: Sendable {
    /// The outcome for one item or file of a step.
    public struct Entry: Sendable {
        /// The number of its step.
        public let step: Int
        /// The item or the file.
        public let part: StepPart
        /// Whether anything changed, or the error: `.changedSince` if the same values were changed later.
        public let result: Result<Bool, ItemError>
    }

    /// The outcome for each part, step after step.
    public var entries: [Entry] = []

    /// Items and files left unchanged because of an error.
    public var leftCount: Int { entries.count { (try? $0.result.get()) == nil } }
    /// Items that were changed.
    public var changedItemCount: Int {
        entries.count { entry in
            guard (try? entry.result.get()) == true else { return false }
            return if case .item = entry.part { true } else { false }
        }
    }
    /// Items and files that were changed.
    public var changedCount: Int { entries.count { (try? $0.result.get()) == true } }
}

/// Whether changes are made.
public enum ChangeMode: Sendable {
    case real
    /// Nothing is written, and the outcome tells what would become of it.
    case dry
}

extension Library {
    /// Undoes steps, except for values that were changed later. The undo is a step of its own.
    ///
    /// Added items go into the trash; removed or replaced texts and documents come back.
    ///
    /// - Parameters:
    ///   - steps: their numbers, the latest first.
    ///   - header: the header of the undo's own step.
    ///   - mode: `dry` reports the outcome without changing anything.
    ///   - monitor: is told parts done and in all, for one step after the other, and cancels; what is undone by then stays.
    /// - Throws: `ItemError`: `stepIsOpen` within a step, `cancelled`, or why the journal cannot be read.
    public func undo(
        _ steps: [Int], _ header: StepHeader, _ mode: ChangeMode = .real,
        _ monitor: Monitor = Monitor()
    ) throws -> UndoReport {
        var header = header
        header.undoes = steps
        return try reverse(steps, header, mode, monitor)
    }

    /// Redoes undone steps.
    ///
    /// - Parameters:
    ///   - redoable: the value of `History.redoable`.
    ///   - mode: `dry` reports the outcome without changing anything.
    ///   - monitor: is told parts done and in all, for one step after the other, and cancels; what is undone by then stays.
    ///   - header: the header of the new step.
    /// - Throws: As `undo`.
    public func redo(
        _ redoable: (steps: [Int], undoers: [Int]), _ header: StepHeader, _ mode: ChangeMode = .real,
        _ monitor: Monitor = Monitor()
    ) throws -> UndoReport {
        var header = header
        header.redoes = redoable.steps
        header.reverts = redoable.undoers
        return try reverse(redoable.undoers, header, mode, monitor)
    }

    private func reverse(
        _ numbers: [Int], _ header: StepHeader, _ mode: ChangeMode, _ monitor: Monitor
    ) throws -> UndoReport {
        var report = UndoReport()
        guard let history = try history() else { return report }
        let step = try begin(header)
        defer { step.end() }
        for number in numbers {
            guard let contents = try history.contents(of: number) else { continue }
            try monitor.check()
            let shared = mode == .real ? sharedFiles(contents.paths) : []
            let results = session.undo(contents, isDryRun: mode == .dry, monitor)
            report.entries += results.map { UndoReport.Entry(step: number, part: $0.part, result: $0.result) }
            // What cannot be noted comes back with a sync.
            for file in shared { try? session.noteDeleted(file.path, file.state) }
            if contents.isDamaged {
                let why = ItemError.refused(.stepDamaged(number))
                report.entries.append(.init(step: number, part: .file(history.path(of: number)), result: .failure(why)))
            }
            let changed = results.filter { (try? $0.result.get()) == true }
            // Undoing what made a conflict resolves none.
            if mode == .real, !header.redoes.isEmpty { step.noteConflictsThatWent(changed.map(\.part), contents) }
        }
        if mode == .real {
            // Even if nothing had to change, the steps count as undone.
            if report.leftCount == 0 { try step.beginNow() }
            step.end(left: report.leftCount)
        }
        return report
    }

    /// The files of collections/, tags/ and smart/ that a step changed and that an exchange has, as they are now. One that goes
    /// when the step is undone would come back from other devices.
    private func sharedFiles(_ paths: [String]) -> [(path: String, state: NamedState)] {
        let named = paths.filter { NamedFolder(rawValue: $0.pathComponents[0]) != nil }
        if named.isEmpty { return [] }
        let exchanges = ((try? SyncFolder.all(store)) ?? []).map { $0.besides() }
        return named.compactMap { path in
            guard exchanges.contains(where: { $0[path] != nil }),
                let contents = (try? store.root.contentsIfPresent(of: path, limit: Layout.settingsByteLimit)) ?? nil
            else { return nil }
            return (path, NamedState(contents.bytes, modified: contents.status.modified))
        }
    }
}
