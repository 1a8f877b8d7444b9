import Glibc
import StuffBucket

extension Commands {
    static let open = Command(
        "open", .find, "Open items in the browser or their program", arguments: "ITEM…",
        details: """
            Opens the saved page or the document. What is in an exchange only ("sbfs drop", thin replicas) is fetched: \
            the copy that opens is read-only and goes when it was not opened for long. \
            A link without a saved page opens on the web. If the saved page is \
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
            var why: String?
            guard let target = try target(of: stored, selection.library, invocation, &why) else {
                let lack = why.map { ": " + $0 } ?? " " + lack(of: stored, selection.library, invocation)
                invocation.talk.warn(row.id.short + lack)
                status = selection.rows.count == 1 ? .nothingFound : .partlyDone
                continue
            }
            if let document = stored.document, target.hasSuffix("/" + document.path),
                let awaited = selection.library.awaitedDocument(of: stored)
            {
                invocation.talk.warn(
                    "\(awaited) of \(stored.id.short) has not arrived; this opens the earlier document instead")
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
    ///
    /// - Parameter why: why an exchange cannot give a file, as a clause.
    private static func target(
        of stored: StoredItem, _ library: Library, _ invocation: Invocation, _ why: inout String?
    ) throws -> String? {
        let folder = FileOfPerson.absolute(library.path) + "/" + stored.folder + "/"
        let files = ExchangeFiles(library, invocation.talk)
        /// The file, if it is here or in an exchange.
        func fetched(_ file: OpenableFile) throws -> String? {
            let found = try files.path(file, of: stored)
            why = found.why
            return found.path
        }
        if invocation.has("reader") {
            if stored.hasReader, let path = try SummarizedReader.path(stored, library) { return path }
            return try fetched(.reader)
        }
        if invocation.has("original") { return stored.item.linkURL }
        if invocation.has("document") { return try fetched(.document) }
        if invocation.has("page") { return try fetched(.page) }
        guard var choice = try library.openingChoice(of: stored) else {
            // An exchange may have what a person removed here.
            return try stored.unavailablePaths.first.flatMap { path in
                try fetched(path == stored.item.documentRelativePath ? .document : .page)
            }
        }
        if let file = OpenableFile(wantedOf: stored, choice) {
            if let path = try fetched(file) {
                if case .page = file { tellMissing(stored, library, path, invocation) }
                return path
            }
            guard let other = try library.openingChoice(of: stored, isAwayMissing: true) else { return nil }
            choice = other
        }
        if let path = choice.unavailable {
            invocation.talk.warn(
                "\(path) of \(stored.id.short) is \(why.map { "unavailable: \($0)" } ?? ArchiveWords.unavailable(path, of: stored, library)); this opens \(phrase(choice.part)) instead"
            )
        }
        if case .link = choice.part { return choice.target }
        return folder + choice.target
    }

    /// Says which files of a page that opens from the item's folder are missing.
    private static func tellMissing(
        _ stored: StoredItem, _ library: Library, _ path: String, _ invocation: Invocation
    ) {
        guard let own = stored.pagePath, path.hasSuffix("/" + stored.folder + "/" + own) else { return }
        let missing = (try? library.missingAssets(of: stored))?.count ?? 0
        if missing > 0 { invocation.talk.warn("the page of \(stored.id.short): \(ArchiveWords.missing(missing))") }
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
    private static func lack(of stored: StoredItem, _ library: Library, _ invocation: Invocation) -> String {
        let document = stored.item.documentRelativePath
        let missing = stored.unavailablePaths.first { path in
            if invocation.has("reader") || invocation.has("original") { return false }
            return invocation.has("document") ? path == document : !invocation.has("page") || path != document
        }
        return missing.map { "has \($0), which is \(ArchiveWords.unavailable($0, of: stored, library))" }
            ?? "has nothing of that kind to open"
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

extension OpenableFile {
    /// The file that an exchange may have to give, of what opens: the choice itself, or what the choice replaces.
    fileprivate init?(wantedOf stored: StoredItem, _ choice: OpeningChoice) {
        if let path = choice.unavailable {
            self = path == stored.item.documentRelativePath ? .document : .page
            return
        }
        switch choice.part {
        case .page: self = .page
        case .document: self = .document
        case .reader, .snapshot, .link, .text: return nil
        }
    }
}
