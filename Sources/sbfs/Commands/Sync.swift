import StuffBucket

extension Commands {
    static let sync = Command(
        "sync", .care, "Sync with other devices through folders", arguments: "[REMOTE]…",
        details: """
            Takes what other devices wrote into the folders that "sbfs remote add" named, and writes what is new here. Without \
            a name, all of them. The folder may lie in a cloud folder, on a share or on a stick; any program may replicate \
            it. Edits of several devices are joined as "sbfs merge" joins them; "sbfs conflicts" lists what could not be. What one folder brings is written \
            into the others in the same run.

            What has not arrived yet, or is damaged, is named and tried again by the next sync. An interrupted sync goes on \
            with the next one. --due leaves out folders that failed lately: the first attempt comes a minute after a failure, each further \
            one after twice that time, at most a day.

            A document or a page is damaged if its bytes changed though no program saved it, or if it was emptied. It is named and not written: \
            "sbfs repair --from REMOTE" brings the right bytes back.

            The exit code is 4 if something could not be taken or is damaged, or one of several folders failed.
            """,
        options: [
            Option("status", "show what waits, and how the last syncs went"),
            Option("due", "only folders whose next attempt is due"), Option.dryRun, Option.json,
        ],
        examples: [
            .init("sbfs sync", "sync with all remotes"),
            .init("sbfs sync stick --dry-run", "show what would be taken and written"),
            .init("sbfs sync --status", "show what waits"),
        ],
        run: { try SyncCommand($0).run() })
}

/// One run of `sbfs sync`.
private struct SyncCommand {
    let invocation: Invocation
    private static let toldLimit = 10

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitStatus {
        let library = try invocation.library()
        let remotes = try Remotes(of: library).named(invocation.positionals)
        if invocation.has("status"), invocation.isDryRun || invocation.has("due") {
            throw invocation.usage("give --status alone")
        }
        if remotes.isEmpty {
            let advice = "there is no remote; name a folder: sbfs remote add NAME DIR"
            guard ["status", "dry-run", "due"].contains(where: invocation.has) || invocation.has("json") else {
                throw CommandFailure(.failed, advice)
            }
            invocation.talk.say(advice)
            if invocation.has("json") { try invocation.output.write(JSON.array([]).file) }
            return .done
        }
        if invocation.has("status") || invocation.isDryRun {
            return try RemoteStatus(invocation).show(remotes, of: library)
        }
        let worker = try WorkerProgram.worker()
        var objects: [JSON] = []
        var status = ExitStatus.done
        var told: Set<String> = []
        /// - Returns: whether something came.
        func sync(_ remote: Remotes.Remote, isAgain: Bool = false) throws -> Bool {
            do {
                if remote.folder.cloud != nil { try invocation.refuseOffline() }
                let report = try invocation.withProgress("syncing") { monitor in
                    try library.sync(with: remote.folder, worker, as: invocation.stepHeader(), monitor)
                }
                if isAgain, report.hasNothing { return false }
                if invocation.has("json") {
                    objects.append(Self.json(remote, report))
                } else {
                    try tell(remote, report)
                }
                // What a second sync says again was said already.
                let lines = (Self.warnings(remote, report) + Self.hidden(remote, report)).filter { !told.contains($0) }
                told.formUnion(lines)
                warn(lines)
                tellSameLinks(remote, try library.sameLinks(asOf: report.taken.added))
                // Perhaps it was renamed, here or on another device.
                if !isAgain, !remote.folder.isReadOnly, let collection = remote.folder.collection {
                    try RemoteCommands.warn(ofUnknown: collection, library, invocation, of: remote.name)
                }
                if !report.left.isEmpty || !report.missing.isEmpty || !report.broughtBack.isEmpty
                    || !report.unreadable.isEmpty || !report.damaged.isEmpty || !report.notFiles.isEmpty
                    || report.taken.left.contains(where: \.reason.isFault)
                {
                    status = .partlyDone
                }
                return !report.taken.hasNothing
            } catch {
                // One folder does not stop the others.
                if remotes.count == 1 { throw error }
                if invocation.has("json") {
                    objects.append(.members([("remote", .string(remote.name)), ("error", .string(error.wording))]))
                }
                invocation.talk.warn("\(remote.name): \(error.wording)")
                status = .partlyDone
                return false
            }
        }
        var synced: [Remotes.Remote] = []
        var behind: [Remotes.Remote] = []
        for remote in remotes {
            if invocation.has("due"), let next = library.lastSync(with: remote.folder, isBrief: true).nextAttempt,
                next > .now
            {
                continue
            }
            if try sync(remote) { behind = synced }
            synced.append(remote)
        }
        // What a later folder brought is written into the earlier ones, too.
        for remote in behind where !remote.folder.isReadOnly {
            if library.lastSync(with: remote.folder, isBrief: true).failureCount == 0 {
                _ = try sync(remote, isAgain: true)
            }
        }
        if invocation.has("json") { try invocation.output.write(Printable.json(JSON.array(objects).file)) }
        return status
    }

