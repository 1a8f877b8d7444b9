import Glibc
import StuffBucket

extension Commands {
    static let export = Command(
        "export", .care, "Write items for other programs, or the whole library as one file", arguments: "[QUERY]…",
        details: """
            Formats: html (bookmarks for every browser), csv (bookmarks with folders; formulas of spreadsheets are \
            disarmed, and "sbfs import" restores them), json and ndjson (item.json of every item with its text), \
            markdown (a file for each item; --output names their folder). Without a query, exports everything but the \
            trash. sbfs first says what the format cannot hold. A note that came from a folder of Markdown goes back \
            to its folder and name. Other files of that folder stay.

            --full writes every file of the library, documents and saved pages too, as one tar file; "sbfs import" \
            restores it, except for your own files beside the items, names that begin with a dot, and broken items: \
            both commands name them, and "tar -x" restores them. The file is not compressed: sbfs export --full - | \
            zstd > library.tar.zst; to restore it: zstd -dc library.tar.zst | sbfs import -.
            """,
        options: [
            Option(
                "format", short: "f", value: "FORMAT",
                "html, csv, json, ndjson or markdown (by the extension of --output, else html)"),
            Option("output", short: "o", value: "FILE", "the file, or for markdown the folder (standard output)"),
            Option("full", value: "ARCHIVE", "the whole library as a tar archive; - for standard output"),
        ],
        examples: [
            .init("sbfs export -o bookmarks.html", "for a browser"),
            .init("sbfs export --format csv collection:Work > work.csv", "one collection for a spreadsheet"),
            .init("sbfs export --full backup.tar", "everything"),
        ],
        run: { try ExportCommand($0).run() })
}

private struct ExportCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitStatus {
        if let archive = invocation.value("full") {
            if !invocation.positionals.isEmpty || invocation.has("format") || invocation.has("output") {
                throw invocation.usage("--full takes everything and nothing else")
            }
            return try writeArchive(archive)
        }
        let format = try chosenFormat()
        let library = try invocation.library()
        let parsed = try invocation.readQuery(invocation.positionals)
        let text = parsed.text
        var request = ItemRequest(parsed.query, order: .oldest)
        request.isFresh = true
        let listing = try library.find(request)
        if listing.rows.isEmpty, !text.isEmpty {
            invocation.tellNothingFound(by: parsed)
            throw CommandFailure(.nothingFound, "nothing matches \(text)")
        }
        let export = LibraryExport(library, format, listing.rows)
        let losses = try export.losses(isWhole: text.isEmpty)
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
            try invocation.refuseOwnFiles(folder + "/x", library)
            outcome = try export.writeFiles(to: folder)
        } else if let path = invocation.value("output"), path != "-" {
            try invocation.refuseOwnFiles(path, library)
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
        invocation.talk.say("exported \(outcome.count) item\(outcome.count == 1 ? "" : "s")")
        return outcome.faults.isEmpty ? .done : .partlyDone
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
            if [".tar", ".sbfs"].contains(name[dot...].lowercased()) {
                throw invocation.usage("a whole library is written by --full \(path)")
            }
            throw invocation.usage("\"\(name)\" names no format; say --format \(names)")
        }
    }

    private func writeArchive(_ path: String) throws -> ExitStatus {
        let library = try invocation.library()
        let progress = SharedProgress("exporting", invocation.talk)
        defer { progress.clear() }
        let report: Library.ArchiveReport
        if path == "-" {
            if isatty(1) == 1 {
                throw invocation.usage("an archive is not for a terminal; send it to a file or a program")
            }
            let output = invocation.output
            report = try library.writeArchive({ try output.write($0) }, progress: { progress.show($0) })
        } else {
            try invocation.refuseOwnFiles(path, library)
            let file = try OutputFile(path)
            report = try library.writeArchive({ try file.write($0) }, progress: { progress.show($0) })
            try file.finish()
        }
        progress.clear()
        invocation.tell(faults: report.faults.map(\.wording))
        if report.ownCount > 0 {
            let rest = report.ownCount - report.ownExamples.count
            invocation.talk.say(
                Printable.line(
                    "\(report.ownCount) file\(report.ownCount == 1 ? "" : "s") of your own are in the archive, which "
                        + "\"sbfs import\" leaves out: \(report.ownExamples.joined(separator: ", "))"
                        + (rest > 0 ? " and \(rest) more" : "") + "; tar brings them back"))
        }
        invocation.talk.say("exported \(report.fileCount) files, \(ByteCount.text(report.byteCount))")
        return report.faults.isEmpty ? .done : .partlyDone
    }
}
