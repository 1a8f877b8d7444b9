/// The words of a command line, sorted into command, options and positional arguments.
///
/// `--name value`, `--name=value`, `-n value`, `-nvalue`, flags together as `-rQ`; `--` ends the options, a lone `-`
/// is an argument. Global options may precede the command. `LeadingHyphen` tells options from exclusions of a query.
struct ArgumentParser {
    let command: Command
    private(set) var values: [String: [String]] = [:]
    private(set) var positionals: [String] = []

    init(_ arguments: [String]) throws {
        var arguments = arguments
        var early: [String] = []
        while let first = arguments.first, first.hasPrefix("-"), first != "-", first != "--" {
            early.append(arguments.removeFirst())
            if let option = Self.option(first, in: Option.global), option.value != nil,
                !first.utf8.contains(UInt8(ascii: "=")),
                !arguments.isEmpty
            {
                early.append(arguments.removeFirst())
            }
        }
        if early.contains("--version") {
            command = Commands.version
        } else if arguments.isEmpty {
            command =
                early.isEmpty || !early.contains { $0 == "--help" || $0 == "-h" } ? Commands.overview : Commands.help
            try parse(early.filter { $0 != "--help" && $0 != "-h" })
        } else if arguments.count == 2, CommandTable.families.contains(arguments[0]),
            ["--help", "-h"].contains(arguments[1])
        {
            command = Commands.help
            try parse(early + [arguments[0]])
        } else {
            let (command, wordCount) = try CommandTable.find(arguments)
            self.command = command
            try parse(early + arguments.dropFirst(wordCount))
        }
    }

    /// Refuses an argument or a value without any character that can be seen: it is nearly always a variable of the shell
    /// that has no value, and a query without words would mean all items.
    private func refuseBlank() throws {
        func isBlank(_ word: String) -> Bool { word.allSatisfy(\.isWhitespace) }
        if !command.takesBlankArguments, let place = positionals.firstIndex(where: isBlank) {
            let which = positionals.count == 1 ? "the argument" : "argument \(place + 1) of \(positionals.count)"
            throw UsageError("\(which) is empty; leave it out, or say what is meant", command: command.name)
        }
        // A shell gives the word that is being typed, and what stands before it, as they are.
        if command.name == Commands.complete.name { return }
        for option in command.allOptions where option.value != nil && !option.takesBlank {
            if values[option.name]?.contains(where: isBlank) == true {
                throw UsageError(
                    "the value of --\(option.name) is empty; leave the option out, or give its \(option.value ?? "")",
                    command: command.name)
            }
        }
    }

    private static func option(_ word: String, in options: [Option]) -> Option? {
        if word.hasPrefix("--") {
            let name = String(word.unicodeScalars.dropFirst(2).prefix { $0 != "=" })
            return options.first { $0.name == name }
        }
        return options.first { $0.short == word.dropFirst().first }
    }

    private mutating func parse(_ words: [String]) throws {
        var index = 0
        var isOver = false
        while index < words.count {
            let word = words[index]
            index += 1
            if isOver || !word.hasPrefix("-") || word == "-" {
                positionals.append(word)
            } else if word == "--" {
                isOver = true
            } else if word.hasPrefix("--") {
                try parseLong(word, words, &index)
            } else {
                switch LeadingHyphen(word, of: command) {
                case .argument: positionals.append(word)
                case .options: try parseShort(word, words, &index)
                case .unknown(let letter): throw unknownOption("-\(letter)", in: word)
                case .mistaken(let option):
                    throw UsageError(
                        "the option is --\(option); to leave out the word, write the query after \"--\": -- \(word)",
                        command: command.name)
                case .either(let option, let value):
                    throw UsageError(
                        "\"\(word)\" is --\(option) \(value), or leaves out \"\(word.dropFirst())\"; write "
                            + "--\(option) \(value), or the query after \"--\": -- \(word)", command: command.name)
                }
            }
        }
        for option in command.allOptions where !option.isRepeatable && option.value != nil {
            if let given = values[option.name], given.count > 1 {
                throw UsageError("--\(option.name) was given more than once", command: command.name)
            }
        }
        try refuseBlank()
    }

    /// - Parameters:
    ///   - option: with its hyphens.
    ///   - word: the argument that contains it.
    private func unknownOption(_ option: String, in word: String) -> UsageError {
        let name = String(option.drop { $0 == "-" })
        let nearest = option.hasPrefix("--") ? Spelling.nearest(name, in: command.allOptions.map(\.name)) : nil
        let hint =
            if let nearest {
                "; did you mean \"--\(nearest)\"?"
            } else if LeadingHyphen.isFilter(word.dropFirst()),
                command.options.contains(where: { $0.name == Option.query.name })
            {
                "; a query goes with -q: -q '\(word)'"
            } else if command.takesQuery {
                "; to look for \(word), give it in both quotes: '\"\(word)\"'"
            } else {
                "; an argument that begins with \"-\" goes after \"--\""
            }
        return UsageError("\"\(command.fullName)\" has no option \"\(option)\"\(hint)", command: command.name)
    }

    private mutating func parseLong(_ word: String, _ words: [String], _ index: inout Int) throws {
        guard let option = Self.option(word, in: command.allOptions) else {
            throw unknownOption(String(word.unicodeScalars.prefix { $0 != "=" }), in: word)
        }
        // A combining mark behind the sign makes one character with it.
        let scalars = word.unicodeScalars
        let attached = scalars.firstIndex(of: "=").map { String(scalars[scalars.index(after: $0)...]) }
        if option.value == nil {
            if attached != nil { throw UsageError("--\(option.name) takes no value", command: command.name) }
            values[option.name, default: []].append("")
        } else {
            values[option.name, default: []].append(try attached ?? value(of: option, in: word, words, &index))
        }
    }

    private mutating func parseShort(_ word: String, _ words: [String], _ index: inout Int) throws {
        var rest = word.dropFirst()
        while let letter = rest.first {
            rest = rest.dropFirst()
            guard let option = command.allOptions.first(where: { $0.short == letter }) else {
                throw unknownOption("-\(letter)", in: word)
            }
            if option.value == nil {
                values[option.name, default: []].append("")
            } else {
                let given = rest.isEmpty ? try value(of: option, in: word, words, &index) : String(rest)
                values[option.name, default: []].append(given)
                return
            }
        }
    }

    /// - Parameter word: the argument that has the option.
    private func value(
        of option: Option, in word: String, _ words: [String], _ index: inout Int
    ) throws -> String {
        guard index < words.count else {
            let isPerhapsText = command.takesQuery && !word.hasPrefix("--") && word.count > 2
            // After "--", it would exclude the word.
            let hint = isPerhapsText ? "; to look for \(word), give it in both quotes: '\"\(word)\"'" : ""
            throw UsageError("--\(option.name) needs a value: \(option.value ?? "")\(hint)", command: command.name)
        }
        index += 1
        return words[index - 1]
    }
}
