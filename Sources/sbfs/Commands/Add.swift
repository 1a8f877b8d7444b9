import Glibc
import StuffBucket

extension Commands {
    static let add = Command(
        "add", .keep, "Add links, files and text", arguments: "[URL|FILE|-]…",
        details: """
            Adds a URL as a link, a copy of a file as a document, and - (standard input) as a snippet. Text that is \
            nothing but one URL becomes a link. sbfs saves the page of a link in the background; --wait waits for it. \
            If there are more than \(NewPages.backgroundLimit) new links, "sbfs archive --pending" saves their pages. \
            With --no-archive, --offline or SBFS_OFFLINE=1, sbfs fetches nothing.

            A page that a browser or SingleFile saved (.html, .xhtml, .mhtml, .webarchive) becomes a link with the \
            file as its saved page, if the file names its URL. If the library has the link, its item gets the page, \
            and the earlier page becomes a snapshot. --type document adds such a file as a document.

            If the library has the URL, sbfs adds the tags, collections and comment to its item and shows the item. \
            --new adds a second item. If the item is in the trash, sbfs asks whether to restore it (--restore answers \
            yes).

            A comment holds text and tags: quoted parts are text, other words are tags, with or without #. Example: \
            --comment 'recipe #soup "with less salt"'.

            Prints the id of each item, one a line; on a terminal, a sentence. With --json or --ndjson, prints the \
            items.
            """,
        options: [
            Option("title", short: "t", value: "TITLE", "the item's title"),
            Option("tag", value: "TAGS", isRepeatable: true, "tags, separated by commas"),
            Option(
                "collection", short: "c", value: "NAME", isRepeatable: true,
                "add to a collection; Work/Projects is nested"),
            Option("comment", short: "m", value: "TEXT", "text in quotes, other words as tags"),
            Option("type", value: "TYPE", "snippet, link or document (chosen by content)"),
            Option(
                "input", short: "i", value: "FILE",
                "read URLs and file names from FILE, one a line; - is standard input"),
            Option("new", "add a URL again even if the library has it"),
            Option("restore", "restore a URL that is in the trash"),
            Option("no-archive", "do not save the page of a new link"),
            Option("wait", "wait until the pages of new links are saved"),
        ] + captureOptions + printOptions + [
            Option.dryRun, Option.json, Option.ndjson,
        ],
        examples: [
            .init("sbfs add https://swift.org --tag swift,language", "add a link"),
            .init("sbfs add report.pdf -c Work/Projects", "add a copy of a file"),
            .init("sbfs add ~/Downloads/*.mhtml", "add pages that a browser saved"),
            .init("echo 'buy milk' | sbfs add - --title Shopping", "add a text"),
            .init("sbfs add --input links.txt", "add many links at once"),
        ],
        run: { try AddCommand($0).run() })
}

