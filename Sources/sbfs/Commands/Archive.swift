import Glibc
import StuffBucket
import Synchronization

extension Commands {
    static let archive = Command(
        "archive", .keep, "Save the pages of links", arguments: "[ITEM…]",
        details: """
            Saves the page of each link: page.html opens offline and looks the same, reader.html is the article alone, \
            assets/ has the files. If Chromium, Chrome, Edge or Brave is installed, it renders pages that need scripts \
            (setting capture.browser). Saved pages contain no scripts. If a link leads to a PDF or another file, that \
            file becomes the item's document.

            --pending selects links whose page waits to be saved, --failed links whose page could not be saved, --all \
            every link. A capture never replaces a better one (a login page or half an article replaces nothing). The \
            earlier page becomes a snapshot; see "sbfs snapshots". With --keep-all, worse captures become snapshots \
            too.

            "sbfs watch" saves waiting pages by itself, and tries failed ones again, less and less often. Above \
            \(Library.archiveConsentCount) waiting pages it asks: --pending --consent lets it save those that wait now, and saves \
            nothing itself.

            For pages behind a login, export your browser's cookies in Netscape format and give the file with \
            --cookies. sbfs sends each cookie to its own site only and saves none. --from uses a page that you saved \
            yourself (SingleFile, "save as", MHTML, .webarchive).

            With a browser, cookie walls and other dialogs that cover a page are hidden in the saved page, because nothing can dismiss \
            them there. --as-is keeps them.

            --pdf and --screenshot keep a print (page.pdf) and a picture (page.png) of the page beside it, made by the \
            same browser; the picture ends after 16,384 pixels. They belong to the capture: a later one without them \
            moves them into the snapshot.

            sbfs fetches from public addresses only. A link that was typed on this device may lead to the private address that \
            it names, if you name its item. --allow-private also allows your own network.
            """,
        options: [
            Option.query, Option("pending", "links whose page waits to be saved"),
            Option("failed", "links whose page could not be saved"),
            Option("all", "every link that is not in the trash"),
            Option("consent", "with --pending: let sbfs watch save all pages that wait now"),
        ] + captureOptions + printOptions + [
            Option("from", value: "FILE", "use a saved page instead of fetching; for one item"),
            Option("keep-all", "keep worse captures too, as snapshots"),
            Option("jobs", short: "j", value: "N", "pages at once (\(ArchiveRun.usualJobs))"), Option.yes,
            Option.dryRun, Option("json", "print one object a line, as each page is done"),
            Option(
                "background", value: "HOW",
                "for sbfs itself: typed, listed or attached; silent, stops when the disk is nearly full"),
        ],
        examples: [
            .init("sbfs archive @1", "save one page"), .init("sbfs archive --pending", "save all waiting pages"),
            .init("sbfs archive @1 --pdf --screenshot", "with a print and a picture"),
            .init("sbfs archive --pending --consent", "let sbfs watch save them all"),
            .init("sbfs archive -q 'site:example.org' --cookies cookies.txt", "pages behind a login"),
            .init("sbfs archive @1 --from saved.html", "use a page that you saved"),
        ],
        run: { try ArchiveCommand($0).run() })

    /// Options of the commands that keep a saved page.
    static let printOptions = [
        Option("pdf", "keep a print too, page.pdf; needs a browser"),
        Option("screenshot", "keep a picture too, page.png; needs a browser"),
    ]

    /// Options of all commands that save pages.
    static let captureOptions = [
        Option("browser", value: "WHICH", "auto, never, or a program (setting capture.browser)"),
        Option("cookies", value: "FILE", "cookies in Netscape format, each for its own site"),
        Option("allow-private", "let pages load from private addresses"),
        Option("timeout", value: "SECONDS", "time for one page (120)"),
        Option("as-is", "keep dialogs that cover the page"),
    ]
}

