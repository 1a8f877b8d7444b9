import StuffBucket

extension Commands {
    static let bulk = Command(
        "bulk", .change, "Edit many items as lines of text in the editor", arguments: "[QUERY]…",
        details: """
            Opens the matching items in $VISUAL or $EDITOR, one line for each: id, flags, title, tags, collections, \
            and the fields of --fields. Comment lines at the top explain the form. When you close the editor, sbfs \
            shows the changes and asks. It then makes them as one step, which "sbfs undo" undoes.

            If you delete a line, its item does not change. The flag x moves an item to the trash. sbfs keeps changes \
            that another program made meanwhile: it merges tags, and it leaves and names an item where both changed \
            the same field (exit code 5). If a line is not valid, sbfs names its number and changes nothing.

            sbfs keeps an unfinished edit, and the next "sbfs bulk" continues it: after an invalid line, after your no, \
            or if sbfs was killed. With a query for other items it asks first, and with --yes it refuses. Items that changed by then stay unchanged. For scripts, --print writes the lines \
            and --apply reads them from a file. A printed line ends with a word such as ~8d2f01c7a4be, by which --apply \
            finds what the item was: what changed since, in this copy or through another one, stays. A line without that \
            word makes the item as the line says.
            """,
        options: [
            Option.query, Option("items", "the words name items (id, title, URL, @row)"),
            Option("fields", value: "FIELDS", "show these fields too, separated by commas"), Option.sort,
            Option("print", "print the lines, and change nothing"),
            Option("apply", value: "FILE", "read the edited lines from FILE (- for standard input)"),
            Option("base", value: "FILE", "with --apply: the printed lines, to detect changes since"),
            Option("discard", "delete an unfinished edit; with a query, and begin with that"), Option.yes,
            Option.dryRun, Option.json,
        ],
        examples: [
            .init("sbfs bulk tag:unread", "edit titles and tags of all matches"),
            .init("sbfs bulk --fields description type:link", "descriptions too"),
            .init(
                "sbfs bulk --print tag:old | sed 's/#old/#archive/' | sbfs bulk --apply - --yes", "without an editor"),
            .init("sbfs list --ids is:untitled | sbfs bulk -", "items from a pipe"),
        ],
        run: { try BulkCommand($0).run() })
}

