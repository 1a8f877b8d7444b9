import StuffBucket

/// What a daemon prints on standard error. Nothing in it is a title, URL, tag or file name: items are named by their ids.
struct WatchLog: Sendable {
    let isJSON: Bool

    func tell(_ event: DaemonEvent) {
        switch event {
        case .ready(let status):
            let rest = status.unwatchedItems > 0 ? ", \(status.unwatchedItems) compared every minute" : ""
            say(
                "ready",
                status.isPolling
                    ? "files are compared every minute" : itemCount(status.watchedItems) + " watched" + rest,
                [("status", status.json)])
        case .change(let change): say("change", Self.words(change), [("of", change.json)])
        case .done(let work, let count):
            say("done", "\(work): \(count)", [("work", .string(work)), ("count", .integer(count))])
        case .failed(let work, let error):
            say(
                "failed", "\(work): \(Self.words(error))",
                [("work", .string(work)), ("error", .string(Self.words(error)))])
        }
    }

    /// A sync with an exchange that did something, or failed.
    func tell(_ result: Result<SyncReport, any Error>) {
        switch result {
        case .success(let report):
            let taken = report.taken.added.count + report.taken.joined.count + report.taken.purgedThere.count
            let kept = report.keptOwnFiles.count + report.stayingOwnFiles.count
            say(
                "sync",
                "\(taken) taken, \(report.sent.count) written"
                    + (report.left.isEmpty ? "" : ", \(report.left.count) not arrived or damaged")
                    + (kept == 0 ? "" : ", \(kept) kept of files that two devices changed"),
                [
                    ("taken", .integer(taken)), ("written", .integer(report.sent.count)),
                    ("left", .integer(report.left.count)), ("kept", .integer(kept)),
                ])
        case .failure(let error):
            say(
                "failed", "sync: \(Self.words(error))",
                [("work", .string("sync")), ("error", .string(Self.words(error)))])
        }
    }

    /// What reading all files of an item found.
    func tell(_ id: ItemID, _ findings: [Finding]) {
        let count = findings.count
        say(
            count == 0 ? "sound" : "damage",
            count == 0 ? "\(id) is sound again" : "\(id); see \"sbfs check\"",
            [("id", .string(id.description)), ("findings", .integer(count))])
    }

    func say(_ kind: String, _ text: String, _ more: [(String, JSON?)] = []) {
        let time = Timestamp.now
        if isJSON {
            let json = JSON.members([("time", .string(time.rfc3339)), ("event", .string(kind))] + more)
            Talk.write(String(decoding: Printable.json(json.oneLine), as: UTF8.self) + "\n")
        } else {
            Talk.write("\(time.localDate) \(time.localTime)  \(kind)  \(Printable.line(text))\n")
        }
    }

    private static func words(_ change: LibraryChange) -> String {
        let id = change.item.map { " \($0)" } ?? ""
        return switch change {
        case .added: "added" + id
        case .changed: "changed" + id
        case .trashed: "in the trash" + id
        case .restored: "out of the trash" + id
        case .removed: "gone" + id
        case .fault: "cannot be read" + id
        case .faultGone: "can be read again" + id
        case .names(let folder): "names in \(folder.rawValue)"
        case .settings: "settings"
        case .inbox: "inbox"
        case .everything: "everything is looked at again"
        }
    }

    /// The kind of an error without the path in it.
    private static func words(_ error: any Error) -> String {
        if case .file(let error)? = error as? ItemError { return words(error) }
        if let error = error as? FileError {
            return "cannot \(error.operation.rawValue) a file" + (error.number.map { " (errno \($0))" } ?? "")
        }
        if case .cloud(_, let fault)? = error as? SyncError, case .failed(let status, _) = fault {
            return "rclone failed (\(status))"
        }
        return "\(type(of: error))"
    }
}

extension WatchEnd {
    /// The description, with what to do.
    var wording: String {
        switch self {
        case .deviceFolderGone: "\(self); start again to make it and the index"
        case .manyItemsGone:
            "\(self): bring them back, or, if you removed them, run \"sbfs reindex\" and start again"
        case .libraryGone, .unreadable, .noIndex: description
        }
    }
}
