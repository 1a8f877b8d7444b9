import StuffBucket

/// The formats in which items are printed.
enum ItemFormat: String, CaseIterable, Sendable {
    case table, card, tsv, json, ndjson, ids
}

/// Prints items one by one in a format; memory does not grow with their number.
struct ItemPrinter: Sendable {
    let format: ItemFormat
    let library: Library
    let output: Output
    let style: Style
    /// The terminal's width in columns.
    let columns: Int
    /// Whether JSON includes the text.
    var hasText = false
    /// Tags and collections in the query. They are shown in brackets.
    var active: [Filter] = []
    /// Highlights the query's words in a passage of each item's text, which is shown below its line.
    var highlighter: Highlighter?
    /// Colours of tags and collections.
    var looks = Looks.none
    /// Tells whether what is away can be fetched.
    let reach: ExchangeReach
    /// The search results for each item.
    var hits: [ItemID: ItemAnswer.Hit] = [:]

    /// Prints items in order, reading them in parallel ahead of the output.
    ///
    /// - Returns: sentences about items that vanished or became unreadable meanwhile.
    func print(_ rows: [Row]) throws -> [String] {
        if format == .json { try output.write([UInt8(ascii: "[")]) }
        var faults: [String] = []
        var isFirst = true
        for start in stride(from: 0, to: rows.count, by: 512) {
            let chunk = Array(rows[start..<min(start + 512, rows.count)])
            let rendered = try Parallel.map(chunk) { row -> Result<[UInt8], any Error> in Result { try render(row) } }
            for (index, result) in rendered.enumerated() {
                switch result {
                case .success(let bytes):
                    if format == .json { try output.write(Array((isFirst ? "\n" : ",\n").utf8)) }
                    if format == .card, !isFirst { try output.write([0x0A]) }
                    isFirst = false
                    let number = start + index + 1
                    if format == .table || format == .card {
                        try output.line(
                            style.dim(TextWidth.pad("@\(number)", to: numberWidth(rows.count))) + " "
                                + String(decoding: bytes, as: UTF8.self))
                    } else {
                        try output.write(bytes)
                        if format != .json { try output.write([0x0A]) }
                    }
                case .failure(let error): faults.append(error.wording)
                }
            }
        }
        if format == .json { try output.write(Array((isFirst ? "]\n" : "\n]\n").utf8)) }
        return faults
    }

    private func numberWidth(_ count: Int) -> Int { String(count).count + 1 }

    private func render(_ row: Row) throws -> [UInt8] {
        if format == .ids { return Array(row.id.description.utf8) }
        return try render(library.item(row))
    }

    /// An item's bytes in this format, without its number and separators.
    func render(_ stored: StoredItem) throws -> [UInt8] {
        switch format {
        case .json, .ndjson:
            return Printable.json(try ItemJSON.bytes(stored, library, hasText: hasText, search: searchMembers(stored)))
        case .tsv: return Array(tsv(stored).utf8)
        case .card: return Array((try card(stored) + below(stored)).utf8)
        case .ids: return Array(stored.id.description.utf8)
        case .table: return Array((table(stored) + below(stored)).utf8)
        }
    }

    private func tsv(_ stored: StoredItem) -> String {
        [
            stored.id.description, stored.kind.rawValue, stored.effectiveUpdatedAt.rfc3339,
            library.displayTitle(of: stored), stored.item.plainTags.joined(separator: ","),
            stored.item.collections.joined(separator: ","), stored.item.linkURL ?? "",
        ].map(Printable.field).joined(separator: "\t")
    }

