internal import Characters

/// The head of a Markdown file between two lines of `---`: the part of YAML that programs write there.
///
/// `key: value`, quoted or not; lists as `[a, b]`, as indented or flush `- a` lines. Anything else (nested maps,
/// block text, anchors) is kept as lines.
struct FrontMatter {
    enum Value: Equatable {
        case text(String)
        case list([String])

        var text: String? { if case .text(let text) = self, !text.isEmpty { text } else { nil } }
        /// A list, or one text split at commas.
        var list: [String] {
            switch self {
            case .list(let list): list
            case .text(let text):
                text.split(ascii: ",").map(ImportText.trimmed).filter { !$0.isEmpty }
            }
        }
    }

    /// A key with its value, or a comment.
    struct Entry {
        /// In lower case; empty for a comment.
        let key: String
        /// `nil` for a value that is not parsed: a nested map, a block text, a comment.
        var value: Value?
        /// Its lines, including line ends.
        var lines: Range<Int>
    }

    private(set) var entries: [Entry] = []
    /// The line that ends the head.
    private(set) var close = 0..<0
    /// The start of the text after it.
    private(set) var end = 0

    /// An ordinary head has a few hundred bytes.
    private static let byteLimit = 65_536

    /// Whether a file begins with a line `---` and has another one: what looks like a head, whether it is one or not.
    static func isMeant(_ bytes: [UInt8]) -> Bool {
        var lines = bytes.prefix(byteLimit).split(separator: 0x0A, omittingEmptySubsequences: false)[...]
        func isRule(_ line: ArraySlice<UInt8>) -> Bool {
            line.elementsEqual("---".utf8) || line.elementsEqual("---\r".utf8)
        }
        guard let first = lines.popFirst(), isRule(first) else { return false }
        return lines.first?.contains(UInt8(ascii: ":")) == true && lines.contains(where: isRule)
    }

    /// - Returns: `nil` if there is no head: all lines must be keys, values and comments.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: "---\n".utf8) || bytes.starts(with: "---\r\n".utf8) else { return nil }
        var at = (bytes.firstIndex(of: 0x0A) ?? 0) + 1
        var isOpen = false
        while at < min(bytes.count, Self.byteLimit) {
            let start = at
            let lineEnd = bytes[at...].firstIndex(of: 0x0A) ?? bytes.count
            var line = String(decoding: bytes[at..<lineEnd], as: UTF8.self)
            if line.utf8.last == 0x0D { line.unicodeScalars.removeLast() }
            at = min(lineEnd + 1, bytes.count)
            if ["---", "..."].contains(line.word) {
                close = start..<at
                // One empty line between the head and the text belongs to neither.
                end = at
                if at < bytes.count, bytes[at] == 0x0A { end += 1 }
                return
            }
            let trimmed = ImportText.trimmed(line)
            if trimmed.isEmpty {
                if isOpen { entries[entries.count - 1].lines = entries[entries.count - 1].lines.lowerBound..<at }
            } else if line.utf8.first == UInt8(ascii: "#") {
                isOpen = false
                entries.append(Entry(key: "", value: nil, lines: start..<at))
            } else if line.first?.isWhitespace == true || trimmed.utf8.starts(with: "- ".utf8) || trimmed.word == "-" {
                guard isOpen else { return nil }
                var entry = entries[entries.count - 1]
                entry.lines = entry.lines.lowerBound..<at
                entry.value = Self.continued(entry.value, trimmed)
                entries[entries.count - 1] = entry
            } else {
                guard let (key, rest) = Self.key(line), entries.count < 200 else { return nil }
                isOpen = true
                entries.append(Entry(key: key.lowercased(), value: Self.value(rest), lines: start..<at))
            }
        }
        return nil
    }

    /// `key: value` or `key:`.
    private static func key(_ line: String) -> (key: String, rest: String)? {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = String(line[..<colon]), rest = Substring(line.utf8[colon...].dropFirst())
        if name.isEmpty || name.utf8.count > 100 || !(rest.isEmpty || rest.first?.isWhitespace == true) { return nil }
        return (name, ImportText.trimmed(String(rest)))
    }

    /// A value extended by a further line of a list; `nil` for any other line.
    private static func continued(_ value: Value?, _ line: String) -> Value? {
        if line.utf8.first == UInt8(ascii: "#") { return value }
        guard line.utf8.first == UInt8(ascii: "-"), let item = scalar(String(Substring(line.utf8.dropFirst()))) else {
            return nil
        }
        switch value {
        case .list(let list)? where list.count < 1000: return .list(list + [item])
        case .text(let text)? where text.isEmpty: return .list([item])
        default: return nil
        }
    }

    private static func value(_ text: String) -> Value? {
        if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]"), text.utf8.count >= 2 {
            var items: [String] = []
            for part in split(String(Substring(text.utf8.dropFirst().dropLast()))) {
                guard let item = scalar(part) else { return nil }
                if !item.isEmpty { items.append(item) }
            }
            return .list(items)
        }
        return scalar(text).map { .text($0) }
    }

    /// Parts separated by commas outside of quotes.
    private static func split(_ text: String) -> [String] {
        var parts = [""]
        var quote: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
            } else if scalar == "," {
                parts.append("")
                continue
            }
            parts[parts.count - 1].unicodeScalars.append(scalar)
        }
        return parts
    }

    private static func scalar(_ text: String) -> String? {
        let text = ImportText.trimmed(text)
        let scalars = text.unicodeScalars
        guard let first = scalars.first else { return "" }
        if first == "\"" {
            guard scalars.count >= 2, scalars.last == "\"" else { return nil }
            var output = "".unicodeScalars
            var isEscaped = false
            for scalar in scalars.dropFirst().dropLast() {
                if isEscaped {
                    switch scalar {
                    case "n": output.append("\n")
                    case "t": output.append("\t")
                    case "\"", "\\", "/": output.append(scalar)
                    default: return nil
                    }
                    isEscaped = false
                } else if scalar == "\\" {
                    isEscaped = true
                } else {
                    output.append(scalar)
                }
            }
            return isEscaped ? nil : String(output)
        }
        if first == "'" {
            guard scalars.count >= 2, scalars.last == "'" else { return nil }
            return String(scalars.dropFirst().dropLast()).replacing(text: "''", with: "'")
        }
        // Block texts, maps, anchors and tags.
        if "|>{&*!%@`".unicodeScalars.contains(first) { return nil }
        return text
    }

    // MARK: Writing

    /// A text in double quotes, which every YAML reader accepts.
    static func quoted(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\t": output += "\\t"
            default: if scalar.value >= 0x20 { output.unicodeScalars.append(scalar) }
            }
        }
        return output + "\""
    }
}
