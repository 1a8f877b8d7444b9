import Items
import Search
import StuffBucket

/// Changes to all items of a library that have something, as `tag rename` and `collection delete` make them.
extension Invocation {
    /// Options of verbs that change many items without naming them.
    static let libraryOptions = [Option.dryRun, Option.json]

    /// The items of a listing for which a condition holds, and those that cannot be read.
    ///
    /// What cannot be read by the catalog is told.
    func selection(_ listing: Listing, _ library: Library, where holds: (Item) -> Bool) -> Selection {
        for fault in listing.faults { talk.warn(fault) }
        let rows = listing.rows.filter { row in
            guard let stored = try? library.item(row) else { return true }
            return holds(stored.item)
        }
        return Selection(library: library, rows: rows, missingCount: listing.faults.count)
    }

    /// Says how to take back what was changed.
    func tellUndo() {
        if !isDryRun, talk.isTerminal { talk.say("\"sbfs undo\" takes it back") }
    }
}

/// `3 items`
func itemCount(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
