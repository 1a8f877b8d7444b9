import Glibc
import StuffBucket

extension Commands {
    static let export = Command(
        "export", .care, "Write items for other programs, or the whole library as one file", arguments: "[QUERY]…",
        details: """
            Formats: html (bookmarks for every browser), csv (bookmarks with folders; formulas of spreadsheets are \
            disarmed, and "sbfs import" restores them), json and ndjson (item.json of every item with its text), \
            markdown (a file for each item; --output names their folder). Without a query, exports everything but the \
            trash, and replaces the file that --output names. sbfs first says what the format cannot hold. A note that \
            came from a folder of Markdown goes back to its folder and name. If that is the folder which was imported, the note replaces the file that it came \
            from. A file that was changed since the import or the last export stays, and so do all other files; sbfs \
            names those that are in the way, and the exit code is 4 if an item was not written. If a file or a link has the name of \
            a collection's folder, the folder gets another name. Nothing is written into the library itself.

            --full writes every file of the library, documents and saved pages too (what is in an exchange only comes \
            from there), as one file: .tar, .tar.gz, .tar.zst \
            (fast and small) or .zip, by its extension; - writes .tar to standard output. "sbfs import" restores it, \
            except for your own files beside the items, names that begin with a dot, and broken items: both commands \
            name them, and "tar -x" restores them. A damaged file, as "sbfs check --read-data" finds it, is written as it is and named; \
            the exit code is 4.
            """,
        options: [
            Option(
                "format", short: "f", value: "FORMAT",
                "html, csv, json, ndjson or markdown (by the extension of --output, else html)"),
            Option("output", short: "o", value: "FILE", "the file, or for markdown the folder (standard output)"),
            Option(
                "full", value: "FILE",
                "the whole library as one file: .tar, .tar.gz, .tar.zst or .zip; - for standard output"),
        ],
        examples: [
            .init("sbfs export -o bookmarks.html", "for a browser"),
            .init("sbfs export --format csv collection:Work > work.csv", "one collection for a spreadsheet"),
            .init("sbfs export --full backup.tar.zst", "everything"),
        ],
        run: { try ExportCommand($0).run() })
}

