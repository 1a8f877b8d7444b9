import StuffBucket

/// A command line whose last word is being typed.
struct CompletionRequest {
    /// The words after `sbfs`, without quotes; the last one is unfinished.
    private let words: [String]
    private let names: any CompletionNames

    init(_ words: [String], _ names: any CompletionNames) {
        self.words = words.isEmpty ? [""] : words
        self.names = names
    }

    private var typed: String { words[words.count - 1] }

    func answer() -> CompletionAnswer {
        var rest = words.dropLast()[...]
        // Global options may precede the command.
        while let word = rest.first, word.hasPrefix("-") {
            rest = rest.dropFirst()
            guard let option = Self.option(word, in: Option.global), option.value != nil, !word.contains("=") else {
                continue
            }
            if rest.isEmpty { return values(option.value, typed) }
            rest = rest.dropFirst()
        }
        guard let first = rest.first else {
            return typed.hasPrefix("-") ? options(Option.global + [Option("version", "print the version")]) : verbs()
        }
        rest = rest.dropFirst()
        if let command = CommandTable.command(named: first), rest.isEmpty == false || !isFamily(first) {
            return arguments(of: command, behind: Array(rest))
        }
        if let second = rest.first, let command = CommandTable.command(named: first + " " + second) {
            return arguments(of: command, behind: Array(rest.dropFirst()))
        }
        var answer = CompletionAnswer()
        if rest.isEmpty { answer.candidates = seconds(of: first) }
        if let command = CommandTable.command(named: first) {
            let own = arguments(of: command, behind: Array(rest))
            answer.candidates += own.candidates
            answer.paths = own.paths
        }
        return answer
    }

    private func isFamily(_ verb: String) -> Bool { CommandTable.families.contains(verb) }

    // MARK: Commands

    private func verbs() -> CompletionAnswer {
        var candidates: [CompletionCandidate] = []
        for command in CommandTable.commands {
            let verb = String(command.name.prefix { $0 != " " })
            if !verb.hasPrefix(typed) || candidates.contains(where: { $0.word == verb }) { continue }
            let seconds = seconds(of: verb, beginning: "").map(\.word)
            candidates.append(
                CompletionCandidate(verb, command.name == verb ? command.summary : seconds.joined(separator: ", ")))
        }
        return CompletionAnswer(candidates: candidates)
    }

    private func seconds(of family: String) -> [CompletionCandidate] { seconds(of: family, beginning: typed) }

    private func seconds(of family: String, beginning: String) -> [CompletionCandidate] {
        CommandTable.commands.compactMap { command in
            guard command.name.hasPrefix(family + " ") else { return nil }
            let second = String(command.name.dropFirst(family.count + 1))
            return second.hasPrefix(beginning) ? CompletionCandidate(second, command.summary) : nil
        }
    }

    // MARK: Options

    private static func option(_ word: String, in options: [Option]) -> Option? {
        if word.hasPrefix("--") {
            let name = word.dropFirst(2).prefix { $0 != "=" }
            return options.first { $0.name == name }
        }
        return word.count == 2 ? options.first { $0.short == word.last } : nil
    }

    private func options(_ options: [Option]) -> CompletionAnswer {
        CompletionAnswer(
            candidates: options.map { CompletionCandidate("--" + $0.name, $0.help) }
                .filter { $0.word.hasPrefix(typed) })
    }

    private func arguments(of command: Command, behind words: [String]) -> CompletionAnswer {
        var positionals: [String] = []
        var isOver = false
        var open: Option?
        var hasQuery = false
        for word in words {
            if let option = open {
                if option.name == Option.query.name { hasQuery = true }
                open = nil
            } else if word == "--" {
                isOver = true
            } else if !isOver, word.hasPrefix("-"), word.count > 1 {
                let option = Self.option(word, in: command.allOptions)
                open = option?.value != nil && !word.contains("=") ? option : nil
                if option?.name == Option.query.name, open == nil { hasQuery = true }
            } else {
                positionals.append(word)
            }
        }
        if let open { return values(of: open, in: command, typed) }
        if !isOver, typed.hasPrefix("-") {
            if let equals = typed.firstIndex(of: "="), let option = Self.option(typed, in: command.allOptions) {
                let value = String(typed[typed.index(after: equals)...])
                return values(of: option, in: command, value).behind(String(typed[...equals]))
            }
            let answer = options(command.allOptions)
            // A query may start with an exclusion.
            if !answer.candidates.isEmpty || !command.takesQuery { return answer }
        }
        var answer = places(of: command, positionals, hasQuery: hasQuery)
        // A name that starts with a hyphen would be read as an option.
        if !isOver, !typed.hasPrefix("-") { answer.candidates.removeAll { $0.word.hasPrefix("-") } }
        return answer
    }

    // MARK: Values

