import Glibc
import StuffBucket

/// The items for a command: named, matched by `-q`, or given as ids on standard input.
extension Invocation {
    /// Options of every command that takes items.
    static let itemOptions = [Option.query]

    /// Reads all named items. Every name must have its item before a command changes anything.
    ///
    /// - Parameter names: positional arguments; `-` stands for ids on standard input, one a line.
    /// - Throws: `CommandFailure` if a name means no item or several, or there is no name.
    func items(_ names: [String]) throws -> Selection { try items(names, isPartial: false) }

    /// Reads the named items for a command that only shows them. A name without an item is reported, and the others
    /// are shown.
    func itemsToShow(_ names: [String]) throws -> Selection { try items(names, isPartial: true) }

    private func items(_ names: [String], isPartial: Bool) throws -> Selection {
        let library = try library()
        var names = names
        if let place = names.firstIndex(of: "-") {
            let lines = try StandardInput.read(limit: 256 << 20).split(separator: 0x0A)
            // The first column, so that tab-separated lines can be piped in.
            let ids = lines.map { String(decoding: $0.prefix { $0 != 0x09 && $0 != 0x0D }, as: UTF8.self) }
            names.replaceSubrange(place...place, with: ids.filter { !$0.isEmpty })
            if names.isEmpty { throw CommandFailure(.nothingFound, "standard input names no items") }
        }
        var rows: [Row] = []
        var missing: [String] = []
        var isAmbiguous = false
        if let query = value("query") {
            if !names.isEmpty { throw usage("name the items or use --query, not both") }
            let parsed = try readQuery([query])
            // A typing error must not change all items.
            if parsed.query == .everything, command.options.contains(where: { $0.name == Option.dryRun.name }) {
                throw usage(
                    "the query \"\(query)\" matches all items; if you mean that, use --query 'not is:trashed'")
            }
            // A command that changes items must find them by the current files.
            var request = ItemRequest(parsed.query)
            request.isFresh = true
            let listing = try library.find(request)
            rows = listing.rows
            missing = listing.faults.map(\.description)
            if rows.isEmpty {
                tellNothingFound(by: parsed)
                throw CommandFailure(.nothingFound, "nothing matches \(query)")
            }
        } else {
            if names.isEmpty { throw usage("which items? Name them by id, title, URL or @row, or give --query") }
            let resolution = try library.resolve(
                try RowMemory.expand(names, of: library), preferring: command.isAboutTrash ? .trashed : .live)
            rows = resolution.rows
            isAmbiguous = !resolution.ambiguous.isEmpty
            missing = sentences(of: resolution, library)
            if !missing.isEmpty, !isPartial, !rows.isEmpty {
                let status: ExitStatus = isAmbiguous ? .failed : .nothingFound
                throw CommandFailure(status, (missing + ["nothing was changed"]).joined(separator: "\n"))
            }
        }
        if rows.isEmpty { throw CommandFailure(isAmbiguous ? .failed : .nothingFound, missing.joined(separator: "\n")) }
        for sentence in missing { talk.warn(sentence) }
        return Selection(library: library, rows: rows, missingCount: missing.count)
    }

    /// The error for each name that does not mean exactly one item.
    private func sentences(of resolution: Resolution, _ library: Library) -> [String] {
        resolution.unknown.map { "nothing is named \"\(Printable.line($0))\"\(Self.namesHint($0))" }
            + resolution.ambiguous.map { name, rows in
                let ids = rows.prefix(5).map { row -> String in
                    let title = (try? library.item(row)).map { library.displayTitle(of: $0) } ?? ""
                    return "  \(row.id.short)  \(Printable.line(title))"
                }
                return "\"\(Printable.line(name))\" names \(rows.count) items; say which:\n"
                    + ids.joined(separator: "\n")
            }
    }

    /// Where a word that names no item can probably be found.
    private static func namesHint(_ name: String) -> String {
        let isWord = ItemID(name) == nil && name.contains { $0.isLetter } && !name.contains { $0 == "/" || $0 == "@" }
        return isWord ? "; a name is an id, @row, URL or whole title, and \"sbfs search\" finds by words" : ""
    }
}

/// The selected items, read one by one.
struct Selection {
    let library: Library
    let rows: [Row]
    /// The number of names without an item.
    let missingCount: Int

    var status: ExitStatus { missingCount == 0 ? .done : .partlyDone }

    func first() throws -> StoredItem { try library.item(rows[0]) }

    /// The items in a question: the title of one, or the number of several.
    func phrase() -> String {
        if rows.count == 1, let item = try? first() {
            return "\"\(library.displayTitle(of: item))\" (\(item.id.short))"
        }
        let titles = rows.prefix(5).compactMap { try? library.item($0) }.map { library.displayTitle(of: $0) }
        let more = rows.count > titles.count ? "\n  … and \(rows.count - titles.count) more" : ""
        return "\(rows.count) items:\n" + titles.map { "  " + $0 }.joined(separator: "\n") + more + "\n"
    }
}
