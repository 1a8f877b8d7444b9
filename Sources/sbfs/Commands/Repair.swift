import StuffBucket

extension Commands {
    static let repair = Command(
        "repair", .care, "Bring damaged and missing files back from another copy", arguments: "[ITEM]…",
        details: """
            Reads the files whose hashes are recorded: documents, files in assets/ and history/, pages that an exchange holds or that \
            sbfs saw in an item with versions. A file that has other bytes and was not modified since, or is empty now, is damaged. It is replaced by the \
            file of another copy, or of an exchange, that has the recorded hash; a missing page or document comes back in the \
            same way, also one that a remote should have and has lost. A file that you edited stays as it is. An item whose folder was removed by hand comes back from \
            an exchange, if no ITEM is named.

            An item.json that is missing or cannot be read as JSON comes back from the item's last version in history/, \
            which needs no other copy; the item's other files are looked at then. So does a damaged text of history/, if this device has it elsewhere. A file of history/, of collections/, tags/ or smart/ that cannot be read comes from \
            another copy or a remote.

            --from names a folder with a copy of the library (a backup, a mounted disk), or a remote; give it several times \
            to ask several. Files that none of them has are named, and the exit code is 4. "sbfs check --read-data" lists damage \
            and changes nothing. The damaged file stays in the journal, as long as the step.
            """,
        options: [
            Option("from", value: "DIR|REMOTE", isRepeatable: true, "where the right bytes may be"), Option.query,
            Option.dryRun, Option.json,
        ],
        examples: [
            .init("sbfs repair --from /media/backup/StuffBucket", "all items, from a backup"),
            .init("sbfs repair --from cloud --dry-run", "what a remote could bring back"),
            .init("sbfs repair", "what can be mended from history/ alone"),
        ],
        run: { try RepairCommand($0).run() })
}

/// One run of `sbfs repair`.
private struct RepairCommand {
    let invocation: Invocation
    private static let toldLimit = 20

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitStatus {
        let names = invocation.values("from")
        let library = try invocation.library()
        let remotes = try Remotes(of: library)
        let places = try names.map { name -> RepairPlace in
            if let remote = remotes[name] {
                if remote.folder.cloud != nil { try invocation.refuseOffline() }
                return .exchange(remote.folder)
            }
            let path = RemoteCommands.absolute(name)
            guard LocalFolder(path).exists else {
                throw CommandFailure(
                    .nothingFound,
                    "\(Printable.line(name)) is neither a folder nor a remote; \"sbfs remote list\" names the remotes")
            }
            return .copy(path)
        }
        var rows: [Row]?
        if !invocation.positionals.isEmpty || invocation.has(Option.query.name) {
            rows = try invocation.items(invocation.positionals).rows
        }
        let worker = try WorkerProgram.worker()
        let report = try invocation.withProgress("reading") { monitor in
            try library.repair(
                rows, from: places, besides: remotes.list.map(\.folder), worker, invocation.mode,
                as: invocation.stepHeader(), monitor)
        }
        if invocation.has("json") {
            try invocation.output.write(Printable.json(JSON.array([json(report)]).file))
        } else {
            try tell(report, of: library)
        }
        warn(report)
        let isWhole =
            report.lost.isEmpty && report.changed.isEmpty && report.unreadable.isEmpty && report.unsynced.isEmpty
        return isWhole ? .done : .partlyDone
    }

    private func tell(_ report: RepairReport, of library: Library) throws {
        let verb = invocation.isDryRun ? "would bring back" : "brought back"
        for file in report.repaired.prefix(Self.toldLimit) {
            try invocation.output.line("\(verb) \(Printable.line(file.path)) (it was \(Self.state(file)))")
        }
        let rest = report.repaired.count - Self.toldLimit
        if rest > 0 { try invocation.output.line("and \(rest) more; --json names all") }
        if !report.broughtBack.isEmpty {
            let ids = report.broughtBack.prefix(3).map(\.short).joined(separator: ", ")
            try invocation.output.line(
                "\(verb) \(itemCount(report.broughtBack.count)): \(ids)" + (report.broughtBack.count > 3 ? " …" : ""))
        }
        try invocation.output.flush()
        let isSound =
            report.repaired.isEmpty && report.lost.isEmpty && report.unreadable.isEmpty && report.broughtBack.isEmpty
            && report.unsynced.isEmpty && report.doubtful.isEmpty
        invocation.talk.say("read \(itemCount(report.itemCount))" + (isSound ? "; nothing is damaged or missing" : ""))
        // A hand edit that made item.json unreadable is a person's work.
        let hasReplaced = !invocation.isDryRun && report.repaired.contains { !$0.isMissing }
        if hasReplaced, let history = try library.history(), let step = history.steps.last,
            let folder = history.keptFiles(of: step.number)
        {
            invocation.talk.say(
                "the damaged files are in \(Printable.line(folder)), as long as the step is in the journal")
        }
    }

    private func warn(_ report: RepairReport) {
        let isAlone = invocation.values("from").isEmpty
        let unfound =
            isAlone
            ? "\"sbfs repair --from\" with another copy or a remote may bring it back" : "no copy has the right bytes"
        var lines = report.lost.map { "\(Printable.line($0.path)) is \(Self.state($0)), and \(unfound)" }
        lines += report.doubtful.map {
            "\(Printable.line($0)) is not what sbfs stored: edited since, or damaged; "
                + (isAlone
                    ? "\"sbfs repair --from\" with another copy or a remote may tell"
                    : "no copy has the stored bytes in the same size")
        }
        lines += report.changed.map { "\(Printable.line($0)) was changed meanwhile and stays as it is" }
        lines += report.unreadable.map {
            "\(Printable.line($0)) cannot be read; \"sbfs check --read-data\" says why"
        }
        if !report.absent.isEmpty {
            lines.append(
                "\(itemCount(report.absent.count)) of a copy are not here and were not purged: "
                    + report.absent.prefix(3).map(\.short).joined(separator: ", ")
                    + (report.absent.count > 3 ? " …" : "") + "; \"sbfs merge DIR\" brings items of another copy")
        }
        lines += report.unlooked.map { "\($0.short): its other files are looked at when item.json is back" }
        lines += report.unsynced.map { path in
            "this device has not synced with \(Printable.line(path)) yet, so it does not know all that is there; next: "
                + "\"sbfs sync\", then this command again"
        }
        for line in lines.prefix(Self.toldLimit) { invocation.talk.warn(line) }
        if lines.count > Self.toldLimit {
            invocation.talk.warn("and \(lines.count - Self.toldLimit) more; --json names all")
        }
    }

    private static func state(_ file: RepairReport.File) -> String { file.isMissing ? "missing" : "damaged" }

    private func json(_ report: RepairReport) -> JSON {
        func files(_ files: [RepairReport.File]) -> JSON {
            .array(
                files.map { .members([("path", .string($0.path)), ("was", .string(Self.state($0)))]) })
        }
        return .members([
            ("items", .integer(report.itemCount)), ("repaired", files(report.repaired)), ("lost", files(report.lost)),
            ("doubtful", .strings(report.doubtful)), ("changed", .strings(report.changed)),
            ("unreadable", .strings(report.unreadable)),
            ("broughtBack", .strings(report.broughtBack.map(\.description))),
            ("absent", .strings(report.absent.map(\.description))),
            ("unlooked", .strings(report.unlooked.map(\.description))), ("unsynced", .strings(report.unsynced)),
        ])
    }
}