    /// The values for a positional argument. The names of arguments in the help decide.
    private func places(of command: Command, _ positionals: [String], hasQuery: Bool) -> CompletionAnswer {
        let places = command.arguments.split(whereSeparator: { $0 == " " }).map { place in
            place.filter { !"[]…|".contains($0) || $0 == "|" }
        }
        var answer = CompletionAnswer()
        if places.isEmpty { return answer }
        let repeats = command.arguments.contains("…")
        if !repeats, positionals.count >= places.count { return answer }
        // "ITEM… TAGS": the last word is of another kind, and any word but the first may be the last.
        var wanted: [String]
        if positionals.isEmpty {
            wanted = [places[0]]
            if places.count > 1, hasQuery { wanted = [places[1]] }
        } else if repeats {
            wanted = Array(places.reversed())
        } else {
            wanted = [places[positionals.count]]
        }
        for place in wanted {
            for name in place.split(separator: "|") {
                answer.add(values(Self.named(String(name), in: command), typed))
            }
        }
        return answer
    }

    /// The kind of a name, from the family of the command.
    private static func named(_ place: String, in command: Command) -> String {
        guard ["NAME", "NAMES", "OLD", "NEW", "INTO"].contains(place) else { return place }
        if command.name.hasPrefix("tag ") { return "TAG" }
        if command.name.hasPrefix("smart ") { return "SMART" }
        return place == "NAMES" ? place : "COLLECTION"
    }

    private func values(of option: Option, in command: Command, _ typed: String) -> CompletionAnswer {
        // Export has other formats than lists.
        if option.value == "FORMAT", command.name == Commands.export.name {
            return words(ExportFormat.allCases.map(\.rawValue), typed)
        }
        return values(option.value, typed)
    }

    /// - Parameter name: the value's name in help.
    private func values(_ name: String?, _ typed: String) -> CompletionAnswer {
        switch name {
        case "ITEM": return CompletionAnswer(candidates: names.items(beginning: typed))
        case "TAG": return CompletionAnswer(candidates: names.tags(beginning: typed))
        case "TAGS": return list(typed) { names.tags(beginning: $0) }
        case "COLLECTION", "PARENT": return CompletionAnswer(candidates: names.collections(beginning: typed))
        case "NAMES": return list(typed) { names.collections(beginning: $0) }
        case "SMART": return CompletionAnswer(candidates: names.smartFolders(beginning: typed))
        case "QUERY": return QueryCompletion(typed, names).answer()
        case "FILE", "TAR", "URL": return CompletionAnswer(paths: .files)
        case "DIR", "FOLDER": return CompletionAnswer(paths: .folders)
        case "TEXT", "TITLE", "N", "SECONDS", "PREFIX", "VALUE", "-", nil: return CompletionAnswer()
        case "PROFILE": return words(ViewProfile.allCases.map(\.rawValue), typed)
        case "MODE": return words(ViewMode.allCases.map(\.rawValue), typed)
        case "COMMAND": return verbs()
        case "REMOTE": return words(Remotes.allNames(), typed)
        case "TOPIC": return words(HelpTopic.allCases.map(\.rawValue), typed)
        case "KEY":
            return words(
                LibraryFile.Setting.allCases.map(\.rawValue) + LocalSettings.Key.allCases.map(\.rawValue), typed)
        case "FIELD=VALUE": return words(ItemField.allCases.filter { !$0.isManaged }.map { $0.key + "=" }, typed)
        case "WHEN": return words(["auto", "always", "never"], typed)
        case "COLOUR": return words(Colour.Name.allCases.map(\.rawValue) + ["none"], typed)
        case "FORMAT": return words(ItemFormat.allCases.map(\.rawValue), typed)
        case "ORDER": return words(ItemRequest.Order.ofLists.map(\.rawValue), typed)
        case .some(let word):
            // Literal alternatives: bash|zsh|fish.
            return words(word.allSatisfy { $0.isLowercase || $0 == "-" } ? [word] : [], typed)
        }
    }

    private func words(_ words: [String], _ typed: String) -> CompletionAnswer {
        CompletionAnswer(candidates: words.filter { $0.hasPrefix(typed) }.map { CompletionCandidate($0) })
    }

    /// Completes the last of several names separated by commas.
    private func list(
        _ typed: String, _ names: (String) -> [CompletionCandidate]
    ) -> CompletionAnswer {
        let start = typed.lastIndex(of: ",").map { typed.index(after: $0) } ?? typed.startIndex
        let rest = typed[start...].drop { $0 == " " }
        let given = typed[..<rest.startIndex]
        // A comma would separate two names, and the first # is dropped.
        let candidates = names(String(rest)).filter { !$0.word.contains(",") }.map {
            CompletionCandidate(($0.word.hasPrefix("#") ? "#" : "") + $0.word, $0.note)
        }
        return CompletionAnswer(candidates: candidates).behind(String(given))
    }
}

extension CompletionAnswer {
    /// The answer with already typed text before each word.
    func behind(_ given: String) -> CompletionAnswer {
        var answer = self
        answer.candidates = candidates.map { CompletionCandidate(given + $0.word, $0.note) }
        return answer
    }

    mutating func add(_ other: CompletionAnswer) {
        for candidate in other.candidates where !candidates.contains(candidate) { candidates.append(candidate) }
        if other.paths != .none { paths = other.paths }
    }
}