private struct ExportCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitStatus {
        if let path = invocation.value("full") {
            if !invocation.positionals.isEmpty || invocation.has("format") || invocation.has("output") {
                throw invocation.usage("--full FILE exports everything: it takes no query, --format or --output")
            }
            return try writeFullExport(path)
        }
        let format = try chosenFormat()
        let library = try invocation.library()
        if let path = invocation.value("output"), path != "-" { try refuseLibrary(path, library) }
        let parsed = try invocation.readQuery(invocation.positionals)
        let text = parsed.text
        var request = ItemRequest(parsed.query, order: .oldest)
        request.isFresh = true
        let listing = try library.find(request)
        if listing.rows.isEmpty, !text.isEmpty {
            invocation.tellNothingFound(by: parsed)
            throw CommandFailure(.nothingFound, "nothing matches \(text)")
        }
        let export = LibraryExport(library, format, listing.rows, text.isEmpty ? .library : .selection)
        let losses = try export.losses()
        if !losses.isEmpty {
            invocation.talk.warn(
                "\(format.name) cannot hold: "
                    + losses.map { "\($0.part.wording) (\($0.count))" }.joined(separator: ", "))
        }
        var outcome: LibraryExport.Outcome
        if format == .markdown {
            guard let folder = invocation.value("output") else {
                throw invocation.usage("markdown is a file for each item; --output names their folder")
            }
            outcome = try export.writeFiles(to: folder)
        } else if let path = invocation.value("output"), path != "-" {
            let file = try OutputFile(path)
            outcome = try export.write { try file.write($0) }
            try file.finish()
        } else {
            // A pipe gets the bytes unchanged; a terminal gets no control sequences.
            let isTerminal = isatty(1) == 1
            outcome = try export.write { try invocation.output.write(isTerminal ? Printable.text($0) : $0) }
        }
        outcome.faults += listing.faults
        invocation.tell(outcome.faults)
        tellNeighbours(outcome)
        invocation.talk.say("exported \(outcome.count) item\(outcome.count == 1 ? "" : "s")")
        return outcome.faults.isEmpty && outcome.changed.isEmpty ? .done : .partlyDone
    }

    /// Refuses to write into the library: the next full export would pack it, and notes would lie among the library's files.
    private func refuseLibrary(_ path: String, _ library: Library) throws {
        guard let root = FilePath.real(library.path) else { return }
        // What is missing is made in the nearest folder that is there.
        var parts = FilePath.absolute(path).split(separator: "/")
        while !parts.isEmpty, FilePath.real("/" + parts.joined(separator: "/")) == nil { parts.removeLast() }
        guard let target = FilePath.real("/" + parts.joined(separator: "/")) else { return }
        if target == root || target.hasPrefix(root + "/") {
            throw invocation.usage("\(path) is in the library, which this would export; choose another place")
        }
    }

    /// Says which files were in the folder already.
    private func tellNeighbours(_ outcome: LibraryExport.Outcome) {
        func list(_ names: [String]) -> String {
            names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
        }
        func say(_ names: [String], _ one: String, _ several: String, isWarning: Bool = false) {
            if names.isEmpty { return }
            let line = Printable.line("\(names.count) \(names.count == 1 ? one : several): \(list(names))")
            if isWarning { invocation.talk.warn(line) } else { invocation.talk.say(line) }
        }
        say(
            outcome.replaced, "note was imported from this folder and was replaced",
            "notes were imported from this folder and were replaced")
        say(
            outcome.there, "text was imported from this folder and is unchanged; no second file was written",
            "texts were imported from this folder and are unchanged; no second files were written")
        say(
            outcome.besides.map { "\($0.written) beside \($0.there)" },
            "item got another name, because another file has its own",
            "items got other names, because other files have their own")
        say(
            outcome.folders.map { "\($0.written) beside \($0.there)" },
            "folder of a collection got another name, because a file or a link has its own",
            "folders of collections got other names, because files or links have their own")
        say(
            outcome.changed,
            "file was changed since the import or the last export; it stays, and its item was not written (to write it, "
                + "rename or remove the file)",
            "files were changed since the import or the last export; they stay, and their items were not written (to "
                + "write them, rename or remove the files)", isWarning: true)
    }

    /// The format from the option, else from the file's name, else HTML.
    private func chosenFormat() throws -> ExportFormat {
        let names = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
        if let name = invocation.value("format") {
            guard let format = ExportFormat(rawValue: name) else {
                throw invocation.usage("--format must be one of \(names), not \"\(name)\"")
            }
            return format
        }
        guard let path = invocation.value("output"), path != "-" else { return .html }
        switch ExportFormat.named(path) {
        case .markdown?:
            throw invocation.usage(
                "markdown is a file for each item; name their folder: --format markdown --output FOLDER")
        case let format?: return format
        case nil:
            let name = path.split(separator: "/").last ?? ""
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return .html }
            if FullExportFormat(path: path) != nil || name[dot...].lowercased() == ".sbfs" {
                throw invocation.usage("a whole library is written by --full \(path)")
            }
            throw invocation.usage("\"\(name)\" names no format; say --format \(names)")
        }
    }

    /// Whether the path leads to a pipe, a device or an open file, whose names have no extensions.
    private static func isStream(_ path: String) -> Bool {
        // A shell may have opened a regular file for it.
        if path.hasPrefix("/dev/std") || path.hasPrefix("/dev/fd/") { return true }
        if path.hasPrefix("/proc/"), path.split(separator: "/").dropLast().last == "fd" { return true }
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    private func writeFullExport(_ path: String) throws -> ExitStatus {
        let library = try invocation.library()
        if path != "-" { try refuseLibrary(path, library) }
        guard let format = path == "-" || Self.isStream(path) ? .tar : FullExportFormat(path: path) else {
            let names = FullExportFormat.allCases.compactMap(\.extensions.first).map { "." + $0 }
            throw invocation.usage(
                "\"\(path)\" names no format; end it with \(names.joined(separator: ", ")), or write .tar to a program: --full -"
            )
        }
        let worker = try WorkerProgram.worker()
        let progress = SharedProgress("exporting", invocation.talk)
        defer { progress.clear() }
        let monitor = Monitor { progress.show($0, $1) }
        let files = ExchangeFiles(library, invocation.talk)
        let exchanges = files.folders.filter { $0.cloud == nil || !invocation.isOffline }
        let report: Library.FullExportReport
        if path == "-" {
            if isatty(1) == 1 {
                throw invocation.usage("a tar file is not for a terminal; send it to a file or a program")
            }
            let output = invocation.output
            report = try library.writeFullExport(as: format, worker, from: exchanges, monitor) { try output.write($0) }
        } else {
            let file = try OutputFile(path)
            report = try library.writeFullExport(as: format, worker, from: exchanges, monitor) { try file.write($0) }
            try file.finish()
        }
        progress.clear()
        invocation.tell(faults: report.faults.map { $0.wording(files) })
        if report.ownCount > 0 {
            let rest = report.ownCount - report.ownExamples.count
            invocation.talk.say(
                Printable.line(
                    "\(report.ownCount) file\(report.ownCount == 1 ? "" : "s") of your own are in the file, and "
                        + "\"sbfs import\" leaves them out: \(report.ownExamples.joined(separator: ", "))"
                        + (rest > 0 ? " and \(rest) more" : "") + "; \"tar -x\" restores them"))
        }
        invocation.talk.say("exported \(report.fileCount) files, \(ByteCount.text(report.byteCount))")
        if report.isTooDense {
            invocation.talk.warn(
                "\(path): an import refuses this file as a bomb, because what is in it has more than 500 times its size; there are huge files "
                    + "of zeros in the library. Export to a .tar")
        }
        return report.faults.isEmpty && !report.isTooDense ? .done : .partlyDone
    }
}
