import StuffBucket

extension Commands {
    static let help = Command(
        "help", .help, "Explain a command or a topic", arguments: "[COMMAND|TOPIC]",
        details: """
            Topics: \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")).

            The manual has the pages sbfs, sbfs-query, sbfs-format, and one for each command (sbfs-add).
            """,
        options: [
            Option("man", "print the manual page instead, in troff"),
            Option("man-pages", value: "DIR", "write all manual pages into man1, man5 and man7 in DIR"),
        ],
        examples: [
            .init("sbfs help add", "a command"), .init("sbfs help query", "how queries are written"),
            .init("sbfs help --man format | man -l -", "what the files of a library hold"),
        ]
    ) { invocation in
        let name = invocation.positionals.joined(separator: " ")
        let text: String
        if let folder = invocation.value("man-pages") {
            try write(ManPage.all, to: folder)
            return .done
        }
        if invocation.has("man") {
            guard let page = ManPage.page(named: name) else {
                throw invocation.usage("the manual has no page \"\(name)\"")
            }
            text = page.text
        } else if name.isEmpty {
            text = HelpText.overview(invocation.style)
        } else if let topic = HelpTopic(rawValue: name) {
            text = topic.text(invocation.style)
        } else if CommandTable.families.contains(name) {
            text = HelpText.family(name, invocation.style)
        } else if name.count >= 3, CommandTable.command(named: name) == nil,
            let topic = HelpTopic.allCases.first(where: { $0.rawValue.hasPrefix(name.lowercased()) })
        {
            throw UsageError(
                "there is no command \"\(Printable.line(name))\"; did you mean \"sbfs help \(topic.rawValue)\"?")
        } else {
            text = HelpText.command(try CommandTable.find(invocation.positionals).command, invocation.style)
        }
        try invocation.output.write(Array(text.utf8))
        return .done
    }

    private static func write(_ pages: [ManPage], to folder: String) throws {
        for page in pages {
            let parts = page.path.split(separator: "/").map(String.init)
            let path = folder + "/" + parts[0]
            try LocalFolder(path).make()
            let file = try OutputFile(path + "/" + parts[1])
            try file.write(Array(page.text.utf8))
            try file.finish()
        }
    }

    static let version = Command(
        "version", .help, "Print the version", examples: [.init("sbfs version", "the program's version and format")]
    ) { invocation in
        try invocation.output.line(Version.text)
        return .done
    }

    static let completion = Command(
        "completion", .help, "Print completion for a shell", arguments: "bash|zsh|fish",
        details: """
            Completes commands, options, titles of items, rows of the last list (@3), tags, collections, filters and \
            words of the library. Case and diacritics do not count.
            """,
        examples: [
            .init("source <(sbfs completion bash)", "in ~/.bashrc"),
            .init("sbfs completion fish > ~/.config/fish/completions/sbfs.fish", "for fish"),
        ]
    ) { invocation in
        guard let shell = invocation.positionals.first, invocation.positionals.count == 1,
            let text = CompletionScript.text(for: shell)
        else { throw invocation.usage("which shell? bash, zsh or fish") }
        try invocation.output.write(Array(text.utf8))
        return .done
    }

    static let complete = Command(
        "complete", .help, "Complete a command line, for scripts", arguments: "-- WORD…",
        details: """
            The scripts of "sbfs completion" call this command. WORD… are the words after sbfs; the last one is \
            unfinished and may be empty. The first line is none, files or folders: whether names of files fit as well. \
            Then one line for each word that fits, with a tab and a description. An item whose title cannot be typed \
            as a name is offered by its id.

            With --bash, the argument is the whole line up to the cursor, sbfs included, and END is the end of it that \
            readline replaces. Each line of the answer is quoted for that place and has no description. With --all, \
            each is quoted for a line into which readline inserts all of them (Alt-*).
            """,
        options: [
            Option("bash", value: "END", "read a line of bash and quote the answers for it"),
            Option("all", "with --bash: readline inserts all answers"),
        ],
        examples: [
            .init("sbfs complete -- search tag:sw", "tags that begin with sw"),
            .init("sbfs complete -- open ''", "the latest items"),
            .init("sbfs complete --bash sw -- 'sbfs list tag:sw'", "what may take the place of sw"),
        ]
    ) { invocation in
        var words = invocation.positionals
        var line: BashLine?
        if let end = invocation.value("bash") {
            guard words.count == 1 else { throw invocation.usage("--bash takes one line") }
            let typed = BashLine(words[0], replacing: end, isForAll: invocation.has("all"))
            words = typed.words
            line = typed
        }
        // A line that names a library is completed from that one.
        var library: Library?
        if let place = words.firstIndex(where: { $0 == "--library" || $0.hasPrefix("--library=") }) {
            let path =
                words[place] == "--library" ? words.dropFirst(place + 1).first : String(words[place].dropFirst(10))
            var options = LibraryOptions()
            options.startSweep = {}
            library = path.flatMap { try? Library(path: LibraryLocation.expand($0), options) }
        } else {
            library = try? invocation.library()
        }
        let answer = CompletionRequest(words, LibraryNames(library)).answer()
        for text in line.map(answer.lines(for:)) ?? answer.lines { try invocation.output.line(text) }
        return .done
    }
}
