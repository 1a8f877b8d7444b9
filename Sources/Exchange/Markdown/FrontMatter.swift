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
                text.split(separator: ",").map { NetscapeBookmarks.trimmed(String($0)) }.filter { !$0.isEmpty }
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
            if line == "---" || line == "..." {
                close = start..<at
                // One empty line between the head and the text belongs to neither.
                end = at
                if at < bytes.count, bytes[at] == 0x0A { end += 1 }
                return
            }
            let trimmed = NetscapeBookmarks.trimmed(line)
            if trimmed.isEmpty {
                if isOpen { entries[entries.count - 1].lines = entries[entries.count - 1].lines.lowerBound..<at }
            } else if line.hasPrefix("#") {
                isOpen = false
                entries.append(Entry(key: "", value: nil, lines: start..<at))
            } else if line.first?.isWhitespace == true || trimmed.hasPrefix("- ") || trimmed == "-" {
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
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let name = String(line[..<colon]), rest = line[line.index(after: colon)...]
        if name.isEmpty || name.utf8.count > 100 || !(rest.isEmpty || rest.first?.isWhitespace == true) { return nil }
        return (name, NetscapeBookmarks.trimmed(String(rest)))
    }

    /// A value extended by a further line of a list; `nil` for any other line.
    private static func continued(_ value: Value?, _ line: String) -> Value? {
        if line.hasPrefix("#") { return value }
        guard line.hasPrefix("-"), let item = scalar(String(line.dropFirst())) else { return nil }
        switch value {
        case .list(let list)? where list.count < 1000: return .list(list + [item])
        case .text("")?: return .list([item])
        default: return nil
        }
    }

    private static func value(_ text: String) -> Value? {
        if text.hasPrefix("["), text.hasSuffix("]"), text.count >= 2 {
            var items: [String] = []
            for part in split(String(text.dropFirst().dropLast())) {
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
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "," {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    private static func scalar(_ text: String) -> String? {
        let text = NetscapeBookmarks.trimmed(text)
        guard let first = text.first else { return "" }
        if first == "\"" {
            guard text.count >= 2, text.hasSuffix("\"") else { return nil }
            var output = ""
            var isEscaped = false
            for character in text.dropFirst().dropLast() {
                if isEscaped {
                    switch character {
                    case "n": output += "\n"
                    case "t": output += "\t"
                    case "\"", "\\", "/": output.append(character)
                    default: return nil
                    }
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else {
                    output.append(character)
                }
            }
            return isEscaped ? nil : output
        }
        if first == "'" {
            guard text.count >= 2, text.hasSuffix("'") else { return nil }
            return text.dropFirst().dropLast().replacing(text: "''", with: "'")
        }
        // Block texts, maps, anchors and tags.
        if "|>{&*!%@`".contains(first) { return nil }
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
