import Glibc
import StuffBucket

extension Commands {
    static let importCommand = Command(
        "import", .keep, "Import bookmarks, notes, files or a whole library", arguments: "[FILE|FOLDER|-]…",
        details: """
            Recognises a file by its content, not by its name: bookmark HTML (all browsers, Pinboard, linkding, \
            Shaarli, Scuttle, Pocket), Safari's Bookmarks.plist, Chromium's Bookmarks, Firefox's backups (.jsonlz4, \
            .json), XBEL, OPML, feeds (RSS, Atom), the XML of Delicious and Scuttle, bookmark CSV, CSV of services \
            with a column of URLs (Raindrop, Pocket, Instapaper, Readwise, wallabag, Zotero), highlights (CSV of \
            Readwise, a Kindle's clippings), JSON of Pinboard, wallabag, Omnivore, Karakeep and ArchiveBox, notes as \
            JSON, Markdown with front matter, a list of links, what "sbfs export" writes, and a folder of any files. \
            sbfs refuses other files by name; "sbfs add FILE" adds them as documents.

            Fields that sbfs does not have are kept under the source's names ("sbfs show --json"). sbfs names and \
            counts what it does not keep. Entries keep their dates.

            Folders become collections. If the library has a link, its item gets the tags and collections, and a \
            title, description or text if it has none. Your own values stay. The same file a second time changes \
            nothing. If a link or title changed at the source, sbfs takes it and keeps the old link, unless you \
            changed it here; then sbfs names both. sbfs fetches nothing: imported links are "Live only" until "sbfs \
            archive", or with --archive. sbfs skips and names entries without a web address: the exit code is 4 then, \
            and 3 if all were skipped.

            The file of "sbfs export --full" is unpacked: all of it into a library without items, else what the \
            library lacks. sbfs takes the items and the library's own files, but no names that begin with a dot, which \
            other programs act on (.git, .envrc and the like; a document may have one), no links or devices, and no \
            item whose item.json does not parse or has another id. It names what it leaves out, and files whose bytes \
            are not those that were exported: the exit code is 4; 3 if nothing is left; 1 if the file is damaged and \
            nothing of it can be read. Behind damaged contents of a file, sbfs goes on in a .tar and a .zip, not in a packed tar file. "sbfs undo" undoes the whole \
            import. With --dry-run, this checks a backup: every file of it is read.
            """,
        options: [
            Option(
                "from", value: "BROWSER", "chromium or firefox, or firefox:PROFILE: an installed browser's bookmarks"),
            Option("tag", value: "TAGS", isRepeatable: true, "tags for all of it, separated by commas"),
            Option("collection", short: "c", value: "NAME", isRepeatable: true, "add all of it to a collection too"),
            Option("archive", "let \"sbfs archive --pending\" save the pages of the links"),
            Option("replace", "first move all items to the trash (asks)"),
            Option("report", value: "FILE", "write the result of each entry, as tab-separated lines"),
            Option.dryRun, Option.yes, Option("json", "print the counts as JSON"),
        ],
        examples: [
            .init("sbfs import bookmarks.html", "what a browser has exported"),
            .init("sbfs import --from firefox", "straight from Firefox's last backup"),
            .init("sbfs import notes.json --tag notes --dry-run", "see what would come"),
            .init("sbfs import ~/Papers", "a folder: sub-folders become collections"),
        ],
        run: { try ImportCommand($0).run() })
}

private final class ImportCommand {
    private let invocation: Invocation
    private var report: OutputFile?
    private var toldCount = 0
    private static let toldLimit = 10
    /// The number of column and key names shown in the summary. A file may have many more.
    private static let nameLimit = 40

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// An input to read.
    private enum Input {
        case file(ImportInput, name: String)
        case folder(String)
        case fullExport(ImportInput, name: String)

        var name: String {
            switch self {
            case .file(_, let name), .fullExport(_, let name), .folder(let name): name
            }
        }
    }

