public import Items

/// What became of the items and files of steps that were undone or done again.
public struct UndoReport: Sendable {
    /// One item or file of a step.
    public struct Entry: Sendable {
        /// The number of the step that it belongs to.
        public let step: Int
        /// The item or the file.
        public let part: StepPart
        /// Whether anything had to be changed, or why the part was left: `.changedSince` where somebody changed the same.
        public let result: Result<Bool, ItemError>
    }

    /// What became of each part, of one step after the other.
    public var entries: [Entry] = []

    /// Items and files that were left as they are.
    public var leftCount: Int { entries.count { (try? $0.result.get()) == nil } }
    /// Items and files that were changed.
    public var changedCount: Int { entries.count { (try? $0.result.get()) == true } }
}

extension Library {
    /// Takes steps back, as far as nobody changed the same since; the undo is a step of its own.
    ///
    /// What was added goes into the trash, what was taken out or replaced comes back.
    ///
    /// - Parameters:
    ///   - steps: their numbers, the latest first.
    ///   - header: of the undo's own step.
    ///   - isDryRun: whether only to look what would be done.
    ///   - progress: called with parts done and in all, of one step after the other.
    public func undo(
        _ steps: [Int], _ header: StepHeader, isDryRun: Bool = false,
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) throws -> UndoReport {
        var header = header
        header.undoes = steps
        return try reverse(steps, header, isDryRun, progress)
    }

    /// Does again what was undone.
    ///
    /// - Parameters:
    ///   - redoable: as `History.redoable` tells it.
    ///   - isDryRun: whether only to look what would be done.
    ///   - progress: told how far it is.
    ///   - header: how the list of steps describes it.
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
            // Where all is as it was already, the steps count as undone all the same.
            if report.leftCount == 0 { try step.beginNow() }
            step.end(left: report.leftCount)
        }
        return report
    }
}