    private func table(_ stored: StoredItem) -> String {
        let title = Printable.line(library.displayTitle(of: stored))
        let tags = tagLine(stored.item)
        // A narrow terminal has no room for the kind, and a narrower one none for the date.
        var rest = ""
        if columns >= 52 { rest += stored.effectiveUpdatedAt.localDate.description + "  " }
        if columns >= 62 { rest += TextWidth.pad(stored.kind.rawValue, to: 8) + "  " }
        let marks = self.marks(stored)
        let room = max(columns < 52 ? 6 : 20, columns - 20 - rest.count - TextWidth.of(marks))
        // Tags get a third of the line, or the space that the title leaves.
        let tagRoom = min(TextWidth.of(tags.plain), max(room / 3, room - TextWidth.of(title) - 2))
        let shown = TextWidth.cut(title, to: room - (tagRoom > 0 ? tagRoom + 2 : 0))
        let shownTags =
            TextWidth.of(tags.plain) <= tagRoom ? tags.styled : style.tag(TextWidth.cut(tags.plain, to: tagRoom))
        return style.dim(stored.id.short) + "  " + rest + marks + style.bold(shown)
            + (tags.plain.isEmpty ? "" : "  " + shownTags)
    }

    /// Symbols before an item's title, such as for a pinned item.
    func marks(_ stored: StoredItem) -> String {
        let item = stored.item
        return (item.isPinned ? "📌 " : "") + (item.isFavorite ? "★ " : "") + (item.isTrashed ? "🗑 " : "")
            + (item.linkStatus == .dead ? style.error("✗ ") : "")
            + (stored.unavailablePaths.isEmpty && !reach.isMissing(stored) ? "" : style.warning("⚠ "))
            + (library.conflictCount(of: stored) == 0 ? "" : style.warning("≠ "))
    }

    /// How completely a link's page is saved, and whether the link is dead; empty for an item without a link.
    static func badge(_ stored: StoredItem) -> String {
        guard stored.item.linkURL != nil, let state = stored.archiveState else { return "" }
        let archive = StatisticsWords.archive(state.rawValue)
        return stored.item.linkStatus == .dead ? archive + ", the link is dead" : archive
    }

    private func card(_ stored: StoredItem) throws -> String {
        var lines = [table(stored)]
        let text = (try? library.text(of: stored)) ?? nil
        if let preview = text.flatMap(Self.preview) {
            // A hundred characters take two lines on a narrow terminal.
            for line in HelpText.wrap(preview, at: max(20, columns - 4)).split(separator: "\n").prefix(2) {
                lines.append("    " + line)
            }
        }
        if let url = stored.item.linkURL {
            lines.append("    " + style.dim(Printable.line(url)) + "  [\(Self.badge(stored))]")
        }
        if let document = stored.document {
            lines.append("    " + Printable.line(document.name) + ", " + ByteCount.text(document.status.byteCount))
        } else if let away = stored.away, let name = away.documentName {
            let place = reach.isMissing(stored) ? style.warning("unavailable") : "in an exchange"
            lines.append("    " + Printable.line(name) + ", " + ByteCount.text(away.documentByteCount) + ", " + place)
        } else if let path = stored.item.documentRelativePath {
            lines.append("    " + Printable.line(path) + ", " + style.warning("unavailable"))
        }
        return lines.joined(separator: "\n")
    }

    /// The first hundred characters of a text on one line.
    static func preview(_ text: [UInt8]) -> String? {
        let start = String(decoding: text.prefix(600), as: UTF8.self)
        let words = start.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : Printable.line(String(words.prefix(100)) + (words.count > 100 ? "…" : ""))
    }

    func tagLine(_ item: Item) -> (plain: String, styled: String) {
        let asked = Set(active.map { $0.key + ":" + Folding.fold($0.value) })
        let tags = item.plainTags.map { ("tag", $0, "#" + $0) } + item.collections.map { ("collection", $0, $0 + "/") }
        let words = tags.map { key, name, shown in
            let word = TextWidth.bounded(Printable.line(shown))
            return asked.contains(key + ":" + Folding.fold(name)) ? "[" + word + "]" : word
        }
        let plain = words.joined(separator: " ")
        if looks.isEmpty { return (plain, style.tag(plain)) }
        let styled = zip(tags, words).map { tag, word in
            style.tag(word, tag.0 == "tag" ? looks.colour(ofTag: tag.1) : looks.colour(ofCollection: tag.1))
        }
        return (plain, styled.joined(separator: " "))
    }
}
