/// The text about queries in help and the manual.
enum QueryHelp {
    static let words: [(example: String, meaning: String)] = [
        ("soup", "the word, and words that begin with it (of one or two letters: whole words only)"),
        ("soup salt", "both"),
        ("\"less salt\"", "this phrase"),
        ("sal*", "words, and parts of words, that begin with sal"),
        ("soup AND salt", "both (also soup & salt)"),
        ("soup OR stew", "one of them (also soup | stew); AND binds stronger"),
        ("soup -salt", "without salt (also: soup not salt)"),
        ("-salt -tag:old", "everything that has neither"),
        ("(soup OR stew) salt", "parentheses"),
    ]

    static let aboutWords = """
        Case and diacritics do not count: lodz finds Łódź. sbfs searches titles, tags, collections, texts, saved pages, \
        notes, URLs and file names. Parts of names match (bucket finds StuffBucket), and so do words in scripts without \
        spaces.
        """

    static let aboutFilters = """
        Quotes around a value are optional. An argument with a space in it, such as smart:'To Read', is one value. Case and \
        diacritics do not count. Dates are 2025, 2025-03, 2025-03-09, >2024, <2025-06-01, >=, <=, 2025-01..2025-03, today, \
        yesterday, week, month, year, in your time zone.

        Items in the trash are found only with trashcan, is:trashed or tag:trashcan. Anything else is read as plain words. \
        sbfs reports what is probably a mistake (an unknown filter, an open quote, an OR at the end, "or" in small letters, \
        a "!", several hyphens, or -tag:kepe where only the tag keep exists); a command that would change items then \
        does nothing. --explain shows how a query was read.
        """

    static let aboutHyphens = """
        On the command line, a hyphen also begins options. In a command that takes a query, -FILTER:value with a filter of \
        this list is part of the query. So is -word, unless it can be read as options: a single letter (-r), letters of \
        options without a value, each once (-ra), or these followed by an option whose value fits or is the next argument \
        (-l20, -fjson, -rl 5). --word is always an option. After "--", everything is an argument: sbfs search -- -ra. \
        Commands that take items have no query among their arguments; use -q '-tag:keep' there.
        """

    static let examples = [
        ("sbfs search '\"less salt\" OR pepper'", "a phrase, or a word"),
        ("sbfs list type:link 'tag:\"swift ui\"' created:2025", "links of a year with a tag of two words"),
        ("sbfs trash -q 'status:dead -is:pinned'", "dead links that are not pinned"),
    ]

    /// `sbfs help query`.
    static var text: String {
        let filters = QueryWords.filters.map { ($0.example, $0.help) }
        return "Queries\n\n" + HelpText.entries(words.map { ($0.example, $0.meaning) }, column: 23) + "\n"
            + HelpText.wrap(aboutWords) + "\n\nFilters:\n\n" + HelpText.entries(filters, column: 23) + "\n"
            + HelpText.wrap(aboutFilters) + "\n\n" + HelpText.wrap(aboutHyphens) + "\n\n"
    }
}
