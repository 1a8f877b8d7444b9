/// Help for people, made from the table of commands.
enum HelpText {
    /// The most important commands, by purpose. `commands` lists all.
    private static let essentials: [(purpose: String, names: [String])] = [
        ("Start", ["init"]),
        ("Add", ["add", "new", "import"]),
        ("Find", ["search", "list", "show", "open"]),
        ("Change", ["edit", "tag add", "undo", "trash"]),
    ]

    /// Families of commands and their purpose.
    private static let families = [
        "tag": "add, remove, rename and colour tags",
        "collection": "sort items into collections, and change collections",
        "smart": "save queries under names",
        "view": "show the library as a folder of files",
        "ai": "choose a model for suggest-tags and summarize",
        "service": "run sbfs watch after every login",
        "git": "keep the library in git",
        "remote": "name the exchanges through which this library syncs",
    ]

    private static let more = [
        ("sbfs help commands", "lists all commands"),
        ("sbfs help COMMAND", "explains a command, with examples"),
        ("sbfs help query", "explains searches and filters"),
        ("sbfs help items", "explains how to name an item: id, title, URL or @3"),
        ("sbfs help output", "explains output formats; see also exit-codes"),
    ]

    /// `sbfs help`: fits one screen of 80 columns and 24 lines.
    static func overview(_ style: Style) -> String {
        var text = """
            sbfs keeps snippets, links and documents in a folder of plain files.

            Usage: sbfs [--library DIR] COMMAND [ARGUMENTS]


            """
        for (purpose, names) in essentials {
            for (index, command) in names.compactMap(CommandTable.command(named:)).enumerated() {
                let left = TextWidth.pad(index == 0 ? purpose : "", to: 10)
                text += style.bold(left) + TextWidth.pad(command.name, to: 10) + command.summary + "\n"
            }
        }
        return text + "\n" + style.bold("More") + "\n" + entries(more, column: 22)
    }

    /// `sbfs help commands`: all commands by purpose.
    static func commands(_ style: Style) -> String {
        var text = ""
        for group in Command.Group.allCases {
            let commands = CommandTable.commands.filter { $0.group == group }
            if commands.isEmpty { continue }
            text +=
                style.bold(group.rawValue) + "\n" + entries(commands.map { ($0.name, $0.summary) }, column: 21) + "\n"
        }
        return text + "\"sbfs help COMMAND\" explains a command, with examples.\n"
    }

    /// `sbfs help tag`: the commands of a family on one screen.
    static func family(_ name: String, _ style: Style) -> String {
        let commands = CommandTable.commands.filter { $0.name.hasPrefix(name + " ") }
        var text = "sbfs \(name): \(families[name] ?? "")\n\n" + style.bold("Commands") + "\n"
        text += entries(commands.map { ($0.name, $0.summary) }, column: 21)
        text += "\n" + style.bold("Examples") + "\n"
        for command in commands.prefix(6) { text += command.examples.prefix(1).map { "  \($0.line)\n" }.joined() }
        return text + "\n\"sbfs help \(commands.first?.name ?? name)\" explains a command, with its options.\n"
    }

    static func command(_ command: Command, _ style: Style) -> String {
        var text = "sbfs \(command.name): \(command.summary.prefix(1).lowercased() + command.summary.dropFirst())\n\n"
        text +=
            style.bold("Usage") + "\n  sbfs \(command.name)\(command.arguments.isEmpty ? "" : " " + command.arguments)"
        text += (command.options.isEmpty ? "" : " [OPTIONS]") + "\n"
        if !command.details.isEmpty { text += "\n" + wrap(command.details) + "\n" }
        text += "\n" + style.bold("Examples") + "\n"
        for example in command.examples { text += "  \(example.line)\n      \(example.meaning)\n" }
        if !command.options.isEmpty { text += "\n" + style.bold("Options") + "\n" + options(command.options) }
        return text + "\n" + style.bold("Options of every command") + "\n" + options(Option.global)
    }

    private static func options(_ options: [Option]) -> String {
        entries(
            options.map { option in
                let names = (option.short.map { "-\($0), " } ?? "    ") + "--" + option.name
                return (names + (option.value.map { " " + $0 } ?? ""), option.help)
            }, column: 28)
    }

    /// Two columns within 80: names from column 3, meanings from `column`.
    static func entries(_ rows: [(name: String, meaning: String)], column: Int) -> String {
        let margin = "\n" + TextWidth.pad("", to: column)
        return rows.map { row in
            let name = "  " + row.name
            let start = TextWidth.of(name) < column ? TextWidth.pad(name, to: column) : name + margin
            return start
                + wrap(row.meaning, at: 80 - column).split(separator: "\n", omittingEmptySubsequences: false)
                .joined(separator: margin) + "\n"
        }.joined()
    }

    /// Breaks lines at a width. Continuations of an indented line are indented by two more.
    static func wrap(_ text: String, at columns: Int = 80) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if TextWidth.of(String(line)) <= columns { return String(line) }
            let margin = String(line.prefix { $0 == " " })
            var lines = [margin]
            for word in line.split(separator: " ") {
                let last = lines.count - 1
                let isFirst = lines[last].allSatisfy { $0 == " " }
                if !isFirst, TextWidth.of(lines[last]) + TextWidth.of(String(word)) + 1 > columns {
                    lines.append((margin.isEmpty ? "" : margin + "  ") + word)
                } else {
                    lines[last] += (isFirst ? "" : " ") + word
                }
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
