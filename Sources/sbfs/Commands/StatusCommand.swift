import StuffBucket

extension Commands {
    static let status = Command(
        "status", .care, "Show what the daemon does",
        details: """
            Shows since when the daemon watches the library, how many items the kernel watches and how many are \
            compared every minute instead, which changes are not in the index yet, what waits in the inbox, which pages \
            wait to be saved and why the last ones failed, what waits for your consent and the command that gives it, \
            how many files were read within 30 days, and which items are damaged or cannot be read. The exit code is 3 \
            if no daemon watches the library, and 1 if one does not answer.
            """,
        options: [Option("json", "print one JSON object")],
        examples: [.init("sbfs status", "is it running, and is it behind?")]
    ) { invocation in
        guard invocation.positionals.isEmpty else { throw invocation.usage("status takes no arguments") }
        let library = try invocation.library()
        let status = library.watchStatus()
        let silent = status == nil ? library.watchingProcess : nil
        let waiting = try LibraryWaits(library)
        if invocation.has("json") {
            let json =
                status?.json
                ?? .members([
                    ("phase", .string(silent == nil ? "absent" : "silent")),
                    ("process", silent.map { .integer(Int($0)) }),
                ])
            try invocation.output.write(Printable.json(json.adding(waiting.json).file))
            return Self.exit(status, silent)
        }
        if let silent {
            invocation.talk.say(WatchProcess.silence(silent, library.path))
        } else if status == nil {
            invocation.talk.say("no daemon watches \(library.path); \"sbfs watch\" starts one")
        }
        for (name, value) in (status.map(lines) ?? []) + waiting.lines(status?.pages) {
            try invocation.output.line(TextWidth.pad(name, to: 12) + Printable.line(value))
        }
        return Self.exit(status, silent)
    }

    private static func exit(_ status: WatchStatus?, _ silent: Int32?) -> ExitStatus {
        silent != nil ? .failed : status == nil ? .nothingFound : .done
    }

    private static func lines(_ status: WatchStatus) -> [(String, String)] {
        var lines = [
            (
                "daemon",
                "process \(status.process), since \(LibraryWaits.time(status.since))"
                    + (status.phase == .starting ? ", starting" : "")
            )
        ]
        if status.isPolling {
            lines.append(("items", "compared every minute: the file system reports no changes"))
        } else {
            let rest = status.unwatchedItems > 0 ? ", \(status.unwatchedItems) compared every minute" : ""
            lines.append(("items", "\(status.watchedItems) watched\(rest)"))
            lines.append(("watches", "\(status.watches) of the kernel"))
        }
        lines.append(
            ("waiting", status.waiting == 0 ? "nothing" : "\(itemCount(status.waiting)) for \(status.lag) ms"))
        if status.faults > 0 {
            lines.append(("faults", "\(itemCount(status.faults)) cannot be read; see \"sbfs check\""))
        }
        if status.overflows > 0 {
            lines.append(("overflows", "\(status.overflows); all files were compared after each"))
        }
        if let sweptAt = status.sweptAt { lines.append(("compared", "all files at \(LibraryWaits.time(sweptAt))")) }
        if let problem = status.problem { lines.append(("problem", problem.message)) }
        for work in status.works {
            if let problem = work.problem { lines.append(("problem", "\(work.name): \(problem.message)")) }
        }
        return lines
    }
}
