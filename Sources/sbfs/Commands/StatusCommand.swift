import StuffBucket

extension Commands {
    static let status = Command(
        "status", .care, "Show what the daemon does",
        details: """
            Shows since when the daemon watches the library, how many items the kernel watches and how many are \
            compared every minute instead, which changes are not in the index yet, and how many items cannot be \
            read. The exit code is 3 if no daemon watches the library.
            """,
        options: [Option("json", "print one JSON object")],
        examples: [.init("sbfs status", "is it running, and is it behind?")]
    ) { invocation in
        guard invocation.positionals.isEmpty else { throw invocation.usage("status takes no arguments") }
        let library = try invocation.library()
        let status = library.watchStatus()
        if invocation.has("json") {
            let json = status?.json ?? .members([("phase", .string("absent"))])
            try invocation.output.write(Printable.json(json.file))
            return status == nil ? .nothingFound : .done
        }
        guard let status else {
            invocation.talk.say("no daemon watches \(library.path); \"sbfs watch\" starts one")
            return .nothingFound
        }
        var lines = lines(status)
        for consent in try library.waiting((try? LocalSettings.background()) ?? BackgroundSettings()) {
            lines.append(("consent", "\(consent.wording): \(consent.command)"))
        }
        let verified = try library.verificationStatus()
        lines.append(("verified", "\(Int(verified.share * 100)) % of items within 30 days"))
        for (name, value) in lines {
            try invocation.output.line(TextWidth.pad(name, to: 12) + Printable.line(value))
        }
        return .done
    }

    private static func lines(_ status: WatchStatus) -> [(String, String)] {
        func time(_ time: Timestamp) -> String { "\(time.localDate) \(time.localTime)" }
        var lines = [
            (
                "daemon",
                "process \(status.process), since \(time(status.since))"
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
        if let sweptAt = status.sweptAt { lines.append(("compared", "all files at \(time(sweptAt))")) }
        if let problem = status.problem { lines.append(("problem", problem)) }
        return lines
    }
}
