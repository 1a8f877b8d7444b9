/// The head of a Markdown file between two lines of `---`: as much of YAML as programs write there.
///
/// `key: value`, quoted or not; lists as `[a, b]`, as indented or flush `- a` lines. Anything else (nested maps, block text,
/// anchors) is left alone, and the head then stays part of the text.
struct FrontMatter {
    enum Value: Equatable {
        case text(String)
        case list([String])

        var text: String? { if case .text(let text) = self, !text.isEmpty { text } else { nil } }
        /// A list, or one text that is split at commas.
        var list: [String] {
            switch self {
            case .list(let list): list
            case .text(let text):
                text.split(separator: ",").map { NetscapeBookmarks.trimmed(String($0)) }.filter { !$0.isEmpty }
            }
        }
    }

    private(set) var values: [(key: String, value: Value)] = []
    /// Where the text behind it begins.
    private(set) var end = 0

    /// A head of ordinary size has a few hundred bytes.
    private static let byteLimit = 65_536

    /// - Returns: `nil` where there is no head, or one that holds more than this reads.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: "---\n".utf8) || bytes.starts(with: "---\r\n".utf8) else { return nil }
        var at = (bytes.firstIndex(of: 0x0A) ?? 0) + 1
        var key: String?
        while at < min(bytes.count, Self.byteLimit) {
            let lineEnd = bytes[at...].firstIndex(of: 0x0A) ?? bytes.count
            var line = String(decoding: bytes[at..<lineEnd], as: UTF8.self)
            if line.utf8.last == 0x0D { line.unicodeScalars.removeLast() }
            at = min(lineEnd + 1, bytes.count)
            if line == "---" || line == "..." {
                // One empty line between the head and the text belongs to neither.
                if at < bytes.count, bytes[at] == 0x0A { at += 1 }
                end = at
                return
            }
            let trimmed = NetscapeBookmarks.trimmed(line)
            if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
            if trimmed.hasPrefix("- ") || trimmed == "-", let open = key,
                let index = values.lastIndex(where: { $0.key == open })
            {
                guard let item = Self.scalar(String(trimmed.dropFirst(2))) else { return nil }
                var list: [String] = []
                if case .list(let earlier) = values[index].value { list = earlier }
                if case .text(let text) = values[index].value, !text.isEmpty { return nil }
                guard list.count < 1000 else { return nil }
                values[index].value = .list(list + [item])
                continue
            }
            guard line.first?.isWhitespace == false, let colon = line.firstIndex(of: ":") else { return nil }
            let name = String(line[..<colon])
            let rest = NetscapeBookmarks.trimmed(String(line[line.index(after: colon)...]))
            guard !name.isEmpty, name.utf8.count <= 100, values.count < 100, let value = Self.value(rest) else {
                return nil
            }
            key = name
            values.append((name.lowercased(), value))
        }
        return nil
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

    /// Parts at commas outside of quotes.
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
            return text.dropFirst().dropLast().split(separator: "''", omittingEmptySubsequences: false).joined(
                separator: "'")
        }
        // Block texts, maps, anchors and tags.
        if "|>{&*!%@`".contains(first) { return nil }
        return text
    }

    // MARK: Writing

    /// A text in double quotes, which every reader of YAML takes.
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
