import StuffBucket

extension Commands {
    static let help = Command(
        "help", .help, "Explain a command or a topic", arguments: "[COMMAND|TOPIC]",
        details: "Topics: \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")).",
        options: [Option("man", "print the manual page instead, in troff")],
        examples: [.init("sbfs help add", "a command"), .init("sbfs help query", "how queries are written")]
    ) { invocation in
        let name = invocation.positionals.joined(separator: " ")
        let text: String
        if invocation.has("man") {
            text = ManPage.text
        } else if name.isEmpty {
            text = HelpText.overview(invocation.style)
        } else if let topic = HelpTopic(rawValue: name) {
            text = topic.text
        } else if CommandTable.families.contains(name) {
            text = CommandTable.commands.filter { $0.name.hasPrefix(name + " ") }
                .map { HelpText.command($0, invocation.style) }.joined(separator: "\n")
        } else {
            text = HelpText.command(try CommandTable.find(invocation.positionals).command, invocation.style)
        }
        try invocation.output.write(Array(text.utf8))
        return .done
    }

    static let version = Command(
        "version", .help, "Print the version", examples: [.init("sbfs version", "the program's version and format")]
    ) { invocation in
        try invocation.output.line(Version.text)
        return .done
    }

    static let completion = Command(
        "completion", .help, "Print completion for a shell", arguments: "bash|zsh|fish",
        details: "Completes commands and options.",
        examples: [
            .init("source <(sbfs completion bash)", "in ~/.bashrc"),
            .init("sbfs completion fish > ~/.config/fish/completions/sbfs.fish", "for fish"),
        ]
    ) { invocation in
        guard let shell = invocation.positionals.first, invocation.positionals.count == 1,
            let text = Completion.text(for: shell)
        else { throw invocation.usage("which shell? bash, zsh or fish") }
        try invocation.output.write(Array(text.utf8))
        return .done
    }
}