/// One run of `sbfs add`.
private struct AddCommand {
    let invocation: Invocation
    let library: Library
    let type: Item.Kind?
    let tags: [String]
    let text: [UInt8]?
    private let savedPages: SavedPages

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        if let name = invocation.value("type") {
            guard let type = Item.Kind(rawValue: name) else {
                throw invocation.usage("--type must be snippet, link or document, not \"\(name)\"")
            }
            self.type = type
        } else {
            type = nil
        }
        let collections = try invocation.values("collection").map { name in
            guard let collection = CollectionName(name) else { throw invocation.usage("a collection needs a name") }
            return collection.tag
        }
        let comment = invocation.value("comment").map(Comment.init(parsing:))
        tags =
            try invocation.values("tag").flatMap { try TypedTags.read($0, invocation) } + collections
            + (comment?.tags ?? [])
        try TypedTags.refuseTrashcan(comment?.tags ?? [], invocation)
        text = comment?.text.map { Array($0.utf8) + [0x0A] }
        library = try invocation.library()
        savedPages = SavedPages(invocation)
    }

    func run() throws -> ExitStatus {
        var counts = AddCounts()
        var printer = AddPrinter(invocation, library)
        do {
            try add(&counts, &printer)
        } catch {
            try printer.end(isFailed: true)
            throw error
        }
        try printer.end()
        return try saveNewPages(counts)
    }

    private func saveNewPages(_ counts: AddCounts) throws -> ExitStatus {
        let origin: NewPages.Origin = invocation.value("input") == nil ? .typed : .listed
        let status = try NewPages(invocation: invocation, library: library, origin: origin).save(counts.newLinks)
        return counts.status == .done ? status : counts.status
    }

    private func add(_ counts: inout AddCounts, _ printer: inout AddPrinter) throws {
        if let input = invocation.value("input") {
            guard invocation.positionals.isEmpty else { throw invocation.usage("give --input or names, not both") }
            try addLines(input, &counts, &printer)
        } else {
            guard !invocation.positionals.isEmpty else {
                throw invocation.usage("add needs a URL, a file, or - for standard input")
            }
            if invocation.positionals.count > 1, invocation.has("title") {
                throw invocation.usage("--title fits one item, not \(invocation.positionals.count)")
            }
            var additions: [Addition] = []
            var faults: [any Error] = []
            for name in invocation.positionals {
                do {
                    additions.append(try addition(name))
                } catch {
                    if invocation.positionals.count == 1 { throw error }
                    faults.append(error)
                }
            }
            // An error in one name stops all additions.
            if let first = faults.first {
                let sentences = faults.map(\.wording) + ["nothing was added"]
                throw CommandFailure(ExitStatus(for: first), sentences.joined(separator: "\n"))
            }
            try add(additions, &counts, &printer)
        }
    }

    /// Lines are read as a stream and added in groups, so a list may have any length.
    private func addLines(_ input: String, _ counts: inout AddCounts, _ printer: inout AddPrinter) throws {
        var lines = try LineReader(input)
        let progress = Progress("adding", talk: invocation.talk)
        var group: [Addition] = []
        var lineNumber = 0
        while let line = try lines.next() {
            lineNumber += 1
            let name = String(decoding: line, as: UTF8.self).trimmingSpace
            if name.isEmpty { continue }
            do {
                group.append(type == .snippet ? snippet(Array(name.utf8) + [0x0A]) : try addition(name))
            } catch {
                counts.refuse(CommandFailure(.failed, "\(input):\(lineNumber): \(error.wording)"), invocation)
            }
            if group.count == Self.groupSize {
                try add(group, &counts, &printer)
                group.removeAll(keepingCapacity: true)
                progress.show(counts.total)
            }
        }
        try add(group, &counts, &printer)
        progress.clear()
        invocation.talk.say((invocation.isDryRun ? "would be: " : "") + counts.sentence)
    }

    /// Items synced together. Larger groups are hardly faster and use more memory.
    private static let groupSize = 2000

    private func add(_ additions: [Addition], _ counts: inout AddCounts, _ printer: inout AddPrinter) throws {
        if additions.isEmpty { return }
        let known: Library.KnownLinks =
            invocation.has("new")
            ? .duplicate
            : invocation.has("restore") ? .joinAndRestore : .join
        var outcomes = try invocation.step().add(additions, knownLinks: known, invocation.mode)
        for (index, outcome) in outcomes.enumerated() {
            if case .trashed(let row) = outcome, additions.count == 1, !invocation.isDryRun, asksToRestore(row) {
                outcomes[index] = try invocation.step().add([additions[index]], knownLinks: .joinAndRestore)[0]
            }
        }
        for (addition, outcome) in zip(additions, outcomes) {
            counts.add(outcome, invocation, isToBeSaved: addition.savedFile == nil)
            if let file = addition.savedFile, let row = outcome.row, !invocation.isDryRun, !invocation.has("no-archive")
            {
                if try !savedPages.take(file, into: row, library) { counts.isPartlyDone = true }
            }
            try printer.show(outcome, addition)
        }
        try invocation.output.flush()
    }

    private func asksToRestore(_ row: Row) -> Bool {
        let title = (try? library.item(row)).map { library.displayTitle(of: $0) } ?? ""
        return Prompt.confirm("\"\(title)\" (\(row.id.short)) is in the trash. Restore it?", isYesDefault: true)
            ?? false
    }

    // MARK: The meaning of a name

    private func addition(_ name: String) throws -> Addition {
        var addition = try named(name)
        if addition.title == nil { addition.title = invocation.value("title") }
        return addition
    }

    private func named(_ name: String) throws -> Addition {
        if name == "-" { return try fromStandardInput() }
        if type == .snippet {
            let file = try FileOfPerson.read(name, limit: Layout.textByteLimit)
            return try checked(snippet(file), name)
        }
        if LinkIdentity(name) != nil, type != .document { return link(name) }
        if type == .link { throw CommandFailure(.failed, "\(name) is no http or https URL") }
        let scheme = name.prefix { $0 != ":" }
        if ["javascript", "data", "file", "ftp", "mailto", "http", "https"].contains(scheme.lowercased()),
            name.contains(":")
        {
            throw CommandFailure(.failed, "\(name): only http and https URLs with a host can be kept as links")
        }
        if !FileOfPerson.exists(name) {
            let hint = looksLikeHost(name) ? "; for a link write https://\(name)" : ""
            throw CommandFailure(.failed, "\(name) is neither a URL nor a file\(hint)")
        }
        if type != .document, let url = savedPages.url(of: name) {
            var addition = link(url)
            addition.savedFile = name
            return addition
        }
        return document(name)
    }

    private func looksLikeHost(_ name: String) -> Bool {
        let host = name.prefix { $0 != "/" && $0 != ":" }
        return host.contains(".") && LinkIdentity("https://" + name) != nil && host.last?.isLetter == true
    }

    private func fromStandardInput() throws -> Addition {
        let bytes = try StandardInput.read(limit: Layout.textByteLimit)
        let trimmed = String(decoding: bytes.prefix(8192), as: UTF8.self).trimmingSpace
        if type != .snippet, bytes.count < 8192, LinkIdentity(trimmed) != nil { return link(trimmed) }
        if type == .link { throw CommandFailure(.failed, "standard input is no http or https URL") }
        if type == .document {
            throw invocation.usage("a document needs a file name; save standard input to a file first")
        }
        if trimmed.isEmpty { throw CommandFailure(.failed, "standard input is empty; nothing was added") }
        return try checked(snippet(bytes), "standard input")
    }

    /// - Throws: `CommandFailure` if the text cannot be added.
    private func checked(_ addition: Addition, _ name: String) throws -> Addition {
        if case .text(let bytes) = addition.content,
            bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil
        {
            throw CommandFailure(.failed, "\(name) is no UTF-8 text; to keep it as it is, add it as a file")
        }
        return addition
    }

    private func link(_ url: String) -> Addition {
        var addition = Addition(.link(url))
        addition.tags = tags
        addition.text = text
        addition.isArchived = !invocation.has("no-archive")
        return addition
    }

    private func document(_ path: String) -> Addition {
        var addition = Addition(.document(path))
        addition.tags = tags
        addition.text = text
        return addition
    }

    private func snippet(_ bytes: [UInt8]) -> Addition {
        var addition = Addition(.text(text.map { bytes + (bytes.last == 0x0A ? [0x0A] : [0x0A, 0x0A]) + $0 } ?? bytes))
        addition.tags = tags
        return addition
    }
}

