import StuffBucket

extension Commands {
    static let remoteAdd = Command(
        "remote add", .care, "Name a folder or a cloud through which this library syncs", arguments: "REMOTE DIR",
        details: """
            An empty or missing DIR, in a folder that is there, becomes the library's exchange: files that any program may replicate, and that no two devices \
            write. "sbfs sync" syncs with it. The name and the folder are kept on this device alone, not in the library.

            rclone:REMOTE:PATH in the place of DIR is a folder of a cloud. The program rclone reaches it with your \
            configuration (rclone config); REMOTE is a name from it. A remote of the type crypt keeps all encrypted there.

            On another device, let the same folder arrive and make the library of it: sbfs init --from DIR. If a copy of the \
            library is there already, sbfs remote add suffices.

            With --thin, pages and documents that come stay in the folder until they are opened: "sbfs open" and "sbfs \
            read" fetch them, "sbfs keep" brings them here for good. Fields, texts, versions and what is searched come. What \
            is here already, and what is added here, stays until "sbfs drop".

            With --read-only, only what other devices wrote is taken. With --collection, only items of that collection and \
            of those in it are written; what is in the exchange is taken in any case, and an item that another device wrote into \
            it is synced on. An item that you take out of the \
            collection is written once more, so that other devices learn that; later changes of it stay here.
            """,
        options: [
            Option("read-only", "write nothing into the folder"),
            Option("thin", "leave pages and documents in the folder until they are opened"),
            Option("collection", short: "c", value: "COLLECTION", "write only this collection's items"),
        ],
        examples: [
            .init("sbfs remote add cloud ~/Nextcloud/StuffBucket", "sync through a cloud folder"),
            .init(
                "sbfs remote add box rclone:secret:sbfs",
                "sync through a cloud, encrypted by rclone's remote \"secret\""),
            .init("sbfs remote add stick /media/stick/sb && sbfs sync", "sync through a stick"),
        ]
    ) { invocation in
        guard invocation.positionals.count == 2 else { throw invocation.usage("remote add needs a name and a folder") }
        let name = invocation.positionals[0]
        guard Remotes.isName(name) else {
            throw invocation.usage("a remote's name has letters, digits, \"-\", \"_\" and \".\", at most 40")
        }
        let library = try invocation.library()
        var remotes = try Remotes(of: library)
        if let known = remotes[name] {
            throw CommandFailure(
                .failed,
                "there is a remote \"\(name)\" already, \(Printable.line(known.folder.path)); \"sbfs remote remove \(name)\" forgets it"
            )
        }
        var folder = RemoteCommands.folder(RemoteCommands.absolute(invocation.positionals[1]))
        // Both would have one memory of what is there.
        let there = LocalFolder(folder.path)
        if let same = remotes.list.first(where: {
            $0.folder.path == folder.path
                || folder.cloud == nil && $0.folder.cloud == nil && there.isSame(as: LocalFolder($0.folder.path))
        }) {
            throw CommandFailure(
                .failed,
                "the remote \"\(same.name)\" is \(Printable.line(same.folder.path)) already; \"sbfs remote remove \(same.name)\" forgets it"
            )
        }
        folder.isReadOnly = invocation.has("read-only")
        folder.isThin = invocation.has("thin")
        folder.collection = invocation.value("collection")
        if let collection = folder.collection { try RemoteCommands.warn(ofUnknown: collection, library, invocation) }
        var isNew = false
        if folder.isReadOnly {
            // Whether it is this library's.
            _ = try library.syncStatus(with: folder)
        } else {
            isNew = try library.makeExchange(folder)
        }
        try remotes.add(Remotes.Remote(name: name, folder: folder))
        if isNew, (try? library.hasSealedNames(folder)) ?? false {
            invocation.talk.warn(
                "the cloud holds names that rclone cannot decrypt. If you made this exchange on another device, rclone's password there is "
                    + "another one: set the same, then \"sbfs remote remove \(name)\" and \"sbfs remote add\" again")
        }
        invocation.talk.say(
            (isNew ? "made the exchange \(Printable.line(folder.path))" : "named \(Printable.line(folder.path))")
                + "; next: sbfs sync \(name)")
        return .done
    }

    static let remoteList = Command(
        "remote list", .care, "List the folders through which this library syncs",
        options: [Option.json],
        examples: [.init("sbfs remote list", "each with its folder")]
    ) { invocation in
        guard invocation.positionals.isEmpty else { throw invocation.usage("remote list takes no name") }
        let remotes = try Remotes(of: invocation.library()).list
        if invocation.has("json") {
            let objects = remotes.map { remote in
                JSON.members([
                    ("remote", .string(remote.name)), ("folder", .string(remote.folder.path)),
                    ("readOnly", .bool(remote.folder.isReadOnly)), ("thin", .bool(remote.folder.isThin)),
                    ("collection", remote.folder.collection.map(JSON.string)),
                ])
            }
            try invocation.output.write(Printable.json(JSON.array(objects).file))
        } else {
            for remote in remotes {
                let kind =
                    (remote.folder.isReadOnly ? "read-only" : "read and write") + (remote.folder.isThin ? ", thin" : "")
                let collection = remote.folder.collection.map { "\tcollection " + Printable.field($0) } ?? ""
                try invocation.output.line(
                    "\(remote.name)\t\(kind)\t\(Printable.field(remote.folder.path))\(collection)")
            }
        }
        if remotes.isEmpty { invocation.talk.say("there is none; name a folder: sbfs remote add NAME DIR") }
        return .done
    }

