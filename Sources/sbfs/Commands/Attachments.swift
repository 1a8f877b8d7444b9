import StuffBucket

extension Commands {
    static let attach = Command(
        "attach", .keep, "Give an item a document, a link or a text", arguments: "ITEM FILE|URL|-",
        details: """
            An item may have a text, a link and a document. A FILE is copied as the item's document, a URL becomes its \
            link, and - reads its text from standard input. --replace replaces what the item has, after asking. "sbfs \
            undo" restores it.

            sbfs saves the page of a new link in the background; --wait waits for it. If the link leads to a PDF or \
            another file, that file becomes the item's document. With --no-archive, --offline or SBFS_OFFLINE=1, sbfs \
            fetches nothing.
            """,
        options: [
            Option.query, Option("replace", "replace the present one"),
            Option("no-archive", "do not save the page of a link"),
            Option("wait", "wait until the page of the link is saved"),
        ] + captureOptions + printOptions + [Option.yes, Option.dryRun, Option.json],
        examples: [
            .init("sbfs attach @1 scan.pdf", "add a document to a link"),
            .init("sbfs attach @1 https://example.org", "add a link to a snippet"),
            .init("pandoc notes.odt -t markdown | sbfs attach @1 -", "add a text"),
        ]
    ) { invocation in
        guard let what = invocation.positionals.last, invocation.positionals.count > 1 || invocation.has("query") else {
            throw invocation.usage("attach needs an item and a file, a URL or -")
        }
        let names = Array(invocation.positionals.dropLast())
        if names.contains("-"), what == "-" { throw invocation.usage("standard input cannot be both items and text") }
        let text = what == "-" ? try StandardInput.read(limit: Layout.textByteLimit) : nil
        if let text, String(validating: text, as: UTF8.self) == nil || text.contains(0) {
            throw CommandFailure(.failed, "standard input is no UTF-8 text; save it to a file and attach that")
        }
        let selection = try invocation.items(names)
        let isLink = LinkIdentity(what) != nil
        if text == nil, !isLink, !FileOfPerson.exists(what) {
            throw CommandFailure(.failed, "\(what) is neither a URL nor a file")
        }
        if invocation.has("replace"), !invocation.isDryRun {
            let part = text != nil ? "the text" : isLink ? "the link" : "the document"
            try invocation.confirm("Replace \(part) of \(selection.phrase())?")
        }
        let status = try invocation.changeEach(selection, done: "attached to") { library, stored in
            if let text { return try attach(text, to: stored, library, invocation) }
            if isLink { return try attach(link: what, to: stored, library, invocation) }
            try invocation.step().attach(what, to: stored, invocation.has("replace") ? .replace : .refuse)
            return true
        }
        guard isLink else { return status }
        let rows = selection.rows.filter { row in
            guard let item = (try? selection.library.item(row))?.item else { return false }
            return item.linkURL == what && item.archiveStatus == .pending
        }
        let pages = NewPages(invocation: invocation, library: selection.library, origin: .attached)
        let saved = try pages.save(rows)
        return status == .done ? saved : status
    }

    private static func attach(
        _ text: [UInt8], to stored: StoredItem, _ library: Library, _ invocation: Invocation
    ) throws -> Bool {
        let current = try library.text(of: stored)
        if current != nil, !invocation.has("replace") {
            throw CommandFailure(.failed, "\(stored.id.short) has a text already; use \"sbfs append\" or --replace")
        }
        return try invocation.step().updateText(stored, .replace(base: current, with: text))
    }

    private static func attach(
        link: String, to stored: StoredItem, _ library: Library, _ invocation: Invocation
    ) throws -> Bool {
        if let old = stored.item.linkURL, old != link, !invocation.has("replace") {
            throw CommandFailure(.failed, "\(stored.id.short) has the link \(old) already; --replace replaces it")
        }
        if stored.item.linkURL == link { return false }
        try tellOthers(withLink: link, than: stored, library, invocation)
        var edit = ItemEdit(base: stored.json)
        edit.set(.linkURL, .string(link))
        if stored.item.linkURL != nil {
            // Results for the old link and its page are not true for the new link.
            for field in ItemField.ofLinkedPage { edit.remove(field) }
        }
        if !invocation.has("no-archive") {
            edit.set(.archiveStatus, .string(Item.ArchiveStatus.pending.rawValue))
        }
        return try invocation.step().update(stored, edit)
    }

