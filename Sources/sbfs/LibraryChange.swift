import StuffBucket

/// Changes to all items of a library with a certain tag or collection, for `tag rename`, `collection delete` and
/// others.
extension Invocation {
    /// Options of commands that change many items without naming them.
    static let libraryOptions = [Option.dryRun, Option.json]

    /// The items of a listing that meet a condition, and those that cannot be read.
    ///
    /// - Parameter isTold: whether to name items that cannot be read, which a command should do once.
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

    /// Says how to undo the changes.
    func tellUndo() {
        if !isDryRun, talk.isTerminal, hasChanged { talk.say("\"sbfs undo\" undoes it") }
    }
}

/// `3 items`
func itemCount(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