    private func tell(_ remote: Remotes.Remote, _ report: SyncReport) throws {
        var parts: [String] = []
        func add(_ count: Int, _ words: String) { if count > 0 { parts.append("\(count) \(words)") } }
        add(report.taken.added.count, "added")
        add(report.taken.joined.count, "joined")
        add(report.taken.purgedThere.count, "removed: purged on another device")
        let removed = report.removedOwnFiles
        add(
            removed.count,
            "of your own files removed, as on another device ("
                + removed.prefix(3).map(Printable.line).joined(separator: ", ") + (removed.count > 3 ? ", …)" : ")"))
        add(report.taken.smallFiles.count, "of collections, tags and smart folders taken")
        if report.sentObjectCount > 0 {
            let bytes = ByteCount.text(report.sentByteCount)
            // Tombstones, files of collections and what the exchange lost are of no item.
            parts.append(report.sent.isEmpty ? "\(bytes) written" : "\(report.sent.count) written (\(bytes))")
        }
        let devices = report.deviceCount == 1 ? "1 other device" : "\(report.deviceCount) other devices"
        let line = parts.isEmpty ? report.left.isEmpty ? "nothing to do" : "nothing new" : parts.joined(separator: ", ")
        try invocation.output.line("\(remote.name): \(line) (\(devices))")
        if report.taken.conflictCount > 0 {
            try invocation.output.line("Conflicts (\(report.taken.conflictCount)): see \"sbfs conflicts\"")
        }
        try invocation.output.flush()
    }

    /// Two devices may have made items of the same links before they met.
    private func tellSameLinks(_ remote: Remotes.Remote, _ links: [[ItemID]]) {
        if links.isEmpty { return }
        let what =
            links.count == 1
            ? "1 link that came is that of an item" : "\(links.count) links that came are those of items"
        let names = links.prefix(3).map { $0.map(\.short).joined(separator: " and ") }.joined(separator: ", ")
        invocation.talk.say(
            "\(remote.name): \(what) that this device had: \(names)\(links.count > 3 ? ", …" : ""); both stay. "
                + "\"sbfs trash\" removes the one that you do not need")
    }

    /// Items that are purged, and hold what the purge did not see.
    private static func hidden(_ remote: Remotes.Remote, _ report: SyncReport) -> [String] {
        report.hidden.map { id in
            "\(remote.name): \(id.short) was purged on one device and got files or versions on another one that the purge did not see, so its "
                + "folder stays here, hidden: \"sbfs check --repair\" has it in the trash again, or look at "
                + "its folder below items/ and delete that"
        }
    }

    private static func warnings(_ remote: Remotes.Remote, _ report: SyncReport) -> [String] {
        report.left.filter { $0.reason != .notJoined }
            .map { "\(remote.name): \($0.wording)" }
            + report.taken.left.map { "\(remote.name): \(Printable.line($0.path)): \($0.reason.wording)" }
            + report.notHeardOf.map {
                "\(remote.name): the device \($0) wrote what has not arrived for a day; it writes that again when it syncs; if it will not "
                    + "come back: sbfs remote prune \(Printable.line(remote.name)) --forget \($0)"
            }
            + report.missing.map {
                "\(remote.name): \($0.short) was here, and its folder is gone, though nothing purged it; "
                    + "\"sbfs repair --from \(remote.name)\" brings it back"
            }
            + report.broughtBack.map {
                "\(remote.name): \($0.short) was purged, and a program brought it back; it stays on this device alone; move it to the "
                    + "trash and purge it, or have \"sbfs check --repair\" remove the tombstone to keep it"
            }
            + report.unreadable.map {
                "\(remote.name): \($0.short) cannot be read, so it was not written; \"sbfs check --read-data\" says why"
            }
            + report.damaged.map { "\(remote.name): \(Printable.line($0)): \(damage($0, remote))" }
            + report.notFiles.map {
                "\(remote.name): \(Printable.line($0)): a link or a folder is in its place, so nothing was written of it; move that "
                    + "away, and \"sbfs repair --from \(remote.name)\" brings the file back"
            }
            + report.keptOwnFiles.map {
                "\(remote.name): \(Printable.line($0)): two devices changed this file; both are kept, and this one lies beside the "
                    + "other"
            }
            + report.stayingOwnFiles.map {
                "\(remote.name): \(Printable.line($0)): one device removed this file, and another one changed it or has it of its own; "
                    + "it stays"
            }
            + report.leftOut.map { "\(remote.name): \($0.wording)" }
            + report.notSmallFiles.map { "\(remote.name): \(notSmall($0))" }
            + (report.hasNewDevice ? [newDevice(remote)] : [])
    }

