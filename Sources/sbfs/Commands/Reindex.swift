import Glibc
import StuffBucket

extension Commands {
    static let reindex = Command(
        "reindex", .care, "Update or rebuild the search index",
        details: """
            Compares all files with the search index by size and time, and indexes those that differ. --full rebuilds \
            the index. --verify first compares all checksums of the index and the content of all items. sbfs names \
            items and folders that it cannot read, and keeps what the index has of them; while a folder in items/ may not be read, \
            --full updates the index and builds no new one. Items never change.

            You seldom need it: every search does it when necessary. The command also restores missing files of .sbfs \
            and of the library. Deleting .sbfs costs only time.
            """,
        options: [
            Option("full", "rebuild the index"), Option("verify", "trust neither the index nor file times"),
            Option("background", "for sbfs itself: low priority, silent, one at a time"),
            Option("take-in", "with --background: also note in history/ what other programs changed"),
        ],
        examples: [
            .init("sbfs reindex", "after restoring a backup, say"),
            .init("sbfs reindex --verify", "when you do not trust the disk"),
        ]
    ) { invocation in
        if invocation.has("full"), invocation.has("verify") {
            throw invocation.usage("say --full or --verify, not both")
        }
        let library = try invocation.library()
        if invocation.has("background") {
            _ = nice(10)
            if invocation.has("take-in") {
                try library.takeInBackground()
            } else {
                try library.sweepInBackground()
            }
            return .done
        }
        if invocation.has("take-in") { throw invocation.usage("--take-in needs --background") }
        let how: Library.Reindexing =
            invocation.has("full") ? .full : invocation.has("verify") ? .verify : .changes
        let report = try invocation.withProgress("reading items") { monitor in
            try library.reindex(how, monitor)
        }
        guard let report else {
            throw CommandFailure(.locked, "another sbfs is building the index, or its folder cannot be written")
        }
        invocation.tell(report.faults)
        if how == .full, !report.isComplete {
            invocation.talk.warn(
                "the index was updated and not rebuilt: a new one would lack the items of folders that may not be read")
        }
        let changes =
            report.isComplete
            ? "all read" : "\(report.added) added, \(report.changed) changed, \(report.removed) removed"
        invocation.talk.say(
            "\(report.count) item\(report.count == 1 ? "" : "s"), \(changes)"
                + (report.faults.isEmpty ? "" : ", \(report.faults.count) cannot be read"))
        return report.faults.isEmpty ? .done : .partlyDone
    }
}
