import Glibc
import StuffBucket

extension Commands {
    static let read = Command(
        "read", .find, "Read an item's article or text in the terminal", arguments: "ITEM",
        details: """
            Shows the saved article at the terminal's width, or the item's text if there is no article. The item's \
            highlights and notes follow ("annotations" in "sbfs show --json"). On a terminal, shows it in $PAGER \
            (less). --width sets another width. A page that is in an exchange only is fetched; if no exchange can be read, its \
            words are shown without layout.
            """,
        options: [
            Option("width", short: "w", value: "N", "columns of text (at most 88)"), Option.query,
            Option("page", "the whole page's text instead of the article's"),
        ],
        examples: [.init("sbfs read @1", "read a saved article"), .init("sbfs read @1 | wc -w", "count its words")]
    ) { invocation in
        let selection = try invocation.itemsToShow(invocation.positionals)
        let stored = try selection.first()
        let width = try invocation.count("width") ?? min(88, Terminal.columns)
        let text = try readableText(
            of: stored, selection.library, width: width, wholePage: invocation.has("page"), isWithNotes: true,
            fetching: ExchangeFiles(selection.library, invocation.talk))
        try Pager.show(text, invocation)
        return selection.status
    }

    /// The saved article or page, laid out for a width, else the item's own text; behind it the annotations, if they are wanted.
    ///
    /// - Parameter files: fetches what is away; `nil` to show its words alone.
    static func readableText(
        of stored: StoredItem, _ library: Library, width: Int, wholePage: Bool = false, isWithNotes: Bool = false,
        fetching files: ExchangeFiles? = nil
    ) throws -> [UInt8] {
        let notes = isWithNotes ? noteText(of: stored, width: width) : []
        do {
            var text = try mainText(of: stored, library, width: width, wholePage: wholePage, files)
            if notes.isEmpty { return text }
            while text.last == 0x0A { text.removeLast() }
            return text + (text.isEmpty ? [] : [0x0A, 0x0A]) + notes
        } catch let failure as CommandFailure where !notes.isEmpty && failure.status == .nothingFound {
            return notes
        }
    }

    /// Passages as quotes, and what was written to them below.
    private static func noteText(of stored: StoredItem, width: Int) -> [UInt8] {
        func lines(_ text: String, _ margin: String) -> String {
            HelpText.wrap(text, at: max(20, width - 2)).split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? String(margin.prefix { $0 != " " }) : margin + $0 }.joined(separator: "\n")
        }
        let parts = stored.annotations.map { annotation in
            [
                annotation.quote.map { lines($0, "> ") },
                annotation.note.map { lines($0, annotation.quote == nil ? "" : "  ") },
            ]
            .compactMap { $0 }.joined(separator: "\n")
        }.filter { !$0.isEmpty }
        if parts.isEmpty { return [] }
        return Array((["Highlights and notes"] + parts).joined(separator: "\n\n").utf8) + [0x0A]
    }

    private static func mainText(
        of stored: StoredItem, _ library: Library, width: Int, wholePage: Bool, _ files: ExchangeFiles?
    ) throws -> [UInt8] {
        let hasArticle = try library.has(.article, stored)
        if try hasArticle || library.has(.page, stored) {
            let part: SavedPart = hasArticle && !wholePage ? .article : .page
            var path: String?
            if part == .article ? !stored.hasReader : !stored.hasPage {
                let found = try files?.path(part == .article ? .reader : .page, of: stored)
                path = found?.path
                if path == nil, let words = library.visibleText(of: part, of: stored) {
                    if let why = found?.why { files?.talk.warn("\(stored.id.short): \(why); these are its words") }
                    return withoutGaps(words)
                }
            }
            let worker = try WorkerProgram.worker()
            defer { worker.end() }
            return Array(
                try library.text(of: part, of: stored, at: path, width: width, isWhole: wholePage, worker).utf8)
        }
        if let text = try library.text(of: stored) { return text }
        if let document = stored.document {
            throw CommandFailure(
                .nothingFound,
                "\(stored.id.short) is the document \(document.name); \"sbfs open \(stored.id.short)\" opens it")
        }
        let hint = stored.item.linkURL == nil ? "" : "; \"sbfs archive \(stored.id.short)\" saves its page"
        throw CommandFailure(.nothingFound, "\(stored.id.short) has no text\(hint)")
    }
}

extension Commands {
    /// A text with at most one empty line between others.
    private static func withoutGaps(_ text: [UInt8]) -> [UInt8] {
        var lines: [ArraySlice<UInt8>] = []
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let isEmpty = line.allSatisfy { $0 <= 0x20 }
            if !isEmpty { lines.append(line) } else if lines.last?.isEmpty == false { lines.append([]) }
        }
        return Array(lines.joined(separator: [0x0A])) + (lines.last?.isEmpty == false ? [0x0A] : [])
    }
}

/// The person's pager.
enum Pager {
    /// Shows text page by page on a terminal, else prints it.
    static func show(_ text: [UInt8], _ invocation: Invocation) throws {
        let safe = Printable.text(text)
        guard isatty(1) == 1, let pager = pager else { return try invocation.output.write(safe) }
        try invocation.output.flush()
        // With these options less and more show colours, and end at once if everything fits on the screen.
        if Environment["LESS"] == nil { setenv("LESS", "FRX", 1) }
        guard let stream = popen(pager, "w") else { return try invocation.output.write(safe) }
        let handler = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, handler) }
        _ = safe.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
        pclose(stream)
    }

    private static var pager: String? {
        let named = Environment["SBFS_PAGER"] ?? Environment["PAGER"]
        if let named { return named.isEmpty || named == "cat" ? nil : named }
        for program in ["less", "more"] where access("/usr/bin/" + program, X_OK) == 0 { return program }
        return nil
    }
}