    /// A file of the person's own in collections/, tags/ or smart/, and why it does not travel.
    static func notSmall(_ path: String) -> String {
        "\(Printable.line(path)): only files with a name in UTF-8 that ends in .json travel from this folder, and no links or folders; "
            + "it stays on this device"
    }

    private static func newDevice(_ remote: Remotes.Remote) -> String {
        "\(remote.name): what this device remembered of it was damaged, so it read everything again, as a new device; \"sbfs remote prune "
            + "\(Printable.line(remote.name))\" names the old one when it was not seen for long"
    }

    /// Why a damaged file was not written, and what to do.
    private static func damage(_ path: String, _ remote: Remotes.Remote) -> String {
        path.hasPrefix(Layout.items + "/")
            ? "it is damaged, so it was not written: it is empty, or its bytes changed though no program saved it; \"sbfs repair --from \(remote.name)\" "
                + "brings it back"
            : "it is no JSON object, so it was not written; \"sbfs check\" tells the line to mend, and \"sbfs repair --from "
                + "\(remote.name)\" brings it back as a device wrote it last, if one did"
    }

    private func warn(_ lines: [String]) {
        for line in lines.prefix(Self.toldLimit) { invocation.talk.warn(line) }
        let rest = lines.count - Self.toldLimit
        if rest > 0 { invocation.talk.warn("and \(rest) more; --json names all") }
    }

    private static func json(_ remote: Remotes.Remote, _ report: SyncReport) -> JSON {
        func list(_ ids: [ItemID]) -> JSON { .strings(ids.map(\.description)) }
        func left(_ path: String, _ why: String, of lacking: (item: ItemID, file: String)? = nil) -> JSON {
            .members([
                ("path", .string(path)), ("why", .string(why)),
                ("item", lacking.map { .string($0.item.description) }), ("file", lacking.map { .string($0.file) }),
            ])
        }
        return .members([
            ("remote", .string(remote.name)), ("folder", .string(remote.folder.path)),
            ("devices", .integer(report.deviceCount)), ("packs", .integer(report.takenPackCount)),
            ("added", list(report.taken.added)), ("joined", list(report.taken.joined)),
            ("conflicted", list(report.taken.conflicted)), ("purged", list(report.taken.purgedThere)),
            ("smallFiles", .strings(report.taken.smallFiles)), ("written", list(report.sent)),
            ("objects", .integer(report.sentObjectCount)), ("bytes", .integer(report.sentByteCount)),
            (
                "left",
                .array(
                    report.left.filter { $0.reason != .notJoined }.map {
                        left($0.path, $0.reason.wording, of: $0.lacking)
                    }
                        + report.taken.left.map { left($0.path, $0.reason.wording) })
            ),
            ("notHeardOf", list(report.notHeardOf)),
            ("missing", list(report.missing)), ("broughtBack", list(report.broughtBack)),
            ("hidden", list(report.hidden)),
            ("unreadable", list(report.unreadable)),
            ("damaged", .strings(report.damaged)), ("notFiles", .strings(report.notFiles)),
            ("kept", .strings(report.keptOwnFiles)), ("stay", .strings(report.stayingOwnFiles)),
            ("removed", .strings(report.removedOwnFiles)), ("newDevice", .bool(report.hasNewDevice)),
            ("leftOut", .array(report.leftOut.map(RemoteStatus.json))),
            ("notSmallFiles", .strings(report.notSmallFiles)),
        ])
    }
}

