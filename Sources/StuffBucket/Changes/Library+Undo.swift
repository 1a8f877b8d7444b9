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
    /// Items and files that were changed.
    public var changedCount: Int { entries.count { (try? $0.result.get()) == true } }
}

extension Library {
    /// Undoes steps, except for values that were changed later. The undo is a step of its own.
    ///
    /// Added items go into the trash; removed or replaced texts and documents come back.
    ///
    /// - Parameters:
    ///   - steps: their numbers, the latest first.
    ///   - header: the header of the undo's own step.
    ///   - isDryRun: whether to report the outcome without changing anything.
    ///   - progress: called with parts done and in all, for one step after the other.
    public func undo(
        _ steps: [Int], _ header: StepHeader, isDryRun: Bool = false,
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) throws -> UndoReport {
        var header = header
        header.undoes = steps
        return try reverse(steps, header, isDryRun, progress)
    }

    /// Redoes undone steps.
    ///
    /// - Parameters:
    ///   - redoable: the value of `History.redoable`.
    ///   - isDryRun: whether to report the outcome without changing anything.
    ///   - progress: called with parts done and in all, for one step after the other.
    ///   - header: the header of the new step.
    public func redo(
        _ redoable: (steps: [Int], undoers: [Int]), _ header: StepHeader, isDryRun: Bool = false,
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) throws -> UndoReport {
        var header = header
        header.redoes = redoable.steps
        header.reverts = redoable.undoers
        return try reverse(redoable.undoers, header, isDryRun, progress)
    }

    private func reverse(
        _ numbers: [Int], _ header: StepHeader, _ isDryRun: Bool, _ progress: @escaping @Sendable (Int, Int) -> Void
    ) throws -> UndoReport {
        var report = UndoReport()
        guard let history = try history() else { return report }
        let step = try begin(header)
        defer { step.end() }
        for number in numbers {
            guard let contents = try history.contents(of: number) else { continue }
            let total = contents.ids.count
            let results = session.undo(contents, isDryRun: isDryRun) { progress($0, total) }
            report.entries += results.map { UndoReport.Entry(step: number, part: $0.part, result: $0.result) }
        }
        if !isDryRun {
            // Even if nothing had to change, the steps count as undone.
            if report.leftCount == 0 { try step.beginNow() }
            step.end(left: report.leftCount)
        }
        return report
    }
}
