/// The manual page sbfs(1), in troff's man macros, made from the table of commands.
enum ManPage {
    static var text: String {
        var page = """
            .TH SBFS 1 "\(Version.date)" "sbfs \(Version.number)" "User Commands"
            .SH NAME
            sbfs \\- keep snippets, links and documents in a folder of plain files
            .SH SYNOPSIS
            .B sbfs
            [\\fB\\-\\-library\\fR \\fIDIR\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]
            .SH DESCRIPTION
            A library is a folder: one directory per item with item.json, text, saved page and document. Any editor may
            change the files at any time; sbfs adds, finds and changes items without ever overwriting such a change.

            """
        page += ".SH COMMANDS\n"
        for command in CommandTable.commands {
            page += ".SS \"sbfs \(escape(command.name)) \(escape(command.arguments))\"\n"
            page += escape(command.summary) + ".\n"
            for paragraph in command.details.split(separator: "\n\n") {
                page += ".PP\n" + escape(String(paragraph)) + "\n"
            }
            for option in command.options { page += item(option) }
            for example in command.examples {
                page += ".PP\n.EX\n  \(escape(example.line))\n.EE\n\(escape(example.meaning)).\n"
            }
        }
        page += ".SH OPTIONS OF EVERY COMMAND\n" + Option.global.map(item).joined()
        for topic in HelpTopic.allCases where topic != .exitCodes {
            page += ".SH \(topic.rawValue.uppercased())\n.EX\n\(escape(topic.text)).EE\n"
        }
        page += ".SH EXIT STATUS\n"
        for status in ExitStatus.allCases { page += ".TP\n.B \(status.rawValue)\n\(escape(status.meaning))\n" }
        page += """
            .SH FILES
            .TP
            .I ~/StuffBucket
            the library, where none is named
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
            .B VISUAL, EDITOR
            the editor
            .TP
            .B NO_COLOR
            if set and not empty, no colours

            """
        return page
    }

    private static func item(_ option: Option) -> String {
        let short = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
        let value = option.value.map { " \\fI\(escape($0))\\fR" } ?? ""
        return ".TP\n\(short)\\fB\\-\\-\(escape(option.name))\\fR\(value)\n\(escape(option.help))\n"
    }

    /// troff reads a backslash, a hyphen, and a dot or quote at the beginning of a line.
    private static func escape(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let escaped = line.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
            return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
        }
        return lines.joined(separator: "\n")
    }
}