    func run() throws -> ExitStatus {
        var names = invocation.positionals
        for browser in invocation.values("from") { names.append(try invocation.bookmarks(of: browser)) }
        if names.isEmpty { throw invocation.usage("which files? Or --from chromium, --from firefox") }
        let library = try invocation.library()
        var options = ImportOptions()
        options.tags = try invocation.values("tag").flatMap { try TypedTags.read($0, invocation) }
        options.tags += invocation.values("collection").compactMap { CollectionName($0)?.tag }
        options.isArchived = invocation.has("archive")
        options.isDryRun = invocation.isDryRun
        if let path = invocation.value("report") {
            try invocation.refuseOwnFiles(path, library)
            if let target = FilePath.real(path), let name = names.first(where: { FilePath.real($0) == target }) {
                throw invocation.usage("--report \(path) would replace \(name), which is imported; choose another file")
            }
            report = try OutputFile(path, .private)
        }
        if invocation.has("replace") {
            try replace(names, library)
            options.ignoresTrash = true
        }
        let progress = SharedProgress("importing", invocation.talk)
        defer { progress.clear() }
        let monitor = Monitor { progress.show($0, $1) }
        let session = try invocation.step().importing(options, monitor) { [unowned self] line in
            tell(line)
        }
        var total = ImportCounts()
        var failures = 0
        var fullExports: [FullExportOutcome] = []
        for name in names {
            var isPacked = false
            do {
                let input = try open(name)
                if case .fullExport(let tar, let name) = input {
                    isPacked = true
                    fullExports.append(try unpack(tar, name, library))
                    continue
                }
                let before = session.counts
                let format = try read(input, into: session)
                try session.finish()
                progress.clear()
                say(input.name, format, session.counts, since: before)
                total = session.counts
            } catch let error where error is ImportError || error is FileError {
                progress.clear()
                // All of a full export is unpacked before the first file of it is put in place.
                let isFull = isPacked && (error as? FileError)?.isOutOfSpace ?? false
                let wording = (error as? ImportError)?.wording(of: name) ?? error.wording
                // What cannot be opened is named already.
                let isNamed = (error as? FileError)?.path == name
                invocation.talk.warn(
                    (isNamed ? wording : "\(name): \(wording)")
                        + (isFull ? "; nothing of it was imported" : ""))
                failures += 1
            } catch let error as ItemError where !isPacked {
                progress.clear()
                throw failure(error, in: name, session)
            }
        }
        if toldCount > Self.toldLimit {
            invocation.talk.say(
                "\(toldCount - Self.toldLimit) more; --report FILE writes what became of each entry")
        }
        try report?.finish()
        if invocation.has("json") { try printCounts(total) }
        if total.new > 0, !options.isArchived, !options.isDryRun {
            invocation.talk.say("nothing was fetched; save pages with \"sbfs archive\", or import with --archive")
        }
        if failures == names.count { return .failed }
        let isWhole = failures == 0 && total.skipped == 0 && fullExports.allSatisfy { $0 == .whole }
        if isWhole { return .done }
        let isNothing = total.skipped == total.total && fullExports.allSatisfy { $0 == .leftOut }
        return failures == 0 && isNothing ? .nothingFound : .partlyDone
    }

    /// The end of an import that cannot go on, as on a full disk.
    private func failure(_ error: ItemError, in name: String, _ session: LibraryImport) -> CommandFailure {
        let count = session.writtenCount
        let isFull = if case .file(let error) = error { error.isOutOfSpace } else { false }
        if count == 0, !isFull { return CommandFailure(ExitStatus(for: error), error.wording) }
        let what =
            count == 0
            ? "nothing was imported" : "\(count) item\(count == 1 ? " was" : "s were") imported before, and stay"
        return CommandFailure(
            ExitStatus(for: error), "\(name): \(error.wording); \(what). The same command goes on from there")
    }

    // MARK: Reading

    private func open(_ name: String) throws -> Input {
        if name == "-" {
            return try Self.input(StandardInput.spooled(), ImportError.standardInput)
        }
        if LocalFolder(name).exists { return .folder(name) }
        return try Self.input(ImportInput(path: name), name)
    }

    private static func input(_ input: ImportInput, _ name: String) throws -> Input {
        let start = try input.bytes(at: 0, count: 4096)
        return ImportFormat.sniff(start) == .fullExport ? .fullExport(input, name: name) : .file(input, name: name)
    }

    private func read(_ input: Input, into session: LibraryImport) throws -> ImportFormat {
        var found = ImportFormat.folder
        switch input {
        case .folder(let path):
            session.format = .folder
            try ImportFile.readFolder(path) { try session.take($0) }
        case .file(let input, _):
            try ImportFile.read(
                input,
                format: {
                    found = $0
                    session.format = $0
                }
            ) { try session.take($0) }
        case .fullExport: break
        }
        return found
    }

