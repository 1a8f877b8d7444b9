import StuffBucket

extension Commands {
    static let edit = Command(
        "edit", .change, "Edit items in the editor", arguments: "ITEM…",
        details: """
            Opens a copy of the item's item.json in $VISUAL or $EDITOR, or with --text a copy of its text. When you \
            close the editor, sbfs checks the copy. If it does not parse, sbfs shows the place and opens it again. \
            sbfs then applies only your changes, so changes that another program made meanwhile stay. If both changed \
            the same field, the other program's value stays, and sbfs keeps yours in the item's conflicts/ folder.

            If the editor fails or your text is not accepted, sbfs keeps it, and the next edit of the item goes on with \
            it: save it to apply it. --discard throws it away and begins with the item as it is.

            Several items open one after another. You may also edit the files in the library directly, with any \
            program; see "sbfs path".
            """,
        options: [
            Option.query, Option("text", "edit the text instead of item.json"),
            Option("discard", "throw an unfinished edit of the item away"), Option.yes, Option.dryRun, Option.json,
        ],
        examples: [.init("sbfs edit @2", "change any field"), .init("sbfs edit Shopping --text", "change the text")]
    ) { invocation in
        if invocation.has("discard"), invocation.isDryRun {
            throw invocation.usage("give --discard or --dry-run, not both")
        }
        if !invocation.isDryRun { try invocation.library().requireWritable() }
        let selection = try invocation.items(invocation.positionals)
        var report = ChangeReport(done: "changed", missingCount: selection.missingCount)
        for row in selection.rows {
            do {
                let isChanged = try edit(row, selection.library, invocation)
                if isChanged { report.changed(row.id) } else { report.unchanged(row.id) }
            } catch let error where selection.rows.count > 1 {
                report.failed(row.id, error)
            }
        }
        return try report.finish(invocation)
    }

    private static func edit(_ row: Row, _ library: Library, _ invocation: Invocation) throws -> Bool {
        let stored: StoredItem
        do {
            stored = try library.item(row)
        } catch let error as ItemError where error.isMalformed && !invocation.has("text") {
            invocation.talk.warn(error.wording)
            return try mend(row, library, invocation)
        }
        return try invocation.has("text")
            ? editText(stored, library, invocation) : editItem(stored, library, invocation)
    }

    /// Opens an item.json that does not parse in the editor until it does.
    private static func mend(_ row: Row, _ library: Library, _ invocation: Invocation) throws -> Bool {
        let draft = try Draft(of: library, key: row.id.description, name: Layout.itemFile)
        let broken = try library.itemBytes(of: row)
        if !invocation.has("discard"), try draft.leftOver() != nil {
            draft.goOn(isAsked: !invocation.isDryRun)
        } else {
            try draft.begin(broken)
        }
        while true {
            if let note = try draft.edit("sbfs edit \(row.id.short)") {
                invocation.talk.say(note)
                return false
            }
            let bytes = try draft.read()
            do {
                _ = try JSONDocument(parsing: bytes)
                if !invocation.isDryRun { try invocation.step().mend(row, base: broken, with: bytes) }
                draft.remove()
                return true
            } catch let error as ItemError {
                throw failure(error, row.id, draft)
            } catch let error as JSONError {
                try askAgain(error.wording, draft, row.id, invocation)
            }
        }
    }

    /// - Throws: `CommandFailure` if the person does not continue; then the draft stays.
    private static func askAgain(_ fault: String, _ draft: Draft, _ id: ItemID, _ invocation: Invocation) throws {
        invocation.talk.warn("\(draft.path):\(fault)")
        guard Prompt.confirm("Edit it again?", isYesDefault: true) == true else {
            throw CommandFailure(
                .failed,
                "the item was not changed; your version is kept in \(draft.path), and \"sbfs edit \(id.short)\" goes on "
                    + "with it")
        }
    }

