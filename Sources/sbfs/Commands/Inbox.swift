import Glibc
import StuffBucket

extension Commands {
    static let inbox = Command(
        "inbox", .keep, "Take in the files of the inbox, and list what waits",
        details: """
            Files in the library's folder inbox/ become items, and leave the inbox. Sub-folders are collections: \
            inbox/Work/Projects/plan.pdf goes into Work/Projects.

            A shortcut (.url, .webloc, .desktop) and a text (.txt, .md) that is nothing but a URL become links. Other \
            texts become snippets. A page that a browser or SingleFile saved (.html, .mhtml, .webarchive) becomes the \
            saved page of its link. All other files become documents. If the library has the link, its item gets the \
            page, the tags, the collections and the comment.

            A file NAME.comment beside a file NAME holds a comment: quoted parts are text, other words are tags. sbfs also \
            reads the extended attributes user.xdg.tags and user.xdg.origin.url. The word "trashcan" hides nothing: it \
            becomes the tag "\(Self.harmlessTrashcan)".

            A file is taken in when it has not changed for 2 seconds and no program writes it; this command waits \
            3 seconds for files that have just come. Empty files, links to files, devices, shortcuts to other than \
            web addresses and files above the size limit go to inbox/rejected/, each with a file that gives the \
            reason; nothing there is taken in again. Move a file back into inbox/ to try again. Names that begin with a dot \
            stay where they are; they are counted as hidden, and --dry-run lists them.

            The same file in the same place becomes one item, also on several devices. If that item was changed, \
            trashed or purged meanwhile, the file becomes a new one. "undo" moves the items to the trash. It does not \
            bring the files back; the items hold them.

            Prints a line for each file: what became of it, the item's id, its path, and why it waits.
            """,
        options: [
            Option("no-archive", "do not save the pages of new links"),
            Option("now", "do not wait until files have not changed for 2 seconds"),
            Option("rejected", "list the files in inbox/rejected/ instead, and take in nothing"),
            Option.dryRun, Option.json, Option.ndjson,
        ],
        examples: [
            .init("sbfs inbox", "take in what is there"),
            .init("sbfs inbox --dry-run", "list what waits, and why"),
        ],
        run: { try InboxCommand($0).run() })

    private static let harmlessTrashcan = "imported-trashcan"
}

/// One run of `sbfs inbox`.
private struct InboxCommand {
    let invocation: Invocation
    let library: Library
    private let worker: CaptureWorker?

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        if !invocation.positionals.isEmpty { throw invocation.usage("inbox takes no arguments") }
        library = try invocation.library()
        // Without it, saved pages wait, and the list says so.
        worker = try? WorkerProgram.worker()
    }

    func run() throws -> ExitStatus {
        defer { worker?.end() }
        if invocation.has("rejected") { return try list(library.rejectedInboxFiles().map(InboxLine.init)) }
        var options = InboxOptions()
        options.isArchived = !invocation.has("no-archive")
        if invocation.has("now") { options.quietMilliseconds = 0 }
        if invocation.isDryRun { return try list(library.inbox(options, using: worker).map(InboxLine.init)) }
        try waitForNewFiles(options)
        let report = try invocation.withProgress("reading the inbox") { monitor in
            try library.takeInbox(using: worker, options, as: invocation.stepHeader(), monitor)
        }
        if report.isBusy {
            throw CommandFailure(.locked, "another sbfs takes in the inbox; try again when it is done")
        }
        let lines = report.entries.map(InboxLine.init) + report.waiting.map(InboxLine.init)
        let status = try list(lines)
        let saving = try NewPages(invocation: invocation, library: library, origin: .listed).save(pending(report))
        return status == .done ? saving : status
    }

    /// Waits until the files that have just come have settled, so that one run takes in all of them.
    private func waitForNewFiles(_ options: InboxOptions) throws {
        let deadline = Timestamp.now.adding(seconds: 3)
        while true {
            let times = try library.inbox(options, using: worker).compactMap { file -> Timestamp? in
                switch file.state {
                case .settling(let until), .waitsForComment(let until): until
                default: nil
                }
            }
            guard let last = times.filter({ $0 <= deadline }).max() else { return }
            let pause = last.milliseconds - Timestamp.now.milliseconds
            if pause > 0 { usleep(useconds_t(pause * 1000)) }
        }
    }

    /// New links whose pages are still to be fetched.
    private func pending(_ report: InboxReport) -> [Row] {
        report.entries.compactMap { entry in
            guard case .added(let row) = entry.outcome, let stored = try? library.item(row),
                stored.item.archiveStatus == .pending
            else { return nil }
            return row
        }
    }

    // MARK: Output

    private func list(_ lines: [InboxLine]) throws -> ExitStatus {
        let output = invocation.output
        if invocation.has("json") || invocation.has("ndjson") {
            let isArray = !invocation.has("ndjson")
            for (number, line) in lines.enumerated() {
                if isArray { try output.write(Array((number == 0 ? "[\n" : ",\n").utf8)) }
                try output.write(Printable.json(line.json) + (isArray ? [] : [0x0A]))
            }
            if isArray { try output.line(lines.isEmpty ? "[]" : "\n]") }
        } else {
            // What stays for good is counted below, and listed by a dry run.
            for line in lines where invocation.isDryRun || !line.isHidden {
                try output.line(Terminal.isOutput ? shown(line) : line.tabSeparated)
            }
        }
        try output.flush()
        invocation.talk.say(sentence(lines))
        return lines.contains(where: \.isTrouble) ? .partlyDone : .done
    }

    private func shown(_ line: InboxLine) -> String {
        let word = invocation.style.bold(TextWidth.pad(line.word, to: 10))
        let id = line.row.map { invocation.style.dim($0.id.short) + "  " } ?? ""
        return word + id + Printable.line(line.path) + (line.why.map { ": " + Printable.line($0) } ?? "")
    }

    private func sentence(_ lines: [InboxLine]) -> String {
        if lines.isEmpty { return invocation.has("rejected") ? "nothing was rejected" : "the inbox is empty" }
        var counts: [(word: String, count: Int)] = []
        for line in lines {
            if let place = counts.firstIndex(where: { $0.word == line.word }) {
                counts[place].count += 1
            } else {
                counts.append((line.word, 1))
            }
        }
        return "inbox: " + counts.map { "\($0.count) \($0.word)" }.joined(separator: ", ")
    }
}
