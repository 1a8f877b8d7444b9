import StuffBucket

extension Commands {
    static let conflicts = Command(
        "conflicts", .care, "List what could not be joined", arguments: "[ITEM]…",
        details: """
            When two copies of a library met and both had changed one field or paragraph, the item keeps one value and a \
            file in its conflicts/ has both. This lists them, for the named items or for all: each field with its two \
            values, 1 and 2, and the value that both came from. "now" marks the one that the item has. \
            "sbfs resolve" takes one, both or another one. Of two documents one stands, and the other one lies beside it as \
            NAME.conflict-HASH.EXT: that is a conflict of the field "document". Compare the two, then resolve it, or delete the \
            file; every copy then removes it. \
            Of one of your own files in an item's folder that two devices changed, sync keeps both in the same way: that is a \
            conflict of the field "file", which no query finds.

            What other programs changed or brought is joined first, as by every command that writes. In a library that \
            cannot be written, only the conflicts that were found before are listed. What waits to be joined is named: \
            versions, changes, conflict copies of copying programs, and items that another copy purged before they were in the \
            trash here. What came without its version waits for three changes and \
            a day. A copy that is there after that needs a person. With --json, \
            an object with "id" and "waiting" stands for each such item, and one with "path" for another file. \
            Items that cannot be read are named. If git \
            merged without sbfs and left conflict markers, the files are named with the command that has sbfs join them; the \
            exit code is 4 then. So it is if a merge that was committed without sbfs, as on a forge, left something out.

            Columns for programs: id, field, file, value 1, value 2, the value before, and which one the item has.
            """,
        options: [Option.query, Option.json, Option.ndjson],
        examples: [
            .init("sbfs conflicts", "of all items"), .init("sbfs conflicts @1 --json", "of one, for programs"),
        ]
    ) { invocation in
        let library = try invocation.library()
        try takeInChanges(library, invocation)
        let isAll = invocation.positionals.isEmpty && !invocation.has("query")
        let rows: [Row]
        var status = ExitStatus.done
        if isAll {
            var request = ItemRequest(library.parse("is:conflicted").query)
            request.isFresh = true
            let answer = try library.find(request)
            rows = answer.rows
            invocation.tell(answer.faults)
            if !answer.faults.isEmpty { status = .partlyDone }
        } else {
            let selection = try invocation.itemsToShow(invocation.positionals)
            rows = selection.rows
            status = selection.status
        }
        var found: [(stored: StoredItem, conflicts: ItemConflicts)] = []
        func look(_ read: () throws -> StoredItem?) throws {
            do {
                if let stored = try read() { found.append((stored, try library.conflicts(of: stored))) }
            } catch let error as ItemError {
                invocation.talk.warn(error.wording)
                status = .partlyDone
            }
        }
        for row in rows { try look { try library.item(row) } }
        if isAll {
            for id in Set(try library.itemsWithKeptOwnFiles()).subtracting(rows.map(\.id)).sorted() {
                // A purged item is hidden. One that cannot be read is told.
                guard let row = (try? library.row(of: id)) ?? nil, !row.isTrashed else { continue }
                try look { try? library.item(row) }
            }
        }
        let waiting =
            isAll
            ? try library.waitingJoins()
            : found.compactMap { try? library.waitingJoin(of: $0.stored) }
                .filter { !$0.isEmpty }
        let smallFiles = isAll ? library.waitingSmallFiles() : []
        let rejoin = isAll ? NewMerges(library.path)?.advice : nil
        let unmerged = (UnmergedFiles(library.path)?.advice ?? []) + (rejoin.map { [$0] } ?? [])
        for line in unmerged { invocation.talk.warn(line) }
        if !unmerged.isEmpty { status = .partlyDone }
        let count = found.reduce(0) { $0 + $1.conflicts.count }
        if invocation.has("json") {
            let all = found.flatMap { ConflictPrinter.json($0.conflicts, $0.stored) }
            try invocation.output.write(Printable.json(JSON.array(all + json(waiting, smallFiles)).file))
        } else if Terminal.isOutput, !invocation.has("ndjson"), count > 0 {
            let counts = ConflictPrinter.counts(count, found.count { $0.conflicts.count > 0 })
            try invocation.output.line(invocation.style.bold("Conflicts (\(counts))"))
        }
        for (stored, conflicts) in found {
            warn(conflicts, invocation)
            if invocation.has("json") || conflicts.count == 0 { continue }
            if invocation.has("ndjson") {
                for value in ConflictPrinter.json(conflicts, stored) {
                    try invocation.output.write(Printable.json(value.oneLine) + [0x0A])
                }
            } else if Terminal.isOutput {
                try invocation.output.line(
                    invocation.style.dim(stored.id.short) + "  " + Printable.line(library.displayTitle(of: stored)))
                for line in ConflictPrinter.lines(conflicts, invocation.style) {
                    try invocation.output.line("  " + line)
                }
            } else {
                for row in ConflictPrinter.rows(conflicts, stored) { try invocation.output.line(row) }
            }
        }
        if invocation.has("ndjson") {
            for value in json(waiting, smallFiles) {
                try invocation.output.write(Printable.json(value.oneLine) + [0x0A])
            }
        } else if !invocation.has("json") {
            for item in waiting { invocation.talk.warn("\(item.id.short) waits: " + Printable.line(item.wording)) }
            for path in smallFiles {
                let advice = "is a conflict copy; if the next change does not join it, compare it, then delete it"
                invocation.talk.warn(Printable.line(path) + " " + advice)
            }
        }
        let hasWholeVersions = found.contains { !$0.conflicts.others.isEmpty }
        let isEmpty = count == 0 && !hasWholeVersions && waiting.isEmpty && smallFiles.isEmpty
        let isNothingFound = isEmpty && status == .done
        if isAll, let trashed = try trashedPhrase(library, isNothingFound) {
            invocation.talk.say(trashed)
        } else if isNothingFound, !invocation.has("json"), !invocation.has("ndjson") {
            invocation.talk.say("no conflicts")
        }
        return isNothingFound ? .nothingFound : status
    }

