import StuffBucket

extension Commands {
    static let trash = Command(
        "trash", .remove, "Move items to the trash", arguments: "ITEM…",
        details: """
            Lists and searches hide items in the trash; "sbfs list trashcan" shows them. "sbfs restore" restores them, \
            so sbfs does not ask. They stay until "sbfs purge".
            """,
        options: Invocation.changeOptions,
        examples: [.init("sbfs trash @1 @2", "two items"), .init("sbfs trash -q tag:old", "all that match")]
    ) { invocation in
        let selection = try invocation.items(invocation.positionals)
        if !invocation.isDryRun { try invocation.step().makeRoom() }
        let now = Timestamp.now
        return try invocation.change(selection, done: "trashed") { stored in
            if stored.item.hasBothTrashMarks { return nil }
            var edit = ItemEdit(base: stored.json)
            edit.trash(at: now)
            return edit
        }
    }

    static let restore = Command(
        "restore", .remove, "Restore items from the trash", arguments: "ITEM…",
        options: Invocation.changeOptions,
        examples: [.init("sbfs restore Shopping", "by title"), .init("sbfs restore -q is:trashed", "everything")]
    ) { invocation in
        let selection = try invocation.items(invocation.positionals)
        return try invocation.change(selection, done: "restored") { stored in
            if !stored.item.isTrashed { return nil }
            var edit = ItemEdit(base: stored.json)
            edit.restore()
            return edit
        }
    }

    static let purge = Command(
        "purge", .remove, "Delete items in the trash for good", arguments: "[ITEM…]",
        details: """
            Without items: purges all items that have been in the trash for purgeDays (10; "sbfs config purgeDays") \
            since this device first saw them there. While the clock is more than a day ahead of the times that this \
            device knows, no item is due (sbfs-format(5)). --now purges items that are not due yet, too: those that are named, or without items all of the trash. If one of \
            the named items cannot be purged, none is. Only items with both marks of the trash are purged. Asks first \
            and names the items. A tombstone hides them in other copies of the library too, if they are in the trash \
            there and nothing changed them since; else they come back from there. Purging cannot be undone. \
            This device's journal may hold earlier versions of their texts until "sbfs log --clear".

            --background does what "sbfs watch" does once a day, and asks nothing: it purges what is due, as a step that \
            "sbfs undo" skips. It leaves items with conflicts, and purges nothing if more than \(ExpiredTrash.limit.count) items \
            are due, or more than \(ExpiredTrash.limit.percent) % of the library. Then "sbfs purge" asks.
            """,
        options: [
            Option.query, Option("now", "also items that are not due yet"),
            Option("background", "as sbfs watch does: what is due, without a question"), Option.yes, Option.dryRun,
            Option.json,
        ],
        examples: [
            .init("sbfs purge", "purge what is due"), .init("sbfs purge --dry-run", "show it only"),
            .init("sbfs purge 3fa9c01b --now", "one item, at once"),
        ],
        run: { try PurgeCommand($0).run() })
}

/// One run of `sbfs purge`.
private struct PurgeCommand {
    let invocation: Invocation
    let library: Library

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        library = try invocation.library()
    }

    func run() throws -> ExitStatus {
        let isNamed = !invocation.positionals.isEmpty || invocation.has("query")
        if invocation.has("background") {
            if isNamed || invocation.has("now") { throw invocation.usage("--background takes no items and no --now") }
            return try BackgroundPurge(invocation: invocation, library: library).run()
        }
        let now = Timestamp.now
        let (items, missingCount) = try isNamed ? named() : (library.trashed(), 0)
        let fresh = items.filter { $0.due == nil && $0.stored.item.hasBothTrashMarks }.map(\.stored.id)
        if !invocation.isDryRun { try invocation.step().noteTrashed(fresh, at: now) }
        var report = ChangeReport(done: "purged", missingCount: missingCount)
        let doubt = invocation.has("now") ? nil : library.clockDoubt()
        var due: [StoredItem] = []
        for item in items {
            let isDue = doubt == nil && (item.due.map { $0 <= now } ?? false)
            if !item.stored.item.hasBothTrashMarks {
                report.failed(
                    item.stored.id, ItemError.notInTrash(item.stored.id, hasOneMark: item.stored.item.isTrashed))
            } else if isDue || invocation.has("now") {
                due.append(item.stored)
            } else if isNamed {
                report.failed(item.stored.id, CommandFailure(.failed, doubt.map(Self.sentence) ?? notDue(item)))
            }
        }
        // Purging is permanent: with an error in one name, nothing is purged.
        if isNamed, !invocation.has("query"), report.hasFailures { return try report.finish(invocation) }
        if !isNamed { due += try library.unfinishedPurges() }
        if let doubt, !isNamed, !items.isEmpty { invocation.talk.warn(Self.sentence(doubt)) }
        if due.isEmpty, !isNamed {
            invocation.talk.say(items.isEmpty ? "the trash is empty" : "\(items.count) in the trash, none is due yet")
            return try report.finish(invocation)
        }
        if invocation.isDryRun {
            for stored in due {
                invocation.talk.say("would purge \(stored.id.short)  \(library.displayTitle(of: stored))")
            }
            return try report.finish(invocation)
        }
        if !due.isEmpty { try purge(due, &report) }
        return try report.finish(invocation)
    }

    private func named() throws -> ([Library.TrashedItem], Int) {
        let selection = try invocation.items(invocation.positionals)
        return (
            try selection.rows.map { row in
                let stored = try library.item(row)
                return Library.TrashedItem(stored: stored, due: library.due(stored.item))
            }, selection.missingCount
        )
    }

    private static func sentence(_ doubt: ClockDoubt) -> String { doubt.wording + "; --now purges at once" }

    private func notDue(_ item: Library.TrashedItem) -> String {
        let days = library.settings.purgeDays
        let when = item.due.map { "is due on \($0.localDate)" } ?? "was first seen in the trash on this device just now"
        return
            "\(item.stored.id.short) \(when); items stay in the trash for \(days) days; --now purges it at once"
    }

    /// Versions that could not be merged, which may be all that is left of an edit.
    private static func conflicts(of stored: StoredItem, _ library: Library) -> String {
        let names = (try? LocalFolder(library.path + "/" + stored.folder + "/" + Layout.conflicts).names()) ?? []
        if names.isEmpty { return "" }
        return ", with \(names.count) version\(names.count == 1 ? "" : "s") in conflicts/: "
            + names.sorted().prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
    }

    private func purge(_ due: [StoredItem], _ report: inout ChangeReport) throws {
        let trees = try due.map { try library.tree(of: $0) }
        let titles = due.prefix(10).map { stored in
            "  \(stored.id.short)  \(library.displayTitle(of: stored))"
                + (stored.document.map { ", with \($0.name)" } ?? "") + Self.conflicts(of: stored, library)
        }
        let more = due.count > 10 ? "\n  … and \(due.count - 10) more" : ""
        let count = due.count == 1 ? "this item" : "these \(due.count) items"
        try invocation.confirm("\(titles.joined(separator: "\n"))\(more)\nRemove \(count) for good?")
        try invocation.step().makeRoom()
        for (stored, tree) in zip(due, trees) {
            do {
                try invocation.step().purge(stored, seen: tree)
                report.changed(stored.id)
            } catch {
                report.failed(stored.id, error)
            }
        }
    }
}