/// What `sbfs sync --status`, `sbfs sync --dry-run` and `sbfs remote status` show.
struct RemoteStatus {
    let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func show(_ remotes: [Remotes.Remote], of library: Library) throws -> ExitStatus {
        var objects: [JSON] = []
        var isWhole = true
        for remote in remotes {
            var status = library.lastSync(with: remote.folder)
            var fault: String?
            do {
                if remote.folder.cloud != nil { try invocation.refuseOffline() }
                status = try library.syncStatus(with: remote.folder)
                if status.left.contains(where: { $0.reason == .notReadable }) { isWhole = false }
            } catch {
                fault = error.wording
                isWhole = false
            }
            if invocation.has("json") {
                objects.append(json(remote, status, fault))
            } else {
                try tell(remote, status, fault)
            }
        }
        if invocation.has("json") { try invocation.output.write(Printable.json(JSON.array(objects).file)) }
        return isWhole ? .done : .partlyDone
    }

    private func tell(_ remote: Remotes.Remote, _ status: SyncStatus, _ fault: String?) throws {
        let output = invocation.output
        let kind = remote.folder.isReadOnly ? " (read-only)" : ""
        try output.line("\(remote.name): \(Printable.line(remote.folder.path))\(kind)")
        if let fault {
            try output.line("  " + Printable.line(fault))
        } else {
            let would = invocation.isDryRun ? "would " : "to "
            try output.line(
                "  \(would)take: \(status.packCount) \(status.packCount == 1 ? "pack" : "packs") (\(ByteCount.text(status.packByteCount)))"
            )
            try output.line(
                "  \(would)write: \(status.itemCount) \(status.itemCount == 1 ? "item" : "items") (\(ByteCount.text(status.itemByteCount)))"
                    + smallFiles(status)
            )
        }
        for left in status.left {
            try output.line("  cannot be read: \(Printable.line(left.path)): \(left.reason.wording)")
        }
        if invocation.isDryRun { return }
        let last = status.completedAt.map { "\($0.localDate) \($0.localTime)" } ?? "never"
        try output.line("  last complete sync: \(last)")
        if status.failureCount > 0 {
            try output.line(
                "  failed \(status.failureCount) \(status.failureCount == 1 ? "time" : "times"): "
                    + Printable.line(status.failure ?? ""))
            if let next = status.nextAttempt {
                try output.line("  next attempt: \(next.localDate) \(next.localTime)")
            }
        }
        for path in status.unfinished { try output.line("  waits for: \(Printable.line(path))") }
        for file in status.leftOut { try output.line("  left out: \(file.wording)") }
        for path in status.notSmallFiles { try output.line("  left out: \(SyncCommand.notSmall(path))") }
    }

    /// Changed collections, tags and smart folders, and purges, as far as there are any.
    private func smallFiles(_ status: SyncStatus) -> String {
        if status.smallFileCount == 0 { return "" }
        let count = "\(status.smallFileCount) \(status.smallFileCount == 1 ? "file" : "files")"
        return ", \(count) of collections, tags, smart folders or purges (\(ByteCount.text(status.smallFileByteCount)))"
    }

    private func json(_ remote: Remotes.Remote, _ status: SyncStatus, _ fault: String?) -> JSON {
        .members([
            ("remote", .string(remote.name)), ("folder", .string(remote.folder.path)),
            ("readOnly", .bool(remote.folder.isReadOnly)), ("collection", remote.folder.collection.map(JSON.string)),
            ("device", status.device.map { .string($0.description) }), ("error", fault.map(JSON.string)),
            ("packsToTake", .integer(status.packCount)), ("bytesToTake", .integer(status.packByteCount)),
            ("itemsToWrite", .integer(status.itemCount)), ("bytesToWrite", .integer(status.itemByteCount)),
            ("smallFilesToWrite", .integer(status.smallFileCount)),
            ("smallBytesToWrite", .integer(status.smallFileByteCount)),
            ("completedAt", status.completedAt.map { .string($0.rfc3339) }),
            ("attemptedAt", status.attemptedAt.map { .string($0.rfc3339) }),
            ("failures", .integer(status.failureCount)), ("failure", status.failure.map(JSON.string)),
            ("nextAttempt", status.nextAttempt.map { .string($0.rfc3339) }),
            ("waitsFor", .strings(status.unfinished)),
            (
                "unreadable",
                .array(
                    status.left.map {
                        .members([("path", .string($0.path)), ("why", .string($0.reason.wording))])
                    })
            ), ("leftOut", .array(status.leftOut.map(Self.json))),
            ("notSmallFiles", .strings(status.notSmallFiles)),
        ])
    }

    static func json(_ file: SyncReport.LeftOutFile) -> JSON {
        .members([
            ("item", .string(file.item.description)), ("path", .string(file.path)),
            ("why", .string(file.reason.rawValue)), ("bytes", .integer(file.byteCount)),
        ])
    }
}