    /// Says that items in the trash have conflicts, which the list leaves out; `nil` if none has.
    ///
    /// - Parameter isOnly: whether the list is empty.
    private static func trashedPhrase(_ library: Library, _ isOnly: Bool) throws -> String? {
        let query = "is:conflicted is:trashed"
        let count = try library.find(ItemRequest(library.parse(query).query)).rows.count
        if count == 0 { return nil }
        let items = count == 1 ? "1 item in the trash has" : "\(count) items in the trash have"
        return (isOnly ? "no conflicts outside the trash; \(items) some" : "\(items) conflicts, too")
            + ": sbfs conflicts -q '\(query)'"
    }

    private static func json(_ waiting: [WaitingJoin], _ smallFiles: [String]) -> [JSON] {
        waiting.map { .members([("id", .string($0.id.description)), ("waiting", $0.json)]) }
            + smallFiles.map { .members([("path", .string($0))]) }
    }

    /// A library that cannot be written is listed as it is.
    private static func takeInChanges(_ library: Library, _ invocation: Invocation) throws {
        do {
            try invocation.withProgress("joining") { monitor in try library.takeInChanges(monitor) }
        } catch ItemError.refused(.notWritable), ItemError.readOnlyFormat {
            let count = library.changesToTakeIn
            if count > 0 { invocation.talk.warn("\(count) changed items cannot be joined here") }
        }
    }

