/// What help and the manual say about queries.
enum QueryHelp {
    static let words: [(example: String, meaning: String)] = [
        ("soup", "the word, and words that begin with it (words of one or two letters: only whole)"),
        ("soup salt", "both"),
        ("\"less salt\"", "exactly these words in a row"),
        ("sal*", "words that begin with sal"),
        ("soup OR stew", "one of them (also soup | stew); binds less than words side by side"),
        ("soup -salt", "without salt (also: soup not salt)"),
        ("(soup OR stew) salt", "parentheses"),
    ]

    static let aboutWords = """
        Case and diacritics do not count: lodz finds Łódź. Words are looked for in titles, tags, collections, \
        texts, saved pages, notes, URLs and file names. Parts of names count (bucket finds StuffBucket), and words \
        within scripts that have no spaces.
        """

    static let aboutFilters = """
        Filters stand with or without quotes around the value. \
        Dates are 2025, 2025-03, 2025-03-09, >2024, <2025-06-01, >=, <=, 2025-01..2025-03, today, yesterday, week, \
        month, year, in your time zone.

        Items in the trash are found only with trashcan, is:trashed or tag:trashcan. A query that does not fit this is \
        read as plain words; --explain says how it was read.
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
    }
}