    /// Names the other items that have the link.
    static func tellOthers(
        withLink link: String, than stored: StoredItem, _ library: Library, _ invocation: Invocation
    ) throws {
        guard let key = LinkIdentity(link)?.normalized else { return }
        for row in try library.items(withLinks: [key])[key] ?? [] where row.id != stored.id {
            let title = (try? library.item(row)).map { library.displayTitle(of: $0) } ?? ""
            invocation.talk.say(
                "note: \(row.id.short) has this link too\(row.isTrashed ? ", and is in the trash" : ""): \(title)")
        }
    }

    /// The document of a thin device is not lost.
    private static func refuseUnlessLost(_ stored: StoredItem, _ library: Library) throws {
        let exchanges = try Remotes(of: library).list.map(\.folder)
        let id = stored.id.short
        switch try library.hasAwayDocument(of: stored, in: exchanges, WorkerProgram.worker()) {
        case true?:
            throw CommandFailure(
                .failed,
                "\(id): its document is not lost, a remote has it; \"sbfs keep \(id)\" brings it here, and detach takes it out then"
            )
        case nil:
            throw CommandFailure(
                .failed,
                "\(id): a remote cannot be read now and may have its document; connect it, or remove it: sbfs remote list"
            )
        case false?: break
        }
    }

    static let detach = Command(
        "detach", .remove, "Remove the document, link or text from items", arguments: "ITEM… document|link|text",
        details: """
            Asks first. With --to, sbfs first copies the document into a folder. "sbfs undo" puts back what was \
            removed. If there is just one other file in the item's document/, that becomes the document. With --lost, \
            sbfs takes out a document that is not on this device and that no exchange has any more. It asks the remotes \
            first, and refuses if one has the document or cannot be read. Another device that has the document takes it out, \
            too, with its next sync, says so, and keeps it for 30 days.
            """,
        options: [
            Option.query, Option("to", value: "DIR", "copy the document to DIR first"),
            Option("lost", "also a document that is not on this device"), Option.yes, Option.dryRun,
            Option.json,
        ],
        examples: [
            .init("sbfs detach @1 document --to ~/Desktop", "move the document out"),
            .init("sbfs detach @1 link", "remove the link, keep the text"),
        ]
    ) { invocation in
        guard let part = invocation.positionals.last, ["document", "link", "text"].contains(part) else {
            throw invocation.usage("the last word must be document, link or text")
        }
        for option in ["to", "lost"] where part != "document" && invocation.has(option) {
            throw invocation.usage("--\(option) is for documents")
        }
        let selection = try invocation.items(Array(invocation.positionals.dropLast()))
        if !invocation.isDryRun {
            try invocation.confirm("Take the \(part) out of \(selection.phrase())?")
        }
        return try invocation.changeEach(selection, done: "took the \(part) out of") { library, stored in
            switch part {
            case "document":
                if let folder = invocation.value("to") { try library.copyDocument(of: stored, to: folder) }
                if invocation.has("lost") { try refuseUnlessLost(stored, library) }
                if let next = try invocation.step().detachDocument(
                    from: stored, isLost: invocation.has("lost"))
                {
                    let name = Printable.line(next)
                    invocation.talk.say(
                        "\(stored.id.short): \(name), the only other file in document/, is the document now")
                }
            case "text":
                guard stored.hasText else { return false }
                try invocation.step().removeText(stored)
            default:
                guard stored.item.linkURL != nil else { return false }
                var edit = ItemEdit(base: stored.json)
                edit.remove(.linkURL)
                edit.remove(.archiveStatus)
                return try invocation.step().update(stored, edit)
            }
            return true
        }
    }
}
