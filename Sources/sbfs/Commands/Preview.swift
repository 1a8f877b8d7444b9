import StuffBucket

extension Commands {
    static let preview = Command(
        "preview", .find, "Show an item in short", arguments: "ITEM",
        details: """
            Prints title, tags, link and the beginning of the article or text; "sbfs pick" shows it beside its lines. \
            The width is that of the terminal, or of fzf's preview.
            """,
        options: [
            Option("width", short: "w", value: "N", "columns of text"),
            Option("lines", short: "l", value: "N", "lines of text at most (200)"), Option.query,
        ],
        examples: [.init("sbfs preview @1", "the first item of the last list")]
    ) { invocation in
        let selection = try invocation.itemsToShow(invocation.positionals)
        let library = selection.library
        let stored = try selection.first()
        let style = invocation.style
        let width =
            try invocation.count("width") ?? Environment["FZF_PREVIEW_COLUMNS"].flatMap(Int.init)
            ?? min(88, Terminal.columns)
        let printer = try invocation.printer(.card)
        let output = invocation.output
        try output.line(
            printer.marks(stored) + style.bold(Printable.line(library.displayTitle(of: stored))))
        let badge = ItemPrinter.badge(stored)
        let facts = [stored.kind.rawValue, stored.effectiveUpdatedAt.localDate.description, badge]
        try output.line(style.dim(facts.filter { !$0.isEmpty }.joined(separator: " · ")))
        let byline = [stored.item.linkAuthor, stored.item.linkSite].compactMap { $0 }.joined(separator: ", ")
        for line in [stored.item.linkURL, byline.isEmpty ? nil : byline, stored.document?.name] {
            if let line { try output.line(style.dim(Printable.line(line))) }
        }
        let tags = printer.tagLine(stored.item)
        if !tags.plain.isEmpty { try output.line(tags.styled) }
        // If the text cannot be read, the rest is still shown.
        guard let text = try? readableText(of: stored, library, width: max(20, width)), !text.isEmpty else {
            return selection.status
        }
        try output.line("")
        let lines = Printable.text(String(decoding: text.prefix(1 << 20), as: UTF8.self))
            .split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines.prefix(try invocation.count("lines") ?? 200) { try output.line(String(line)) }
        return selection.status
    }
}
