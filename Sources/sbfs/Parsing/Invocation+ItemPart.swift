import StuffBucket

extension Invocation {
    /// The one item and the name of a part of it, such as a version, of `ITEM NAME`.
    func itemAndName(of part: String) throws -> (library: Library, stored: StoredItem, name: String) {
        guard let name = positionals.last, positionals.count > 1 || has("query") else {
            throw usage("\(command.name) needs an item and a \(part)")
        }
        let selection = try items(Array(positionals.dropLast()))
        guard selection.rows.count == 1 else { throw usage("\(command.name) is for one item") }
        return (selection.library, try selection.first(), name)
    }

    /// The only part that a name means.
    ///
    /// - Parameters:
    ///   - found: The parts whose names begin with it.
    ///   - list: The command that lists the parts.
    ///   - shown: A part's name as messages show it.
    func only<Part>(
        _ found: [Part], _ name: String, _ part: String, of stored: StoredItem, list: String, shown: (Part) -> String
    ) throws -> Part {
        guard let first = found.first else {
            throw CommandFailure(
                .nothingFound,
                "\(stored.id.short) has no \(part) \(name); \"sbfs \(list) \(stored.id.short)\" lists them")
        }
        if found.count == 1 { return first }
        throw CommandFailure(
            .failed,
            "\(name) may be " + found.prefix(3).map(shown).joined(separator: ", ")
                + (found.count > 3 ? " or \(found.count - 3) more" : "") + "; give more of its name")
    }
}