/// The number of additions for each outcome.
private struct AddCounts {
    var added = 0, known = 0, trashed = 0, refused = 0
    /// New links without their page.
    var newLinks: [Row] = []
    /// Whether a part of an added item is missing.
    var isPartlyDone = false
    var lastStatus = ExitStatus.failed

    var total: Int { added + known + trashed + refused }

    /// - Parameter isToBeSaved: whether a new link's page is still to be fetched.
    mutating func add(_ outcome: AdditionOutcome, _ invocation: Invocation, isToBeSaved: Bool) {
        switch outcome {
        case .added(let item):
            added += 1
            if isToBeSaved, item.archiveStatus == .pending { newLinks.append(Row(item)) }
        case .known, .restored: known += 1
        case .trashed: trashed += 1
        case .refused(_, let error): refuse(error, invocation)
        }
    }

    mutating func refuse(_ error: any Error, _ invocation: Invocation) {
        refused += 1
        lastStatus = ExitStatus(for: error)
        invocation.talk.warn(error.wording)
    }

    var sentence: String {
        "\(added) added, \(known) known already"
            + (trashed > 0 ? ", \(trashed) in the trash" : "") + (refused > 0 ? ", \(refused) refused" : "")
    }

    var status: ExitStatus {
        if refused + trashed == 0 { return isPartlyDone ? .partlyDone : .done }
        return added + known > 0 ? .partlyDone : refused > 0 ? lastStatus : .failed
    }
}
