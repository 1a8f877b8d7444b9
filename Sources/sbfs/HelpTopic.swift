import StuffBucket

/// Help that belongs to no single command.
enum HelpTopic: String, CaseIterable {
    case query, output, exitCodes = "exit-codes", items

    var text: String {
        switch self {
        case .query: QueryHelp.text
        case .output: Self.outputText
        case .exitCodes:
            "Exit codes\n\n" + ExitStatus.allCases.map { "  \($0.rawValue)  \($0.meaning)\n" }.joined()
        case .items: Self.itemsText
        }
    }

    private static let outputText = """
        Output

        Standard output is data, standard error is talk. Without an option, items are a table on a terminal and
        tab-separated rows elsewhere.

          --format table    number, id, day of the last change, kind, title, #tags, collections/
          --format card     the same with a preview, URL, state of the saved page, and document
          --format tsv      id, kind, updated, title, tags, collections, URL; \\t \\n \\\\ \\xNN \\uNNNN as below
          --json            always one array
          --ndjson          one object a line
          --ids             ids, one a line

        Nothing from a library is printed that would command a terminal, turn the writing or stay unseen: controls,
        bidirectional controls, zero-width and tag characters are \\xNN, \\uNNNN or \\UNNNNNNNN, in pipes too, and in JSON its
        own escapes, which mean the same. Joiners within Persian or Hindi words and within emoji stay. What "export" writes,
        and paths in a pipe ("path", "open --print"), are the bytes themselves, since other programs need them.

        Before a title stand 📌 for a pinned item, ★ for a favourite, 🗑 for one in the trash, ✗ for a dead link; tags and
        collections that the query asks for stand in brackets.

        An item in JSON has every key of its item.json, unknown ones too, and "sbfs" with what is derived: kind,
        displayTitle, collections, isTrashed, createdAt, updatedAt (the time to sort by), folder (below the library),
        document, documentByteCount, textByteCount, and with "show" the text. "search" adds score, snippet (text, and marks
        that count Unicode scalar values) and, with --explain, explanation; with --ndjson --facets a last line holds
        "facets". Keys may be added, never renamed.

        Commands that change items print with --json an array of {"id", "result", "error"}; result is changed,
        unchanged or failed.

        """

    private static let itemsText = """
        Naming items

          019312ab-…-3fa9c01b  a whole id
          3fa9c01b             at least four digits from the end (or the beginning) of an id
          'Shopping'           a title, the whole of it, without regard to case and diacritics
          https://example.org  a URL that is kept
          @3, @2-5             rows of this terminal's last list
          -                    ids on standard input, one a line (the first column of each)
          -q QUERY             all that match

        A word that names several items is refused, and the items are shown.

        """
}
