import StuffBucket

/// Help that is not about a single command.
enum HelpTopic: String, CaseIterable {
    case commands, query, items, output, exitCodes = "exit-codes", privacy

    func text(_ style: Style) -> String {
        switch self {
        case .commands: HelpText.commands(style)
        case .query: QueryHelp.text
        case .output: Self.outputText
        case .exitCodes:
            "Exit codes\n\n" + HelpText.entries(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }, column: 5)
        case .items: Self.itemsText
        case .privacy: Self.privacyText
        }
    }

    private static let outputText = """
        Output

        Standard output is data, standard error is messages. Without an option,
        items are a table on a terminal and tab-separated lines elsewhere.

          --format table    row, id, day of the last change, kind, title, #tags,
                            collections/
          --format card     the same with a preview, URL, state of the saved page,
                            and document
          --format tsv      id, kind, updated, title, tags, collections, URL;
                            \\t \\n \\\\ \\xNN \\uNNNN as below
          --json            one array; "import", "stats" and "status" print one
                            object, "archive" and "check-links" one object a
                            line, as each page ends
          --ndjson          one object a line
          --ids             ids, one a line

        Signs before a title: 📌 pinned, ★ favourite, 🗑 in the trash, ✗ dead link,
        ⚠ page or document not here, ≠ conflicts ("sbfs conflicts").
        Brackets show the tags and collections that the query asks for.

        Text from a library cannot control the terminal, change the writing
        direction or hide, not even in a pipe. Controls, bidirectional controls,
        zero-width and tag characters are printed as \\xNN, \\uNNNN or \\UNNNNNNNN, and
        in JSON as its own escapes. Joiners within Persian or Hindi words and within
        emoji stay. "export", and paths in a pipe ("path", "open --print"), print the
        bytes themselves: other programs need them.

        An item in JSON has every key of its item.json, unknown ones too, and "sbfs"
        with derived values: kind, displayTitle, collections, isTrashed, createdAt,
        updatedAt (the time to sort by), folder (below the library), document,
        documentByteCount, textByteCount, conflicts (how many, if there are any), and
        with "show" the text. "search" adds
        score, snippet (text, and marks that count Unicode scalar values) and, with
        --explain, explanation. With --ndjson --facets, the last line holds "facets".
        Later versions may add keys, but never rename them.

        With --json, commands that change items print an array of {"id", "result",
        "error"}. result is changed, unchanged or failed.

        """

    private static let privacyText = """
        What is sent, to whom, and when

        sbfs has no account and reports to nobody. With --offline or SBFS_OFFLINE=1
        it uses no network at all.

        Saving pages (add, archive, favicon, check-links, and the daemon of "sbfs
        watch" for what waits)
          To the site of the link, and the sites of the files that its page shows:
          requests as a browser makes them, without your browser's cookies unless you
          name a cookie file. Private addresses only if you typed them or allow them.

        suggest-tags, only when you run it
          To the model of "sbfs ai setup": of each item its title, link (without a
          password in it), tags, text and saved article, at most 24 KB of the last
          two, or --budget; and the library's 200 most used tags. With --shrink: the
          library's tags, and how many items have each.

        summarize, only when you run it
          To the same model: of each item title, link, tags, text and saved article,
          at most 48 KB in a request.

        ai setup, only when you run it
          To the same model: "Say OK."

        Never sent to a model: documents, assets, annotations, collections, paths, the
        names of your files, items in the trash, and items that the query of "sbfs
        config ai.never QUERY" finds, with the tags that only they have. Nothing is
        sent in the background. --dry-run prints exactly the bytes that would be sent.

        The address of the model comes from "sbfs ai setup" alone, never from a
        library. Only its host and port are contacted; redirects are not followed;
        plain http is for this machine alone. A proxy of the environment passes on
        https without reading it.

        The key is in $XDG_CONFIG_HOME/sbfs/ai.json (for you alone), in the desktop's
        secret store (--keep desktop), or where you keep it (--key-command, --key-env).
        It goes to that address and nowhere else, and is in no library, export, journal,
        message, argument or core file.

        What a model answers is text with limits: tags that you review, or a summary.
        Nothing in it is run, opened or fetched, whatever a page told the model.

        """

    private static let itemsText = """
        Naming items

          019312ab-…-3fa9c01b  a whole id
          3fa9c01b             at least four digits from the end (or the beginning)
                               of an id
          'Shopping'           a whole title; case and diacritics do not count
          https://example.org  the URL of a link
          @3, @2-5             rows of this terminal's last list
          -                    ids on standard input, one a line (the first column)
          -q QUERY             all matches

        If a word names several items, sbfs refuses it and shows the items.

        """
}
