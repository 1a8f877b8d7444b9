import Glibc
import StuffBucket

/// Prints the outcome of each addition.
struct AddPrinter {
    private let invocation: Invocation
    private let library: Library
    private let isTerminal = isatty(1) == 1
    private var isFirst = true

    init(_ invocation: Invocation, _ library: Library) {
        self.invocation = invocation
        self.library = library
    }

    private var isJSON: Bool { invocation.has("json") }
    private var isStream: Bool { invocation.has("ndjson") }

    /// Ends the array that the first item began. A command that fails before that prints none.
    func end(isFailed: Bool = false) throws {
        if isJSON, !(isFailed && isFirst) { try invocation.output.line(isFirst ? "[]" : "\n]") }
    }

    mutating func show(_ outcome: AdditionOutcome, _ addition: Addition) throws {
        switch outcome {
        case .added(let item):
            let verb = invocation.isDryRun ? "would add" : "added"
            try show(Row(item), "\(verb) \(item.kind.rawValue)")
        case .known(let row, let isChanged):
            try show(row, isChanged ? (invocation.isDryRun ? "would update" : "updated") : "known")
            if !invocation.has("input") { try tellKnown(row) }
            tellTitle(addition, row)
        case .restored(let row):
            try show(row, invocation.isDryRun ? "would restore" : "restored")
            tellTitle(addition, row)
        case .trashed(let row):
            invocation.talk.warn(
                "\(row.id.short) has this URL and is in the trash; restore it with "
                    + "\"sbfs restore \(row.id.short)\", or add it with --restore or --new")
        case .refused: break
        }
    }

    private func tellKnown(_ row: Row) throws {
        guard let stored = try? library.item(row) else { return }
        let collections = stored.item.collections
        invocation.talk.say(
            "\(row.id.short) is in the library since \(stored.createdAt.localDate)"
                + (collections.isEmpty ? ", in no collection" : ", in \(collections.joined(separator: ", "))"))
    }

    /// Says that an existing item kept its title.
    private func tellTitle(_ addition: Addition, _ row: Row) {
        guard let title = addition.title, let stored = try? library.item(row), stored.item.title != title else {
            return
        }
        invocation.talk.warn(
            "\(row.id.short) keeps its title, and \"\(title)\" was not taken; \"sbfs title \(row.id.short) TITLE\" sets one"
        )
    }

    private mutating func show(_ row: Row, _ verb: String) throws {
        if invocation.isDryRun {
            invocation.talk.say("\(verb) \(row.id.short)")
            return
        }
        if isJSON || isStream {
            let bytes = Printable.json(try ItemJSON.bytes(library.item(row), library, hasText: false))
            if isJSON { try invocation.output.write(Array((isFirst ? "[\n" : ",\n").utf8)) }
            try invocation.output.write(bytes + (isStream ? [0x0A] : []))
        } else if isTerminal {
            let title = (try? library.item(row)).map { library.displayTitle(of: $0) } ?? ""
            try invocation.output.line(
                "\(verb) \(invocation.style.dim(row.id.short)) "
                    + invocation.style.bold(Printable.line(title)))
        } else {
            try invocation.output.line(row.id.description)
        }
        isFirst = false
    }
}