extension Invocation {
    /// How to save pages, from options, settings and environment.
    func archiveOptions() throws -> ArchiveOptions {
        var options = ArchiveOptions()
        options.allowsPrivate = has("allow-private")
        options.allowed = (Environment["CAPTURE_ALLOW"] ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        options.cookieFile = value("cookies") ?? Environment["CAPTURE_COOKIES"].flatMap { $0.isEmpty ? nil : $0 }
        if let path = options.cookieFile {
            guard FileOfPerson.exists(path) else { throw CommandFailure(.failed, "there is no cookie file \(path)") }
            options.cookieFile = FileOfPerson.absolute(path)
        }
        options.browser = try value("browser") ?? LocalSettings.read()[LocalSettings.Key.browser.rawValue] ?? "auto"
        options.seconds = try count("timeout") ?? 120
        options.isAsIs = has("as-is")
        options.isPrinted = has("pdf")
        options.isPictured = has("screenshot")
        return options
    }
}

/// Saves the pages of items, several at once, for `sbfs archive` or at the end of `sbfs add`.
struct ArchiveRun {
    let invocation: Invocation
    let library: Library
    let options: ArchiveOptions
    /// Pages at once, each with a browser of its own. While one waits for the network, the others use the processors.
    static let usualJobs = 3
    var jobs = usualJobs
    /// The free space in bytes below which it stops; 0 for no limit.
    var spaceKept = 0

    /// The number of pages for each outcome.
    struct Counts: Sendable {
        var saved = 0, partial = 0, unchanged = 0, kept = 0, failed = 0, refused = 0, notTried = 0
        var isNetworkFailure = false

        var status: ExitStatus {
            let done = saved + partial + unchanged + kept
            if failed + refused + notTried == 0 { return .done }
            if done > 0 { return .partlyDone }
            return isNetworkFailure ? .network : .failed
        }

        var sentence: String {
            [
                (saved, "saved"), (partial, "saved in part"), (unchanged, "unchanged"), (kept, "kept as they were"),
                (failed, "failed"), (refused, "refused"), (notTried, "not tried"),
            ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        }
    }

    /// Saves the pages and reports the outcome of each.
    ///
    /// - Parameter tell: called for each item, in the order in which the items finish.
    func run(_ rows: [Row], tell: @escaping @Sendable (StoredItem?, ArchiveOutcome) -> Void) throws -> Counts {
        let counts = Mutex(Counts())
        let library = library
        let step = try invocation.step()
        let options = options
        let spaceKept = spaceKept
        let next = Mutex(0)
        let progress = invocation.progressBar("saving", of: rows.count)
        defer { progress.clear() }
        let threads = max(1, min(jobs, rows.count))
        try Workers.run(threads, threads: threads) { _ in
            let worker = try WorkerProgram.worker()
            defer { worker.end() }
            while true {
                let index = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard index < rows.count else { return }
                if spaceKept > 0, library.freeByteCount < spaceKept {
                    counts.withLock { $0.notTried += 1 }
                    continue
                }
                let outcome: ArchiveOutcome
                do {
                    outcome = try step.archive(rows[index], options, worker)
                } catch {
                    outcome = .refused(.failure(error))
                }
                counts.withLock { $0.add(outcome) }
                progress.clear()
                tell(try? library.item(rows[index]), outcome)
                progress.show(index + 1, rows.count)
            }
        }
        return counts.withLock { $0 }
    }
}

extension ArchiveRun.Counts {
    fileprivate mutating func add(_ outcome: ArchiveOutcome) {
        switch outcome {
        case .saved(let report, _): if report.status == .full { saved += 1 } else { partial += 1 }
        case .unchanged: unchanged += 1
        case .keptEarlier: kept += 1
        case .failed(let report):
            failed += 1
            if report.isNetworkFailure { isNetworkFailure = true }
        case .refused(let refusal):
            refused += 1
            if case .privateAddress = refusal { isNetworkFailure = true }
        }
    }
}

extension ArchiveOutcome {
    /// One sentence for a person, without the item's name.
    func sentence(of stored: StoredItem?) -> String {
        switch self {
        case .saved(let report, let snapshot):
            if let document = report.document {
                return "saved as the document " + (document.split(separator: "/").last ?? "")
            }
            return Self.what(report) + (report.status == .partial ? " in part: \(report.wording ?? "")" : "")
                + (snapshot.map { "; the earlier page is the snapshot \($0)" } ?? "")
        case .unchanged: return "is unchanged"
        case .keptEarlier(_, let why, let snapshot):
            return "was kept as it is: the new capture was not used, because \(why.wording)"
                + (snapshot.map { "; it is the snapshot \($0)" } ?? "")
        case .failed(let report): return "could not be saved: \(report.wording ?? "no reason was given")"
        case .refused(let why): return "was not saved: \(ArchiveWords.refusal(why, of: stored))"
        }
    }

