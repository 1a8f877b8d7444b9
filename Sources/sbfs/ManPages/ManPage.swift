/// One page of the manual, in troff's man macros, from the same tables as help.
struct ManPage {
    /// `sbfs-tag-add`.
    let name: String
    let section: Int
    let text: String

    init(name: String, section: Int, text: String) {
        self.name = name
        self.section = section
        self.text = Troff.withoutEmptyParagraphs(text)
    }

    /// `man1/sbfs-tag-add.1`: its path in a folder of manual pages.
    var path: String { "man\(section)/\(name).\(section)" }

    static var all: [ManPage] {
        [program, format, query] + CommandTable.commands.map(command)
    }

    /// The page for `sbfs help --man NAME`: a command's words, `format` or `query`; without a name, the program's
    /// page.
    static func page(named name: String) -> ManPage? {
        if name.isEmpty { return program }
        let wanted = name.split(separator: " ").joined(separator: "-")
        return all.first { $0.name == wanted || $0.name == "sbfs-" + wanted }
    }

    static func name(of command: Command) -> String {
        "sbfs-" + command.name.split(separator: " ").joined(separator: "-")
    }

    // MARK: The program

    private static var program: ManPage {
        var text = Troff.title("sbfs", section: 1)
        text += """
            .SH NAME
            sbfs \\- keep snippets, links and documents in a folder of plain files
            .SH SYNOPSIS
            .B sbfs
            [\\fB\\-\\-library\\fR \\fIDIR\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]
            .SH DESCRIPTION
            A library is a folder: one directory per item with item.json, text, saved page and document. Any editor may
            change the files at any time; sbfs never overwrites such a change.
            .PP
            Without a command, sbfs shows the latest changes, collections and tags.

            """
        text += Troff.section("COMMANDS")
        for group in Command.Group.allCases {
            let commands = CommandTable.commands.filter { $0.group == group }
            if commands.isEmpty { continue }
            text += Troff.subsection(group.rawValue)
            for command in commands { text += Troff.entry(page: name(of: command), section: 1, command.summary + ".") }
        }
        text += Troff.section("OPTIONS OF EVERY COMMAND") + Option.global.map(Troff.entry).joined()
        for topic in [HelpTopic.items, .output] {
            text += Troff.section(topic.rawValue.uppercased()) + Troff.verbatim(topic.text(Style("never")))
        }
        text += Troff.section("EXIT STATUS")
        for status in ExitStatus.allCases { text += Troff.entry("\(status.rawValue)", status.meaning) }
        text += """
            .SH FILES
            .TP
            .I ~/StuffBucket
            the library, if no other is named
            .TP
            .I $XDG_CONFIG_HOME/sbfs/config.json
            settings of this device
            .TP
            .I $XDG_STATE_HOME/sbfs
            unfinished edits and the rows of the last lists
            .SH ENVIRONMENT
            .TP
            .B SBFS_LIBRARY
            the library
            .TP
            .B SBFS_OFFLINE
            if 1, sbfs uses no network
            .TP
            .B SBFS_NO_SWEEP
            if 1, a command that changed a library of more than 64 items starts no process that looks for changes by other programs
            .TP
            .B VISUAL, EDITOR
            the editor
            .TP
            .B PAGER
            shows texts that are longer than the terminal
            .TP
            .B NO_COLOR
            if set and not empty, no colours

            """
        text += Troff.seeAlso([("sbfs-query", 7), ("sbfs-format", 5)])
        return ManPage(name: "sbfs", section: 1, text: text)
    }

    // MARK: Commands

    private static func command(_ command: Command) -> ManPage {
        let name = name(of: command)
        var text = Troff.title(name, section: 1)
        text += Troff.section("NAME") + "\(Troff.escape(name)) \\- "
        text += Troff.escape(command.summary.prefix(1).lowercased() + command.summary.dropFirst()) + "\n"
        text += Troff.section("SYNOPSIS") + ".B \(Troff.escape(command.fullName))\n"
        if !command.options.isEmpty { text += "[\\fIOPTIONS\\fR]\n" }
        if !command.arguments.isEmpty { text += "\\fI\(Troff.escape(command.arguments))\\fR\n" }
        text += Troff.section("DESCRIPTION")
        text += command.details.isEmpty ? Troff.escape(command.summary) + ".\n" : Troff.paragraphs(command.details)
        if !command.options.isEmpty { text += Troff.section("OPTIONS") + command.options.map(Troff.entry).joined() }
        text += Troff.section("OPTIONS OF EVERY COMMAND") + Option.global.map(Troff.entry).joined()
        text += Troff.section("EXAMPLES")
        for example in command.examples {
            text += Troff.verbatim("  " + example.line) + Troff.escape(example.meaning) + ".\n"
        }
        text += Troff.seeAlso(
            [("sbfs", 1)] + (command.takesQuery ? [("sbfs-query", 7)] : []))
        return ManPage(name: name, section: 1, text: text)
    }

    // MARK: Queries

    private static var query: ManPage {
        var text = Troff.title("sbfs-query", section: 7)
        text += Troff.section("NAME") + "sbfs\\-query \\- queries for items\n"
        text += Troff.section("DESCRIPTION")
        text +=
            Troff.escape(
                """
                "sbfs search" and "sbfs list" take a query, every command takes one with --query, and a smart folder stores \
                one. sbfs joins the words on the command line with spaces. Put quotes around a query that contains quotes, so \
                that the shell does not remove them.
                """) + "\n"
        text += Troff.section("WORDS")
        for line in QueryHelp.words { text += Troff.entry(line.example, line.meaning + ".") }
        text += Troff.paragraph(QueryHelp.aboutWords)
        text += Troff.section("FILTERS")
        for filter in QueryWords.filters {
            text += Troff.entry(
                filter.example,
                filter.meaning + (filter.values.isEmpty ? "" : ": " + filter.values.joined(separator: ", "))
                    + ".")
        }
        text += Troff.paragraphs(QueryHelp.aboutFilters)
        text += Troff.section("HYPHENS") + Troff.paragraph(QueryHelp.aboutHyphens)
        text += Troff.section("EXAMPLES")
        for (line, meaning) in QueryHelp.examples {
            text += Troff.verbatim("  " + line) + Troff.escape(meaning) + ".\n"
        }
        text += Troff.seeAlso([("sbfs", 1), ("sbfs-search", 1), ("sbfs-list", 1)])
        return ManPage(name: "sbfs-query", section: 7, text: text)
    }
}
