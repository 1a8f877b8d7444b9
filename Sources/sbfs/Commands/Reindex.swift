import Glibc
import StuffBucket

extension Commands {
    static let reindex = Command(
        "reindex", .care, "Bring the search index up to date",
        details: """
            Compares all files with the search index by what stat tells, and reads what is different; --full makes the \
            index anew from all items, --verify first compares all its checksums and all items by content. Names the \
            items that cannot be read, and leaves what the index knows of them. Items are never changed.

            It is seldom needed: every search does it by itself when it has to. The folder .sbfs and what is missing of the \
            library's own small files are made anew as well; deleting .sbfs loses nothing but time.
            """,
        options: [
            Option("full", "make the index anew"), Option("verify", "trust neither the index nor the times of files"),
            Option("background", "for sbfs itself: with low priority, in silence, and only one at a time"),
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
            _ = try library.sweepInBackground()
            return .done
        }
        let how: Library.Reindexing =
            invocation.has("full") ? .full : invocation.has("verify") ? .verify : .changes
        let report = try invocation.withProgress("reading items") { progress in
            try library.reindex(how, progress: progress)
        }
        guard let report else {
            throw CommandFailure(.locked, "another sbfs is making the index, or its folder cannot be written")
        }
        invocation.tell(report.faults)
        let changes =
            report.isComplete
            ? "all read" : "\(report.added) added, \(report.changed) changed, \(report.removed) removed"
        invocation.talk.say(
            "\(report.count) item\(report.count == 1 ? "" : "s"), \(changes)"
                + (report.faults.isEmpty ? "" : ", \(report.faults.count) cannot be read"))
        return report.faults.isEmpty ? .done : .partlyDone
    }
}