    static let resolve = Command(
        "resolve", .care, "Resolve a conflict", arguments: "ITEM [FIELD]",
        details: """
            FIELD is a field from "sbfs conflicts", or the beginning of the conflict's file name; it may be left out if the \
            item has one conflict. --take 1 and --take 2 take a value in the order that "sbfs conflicts" shows. \
            --take both keeps both paragraphs, unites lists, and keeps a note twice; other fields hold one value. \
            --edit opens both in the editor ("sbfs help config"): for a paragraph the whole text. Write what the field \
            shall be and remove the marks; an empty file removes the field. The same command goes on with a draft that was left \
            unfinished, unless the text has changed since; --discard starts without it. If the setting mergetool is set, that program opens \
            instead: $LOCAL and $REMOTE are files with the two values, $BASE what both came from, and it writes $MERGED.

            The conflict's file then goes. "sbfs undo" brings it and the former value back. If another copy resolves the same \
            conflict before the two meet, and one of them keeps the value that stands, the other value stands afterwards; the next \
            command says so.

            Of two documents, or two of your own files, 1 is the one that stands, 2 the other one, and both gives that a name \
            of its own. The file that goes is kept for 30 days; sbfs says where, and "sbfs undo" brings the conflict back.
            """,
        options: [
            Option.query, Option("take", value: "WHICH", "1, 2 or both"),
            Option("edit", "open both values in the editor"),
            Option("discard", "start --edit without the unfinished draft"), Option.dryRun,
        ],
        examples: [
            .init("sbfs resolve @1 --take 2", "the only conflict of an item"),
            .init("sbfs resolve @1 text --edit", "join two paragraphs by hand"),
            .init("sbfs config mergetool 'vim -d \"$LOCAL\" \"$MERGED\" \"$REMOTE\"'", "use a merge tool for --edit"),
        ]
    ) { invocation in
        if invocation.has("edit"), invocation.has("take") { throw invocation.usage("give --take or --edit, not both") }
        guard invocation.has("edit") || invocation.has("take") else {
            throw invocation.usage("resolve needs --take 1, --take 2, --take both or --edit")
        }
        let choice: ConflictResolution?
        switch invocation.value("take") {
        case "1": choice = .take(0)
        case "2": choice = .take(1)
        case "both": choice = .both
        case let other?: throw invocation.usage("--take is 1, 2 or both, not \"\(Printable.line(other))\"")
        case nil: choice = nil
        }
        if !invocation.isDryRun { try invocation.library().requireWritable() }
        let words = invocation.positionals, isQuery = invocation.has("query")
        let fieldPlace = isQuery ? 0 : 1
        guard words.count <= fieldPlace + 1 else { throw invocation.usage("resolve takes an item and a field") }
        let selection = try invocation.items(isQuery ? [] : Array(words.prefix(1)))
        guard selection.rows.count == 1 else { throw invocation.usage("resolve is for one item") }
        let stored = try selection.first()
        let all = try selection.library.conflicts(of: stored)
        warn(all, invocation)
        let word = words.count > fieldPlace ? words[fieldPlace] : nil
        if let lost = try LostFileChoice.path(word, all, stored) {
            return try LostFileChoice.resolve(lost, in: stored, choice, invocation)
        }
        let conflict = try one(word, all.conflicts, stored)
        let resolution: ConflictResolution
        var edit: ConflictEdit?
        if let choice {
            resolution = choice
        } else {
            if invocation.isDryRun { throw invocation.usage("--edit has no dry run") }
            let new = try ConflictEdit(conflict, stored, selection.library)
            resolution = try new.run(invocation)
            edit = new
        }
        if invocation.isDryRun {
            let isChanged = try selection.library.wouldChange(conflict, in: stored, resolution)
            invocation.talk.say(
                "would resolve \(conflict.field) of \(stored.id.short)" + (isChanged ? "" : "; its value stays"))
            return .done
        }
        let isChanged = try invocation.step().resolve(conflict, in: stored, resolution)
        edit?.end()
        let left = all.conflicts.count - 1
        invocation.talk.say(
            "resolved \(Printable.line(conflict.field)) of \(stored.id.short)" + (isChanged ? "" : "; its value stays")
                + (left > 0 ? ". Conflicts left: \(left)" : ""))
        return .done
    }

    /// The conflict that a field or the beginning of a file name means.
    private static func one(_ word: String?, _ all: [ItemConflict], _ stored: StoredItem) throws -> ItemConflict {
        if all.isEmpty { throw CommandFailure(.nothingFound, "\(stored.id.short) has no conflicts") }
        let byField = word.map { word in all.filter { $0.field == word } } ?? all
        let found = byField.isEmpty ? all.filter { $0.name.hasPrefix(word ?? "") } : byField
        if found.count == 1 { return found[0] }
        let list = (found.isEmpty ? all : found).prefix(10).map {
            "  \(Printable.line($0.field))  \($0.name.prefix(8))"
        }.joined(separator: "\n")
        if found.isEmpty, let word {
            throw CommandFailure(
                .nothingFound, "\(stored.id.short) has no conflict of \(Printable.line(word)); it has\n" + list)
        }
        throw CommandFailure(
            .failed, "\(stored.id.short) has \(found.count) such conflicts; name the field or the file:\n" + list)
    }

    /// Names what is not listed, at most three of each.
    private static func warn(_ all: ItemConflicts, _ invocation: Invocation) {
        for stranger in all.strangers.prefix(3) {
            invocation.talk.warn("\(stranger.path) \(stranger.fault): passed over")
        }
        if all.strangers.count > 3 {
            invocation.talk.warn("\(all.strangers.count - 3) more files in conflicts/ are no conflicts: passed over")
        }
        for path in all.others.prefix(3) {
            invocation.talk.warn("\(Printable.line(path)) is a whole version: compare it, then delete it")
        }
        if all.others.count > 3 { invocation.talk.warn("\(all.others.count - 3) more versions in conflicts/") }
        if all.unreadCount > 0 {
            invocation.talk.warn("\(all.unreadCount) more conflicts are shown once these are resolved")
        }
    }
}