    /// The outcome of importing a full export.
    private enum FullExportOutcome {
        case whole
        /// Some entries were left out, or all of them.
        case partly, leftOut
    }

    private func unpack(_ input: ImportInput, _ path: String, _ library: Library) throws -> FullExportOutcome {
        let progress = SharedProgress("unpacking", invocation.talk)
        let monitor = Monitor { progress.show($0, $1) }
        let result = try invocation.step().unpackFullExport(
            input, WorkerProgram.worker(), isDry: invocation.isDryRun, monitor,
            damaged: { self.tell($0, "its bytes are not those that were exported", "damaged") },
            leftOut: { self.tell($0.path, $0.reason.wording, "left out", "; it was left out") })
        progress.clear()
        if let fault = result.fault { invocation.talk.warn("\(path): \(fault.wording(of: path))") }
        let isNothing = result.added + result.known + result.restored + result.files + result.kept == 0
        if isNothing, result.fault != nil { throw CommandFailure(.failed, "\(path): nothing of it could be taken") }
        invocation.talk.say(
            "\(invocation.isDryRun ? "would import " : "")\(path): \(result.added) item\(result.added == 1 ? "" : "s") added, \(result.known) in the library already, \(result.files) file\(result.files == 1 ? "" : "s")"
                + (result.restored > 0 ? ", \(result.restored) back that had been purged" : "")
                + (result.kept > 0 ? ", \(result.kept) kept as the library has them" : "")
                + (result.leftOut > 0 ? ", \(result.leftOut) left out" : "")
                + (result.damaged > 0 ? ", \(result.damaged) damaged" : "")
                + (result.fault == nil ? "" : "; nothing behind the place of the error was read"))
        if result.known > 0 {
            let count = try library.find(ItemRequest(library.parse("is:trashed").query, limit: 0)).count
            if count > 0 {
                invocation.talk.say(
                    "\(count == 1 ? "1 item is" : "\(count) items are") in the trash; \"sbfs list trashcan\" shows them, \"sbfs restore\" takes them out"
                )
            }
        }
        if result.hasOtherPaths {
            invocation.talk.warn(
                "\(path): it holds as many files as were exported, but some have other names: the file is damaged. Files with a wrong name may "
                    + "be missing from their items, or lie beside the others; a whole copy of the file is better")
        }
        if result.damaged > 0 {
            invocation.talk.warn(
                "\(path) is damaged. "
                    + (invocation.isDryRun
                        ? "An import takes damaged files of new items as they are"
                        : "Damaged files of new items were taken as they are")
                    + "; a whole copy of the file is better"
                    + (invocation.isDryRun || result.added == 0
                        ? "" : ". To import one instead: sbfs undo, and sbfs purge what that put into the trash"))
        }
        if result.damaged > 0 || result.hasOtherPaths { return .partly }
        return result.fault == nil && result.leftOut == 0 ? .whole : isNothing ? .leftOut : .partly
    }

    /// - Parameters:
    ///   - what: a clause that follows the path.
    ///   - became: the first column of the report.
    ///   - end: what follows the clause in a warning.
    private func tell(_ path: String, _ what: String, _ became: String, _ end: String = "") {
        toldCount += 1
        if toldCount <= Self.toldLimit { invocation.talk.warn("\(path): \(what)\(end)") }
        let fields = [became, path, "", "", what]
        try? report?.write(Array((fields.map(Printable.field).joined(separator: "\t") + "\n").utf8))
    }

