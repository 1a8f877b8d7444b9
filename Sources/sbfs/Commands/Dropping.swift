import StuffBucket

extension Commands {
    static let drop = Command(
        "drop", .care, "Leave pages and documents to an exchange alone", arguments: "ITEM…",
        details: """
            Frees the space of saved pages and documents on this device: an exchange ("sbfs remote add") holds them. "sbfs open" and \
            "sbfs read" fetch them again, and "sbfs keep" brings them back. Fields, texts, versions and earlier captures stay, and \
            "sbfs search" finds the same.

            A file goes only after the exchange's copy was read to its end and has the hash of the file. One that a sync \
            did not write yet, that differs from the exchange's, or that an editor saves meanwhile stays and is named; the exit \
            code is 4 then. Other devices are not told. If no other device has the files, the exchange holds the only copy: keep it \
            as safe as the library. Where git or Syncthing replicates the library's folder itself, nothing is dropped: they would \
            remove the files elsewhere, too.
            """,
        options: [Option.query, Option.dryRun, Option.json],
        examples: [
            .init("sbfs drop @1", "one item"),
            .init("sbfs drop -q 'has:archive before:2025' --dry-run", "what old pages would free"),
        ]
    ) { invocation in
        try DroppingCommand(invocation, done: invocation.isDryRun ? "would drop" : "dropped").run {
            try $0.drop($1, to: $2, $3, invocation.mode, $4)
        }
    }

    static let keep = Command(
        "keep", .care, "Bring pages and documents from an exchange to this device", arguments: "ITEM…",
        details: """
            Brings back what "sbfs drop" left to an exchange, or what a thin replica ("sbfs remote add --thin") did not take. The \
            files stay on this device from then on, also those that come for the item later, until "sbfs drop".
            """,
        options: [Option.query, Option.json],
        examples: [
            .init("sbfs keep @1 @4", "two items"),
            .init("sbfs keep -q collection:Travel", "a collection, before a journey"),
        ]
    ) { invocation in
        try DroppingCommand(invocation, done: "brought").run { try $0.keep($1, from: $2, $3, $4) }
    }
}

/// One run of `sbfs drop` or `sbfs keep`.
private struct DroppingCommand {
    let invocation: Invocation
    /// What was done, as a participle.
    let done: String
    private static let toldLimit = 10

    init(_ invocation: Invocation, done: String) {
        self.invocation = invocation
        self.done = done
    }

    func run(
        _ work: (Library, [Row], [ExchangeFolder], CaptureWorker, Monitor) throws -> DropReport
    ) throws -> ExitStatus {
        let selection = try invocation.items(invocation.positionals)
        let remotes = try Remotes(of: selection.library).list
        if remotes.isEmpty {
            throw CommandFailure(.failed, "there is no remote; name an exchange: sbfs remote add NAME DIR")
        }
        let worker = try WorkerProgram.worker()
        let report = try invocation.withProgress("reading") { monitor in
            try work(selection.library, selection.rows, remotes.map(\.folder), worker, monitor)
        }
        if invocation.has("json") {
            try invocation.output.write(Printable.json(JSON.array([json(report)]).file))
        } else {
            let words = "\(done) files of \(itemCount(report.done.count)) (\(ByteCount.text(report.byteCount)))"
            if !report.done.isEmpty {
                invocation.talk.say(words)
            } else if report.left.isEmpty {
                invocation.talk.say("there is nothing to do")
            }
        }
        if !report.left.isEmpty {
            for exchange in report.unreachable { invocation.talk.warn(exchange.reason.wording) }
        }
        let lines = report.left.map { "\($0.item.short): \(Printable.line($0.path)): \($0.reason.wording)" }
        for line in lines.prefix(Self.toldLimit) { invocation.talk.warn(line) }
        if lines.count > Self.toldLimit {
            invocation.talk.warn("and \(lines.count - Self.toldLimit) more; --json names all")
        }
        return report.left.isEmpty ? selection.status : .partlyDone
    }

    private func json(_ report: DropReport) -> JSON {
        .members([
            ("done", .strings(report.done.map(\.description))), ("bytes", .integer(report.byteCount)),
            ("unchanged", .strings(report.unchanged.map(\.description))),
            (
                "left",
                .array(
                    report.left.map {
                        .members([
                            ("item", .string($0.item.description)), ("path", .string($0.path)),
                            ("why", .string($0.reason.wording)),
                        ])
                    })
            ),
        ])
    }
}
