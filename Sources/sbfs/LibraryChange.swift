import StuffBucket

/// Changes to all items of a library that have something, as `tag rename` and `collection delete` make them.
extension Invocation {
    /// Options of verbs that change many items without naming them.
    static let libraryOptions = [Option.dryRun, Option.json]

    /// The items of a listing for which a condition holds, and those that cannot be read.
    ///
    /// - Parameter isTold: whether what cannot be read is named, as it should be once in a command.
    func selection(
        _ listing: ItemAnswer, _ library: Library, isTold: Bool = true, where holds: (Item) -> Bool
    ) -> Selection {
        if isTold { for fault in listing.faults { talk.warn("\(fault)") } }
        let rows = listing.rows.filter { row in
            guard let stored = try? library.item(row) else { return true }
            return holds(stored.item)
        }
        return Selection(library: library, rows: rows, missingCount: listing.faults.count)
    }

    /// Says how to take back what was changed.
    func tellUndo() {
        if !isDryRun, talk.isTerminal, hasChanged { talk.say("\"sbfs undo\" undoes it") }
    }
}

/// `3 items`
func itemCount(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
