import StuffBucket

extension Commands {
    static let remoteCheck = Command(
        "remote check", .care, "Read all that a remote holds, and compare it with its hashes",
        arguments: "[REMOTE]…",
        details: """
            Reads each file that the heads of the devices name: packs, pages, documents. What is missing or damaged is named, and \
            the exit code is 4. The next sync of a device that has the file writes it again; this device asks for what it has not. What only \
            earlier states of items name is named, too, and needed no more.

            All of a cloud is fetched once. "sbfs check --read-data" reads the files of the library itself.
            """,
        options: [Option.json],
        examples: [.init("sbfs remote check stick", "whether the stick still has every byte")]
    ) { invocation in
        let library = try invocation.library()
        let remotes = try Remotes(of: library).named(invocation.positionals)
        if remotes.isEmpty { invocation.talk.say("there is none; name a folder: sbfs remote add NAME DIR") }
        let worker = try WorkerProgram.worker()
        var objects: [JSON] = []
        var status = ExitStatus.done
        for remote in remotes {
            if remote.folder.cloud != nil { try invocation.refuseOffline() }
            let report = try invocation.withProgress("reading \(remote.name)") { monitor in
                try library.check(remote.folder, worker, monitor)
            }
            for fault in report.faults {
                invocation.talk.warn("\(remote.name): \(Printable.line(fault.path)): \(fault.reason.wording)")
            }
            for fault in report.outdated {
                invocation.talk.say(
                    "\(remote.name): \(Printable.line(fault.path)): \(fault.reason.wording); only earlier states of items name it, so nothing needs it"
                )
            }
            if !report.faults.isEmpty {
                status = .partlyDone
                invocation.talk.say("next: sbfs sync \(remote.name), here and on the devices that have the files")
            }
            invocation.talk.say(
                "\(remote.name): read \(report.objectCount) \(report.objectCount == 1 ? "file" : "files") "
                    + "(\(ByteCount.text(report.byteCount))); " + verdict(report))
            objects.append(json(remote, report))
        }
        if invocation.has("json") { try invocation.output.write(Printable.json(JSON.array(objects).file)) }
        return status
    }

    private static func verdict(_ report: ExchangeCheckReport) -> String {
        if !report.faults.isEmpty { return "\(report.faults.count) missing or damaged" }
        if report.objectCount == 0 { return "no sync wrote anything that is needed" }
        return report.outdated.isEmpty ? "all are whole" : "all that is needed is whole"
    }

    private static func json(_ faults: [SyncReport.Left]) -> JSON {
        .array(faults.map { .members([("path", .string($0.path)), ("why", .string($0.reason.wording))]) })
    }

    private static func json(_ remote: Remotes.Remote, _ report: ExchangeCheckReport) -> JSON {
        .members([
            ("remote", .string(remote.name)), ("objects", .integer(report.objectCount)),
            ("bytes", .integer(report.byteCount)),
            ("faults", json(report.faults)), ("outdated", json(report.outdated)),
        ])
    }
}