/// One run of `sbfs bulk`.
private struct BulkCommand {
    let invocation: Invocation
    let library: Library
    /// Fields shown besides flags, title and tags.
    let shown: [ItemField]

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        library = try invocation.library()
        shown = try (invocation.value("fields") ?? "").split(separator: ",").map { word in
            let key = String(word).trimmingSpace
            guard let field = Commands.settableFields.first(where: { $0.key == key }) else {
                let nearest = Spelling.nearest(key, in: Commands.settableFields.map(\.key))
                throw invocation.usage(
                    "--fields takes fields of \"sbfs help set\", not \"\(key)\""
                        + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""))
            }
            if [.title, .isPinned, .isFavorite].contains(field) {
                throw invocation.usage("\(field.key) is shown in any case")
            }
            return field
        }
    }

    func run() throws -> ExitStatus {
        if let file = invocation.value("apply") { return try apply(file) }
        if invocation.has("base") { throw invocation.usage("--base belongs to --apply") }
        if invocation.has("print") {
            let (items, missingCount) = try items()
            let names = try BulkNames(library)
            try invocation.output.write(BulkFile.text(items, shown, names, library, isPrinted: true))
            return missingCount == 0 ? .done : .partlyDone
        }
        return try edit()
    }

    // MARK: Items

    private func items() throws -> ([StoredItem], missingCount: Int) {
        let words = invocation.positionals
        let selection: Selection
        if invocation.has("items") || words.contains("-") {
            selection = try invocation.items(words)
        } else {
            if invocation.has("query"), !words.isEmpty { throw invocation.usage("give the query once") }
            let parsed = try invocation.readQuery(invocation.value("query").map { [$0] } ?? words)
            let text = parsed.text
            let order = try invocation.order() ?? .overview
            var request = ItemRequest(parsed.query, order: order)
            request.isFresh = true
            let listing = try library.find(request)
            invocation.tell(listing.faults)
            if listing.rows.isEmpty {
                throw CommandFailure(.nothingFound, text.isEmpty ? "the library is empty" : "nothing matches \(text)")
            }
            selection = Selection(library: library, rows: listing.rows, missingCount: listing.faults.count)
        }
        var missingCount = selection.missingCount
        let read = try Parallel.map(selection.rows) { row in Result { try library.item(row) } }
        let items = read.compactMap { result -> StoredItem? in
            do {
                return try result.get()
            } catch {
                missingCount += 1
                invocation.talk.warn(error.wording)
                return nil
            }
        }
        return (items, missingCount)
    }

    // MARK: In the editor

    private func edit() throws -> ExitStatus {
        if !invocation.isDryRun { try library.requireWritable() }
        let draft = try Draft(of: library, key: "bulk", name: "items.txt")
        if invocation.has("discard") {
            let wasLeft = try draft.leftOver() != nil
            if !wasLeft, !hasSelection { throw CommandFailure(.nothingFound, "there is no unfinished edit") }
            if invocation.isDryRun {
                if wasLeft { invocation.talk.say("would delete the unfinished edit in \(draft.path)") }
                return .done
            }
            if !hasSelection {
                draft.remove()
                invocation.talk.say("deleted the unfinished edit; nothing was changed")
                return .done
            }
            try draft.begin([])
        }
        let isLeft = isUnfinished(draft)
        if isLeft { try refuseOther(draft) }
        if isLeft {
            // The changes are shown, and asked for.
            draft.goOn(isAsked: false)
            invocation.talk.say("continuing the unfinished edit in \(draft.path); --discard deletes it")
        } else {
            let (items, _) = try items()
            let names = try BulkNames(library)
            // The base has whole ids, so that an unfinished edit can continue without reading the library.
            try draft.begin(BulkFile.text(items, shown, names, library))
            try draft.keepBase(BulkFile.text(items, shown, names, library, hasLongIDs: true))
        }
        while true {
            let note = try draft.edit("sbfs bulk")
            do {
                let status = try finish(read(draft), in: draft)
                if let note {
                    invocation.talk.say(note)
                } else if !invocation.isDryRun || !isLeft {
                    draft.remove()
                }
                return status
            } catch let faults as BulkFile.Faults {
                invocation.talk.warn("\(faults)")
                guard Prompt.confirm("Edit it again?", isYesDefault: true) == true else {
                    throw CommandFailure(
                        .failed,
                        "nothing was changed; your lines are kept in \(draft.path); \"sbfs bulk\" continues with them"
                    )
                }
            }
        }
    }

    /// Whether the command line says which items.
    private var hasSelection: Bool { !invocation.positionals.isEmpty || invocation.has("query") }

    /// An edit of other items than those that the command line names goes on only if the person says so.
    private func refuseOther(_ draft: Draft) throws {
        guard hasSelection, let base = try draft.base(),
            let left = try? BulkFile(parsing: base, name: draft.path + ".base", find: Self.wholeID).ids
        else { return }
        let asked = (try? items().0.map(\.id)) ?? []
        if Set(left) == Set(asked) { return }
        let count = left.count == 1 ? "1 item" : "\(left.count) items"
        if !invocation.has("yes"), Prompt.confirm("Continue the unfinished edit of \(count), which are others?") == true
        {
            return
        }
        throw CommandFailure(
            .failed,
            "there is an unfinished edit of other items (\(count)) in \(draft.path); nothing was changed. \"sbfs bulk\" without a query "
                + "continues it, \"sbfs bulk --discard\" deletes it")
    }

    /// An edited draft, as parsed.
    private struct EditedDraft {
        let changes: [BulkChange]
        /// The number of items whose line was removed.
        let missingCount: Int
    }

    private func read(_ draft: Draft) throws -> EditedDraft {
        guard let baseBytes = try draft.base() else { throw CommandFailure(.failed, "\(draft.path) has lost its base") }
        let base = try BulkFile(parsing: baseBytes, name: draft.path + ".base", find: Self.wholeID)
        let names = BulkNames(base.ids)
        let edited = try BulkFile(parsing: try draft.read(), name: draft.path, find: names.find, check: check)
        let changes = edited.ids.compactMap { id in
            base.lines[id].flatMap { old in edited.lines[id].flatMap { BulkChange(id, old, $0) } }
        }
        return EditedDraft(changes: changes, missingCount: base.ids.count - edited.ids.count)
    }

    /// The lines of a base have whole ids.
    private static func wholeID(_ typed: String) throws -> ItemID {
        guard let id = ItemID(typed) else { throw BulkLine.Fault(message: "\"\(typed)\" is no id") }
        return id
    }

    /// Whether an earlier edit left changed lines.
    private func isUnfinished(_ draft: Draft) -> Bool {
        guard let left = try? draft.leftOver(), let base = try? draft.base(), !left.isEmpty, !base.isEmpty else {
            return false
        }
        do {
            let edited = try read(draft)
            return !edited.changes.isEmpty || edited.missingCount > 0
        } catch {
            // A line that cannot be parsed was changed by somebody.
            return true
        }
    }

    private func finish(_ edited: EditedDraft, in draft: Draft) throws -> ExitStatus {
        let count = edited.missingCount
        if count > 0 {
            invocation.talk.say(
                count == 1
                    ? "1 item has no line any more and does not change"
                    : "\(count) items have no line any more and do not change")
        }
        do {
            return try make(edited.changes)
        } catch let failure as CommandFailure where !edited.changes.isEmpty {
            throw CommandFailure(failure.status, "\(failure); your lines are kept in \(draft.path)")
        }
    }

    // MARK: From a file

    private func apply(_ file: String) throws -> ExitStatus {
        if !invocation.positionals.isEmpty || invocation.has("query") || invocation.has("items") {
            throw invocation.usage("--apply reads the items from its file")
        }
        let names = try BulkNames(library)
        let edited = try read(file, names)
        let base = try invocation.value("base").map { try read($0, names) }
        var changes: [BulkChange] = []
        for id in edited.ids {
            guard let new = edited.lines[id] else { continue }
            let old: BulkLine
            if let base {
                guard let line = base.lines[id] else {
                    throw CommandFailure(.failed, "\(id.short) is not in the base; nothing was changed")
                }
                old = line
            } else {
                old = try printed(id, new)
            }
            if let change = BulkChange(id, old, new) { changes.append(change) }
        }
        return try make(changes)
    }

    /// The line of an item as it was printed; as it is now if a person wrote the line.
    private func printed(_ id: ItemID, _ new: BulkLine) throws -> BulkLine {
        guard let stored = try library.stored(id) else { throw ItemError.noItem(id) }
        let shown = Array(new.fields.keys)
        guard let name = new.printedFrom, name != stored.fieldsName else { return BulkLine(stored, shown) }
        guard let json = try library.fields(named: name, of: stored) else {
            throw CommandFailure(
                .conflict,
                "\(id.short) changed since its line was printed, and nothing tells what it was then: print it again, or "
                    + "take ~\(name) out of the line to make the item as the line says; nothing was changed")
        }
        return BulkLine(id, json, shown)
    }

    private func read(_ file: String, _ names: BulkNames) throws -> BulkFile {
        let limit = 256 << 20
        let bytes: [UInt8]
        if file == "-" {
            bytes = try StandardInput.read(limit: limit)
        } else {
            bytes = try FilePath.contents(file, limit: limit)
        }
        do {
            return try BulkFile(
                parsing: bytes, name: file == "-" ? "standard input" : file, find: names.find, check: check)
        } catch let faults as BulkFile.Faults {
            throw CommandFailure(.failed, "\(faults)\nNothing was changed")
        }
    }

    // MARK: Making the changes

    /// - Throws: the error in a value.
    private func check(_ line: BulkLine) throws {
        for (field, text) in line.fields {
            guard Commands.settableFields.contains(field) else {
                throw BulkLine.Fault(message: "\(field.key) is not changed here")
            }
            _ = try value(field, text)
        }
    }

    private func value(_ field: ItemField, _ text: String) throws -> JSON? {
        text.isEmpty ? nil : try Commands.value(text, for: field, invocation)
    }

    /// The number of changes shown before the question.
    private static let shownLimit = 200

    /// Shows the changes, asks, and makes them.
    private func make(_ changes: [BulkChange]) throws -> ExitStatus {
        if changes.isEmpty {
            invocation.talk.say("nothing was changed")
            if invocation.has("json") { try invocation.output.line("[]") }
            return .done
        }
        if !invocation.has("json") { try show(changes) }
        if invocation.isDryRun { return .done }
        let trashing = changes.count { $0.isTrashing }
        try invocation.confirm(
            "Change \(changes.count) item\(changes.count == 1 ? "" : "s")"
                + (trashing > 0 ? ", \(trashing) of them into the trash" : "") + "?")
        let now = Timestamp.now
        let byID = Dictionary(uniqueKeysWithValues: changes.map { ($0.id, $0) })
        var rows: [Row] = []
        var missingCount = 0
        for change in changes {
            if let row = try library.row(of: change.id) {
                rows.append(row)
            } else {
                missingCount += 1
                invocation.talk.warn("\(ItemError.noItem(change.id))")
            }
        }
        var alreadyCount = 0
        let selection = Selection(library: library, rows: rows, missingCount: missingCount)
        let status = try invocation.change(selection, done: "changed") { stored in
            let edit = try byID[stored.id]?.edit(stored, value, at: now)
            guard let edit, !edit.isEmpty else {
                alreadyCount += 1
                return nil
            }
            return edit
        }
        if alreadyCount > 0 {
            invocation.talk.say("\(alreadyCount) item\(alreadyCount == 1 ? " was" : "s were") so already")
        }
        return status
    }

    private func show(_ changes: [BulkChange]) throws {
        let style = invocation.style
        let limit = invocation.isDryRun ? changes.count : Self.shownLimit
        for change in changes.prefix(limit) {
            let title = ((try? library.stored(change.id)) ?? nil).map { library.displayTitle(of: $0) } ?? ""
            try invocation.output.line(style.dim(change.id.short) + "  " + style.bold(Printable.line(title)))
            for line in change.lines(style) { try invocation.output.line("  " + line) }
        }
        if changes.count > limit { try invocation.output.line(style.dim("… and \(changes.count - limit) more items")) }
        try invocation.output.flush()
    }
}