    /// Moves everything to the trash, after making sure that there is something to replace it.
    private func replace(_ names: [String], _ library: Library) throws {
        var entryCount = 0
        for name in names where name != "-" {
            switch try open(name) {
            case .file(let input, _):
                do {
                    try ImportFile.read(input, format: { _ in }) { if case .entry = $0 { entryCount += 1 } }
                } catch let error as ImportError {
                    throw CommandFailure(.failed, error.wording(of: name))
                }
            case .folder(let path):
                try ImportFile.readFolder(path) {
                    if case .entry = $0 { entryCount += 1 }
                }
            case .fullExport: throw invocation.usage("--replace takes no full export; import it into an empty library")
            }
        }
        if entryCount == 0 {
            throw CommandFailure(
                .failed, "there is nothing to import, or it comes from standard input; nothing was changed")
        }
        var request = ItemRequest(library.parse("").query)
        request.isFresh = true
        let rows = try library.find(request).rows
        if rows.isEmpty || invocation.isDryRun { return }
        try invocation.confirm(
            "Put \(rows.count) item\(rows.count == 1 ? "" : "s") into the trash and import \(entryCount) instead?")
        let now = Timestamp.now
        for start in stride(from: 0, to: rows.count, by: 256) {
            let stored = rows[start..<min(start + 256, rows.count)].compactMap { try? library.item($0) }
            let changes = stored.map { stored -> (stored: StoredItem, edit: ItemEdit) in
                var edit = ItemEdit(base: stored.json)
                edit.trash(at: now)
                return (stored, edit)
            }
            for result in try invocation.step().update(changes, at: now) { _ = try result.get() }
        }
        library.settle()
        invocation.talk.say("put \(rows.count) item\(rows.count == 1 ? "" : "s") into the trash")
    }

    // MARK: Reporting

    private func tell(_ line: ImportReportLine) {
        if case .skipped(let reason) = line.outcome {
            toldCount += 1
            if toldCount <= Self.toldLimit {
                let url = line.url.map { " (\($0.prefix(200)))" } ?? ""
                invocation.talk.warn("\(line.place): \(reason.wording)\(Printable.line(url))")
            }
        }
        guard let report else { return }
        var fields = [
            line.isRemark ? "note" : line.outcome.word, "\(line.place)", line.url ?? "", line.title ?? "",
        ]
        if case .skipped(let reason) = line.outcome { fields.append(reason.wording) }
        if case .moved(let former) = line.outcome { fields.append("its link was \(former)") }
        try? report.write(Array((fields.map(Printable.field).joined(separator: "\t") + "\n").utf8))
    }

    private func say(_ name: String, _ format: ImportFormat, _ now: ImportCounts, since before: ImportCounts) {
        let collections = now.collections - before.collections
        let renamed = now.renamedFolders - before.renamedFolders
        invocation.talk.say(
            "\(invocation.isDryRun ? "would import " : "")\(name) (\(format.name)): \(now.new - before.new) new, "
                + "\(now.merged - before.merged) merged, \(now.same - before.same) same, "
                + "\(now.skipped - before.skipped) skipped"
                + (now.moved > before.moved ? ", \(now.moved - before.moved) moved" : "")
                + (collections > 0 ? ", \(collections) collection\(collections == 1 ? "" : "s")" : "")
                + (renamed > 0 ? ", \(renamed) folder\(renamed == 1 ? "" : "s") renamed" : ""))
        sayNames("not taken", now.untaken, since: before.untaken)
        sayNames("kept among the source's own fields", now.kept, since: before.kept)
    }

    /// Prints names and their counts, most frequent first.
    private func sayNames(_ what: String, _ now: [String: Int], since before: [String: Int]) {
        let counts = now.map { (name: $0.key, count: $0.value - (before[$0.key] ?? 0)) }.filter { $0.count > 0 }
        if counts.isEmpty { return }
        let sorted = counts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        let shown = sorted.prefix(Self.nameLimit).map { "\($0.name) (\($0.count))" }
        let rest = sorted.count - shown.count
        invocation.talk.say(
            Printable.line("\(what): \(shown.joined(separator: ", "))\(rest > 0 ? ", and \(rest) other names" : "")"))
    }

    private func printCounts(_ counts: ImportCounts) throws {
        let json = JSON.members([
            ("new", .integer(counts.new)), ("merged", .integer(counts.merged)), ("same", .integer(counts.same)),
            ("skipped", .integer(counts.skipped)), ("moved", .integer(counts.moved)),
            ("collections", .integer(counts.collections)),
            ("renamedFolders", counts.renamedFolders == 0 ? nil : .integer(counts.renamedFolders)),
            ("notTaken", names(counts.untaken)),
            ("kept", names(counts.kept)),
        ])
        try invocation.output.write(Printable.json(json.oneLine) + [0x0A])
    }

    private func names(_ counts: [String: Int]) -> JSON? {
        if counts.isEmpty { return nil }
        return .object(counts.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .integer($0.value)) })
    }
}