    private static func what(_ report: CaptureReport) -> String {
        let files = report.assetCount == 1 ? "1 file" : "\(report.assetCount) files"
        let engine = report.capturedBy == "browser" ? " by a browser" : ""
        return "saved\(engine) with \(files)"
            + (report.missingCount > 0 ? ", \(report.missingCount) could not be fetched" : "")
            + report.lostPrints.map { ", \($0) could not be made" }.joined()
            + (report.coverCount > 0 ? ", and what covered it is hidden (--as-is keeps it)" : "")
    }
}

/// One run of `sbfs archive`.
private struct ArchiveCommand {
    let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitStatus {
        let library = try invocation.library()
        if invocation.has("consent") { return try giveConsent(library) }
        var options = try invocation.archiveOptions()
        options.keepsAll = invocation.has("keep-all")
        let (rows, missing) = try rows(library)
        if let file = invocation.value("from") {
            if options.isPrinted || options.isPictured {
                throw invocation.usage("--pdf and --screenshot need the page itself, not --from")
            }
            guard rows.count == 1 else { throw invocation.usage("--from is for one item, not \(rows.count)") }
            guard FileOfPerson.exists(file) else { throw CommandFailure(.failed, "there is no file \(file)") }
            options.savedFile = FileOfPerson.absolute(file)
            options.isChosen = true
        } else {
            try invocation.refuseOffline()
        }
        if invocation.isDryRun {
            for row in rows {
                guard let stored = try? library.item(row) else { continue }
                invocation.talk.say("would save \(row.id.short)  \(stored.item.linkURL ?? "")")
            }
            return .done
        }
        if rows.count > 500, !invocation.has("background") {
            try invocation.confirm("Save \(rows.count) pages?")
        }
        // Names on the command line are typed; the matches of a query may come from anywhere.
        options.isTyped = !invocation.positionals.isEmpty && !invocation.positionals.contains("-")
        if invocation.value("background") == NewPages.Origin.listed.rawValue { options.isTyped = false }
        options.isAttached = invocation.value("background") == NewPages.Origin.attached.rawValue
        var run = ArchiveRun(invocation: invocation, library: library, options: options)
        run.jobs = try invocation.count("jobs") ?? ArchiveRun.usualJobs
        if invocation.has("background") { run.spaceKept = 5_000_000_000 }
        let counts = try run.run(rows, tell: invocation.archiveTeller(library))
        if rows.count > 1, !invocation.has("json") { invocation.talk.say(counts.sentence) }
        let status = counts.status
        return status == .done && missing > 0 ? .partlyDone : status
    }

    private func giveConsent(_ library: Library) throws -> ExitStatus {
        guard invocation.has("pending"), invocation.positionals.isEmpty,
            !["failed", "all", "query", "from"].contains(where: invocation.has)
        else { throw invocation.usage("--consent goes with --pending alone") }
        if invocation.isDryRun {
            let count = try library.waitingPages(limit: 0).pendingCount
            invocation.talk.say("would let sbfs watch save \(count) page\(count == 1 ? "" : "s")")
            return .done
        }
        let count = try library.allowArchiving()
        if count == 0 { throw CommandFailure(.nothingFound, "no page is pending") }
        invocation.talk.say("sbfs watch may save \(count) page\(count == 1 ? "" : "s") on this device")
        return .done
    }

    private func rows(_ library: Library) throws -> (rows: [Row], missingCount: Int) {
        let lists = [
            ("pending", "status:pending"), ("failed", "status:failed"), ("all", "has:link"),
        ].filter { invocation.has($0.0) }
        guard let list = lists.first else {
            let selection = try invocation.items(invocation.positionals)
            return (selection.rows, selection.missingCount)
        }
        guard lists.count == 1, invocation.positionals.isEmpty, invocation.value("query") == nil else {
            throw invocation.usage("give items, --query, --pending, --failed or --all; one of them")
        }
        var request = ItemRequest(library.parse(list.1).query, order: .oldest)
        request.isFresh = true
        let listing = try library.find(request)
        if listing.rows.isEmpty {
            var what = list.0 == "all" ? "there are no links" : "no page is \(list.0)"
            // Those of add --no-archive wait for nothing.
            let unsaved = "has:link -has:archive -status:away -status:failed"
            let count = list.0 == "pending" ? try library.find(ItemRequest(library.parse(unsaved).query)).count : 0
            if count > 0 {
                what +=
                    "; \(count == 1 ? "1 link has" : "\(count) links have") no saved page, and nothing saves it by itself: sbfs archive -q '\(unsaved)'"
            }
            throw CommandFailure(.nothingFound, what)
        }
        return (listing.rows, listing.faults.count)
    }
}
