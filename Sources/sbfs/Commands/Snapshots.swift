import StuffBucket

extension Commands {
    static let snapshots = Command(
        "snapshots", .care, "List the earlier captures of a page", arguments: "ITEM",
        details:
            "The latest first. \"sbfs restore-snapshot\" makes one the item's page again; the present page becomes a snapshot.",
        options: [Option.query, Option.json],
        examples: [.init("sbfs snapshots @1", "what was saved before")]
    ) { invocation in
        let selection = try invocation.itemsToShow(invocation.positionals)
        let stored = try selection.first()
        let snapshots = try selection.library.snapshots(of: stored)
        if invocation.has("json") {
            let objects = snapshots.map { snapshot in
                JSON.members([
                    ("name", .string(snapshot.name)), ("path", .string(stored.folder + "/" + snapshot.path)),
                    ("archivedAt", snapshot.archivedAt.map { .string($0.rfc3339) }),
                    ("archiveStatus", snapshot.status.map(JSON.string)),
                    ("capturedBy", snapshot.capturedBy.map(JSON.string)),
                    ("files", .integer(snapshot.files.assets.count)),
                ])
            }
            try invocation.output.write(Printable.json(JSON.array(objects).file))
            return snapshots.isEmpty ? .nothingFound : selection.status
        }
        if snapshots.isEmpty {
            throw CommandFailure(.nothingFound, "\(stored.id.short) has no earlier captures")
        }
        for snapshot in snapshots {
            if !Terminal.isOutput {
                let byteCount = (snapshot.files.page ?? snapshot.files.reader).map { "\($0.byteCount)" } ?? ""
                try invocation.output.line(
                    [
                        snapshot.name, snapshot.status ?? "", byteCount, "\(snapshot.files.assets.count)",
                        snapshot.archivedAt?.rfc3339 ?? "",
                    ].map(Printable.field).joined(separator: "\t"))
                continue
            }
            let page = (snapshot.files.page ?? snapshot.files.reader).map { ByteCount.text($0.byteCount) } ?? "no page"
            let when = snapshot.archivedAt.map { $0.localDate.description + " " + $0.localTime } ?? ""
            try invocation.output.line(
                Printable.line(
                    "\(snapshot.name)  \(snapshot.status ?? "")  \(page), \(snapshot.files.assets.count) files  \(when)"
                ))
        }
        return selection.status
    }

    static let restoreSnapshot = Command(
        "restore-snapshot", .care, "Restore an earlier capture of a page", arguments: "ITEM SNAPSHOT",
        details: """
            SNAPSHOT is a name from "sbfs snapshots", or the beginning of one, or latest. The item's present page \
            becomes a snapshot.
            """,
        options: [Option.query, Option.yes, Option.dryRun],
        examples: [
            .init("sbfs restore-snapshot @1 latest", "go back by one"),
            .init("sbfs restore-snapshot @1 20261121T1015", "one of a certain time"),
        ]
    ) { invocation in
        let (library, stored, name) = try invocation.itemAndName(of: "snapshot")
        let all = try library.snapshots(of: stored)
        let found = name == "latest" ? Array(all.prefix(1)) : all.filter { $0.name.hasPrefix(name) }
        let snapshot = try invocation.only(found, name, "snapshot", of: stored, list: "snapshots", shown: \.name)
        let what = snapshot.files.page != nil ? "page" : "reader view"
        let lack =
            snapshot.files.page != nil ? "" : "; this snapshot holds no page.html, so the page is only partly saved"
        if invocation.isDryRun {
            invocation.talk.say("would restore the \(what) of \(snapshot.name)\(lack)")
            return .done
        }
        try invocation.step().restore(snapshot, in: stored)
        invocation.talk.say("\(stored.id.short) has the \(what) of \(snapshot.name) again\(lack)")
        return .done
    }
}