    static let remoteStatus = Command(
        "remote status", .care, "Show what waits for a sync, and how the last ones went", arguments: "[REMOTE]…",
        details: """
            The same as "sbfs sync --status": packs of other devices that are not taken yet, items that changed here, failed \
            attempts with the time of the next one, and files that are above the size limit.
            """,
        options: [Option.json],
        examples: [.init("sbfs remote status cloud", "one of them")]
    ) { invocation in
        let library = try invocation.library()
        let remotes = try Remotes(of: library).named(invocation.positionals)
        if remotes.isEmpty { invocation.talk.say("there is none; name a folder: sbfs remote add NAME DIR") }
        return try RemoteStatus(invocation).show(remotes, of: library)
    }

    static let remoteRemove = Command(
        "remote remove", .care, "Forget a folder through which this library syncs", arguments: "REMOTE",
        details: "The folder and what is in it stay; other devices go on with it.",
        options: [],
        examples: [.init("sbfs remote remove stick", "sync with it no more")]
    ) { invocation in
        guard invocation.positionals.count == 1 else { throw invocation.usage("remote remove needs one name") }
        let library = try invocation.library()
        var remotes = try Remotes(of: library)
        let remote = try remotes.named(invocation.positionals)[0]
        try remotes.remove(remote.name)
        let awayCount = library.awayCount()
        if awayCount > 0 {
            invocation.talk.warn(
                "files of \(itemCount(awayCount)) are in an exchange only; \"sbfs remote add\" with the folder makes them open again"
            )
        }
        let again = TypedLine.text(
            ["remote", "add", remote.name, remote.folder.path] + RemoteCommands.options(remote.folder))
        invocation.talk.say(
            "forgot \(remote.name); \(Printable.line(remote.folder.path)) stays as it is; to add it again: \(Printable.line(again))"
        )
        return .done
    }

    static let remotePrune = Command(
        "remote prune", .care, "List a folder's devices, and delete what nothing names", arguments: "REMOTE",
        details: """
            Interrupted syncs leave objects that no device names. They are deleted 30 days after this command first found \
            them; so run it now and then. Nothing else deletes anything from the folder. While a device's head or a \
            pack cannot be read, or a head is gone whose device was not forgotten here, nothing is deleted.

            --forget removes a device that will not come back; its id is in the list, and 4 or more characters \
            from its beginning or end suffice. The list marks those that wrote nothing for 90 days or longer. What it wrote stays. If it \
            does come back, nothing is lost. A device whose head is damaged can be forgotten, too.
            """,
        options: [
            Option("forget", value: "DEVICE", "forget this device, after asking"), Option.yes, Option.dryRun,
            Option.json,
        ],
        examples: [
            .init("sbfs remote prune cloud", "list the devices, delete what is unused for 30 days"),
            .init("sbfs remote prune cloud --forget 9b7a61c4", "forget a lost laptop"),
        ]
    ) { invocation in try RemoteCommands.prune(invocation) }
}

/// What the commands of remotes share.
enum RemoteCommands {
    /// The exchange at a path, with what this process's environment says.
    static func folder(_ path: String) -> ExchangeFolder {
        var folder = ExchangeFolder(path: path)
        folder.isOffline = Environment.isOffline
        if let seconds = Environment["SBFS_RCLONE_PATIENCE"].flatMap({ Int($0) }), seconds > 0 {
            folder.patience = .seconds(seconds)
        }
        return folder
    }

    /// The options of `remote add` that name this folder as it is used.
    static func options(_ folder: ExchangeFolder) -> [String] {
        (folder.isReadOnly ? ["--read-only"] : []) + (folder.isThin ? ["--thin"] : [])
            + (folder.collection.map { ["--collection", $0] } ?? [])
    }

    /// Warns of a collection that no item has: it may come later, but more often the name is misspelt.
    static func warn(
        ofUnknown collection: String, _ library: Library, _ invocation: Invocation, of remote: String? = nil
    ) throws {
        let name = try CollectionTree.read(collection, invocation)
        do {
            _ = try CollectionTree.known(name, library, invocation, isTold: false)
        } catch let failure as CommandFailure where failure.status == .nothingFound {
            let joint = failure.description.hasSuffix("?") ? " No" : "; no"
            let start = remote.map { $0 + ": " } ?? ""
            invocation.talk.warn(
                start + Printable.line(failure.description) + joint + " new item is written until one has it")
        }
    }

