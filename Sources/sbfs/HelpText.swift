/// Help for people, made from the table of commands.
enum HelpText {
    static func overview(_ style: Style) -> String {
        var text = """
            sbfs keeps snippets, links and documents in a folder of plain files.

            Usage: sbfs [--library DIR] COMMAND [ARGUMENTS]

            """
        for group in Command.Group.allCases {
            let commands = CommandTable.commands.filter { $0.group == group }
            if commands.isEmpty { continue }
            text += "\n" + style.bold(group.rawValue) + "\n"
            for command in commands { text += "  " + TextWidth.pad(command.name, to: 19) + command.summary + "\n" }
        }
        return text + """

            An ITEM is an id or at least four digits of it, a title, a URL, or @3: row 3 of this terminal's last list.
            "sbfs help COMMAND" explains a command, "sbfs help query" how to search. Topics: \
            \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")).

            """
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
        options.map { option in
            let names = (option.short.map { "-\($0), " } ?? "    ") + "--" + option.name
            let left = names + (option.value.map { " " + $0 } ?? "")
            return "  "
                + (TextWidth.of(left) < 26 ? TextWidth.pad(left, to: 26) : left + "\n" + TextWidth.pad("", to: 28))
                + option.help + "\n"
        }.joined()
    }

    /// Breaks paragraphs at some columns; indented lines stay as they are.
    static func wrap(_ text: String, at columns: Int = 80) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix(" ") { return String(line) }
            var lines = [""]
            for word in line.split(separator: " ") {
                let last = lines.count - 1
                if TextWidth.of(lines[last]) + TextWidth.of(String(word)) + 1 > columns {
                    lines.append(String(word))
                } else {
                    lines[last] += (lines[last].isEmpty ? "" : " ") + word
                }
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
