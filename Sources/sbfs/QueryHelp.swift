/// What help and the manual say about queries.
enum QueryHelp {
    static let words: [(example: String, meaning: String)] = [
        ("soup", "the word, and words that begin with it (words of one or two letters: only whole)"),
        ("soup salt", "both"),
        ("\"less salt\"", "exactly these words in a row"),
        ("sal*", "words that begin with sal"),
        ("soup AND salt", "both (also soup & salt)"),
        ("soup OR stew", "one of them (also soup | stew); binds less than words side by side"),
        ("soup -salt", "without salt (also: soup not salt)"),
        ("-salt -tag:old", "all but what has one of them"),
        ("(soup OR stew) salt", "parentheses"),
    ]

    static let aboutWords = """
        Case and diacritics do not count: lodz finds Łódź. Words are looked for in titles, tags, collections, \
        texts, saved pages, notes, URLs and file names. Parts of names count (bucket finds StuffBucket), and words \
        within scripts that have no spaces.
        """

    static let aboutFilters = """
        Filters stand with or without quotes around the value; an argument such as smart:'To Read', which the shell hands \
        over with a space in it, is one value. Letters count without case and diacritics. \
        Dates are 2025, 2025-03, 2025-03-09, >2024, <2025-06-01, >=, <=, 2025-01..2025-03, today, yesterday, week, \
        month, year, in your time zone.

        Items in the trash are found only with trashcan, is:trashed or tag:trashcan. A query that does not fit this is \
        read as plain words. What was most likely meant otherwise is said (an unknown filter, an open quote, an OR at the \
        end, "or" in small letters, a "!"); a command that would change items does nothing then. --explain says how \
        a query was read.
        """

    static let aboutHyphens = """
        On the command line a hyphen also begins options. Where a command takes a query, -FILTER:value with a filter of \
        the list above is part of it, and so is -word, unless it can be read as options: a single letter (-r), letters of \
        options without a value, each once (-ra), or these followed by an option whose value fits or is the next argument \
        (-l20, -fjson, -rl 5). --word is always an option. Behind "--" everything is an argument: sbfs search -- -ra. \
        Commands that take items have no query among their arguments; there it is -q '-tag:keep'.
        """

    static let examples = [
        ("sbfs search '\"less salt\" OR pepper'", "a phrase, or a word"),
        ("sbfs list type:link 'tag:\"swift ui\"' created:2025", "links of a year with a tag of two words"),
        ("sbfs trash -q 'status:dead -is:pinned'", "what is dead, but for what is pinned"),
    ]

    /// `sbfs help query`.
    static var text: String {
        func table(_ rows: [(String, String)]) -> String {
            rows.map { "  " + TextWidth.pad($0, to: 21) + $1 + "\n" }.joined()
        }
        return "Queries\n\n" + table(words) + "\n" + HelpText.wrap(aboutWords) + "\n\nFilters:\n\n"
            + table(QueryWords.filters.map { ($0.example, $0.help) }) + "\n" + HelpText.wrap(aboutFilters) + "\n\n"
            + HelpText.wrap(aboutHyphens) + "\n\n"
    }
}
