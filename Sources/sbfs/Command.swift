/// One command: the entry of the table behind parsing, help, man pages and completion.
struct Command: Sendable {
    /// The person's purpose; in the order of help.
    enum Group: String, CaseIterable, Sendable {
        case start = "Start"
        case keep = "Keep something"
        case find = "Find it again"
        case change = "Change it"
        case order = "Put things in order"
        case remove = "Remove it"
        case care = "Look after the library"
        case tools = "Without a library"
        case help = "Help"
    }

    struct Example: Sendable {
        let line: String
        let meaning: String

        init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// One or two words: `add`, `tag rm`.
    let name: String
    let group: Group
    /// One line, without a full stop.
    let summary: String
    /// The positional arguments, as help shows them.
    let arguments: String
    /// The details, in paragraphs of plain text.
    let details: String
    let options: [Option]
    let examples: [Example]
    let run: @Sendable (Invocation) throws -> ExitStatus

    init(
        _ name: String, _ group: Group, _ summary: String, arguments: String = "", details: String = "",
        options: [Option] = [], examples: [Example], run: @escaping @Sendable (Invocation) throws -> ExitStatus
    ) {
        self.name = name
        self.group = group
        self.summary = summary
        self.arguments = arguments
        self.details = details
        self.options = options
        self.examples = examples
        self.run = run
    }

    /// `sbfs add`; `sbfs` for the overview.
    var fullName: String { name.isEmpty ? "sbfs" : "sbfs " + name }

    var allOptions: [Option] { options + Option.global }

    /// Whether an empty argument means something: no title, no tags, no value, or the word that is being typed.
    var takesBlankArguments: Bool {
        ["title", "append", "tag set", "collection set", "config", "complete"].contains(name)
    }
}

/// An option of a command.
struct Option: Sendable {
    /// Without the hyphens.
    let name: String
    let short: Character?
    /// The value's name in help; `nil` for a flag.
    let value: String?
    let help: String
    let isRepeatable: Bool

    init(_ name: String, short: Character? = nil, value: String? = nil, isRepeatable: Bool = false, _ help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
        self.isRepeatable = isRepeatable
    }

    /// Whether an empty value says that there is none.
    var takesBlank: Bool { ["title", "comment", "tag"].contains(name) }

    static let global: [Option] = [
        Option("library", value: "DIR", "the library; else $SBFS_LIBRARY, the folder above, or ~/StuffBucket"),
        Option("offline", "use no network; so does SBFS_OFFLINE=1"),
        Option("quiet", short: "Q", "print only errors on standard error"),
        Option("color", value: "WHEN", "auto, always or never (auto; obeys NO_COLOR)"),
        Option("help", short: "h", "show this help"),
    ]

    static let dryRun = Option("dry-run", short: "n", "show the changes and write nothing")
    static let yes = Option("yes", short: "y", "answer yes to questions")
    static let query = Option("query", short: "q", value: "QUERY", "use the items that match QUERY")
    static let format = Option("format", short: "f", value: "FORMAT", "table, card, tsv, json or ndjson")
    static let json = Option("json", "print a JSON array")
    static let ndjson = Option("ndjson", "print one JSON object a line")
    static let ids = Option("ids", "print ids only")
    static let explain = Option("explain", "print on standard error how the query was read")
    static let sort = Option("sort", short: "s", value: "ORDER", "overview, recent, newest, oldest, title or manual")
    static let reverse = Option("reverse", short: "r", "reverse the order")
    static let fresh = Option("fresh", "wait until the index has every change of the files")
    static let limit = Option("limit", short: "l", value: "N", "show at most N items")
}
