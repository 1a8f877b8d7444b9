import StuffBucket

extension Commands {
    static let reset = Command(
        "reset", .care, "Remove what this device derived, or empty an exchange",
        details: """
            --local removes what sbfs keeps of the library on this device and can make again, and the journal: the search index, copies \
            that came from an exchange to be opened, and all steps, so that nothing can be undone any more. Items, versions, \
            remotes and what is remembered of files that are only in an exchange stay. A copy that you changed stays, too.

            --remote REMOTE empties an exchange: the heads of all devices and all objects go. The folder stays an exchange, and every \
            device writes everything again with its next sync. It is refused while the exchange holds something that is not \
            on this device.

            Both say what goes, and ask.
            """,
        options: [
            Option("local", "the index, copies and the journal of this device"),
            Option("remote", value: "REMOTE", "all objects and heads of an exchange"), Option.yes, Option.dryRun,
        ],
        examples: [
            .init("sbfs reset --local", "begin again on this device"),
            .init("sbfs reset --remote cloud --dry-run", "what an exchange holds"),
        ]
    ) { invocation in
        guard invocation.positionals.isEmpty, invocation.has("local") != invocation.has("remote") else {
            throw invocation.usage("give --local or --remote REMOTE")
        }
        let library = try invocation.library()
        if let name = invocation.value("remote") { return try empty(name, library, invocation) }
        if library.watchStatus() != nil {
            throw CommandFailure(.locked, "a daemon watches this library; end it first: sbfs watch --stop")
        }
        let planned = try library.resetLocal(.dry)
        let words =
            "the index (\(ByteCount.text(planned.indexByteCount))), copies of files of exchanges "
            + "(\(ByteCount.text(planned.cacheByteCount))) and \(planned.stepCount) \(planned.stepCount == 1 ? "step" : "steps") of the journal"
        if planned.awayCount > 0 {
            invocation.talk.say(
                "files of \(itemCount(planned.awayCount)) are in an exchange only; sbfs goes on knowing where they are")
        }
        if invocation.isDryRun {
            invocation.talk.say("would remove \(words)")
            return .done
        }
        try invocation.confirm("Remove \(words)? These steps cannot be undone any more.")
        let reset = try library.resetLocal()
        invocation.talk.say("removed \(words); the next command that searches builds the index")
        for path in reset.changedCopies {
            invocation.talk.say("a copy that was changed stays: \(Printable.line(path))")
        }
        return .done
    }

    private static func empty(_ name: String, _ library: Library, _ invocation: Invocation) throws -> ExitStatus {
        let remote = try Remotes(of: library).named([name])[0]
        if remote.folder.cloud != nil { try invocation.refuseOffline() }
        if remote.folder.isReadOnly {
            throw CommandFailure(.failed, "\(name) is read-only on this device; nothing is removed")
        }
        let worker = try WorkerProgram.worker()
        let planned = try library.empty(remote.folder, worker, .dry)
        for path in planned.untaken.prefix(10) {
            invocation.talk.warn("\(Printable.line(path)) is not on this device yet")
        }
        for id in planned.away.prefix(10) {
            invocation.talk.warn("\(id.short) has files that are in an exchange only")
        }
        if planned.losesFiles {
            throw CommandFailure(
                .failed,
                "nothing is removed: "
                    + [
                        planned.untaken.isEmpty
                            ? nil : counted(planned.untaken.count, "pack or object", "packs or objects"),
                        planned.away.isEmpty ? nil : "files of \(itemCount(planned.away.count))",
                    ].compactMap(\.self).joined(separator: " and ")
                    + ", which this device has not whole; \"sbfs sync\", \"sbfs keep ITEM\" and \"sbfs repair --from \(remote.name)\" bring them"
            )
        }
        let words =
            "\(counted(planned.objectCount, "object", "objects")) (\(ByteCount.text(planned.byteCount))) and the heads of this device and "
            + counted(planned.deviceCount, "other device", "other devices")
        if invocation.isDryRun {
            invocation.talk.say("would remove \(words) from \(Printable.line(remote.folder.path))")
            return .done
        }
        try invocation.confirm("Remove \(words) from \(Printable.line(remote.folder.path))?")
        _ = try invocation.withProgress("removing") { try library.empty(remote.folder, worker, .real, $0) }
        invocation.talk.say("\(name) is empty; the next sync of each device writes everything again")
        return .done
    }

    private static func counted(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
