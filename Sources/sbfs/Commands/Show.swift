import Glibc
import StuffBucket

extension Commands {
    static let show = Command(
        "show", .find, "Show items with their text", arguments: "ITEM…",
        details: """
            An ITEM is an id, at least four digits from the end or the beginning of one, a title, a URL, or @3 for the \
            third row of this terminal's last list.

            Characters that are invisible or control a terminal are escaped, in a pipe too. "sbfs path ITEM --text" \
            names the file with the bytes; --json holds the text itself.
            """,
        options: [Option.query, Option.json, Option.ndjson],
        examples: [
            .init("sbfs show @1", "the first item of the last list"),
            .init("sbfs show 'Shopping'", "an item by its title"),
            .init("sbfs show 3fa9c01b --json", "for a script"),
        ]
    ) { invocation in
        let selection = try invocation.itemsToShow(invocation.positionals)
        if invocation.has("json") || invocation.has("ndjson") {
            var printer = try invocation.printer(invocation.has("json") ? .json : .ndjson)
            printer.hasText = true
            let faults = try printer.print(selection.rows)
            for fault in faults { invocation.talk.warn(fault) }
            return faults.isEmpty ? selection.status : .partlyDone
        }
        for (index, row) in selection.rows.enumerated() {
            if index > 0 { try invocation.output.line("") }
            try print(row, selection.library, invocation)
        }
        return selection.status
    }

    private static func print(_ row: Row, _ library: Library, _ invocation: Invocation) throws {
        let stored = try library.item(row)
        let style = invocation.style
        let item = stored.item
        let files = ExchangeFiles(library, invocation.talk)
        try invocation.output.line(style.bold(Printable.line(library.displayTitle(of: stored))))
        func field(_ name: String, _ value: String?) throws {
            guard let value, !value.isEmpty else { return }
            try invocation.output.line(style.dim(TextWidth.pad(name, to: 12)) + Printable.line(value))
        }
        try field("id", stored.id.description)
        try field("kind", stored.kind.rawValue)
        try field(
            "state",
            [
                item.isPinned ? "pinned" : nil, item.isFavorite ? "favourite" : nil,
                item.isTrashed ? "in the trash" + (item.trashedAt.map { " since \($0.localDate)" } ?? "") : nil,
            ].compactMap { $0 }.joined(separator: ", "))
        let conflictCount = library.conflictCount(of: stored)
        if conflictCount > 0 {
            let line = "Conflicts (\(conflictCount)); see \"sbfs conflicts \(stored.id.short)\""
            try invocation.output.line(style.dim(TextWidth.pad("conflicts", to: 12)) + style.warning(line))
        }
        let waiting = try library.waitingJoin(of: stored)
        if !waiting.isEmpty { try field("waiting", waiting.wording) }
        try field("link", item.linkURL)
        try field("canonical", item.linkCanonicalURL == item.linkURL ? nil : item.linkCanonicalURL)
        try field("archive", ArchiveWords.sentence(stored, library, files))
        try field(
            "prints",
            [Layout.printFile, Layout.pictureFile].filter { try library.hasFile($0, in: row) }.joined(separator: ", "))
        try field("site", item.linkSite)
        try field("author", item.linkAuthor)
        try field("tags", item.plainTags.joined(separator: ", "))
        try field("collections", item.collections.joined(separator: ", "))
        try field(
            "document",
            stored.document.map { "\($0.name), \(ByteCount.text($0.status.byteCount))" }
                ?? stored.away?.documentName.map { name in
                    "\(name), \(ByteCount.text(stored.away?.documentByteCount ?? 0)), \(files.lack(of: stored) ?? files.place(of: stored))"
                }
                ?? item.documentRelativePath.map { "\($0), \(ArchiveWords.unavailable($0, of: stored, library))" })
        try field(
            "",
            library.awaitedDocument(of: stored).map { "\($0) replaced it and has not arrived; \"sbfs sync\" brings it" }
        )
        let left = library.leftOutFiles(of: stored.id)
        for (number, file) in left.prefix(3).enumerated() { try field(number == 0 ? "not synced" : "", file.phrase) }
        try field("", left.count > 3 ? "and \(left.count - 3) more; \"sbfs sync --status\" names all" : nil)
        try field("created", local(stored.createdAt))
        try field("updated", local(stored.effectiveUpdatedAt))
        try field("folder", library.path + "/" + stored.folder)
        try field("about", item.description)
        if let summary = StoredSummary(stored) {
            try field("summary", summary.summary)
            for point in summary.keyPoints { try field("", "- " + point) }
            try field("", summary.entities.isEmpty ? nil : "names: " + summary.entities.joined(separator: ", "))
            try field("", summary.origin.map { "(\($0))" })
        }
        for (number, note) in item.annotations.enumerated() { try field(number == 0 ? "notes" : "", note) }
        for (name, value) in stored.sourceFields { try field("of source", "\(name): \(value)") }
        for fault in stored.faults {
            try invocation.output.line(style.warning("item.json:" + Printable.line(fault.description)))
        }
        if let text = try library.text(of: stored), !text.isEmpty {
            try invocation.output.line("")
            try invocation.output.write(Printable.text(text))
            if text.last != 0x0A { try invocation.output.line("") }
        }
    }