    private static func editItem(
        _ stored: StoredItem, _ library: Library, _ invocation: Invocation
    ) throws -> Bool {
        let draft = try Draft(of: library, key: stored.id.description, name: Layout.itemFile)
        let isLeft = try draft.leftOver() != nil
        let base = try prepare(draft, stored.json.bytes, invocation) { try JSONDocument(parsing: $0) }
        while true {
            if let note = try draft.edit("sbfs edit \(stored.id.short)") {
                invocation.talk.say(note)
                return false
            }
            let bytes = try draft.read()
            do {
                let json = try JSONDocument(parsing: bytes)
                var faults: [FieldFault] = []
                _ = Item(id: stored.id, json: json, faults: &faults)
                if let fault = faults.first { throw fault }
                let edit = try ItemEdit(from: base, to: json)
                if invocation.isDryRun {
                    if !edit.isEmpty { invocation.talk.say("would change \(stored.id.short)") }
                    if !isLeft { draft.remove() }
                    return !edit.isEmpty
                }
                let isChanged = try invocation.step().update(stored, edit)
                draft.remove()
                return isChanged
            } catch let error as ItemError {
                throw failure(error, stored.id, draft)
            } catch {
                try askAgain((error as? FieldFault)?.description ?? error.wording, draft, stored.id, invocation)
            }
        }
    }

    private static func editText(_ stored: StoredItem, _ library: Library, _ invocation: Invocation) throws -> Bool {
        let draft = try Draft(of: library, key: stored.id.description + "-text", name: Layout.textFile)
        let isLeft = try draft.leftOver() != nil
        let current = try library.text(of: stored)
        let base = try prepare(draft, current ?? [], invocation) { $0 }
        if let note = try draft.edit("sbfs edit \(stored.id.short) --text") {
            invocation.talk.say(note)
            return false
        }
        let new = try draft.read()
        if String(validating: new, as: UTF8.self) == nil, String(validating: base, as: UTF8.self) != nil {
            throw CommandFailure(.failed, "the text is not UTF-8; your version is kept in \(draft.path)")
        }
        if new == base || invocation.isDryRun {
            if new != base { invocation.talk.say("would change the text of \(stored.id.short)") }
            if !isLeft || !invocation.isDryRun { draft.remove() }
            return new != base
        }
        let step = try invocation.step()
        do throws(ItemError) {
            let isChanged = try step.updateText(
                stored, .replace(base: current == nil ? nil : base, with: new))
            draft.remove()
            return isChanged
        } catch {
            throw failure(error, stored.id, draft)
        }
    }

    /// The error of a change that was not made, with the place of the person's version.
    ///
    /// The library keeps a version that conflicts, and the draft goes. Without the item, as after a purge, nothing can keep it
    /// but the draft.
    private static func failure(_ error: ItemError, _ id: ItemID, _ draft: Draft) -> any Error {
        if case .conflict(_, _, .some) = error {
            draft.remove()
            return error
        }
        let isGone = if case .file(let cause) = error { cause.isAbsent } else { false }
        let why = isGone ? "\(id.short) is gone: it was purged or moved meanwhile" : error.wording
        return CommandFailure(ExitStatus(for: error), "\(why); your version is kept in \(draft.path)")
    }

    /// Writes the draft, or continues one that an unfinished edit left.
    ///
    /// - Returns: the version on which the draft is based.
    private static func prepare<Base>(
        _ draft: Draft, _ bytes: [UInt8], _ invocation: Invocation, _ parse: ([UInt8]) throws -> Base
    ) throws -> Base {
        // Without a base, an editor saved it after its edit had ended.
        if !invocation.has("discard"), let left = try draft.leftOver(), case let base = try draft.base() ?? bytes,
            left != base
        {
            try draft.keepBase(base)
            draft.goOn(isAsked: !invocation.isDryRun)
            invocation.talk.say("continuing the unfinished edit in \(draft.path)")
            return try parse(base)
        }
        try draft.begin(bytes)
        return try parse(bytes)
    }
}

extension ItemError {
    /// Whether a file was read and is no JSON.
    fileprivate var isMalformed: Bool { if case .malformed = self { true } else { false } }
}