    /// A folder as it is kept: commands run in any folder.
    static func absolute(_ path: String) -> String {
        if path.hasPrefix(ExchangeFolder.cloudPrefix) {
            // With and without slashes at its end, it is one folder. That of a remote alone, and the root, have none to take away.
            var end = path.utf8.endIndex
            while end > path.utf8.startIndex, path.utf8[path.utf8.index(before: end)] == UInt8(ascii: "/") {
                end = path.utf8.index(before: end)
            }
            return path[..<end].hasSuffix(":") ? path : String(path[..<end])
        }
        return FilePath.resolved(LibraryLocation.expand(path))
    }

    static func prune(_ invocation: Invocation) throws -> ExitStatus {
        guard invocation.positionals.count == 1 else { throw invocation.usage("remote prune needs one name") }
        let library = try invocation.library()
        let remote = try Remotes(of: library).named(invocation.positionals)[0]
        let worker = try WorkerProgram.worker()
        if let device = invocation.value("forget") {
            if invocation.isDryRun { throw invocation.usage("give --forget or --dry-run, not both") }
            let found = try library.forget(device, in: remote.folder, worker, .dry)
            try invocation.confirm("Forget the device \(found)? What it wrote stays.")
            let id = try library.forget(found.description, in: remote.folder, worker)
            invocation.talk.say("forgot \(id)")
            return .done
        }
        let report = try invocation.withProgress("reading") { monitor in
            try library.prune(remote.folder, worker, invocation.mode, monitor)
        }
        if invocation.has("json") {
            try invocation.output.write(Printable.json(JSON.array([json(remote, report)]).file))
        } else {
            try tell(invocation, report, of: remote.name)
        }
        for path in report.unreadable {
            invocation.talk.warn("\(Printable.line(path)) cannot be read now, so nothing is deleted")
        }
        for device in report.gone {
            invocation.talk.warn(
                "the head of \(device) is gone, so nothing is deleted; its next sync writes it again. If it will not come back: "
                    + "sbfs remote prune \(remote.name) --forget \(device.description.suffix(8))")
        }
        if let doubt = report.doubt { invocation.talk.warn("\(doubt), so nothing is deleted") }
        return report.unreadable.isEmpty && report.gone.isEmpty && report.doubt == nil ? .done : .partlyDone
    }

    private static func tell(_ invocation: Invocation, _ report: PruneReport, of remote: String) throws {
        for device in report.devices {
            let own = device.isOwn ? "\tthis device" : device.quietDays.map { "\twrote nothing for \($0) days" } ?? ""
            try invocation.output.line(
                "\(device.id)\t\(device.writtenAt.localDate)\t\(device.packCount) \(device.packCount == 1 ? "pack" : "packs")\(own)"
            )
        }
        let verb = invocation.isDryRun ? "would delete" : "deleted"
        if report.deletedCount > 0 {
            try invocation.output.line(
                "\(verb) \(report.deletedCount) unused (\(ByteCount.text(report.deletedByteCount)))")
        }
        let rest = report.unusedCount - report.deletedCount
        if rest > 0 {
            let next = report.nextDeletion.map { ", to be deleted from \($0.localDate) on" } ?? ""
            try invocation.output.line(
                "\(rest) unused (\(ByteCount.text(report.unusedByteCount - report.deletedByteCount)))\(next)")
        }
        if report.unusedCount == 0 { invocation.talk.say("nothing is unused") }
        if let quiet = report.devices.first(where: { $0.quietDays != nil }) {
            invocation.talk.say(
                "a device that will not come back can be forgotten; what it wrote stays: sbfs remote prune \(remote) --forget \(quiet.id.description.suffix(8))"
            )
        }
    }

    private static func json(_ remote: Remotes.Remote, _ report: PruneReport) -> JSON {
        .members([
            ("remote", .string(remote.name)),
            (
                "devices",
                .array(
                    report.devices.map {
                        .members([
                            ("id", .string($0.id.description)), ("packs", .integer($0.packCount)),
                            ("writtenAt", .string($0.writtenAt.rfc3339)), ("own", .bool($0.isOwn)),
                            ("quietDays", $0.quietDays.map(JSON.integer)),
                        ])
                    })
            ),
            ("unused", .integer(report.unusedCount)), ("unusedBytes", .integer(report.unusedByteCount)),
            ("deleted", .integer(report.deletedCount)), ("deletedBytes", .integer(report.deletedByteCount)),
            ("nextDeletion", report.nextDeletion.map { .string($0.rfc3339) }),
            ("unreadable", .strings(report.unreadable)), ("gone", .strings(report.gone.map(\.description))),
        ])
    }
}
