import StuffBucket

extension Commands {
    static let merge = Command(
        "merge", .care, "Join another copy of this library", arguments: "DIR",
        details: """
            DIR is a copy of the same library: on a disk, a mounted share, an rsync target, a backup. Items that only DIR \
            has are added. Items that both have are joined field by field and paragraph by paragraph, so that the edits \
            of both are here; what both changed in one place is a conflict ("sbfs conflicts"). Pages and documents \
            that lost are kept as snapshots and beside the document. What was purged in either copy stays away, unless \
            the other edited it. Old states of an item, as in a backup, undo no newer edit.

            sbfs only reads DIR. With --both it brings DIR to the same state, too. Files in DIR's inbox are left, and so are \
            files of your own at the top of DIR, such as a README: those that are not here, or differ, are named. "sbfs \
            undo" moves added items to the trash; "sbfs restore-version" takes a joined item back.

            It says how many items were added, joined and equal. "Newer here" are those of which DIR has nothing new, and lacks \
            something.

            The exit code is 4 if something else was left, which is named.
            """,
        options: [
            Option("both", "join this library into DIR, too"), Option.dryRun, Option.json,
        ],
        examples: [
            .init("sbfs merge /media/stick/Library --dry-run", "see what differs"),
            .init("sbfs merge /media/stick/Library --both", "bring both to the same state"),
        ],
        run: { try MergeCommand($0).run() })
}

/// One run of `sbfs merge`.
private struct MergeCommand {
    let invocation: Invocation
    private static let toldLimit = 10

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitStatus {
        guard invocation.positionals.count == 1 else { throw invocation.usage("merge needs one folder") }
        let path = invocation.positionals[0]
        let library = try invocation.library()
        var reports: [(path: String, report: MergeReport)] = []
        var stopped: MergeStopped?
        try invocation.withProgress("joining") { monitor in
            if invocation.isDryRun {
                if invocation.has("both") {
                    let both = try library.mergeBothPreview(path, monitor)
                    reports = [(library.path, both.here), (path, both.there)]
                } else {
                    reports = [(library.path, try library.mergePreview(path, monitor))]
                }
            } else {
                do {
                    reports = try join(library, path, monitor)
                } catch let error as MergeStopped {
                    reports = [(error.path, error.report)]
                    stopped = error
                }
            }
        }
        if invocation.has("json") {
            let list = reports.map { json($0.path, $0.report) }
            try invocation.output.write(Printable.json(JSON.array(list).file))
        } else {
            for (path, report) in reports { try tell(path, report) }
        }
        try invocation.output.flush()
        for (place, entry) in reports.enumerated() {
            warn(entry.report)
            tellOwnFiles(entry.report, of: place == 0 ? path : library.path)
        }
        if let stopped {
            invocation.talk.warn("stopped before the end; what is listed is joined, and the same command goes on")
            throw stopped.cause
        }
        let isWhole = reports.allSatisfy { $0.report.left.allSatisfy { !$0.reason.isFault } }
        return isWhole ? .done : .partlyDone
    }

    private func join(
        _ library: Library, _ path: String, _ monitor: Monitor
    ) throws -> [(path: String, report: MergeReport)] {
        let header = invocation.stepHeader()
        if !invocation.has("both") { return [(library.path, try library.merge(path, as: header, monitor))] }
        let both = try library.mergeBoth(path, as: header, monitor)
        return [(library.path, both.here), (path, both.there)]
    }

    private func tell(_ path: String, _ report: MergeReport) throws {
        let prefix = invocation.isDryRun ? "would be " : ""
        var parts: [String] = []
        func add(_ count: Int, _ words: String) { if count > 0 { parts.append("\(count) \(words)") } }
        add(report.added.count, prefix + "added")
        add(report.joined.count, prefix + "joined")
        add(report.purgedThere.count, prefix + "removed: purged in the other copy")
        add(report.smallFiles.count, "of collections, tags and smart folders " + prefix + "taken")
        add(report.sameCount, "equal")
        add(report.newer.count, "newer here")
        add(report.purgedHere.count, "purged here, not brought back")
        let line = "\(Printable.line(path)): " + (parts.isEmpty ? "nothing to join" : parts.joined(separator: ", "))
        try invocation.output.line(line)
        if report.conflictCount > 0 {
            try invocation.output.line(
                "Conflicts (\(report.conflictCount))"
                    + (invocation.isDryRun ? " would be there" : ": see \"sbfs conflicts\""))
        }
        for path in report.kept.prefix(Self.toldLimit) {
            try invocation.output.line("kept beside the document: " + Printable.line(path))
        }
        let rest = report.kept.count - Self.toldLimit
        if rest > 0 { try invocation.output.line("and \(rest) more; \"sbfs check\" names all") }
    }

    private func warn(_ report: MergeReport) {
        for left in report.left.prefix(Self.toldLimit) {
            invocation.talk.warn("\(left.path): \(left.reason.wording)")
        }
        let rest = report.left.count - Self.toldLimit
        if rest > 0 { invocation.talk.warn("and \(rest) more; --json names all") }
    }

    private func tellOwnFiles(_ report: MergeReport, of path: String) {
        let count = report.ownFiles.count
        if count == 0 { return }
        let names = report.ownFiles.prefix(Self.toldLimit).map(Printable.line).joined(separator: ", ")
        let rest = count - Self.toldLimit
        invocation.talk.warn(
            "\(count) of your own files at the top of \(Printable.line(path)) \(count == 1 ? "is" : "are") not joined; "
                + "copy what you need: \(names)" + (rest > 0 ? " and \(rest) more; --json names all" : ""))
    }

    private func json(_ path: String, _ report: MergeReport) -> JSON {
        func list(_ ids: [ItemID]) -> JSON { .strings(ids.map(\.description)) }
        return .members([
            ("library", .string(path)), ("added", list(report.added)), ("joined", list(report.joined)),
            ("conflicted", list(report.conflicted)), ("conflicts", .integer(report.conflictCount)),
            ("equal", .integer(report.sameCount)), ("newer", list(report.newer)),
            ("purgedHere", list(report.purgedHere)), ("purgedThere", list(report.purgedThere)),
            ("smallFiles", .strings(report.smallFiles)), ("kept", .strings(report.kept)),
            ("ownFiles", .strings(report.ownFiles)),
            (
                "left",
                .array(
                    report.left.map {
                        .members([("path", .string($0.path)), ("why", .string($0.reason.wording))])
                    })
            ),
        ])
    }
}
