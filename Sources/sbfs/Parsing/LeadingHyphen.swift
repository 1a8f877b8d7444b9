import StuffBucket

/// The meaning of a word of a command line that starts with one hyphen and continues.
///
/// If the command takes a query, `-word` excludes the word. It is an option there if
/// - it is a single letter, known or not;
/// - it consists of letters of options without a value, each once (`-ra`; `-h` only alone);
/// - such letters, or none, are followed by the letter of an option with a value, and the value is the next argument
///   (`-rl 5`) or fits: a number for N (`-l20`), a known word for FORMAT and ORDER (`-fjson`). If the value may be
///   anything (`-oFILE`), the argument could also be a word: that is an error. `-FILTER:…`, and a hyphen before
///   anything but an ASCII letter, is part of the query.
///
/// In other commands every such word consists of options. A hyphen and digits are an argument in all commands.
enum LeadingHyphen: Equatable {
    case options
    case argument
    /// The first letter that is no option.
    case unknown(Character)
    /// An option with its value, or a word that a query excludes.
    case either(option: String, value: String)
    /// The name of an option that takes a value, behind one hyphen, or a word that a query excludes.
    case mistaken(option: String)

    /// - Parameter word: a hyphen and at least one other character.
    init(_ word: String, of command: Command) {
        let body = word.dropFirst()
        if body.allSatisfy(\.isNumber) {
            self = .argument
        } else if command.takesQuery, Self.isFilter(body) || body.first.map({ !$0.isASCII || !$0.isLetter }) ?? false {
            self = .argument
        } else if !command.takesQuery || body.count == 1 {
            let letter = body.first ?? "-"
            self = command.allOptions.contains { $0.short == letter } ? .options : .unknown(letter)
        } else {
            self = Self.options(body, of: command)
            if self == .argument, command.allOptions.contains(where: { $0.name == body && $0.value != nil }) {
                self = .mistaken(option: String(body))
            }
        }
    }

    private static func options(_ body: Substring, of command: Command) -> LeadingHyphen {
        var seen: Set<Character> = []
        var rest = body
        while let letter = rest.popFirst() {
            guard letter != "h", seen.insert(letter).inserted,
                let option = command.allOptions.first(where: { $0.short == letter })
            else { return .argument }
            guard let value = option.value else { continue }
            if rest.isEmpty { return .options }
            switch value {
            case "N": return rest.allSatisfy(\.isNumber) ? .options : .argument
            case "FORMAT", "ORDER": return choices(value).contains(String(rest)) ? .options : .argument
            default: return .either(option: option.name, value: String(rest))
            }
        }
        return .options
    }

    /// Whether a word starts with a known filter and its colon.
    static func isFilter(_ word: some StringProtocol) -> Bool {
        word.unicodeScalars.firstIndex(of: ":").map { FilterName.all.contains(word[..<$0].lowercased()) } ?? false
    }

    /// - Parameter value: the value's name in help.
    private static func choices(_ value: String) -> [String] {
        value == "FORMAT"
            ? ItemFormat.allCases.map(\.rawValue) + ExportFormat.allCases.map(\.rawValue)
            : ItemRequest.Order.allCases.map(\.rawValue)
    }
}

extension Command {
    /// Whether the arguments are a query.
    var takesQuery: Bool { arguments.split { !$0.isLetter }.contains("QUERY") }
}
