import StuffBucket

/// Changes to several items, for `title`, `set`, `tag`, `trash` and others.
extension Invocation {
    /// Options of every command that changes items.
    static let changeOptions = [Option.query, Option.yes, Option.dryRun, Option.json]

    /// Makes a change to each selected item and reports the outcome.
    ///
    /// - Parameters:
    ///   - done: the words for one item and for several: `("tagged", …)`.
    ///   - change: the change of an item; `nil` to leave it unchanged.
    func change(
        _ selection: Selection, done: String, _ change: (StoredItem) throws -> ItemEdit?
    ) throws -> ExitStatus {
        var report = ChangeReport(done: done, missingCount: selection.missingCount)
        let library = selection.library
        let progress = Progress(done, total: selection.rows.count, talk: talk)
        for start in stride(from: 0, to: selection.rows.count, by: 256) {
            let rows = selection.rows[start..<min(start + 256, selection.rows.count)]
            var changes: [(stored: StoredItem, edit: ItemEdit)] = []
            for row in rows {
                do {
                    let stored = try selection.library.item(row)
                    if let edit = try change(stored) {
                        changes.append((stored, edit))
                    } else {
                        report.unchanged(row.id)
                    }
                } catch {
                    report.failed(row.id, error)
                }
            }
            if isDryRun {
                for (stored, _) in changes {
                    talk.say("would change \(stored.id.short)  \(library.displayTitle(of: stored))")
                }
            } else {
                for ((stored, _), result) in zip(changes, try step().update(changes)) { report.add(stored.id, result) }
            }
            progress.show(start + rows.count)
        }
        progress.clear()
        return try report.finish(self)
    }
}

/// The outcome of a command for each item.
struct ChangeReport {
    let done: String
    let missingCount: Int
    private var results: [(id: ItemID, result: String, error: (any Error)?)] = []

    init(done: String, missingCount: Int = 0) {
        self.done = done
        self.missingCount = missingCount
    }

    mutating func add(_ id: ItemID, _ result: Result<Bool, ItemError>) {
        switch result {
        case .success(let isChanged): results.append((id, isChanged ? "changed" : "unchanged", nil))
        case .failure(let error): failed(id, error)
        }
    }

    mutating func changed(_ id: ItemID) { results.append((id, "changed", nil)) }
    mutating func unchanged(_ id: ItemID) { results.append((id, "unchanged", nil)) }
    mutating func failed(_ id: ItemID, _ error: any Error) { results.append((id, "failed", error)) }

    var hasFailures: Bool { results.contains { $0.error != nil } }

    /// Prints the outcome; a single failure becomes the command's own error.
    func finish(_ invocation: Invocation) throws -> ExitStatus {
        let failures = results.filter { $0.error != nil }
        if invocation.has("json") {
            let objects = results.map { result in
                JSON.members([
                    ("id", .string(result.id.description)), ("result", .string(result.result)),
                    ("error", result.error.map { .string($0.wording) }),
                ])
            }
            try invocation.output.write(Printable.json(JSON.array(objects).file))
        }
        for failure in failures { if let error = failure.error { invocation.talk.warn(error.wording) } }
        let changed = results.count { $0.result == "changed" }
        let unchanged = results.count { $0.result == "unchanged" }
        if failures.isEmpty, !invocation.isDryRun {
            if changed > 0 {
                invocation.talk.say("\(done) \(changed) item\(changed == 1 ? "" : "s")")
            } else if unchanged > 0 {
                invocation.talk.say("nothing to change")
            }
        }
        guard !failures.isEmpty else { return missingCount == 0 ? .done : .partlyDone }
        let statuses = Set(failures.compactMap(\.error).map(ExitStatus.init))
        if statuses.contains(.conflict) { return .conflict }
        return failures.count == results.count && statuses.count == 1 ? statuses.first ?? .failed : .partlyDone
    }
}

extension Invocation {
    /// Runs an action for each selected item and reports the outcome.
    ///
    /// - Parameters:
    ///   - check: throws what the action would throw, before anything is written. A dry run asks it, too.
    ///   - change: returns whether anything was written.
    func changeEach(
        _ selection: Selection, done: String, check: (Library, StoredItem) throws -> Void = { _, _ in },
        _ change: (Library, StoredItem) throws -> Bool
    ) throws -> ExitStatus {
        var report = ChangeReport(done: done, missingCount: selection.missingCount)
        for row in selection.rows {
            do {
                let stored = try selection.library.item(row)
                try check(selection.library, stored)
                if isDryRun {
                    talk.say("would change \(stored.id.short)  \(selection.library.displayTitle(of: stored))")
                } else if try change(selection.library, stored) {
                    report.changed(row.id)
                } else {
                    report.unchanged(row.id)
                }
            } catch {
                report.failed(row.id, error)
            }
        }
        return try report.finish(self)
    }
}
