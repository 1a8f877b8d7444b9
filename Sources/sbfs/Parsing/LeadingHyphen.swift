import StuffBucket

/// What a word of a command line is that begins with one hyphen and goes on.
///
/// Where the command takes a query, `-word` leaves the word out. It is an option there if
/// - it is a single letter, known or not;
/// - it is letters of options that take no value, each once (`-ra`; `-h` only alone);
/// - such letters, or none, are followed by the letter of an option with a value, and the value is the next
///   argument (`-rl 5`) or fits: a number for N (`-l20`), a known word for FORMAT and ORDER (`-fjson`).
/// If the value may be anything (`-oFILE`), the argument could also be a word: that is an error. `-FILTER:…`, and a
/// hyphen before anything but an ASCII letter, is part of the query.
///
/// Elsewhere every such word is made of options. A hyphen and digits alone are an argument everywhere.
enum LeadingHyphen: Equatable {
    case options
    case argument
    /// The first letter that is no option.
    case unknown(Character)
    /// An option with its value, or a word that a query leaves out.
    case either(option: String, value: String)

    /// - Parameter word: a hyphen and at least one character that is none.
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

    /// Whether a word is a filter that is known, with its colon.
    static func isFilter(_ word: some StringProtocol) -> Bool {
        word.firstIndex(of: ":").map { FilterName.all.contains(word[..<$0].lowercased()) } ?? false
    }

    /// - Parameter value: what help calls the value.
    private static func choices(_ value: String) -> [String] {
        value == "FORMAT"
            ? ItemFormat.allCases.map(\.rawValue) + ExportFormat.allCases.map(\.rawValue)
            : ItemRequest.Order.allCases.map(\.rawValue)
    }
}

extension Command {
    /// Whether arguments are a query.
    var takesQuery: Bool { arguments.contains("QUERY") }
}