    private static func local(_ time: Timestamp) -> String { time.localDate.description + " " + time.localTime }

    static let path = Command(
        "path", .find, "Print the path of an item's files", arguments: "ITEM…",
        details: "Prints the item's folder, or with an option the path of one of its files, absolute.",
        options: [
            Option.query, Option("document", "the document"), Option("text", "text.md"), Option("item", "item.json"),
            Option("page", "page.html, the saved page"), Option("reader", "reader.html, the saved article"),
            Option("pdf", "page.pdf, the print"), Option("screenshot", "page.png, the picture"),
        ],
        examples: [
            .init("sbfs path @1 --document", "where the document is"),
            .init("cd \"$(sbfs path @1)\"", "go to an item's folder"),
            .init("wc -w \"$(sbfs path Shopping --text)\"", "use its text"),
        ]
    ) { invocation in
        let selection = try invocation.itemsToShow(invocation.positionals)
        var status = selection.status
        for row in selection.rows {
            let file = try name(of: row, selection.library, invocation)
            let exists = try file.map { name in
                try name.isEmpty || selection.library.hasFile(name, in: row)
            }
            guard let file, exists == true else {
                let away = (try? selection.library.item(row))?.away?.paths ?? []
                let isAway = file.map(away.contains) ?? (invocation.has("document") && !away.isEmpty)
                invocation.talk.warn(
                    isAway
                        ? "the file is in an exchange only; \"sbfs keep \(row.id.short)\" brings it to this device"
                        : "\(row.id.short) has no such file")
                status = selection.rows.count == 1 ? .nothingFound : .partlyDone
                continue
            }
            let path =
                (FilePath.real(selection.library.path) ?? selection.library.path) + "/" + row.folder
                + (file.isEmpty ? "" : "/" + file)
            try invocation.output.line(isatty(1) == 1 ? Printable.line(path) : path)
        }
        return status
    }

    /// The requested file, relative to the item's folder; empty for the folder itself, `nil` if there is none.
    private static func name(of row: Row, _ library: Library, _ invocation: Invocation) throws -> String? {
        // Only the document needs item.json. All else is found even if item.json is broken.
        if invocation.has("document") { return try library.item(row).document?.path }
        let files = [
            ("text", Layout.textFile), ("item", Layout.itemFile), ("page", Layout.pageFile),
            ("reader", Layout.readerFile), ("pdf", Layout.printFile), ("screenshot", Layout.pictureFile),
        ]
        return files.first { invocation.has($0.0) }?.1 ?? ""
    }
}
