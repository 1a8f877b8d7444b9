import StuffBucket

/// The words of a command line, sorted into a verb, options and positional arguments.
///
/// `--name value`, `--name=value`, `-n value`, `-nvalue`, flags together as `-rQ`; `--` ends the options, a lone `-` is an
/// argument. Global options may stand before the verb. Where a query is taken, `-soup` is a word that it leaves out: of letters
/// together only flags (`-rQ`), a number behind its option (`-l20`) and a value that it knows (`-fjson`) are options there.
struct ArgumentParser {
    let command: Command
    private(set) var values: [String: [String]] = [:]
    private(set) var positionals: [String] = []

    init(_ arguments: [String]) throws {
        var arguments = arguments
        var early: [String] = []
        while let first = arguments.first, first.hasPrefix("-"), first != "-", first != "--" {
            early.append(arguments.removeFirst())
            if let option = Self.option(first, in: Option.global), option.value != nil, !first.contains("="),
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
        } else {
            let (command, wordCount) = try CommandTable.find(arguments)
            self.command = command
            try parse(early + arguments.dropFirst(wordCount))
        }
    }

    private static func option(_ word: String, in options: [Option]) -> Option? {
        if word.hasPrefix("--") {
            let name = word.dropFirst(2).prefix { $0 != "=" }
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
            if isOver || !word.hasPrefix("-") || word == "-" || isNumber(word) || isLeftOut(word) {
                positionals.append(word)
            } else if word == "--" {
                isOver = true
            } else if word.hasPrefix("--") {
                try parseLong(word, words, &index)
            } else {
                try parseShort(word, words, &index)
            }
        }
        for option in command.allOptions where !option.isRepeatable && option.value != nil {
            if let given = values[option.name], given.count > 1 {
                throw UsageError("--\(option.name) was given more than once", command: command.name)
            }
        }
    }

    private func isNumber(_ word: String) -> Bool { word.dropFirst().allSatisfy(\.isNumber) }

    /// Whether a word is one that a query leaves out.
    private func isLeftOut(_ word: String) -> Bool {
        guard command.arguments.contains("QUERY"), !word.hasPrefix("--"), word.count > 2 else { return false }
        var rest = word.dropFirst()
        while let letter = rest.popFirst() {
            guard let option = command.allOptions.first(where: { $0.short == letter }) else { return true }
            if let value = option.value {
                return !(rest.allSatisfy(\.isNumber) || Self.choices(value).contains(String(rest)))
            }
        }
        return false
    }

    /// - Parameter value: what help calls the value.
    private static func choices(_ value: String) -> [String] {
        switch value {
        case "FORMAT": ItemFormat.allCases.map(\.rawValue)
        case "ORDER": ListRequest.Order.allCases.map(\.rawValue)
        default: []
        }
    }

    private mutating func parseLong(_ word: String, _ words: [String], _ index: inout Int) throws {
        guard let option = Self.option(word, in: command.allOptions) else {
            let name = String(word.dropFirst(2).prefix { $0 != "=" })
            let nearest = Spelling.nearest(name, in: command.allOptions.map(\.name))
            throw UsageError(
                "\"\(command.fullName)\" has no option \"--\(name)\""
                    + (nearest.map { "; did you mean \"--\($0)\"?" } ?? ""), command: command.name)
        }
        let attached = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
        if option.value == nil {
            if attached != nil { throw UsageError("--\(option.name) takes no value", command: command.name) }
            values[option.name, default: []].append("")
        } else {
            values[option.name, default: []].append(try attached ?? value(of: option, words, &index))
        }
    }

    private mutating func parseShort(_ word: String, _ words: [String], _ index: inout Int) throws {
        var rest = word.dropFirst()
        while let letter = rest.first {
            rest = rest.dropFirst()
            guard let option = command.allOptions.first(where: { $0.short == letter }) else {
                throw UsageError("\"\(command.fullName)\" has no option \"-\(letter)\"", command: command.name)
            }
            if option.value == nil {
                values[option.name, default: []].append("")
            } else {
                let given = rest.isEmpty ? try value(of: option, words, &index) : String(rest)
                values[option.name, default: []].append(given)
                return
            }
        }
    }

    private func value(of option: Option, _ words: [String], _ index: inout Int) throws -> String {
        guard index < words.count else {
            throw UsageError("--\(option.name) needs a value: \(option.value ?? "")", command: command.name)
        }
        index += 1
        return words[index - 1]
    }
}
