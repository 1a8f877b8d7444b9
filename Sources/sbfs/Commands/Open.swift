import Glibc
import StuffBucket

extension Commands {
    static let open = Command(
        "open", .find, "Open items in the browser or their program", arguments: "ITEM…",
        details: """
            Opens the saved page or the document. A link without a saved page opens on the web. If the saved page is \
            unavailable (deleted, or not here yet), sbfs opens its article, the latest snapshot or the live page, and \
            says so. --reader shows a summary by a model above the article, in a copy of it. Pages and links open in the desktop's programs (xdg-open), a text in the editor.
            """,
        options: [
            Option("page", "the saved page"), Option("reader", "the saved article"),
            Option("original", "the link on the web"), Option("document", "the document"), Option.query,
            Option("print", "print the path or URL instead of opening it"),
        ],
        examples: [
            .init("sbfs open @1", "what the item has"), .init("sbfs open @1 --reader", "the article alone"),
            .init("sbfs open @1 --original", "the live page"),
        ]
    ) { invocation in
        let selection = try invocation.itemsToShow(invocation.positionals)
        var status = selection.status
        for row in selection.rows {
            let stored = try selection.library.item(row)
            guard let target = try target(of: stored, selection.library, invocation) else {
                invocation.talk.warn("\(row.id.short) \(lack(of: stored, invocation))")
                status = selection.rows.count == 1 ? .nothingFound : .partlyDone
                continue
            }
            if invocation.has("print") {
                try invocation.output.line(isatty(1) == 1 ? Printable.line(target) : target)
            } else {
                try open(target)
            }
        }
        return status
    }

    /// A URL or the absolute path of a file.
    private static func target(
        of stored: StoredItem, _ library: Library, _ invocation: Invocation
    ) throws -> String? {
        let folder = FileOfPerson.absolute(library.path) + "/" + stored.folder + "/"
        if invocation.has("reader") {
            return stored.hasReader ? try SummarizedReader.path(stored, library) ?? folder + Layout.readerFile : nil
        }
        if invocation.has("original") { return stored.item.linkURL }
        if invocation.has("document") { return stored.document.map { folder + $0.path } }
        if invocation.has("page"), stored.pagePath == nil { return nil }
        guard let choice = try library.openingChoice(of: stored) else { return nil }
        if let path = choice.unavailable {
            invocation.talk.warn(
                "\(path) of \(stored.id.short) is \(ArchiveWords.unavailable); this opens \(phrase(choice.part)) instead"
            )
        }
        if case .page = choice.part {
            let missing = (try? library.missingAssets(of: stored))?.count ?? 0
            if missing > 0 { invocation.talk.warn("the page of \(stored.id.short): \(ArchiveWords.missing(missing))") }
        }
        if case .link = choice.part { return choice.target }
        return folder + choice.target
    }

    private static func phrase(_ part: OpeningChoice.Part) -> String {
        switch part {
        case .page: "the saved page"
        case .reader: "the saved article"
        case .snapshot(let snapshot): "the snapshot \(snapshot.name)"
        case .document: "the document"
        case .link: "the live page"
        case .text: "the text"
        }
    }

    /// Why nothing can be opened, as the end of a sentence.
    private static func lack(of stored: StoredItem, _ invocation: Invocation) -> String {
        let document = stored.item.documentRelativePath
        let missing = stored.unavailablePaths.first { path in
            if invocation.has("reader") || invocation.has("original") { return false }
            return invocation.has("document") ? path == document : !invocation.has("page") || path != document
        }
        return missing.map { "has \($0), which is \(ArchiveWords.unavailable)" } ?? "has nothing of that kind to open"
    }

    private static func open(_ target: String) throws {
        let opener = Environment["SBFS_OPENER"].flatMap { $0.isEmpty ? nil : $0 } ?? "xdg-open"
        guard let status = Program.run([opener, target]) else {
            throw CommandFailure(
                .failed, "\(opener) is not installed (package xdg-utils); open it yourself: \(target)")
        }
        if status != 0 { throw CommandFailure(.failed, "\(opener) could not open \(target) (exit \(status))") }
    }
}
