import StuffBucket

/// An item.json as people read it in a difference: a field a line, and each tag and element of a list a line of its own.
enum ItemLines {
    /// The lines, safe to print; what is no JSON, as it is.
    static func text(_ bytes: [UInt8]) -> [UInt8] {
        guard let document = try? JSONDocument(parsing: bytes), document.kind(document.root) == .object else {
            return Printable.text(bytes)
        }
        var lines: [String] = []
        for member in document.members(document.root) {
            add(document.copy(member.value), as: document.string(member.key) ?? "", to: &lines)
        }
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    private static func add(_ value: JSON, as name: String, to lines: inout [String]) {
        let shown = Printable.line(name)
        switch value {
        case .array(let elements) where !elements.isEmpty:
            for element in elements { add(element, as: name, to: &lines) }
        case .object(let members) where !members.isEmpty:
            for member in members { add(member.value, as: name + "." + member.key, to: &lines) }
        case .string(let text) where isPlain(text):
            let parts = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
                Printable.text(String(decoding: $0, as: UTF8.self))
            }
            lines.append("\(shown): \(parts[0])")
            lines += parts.dropFirst().map { "    " + $0 }
        default: lines.append("\(shown): \(Printable.text(String(decoding: value.oneLine, as: UTF8.self)))")
        }
    }

    /// Whether a string needs no quotes: it cannot be taken for another value, and no white space hides at its ends.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last else { return false }
        if [0x20, 0x09, 0x0A, 0x0D].contains(first) || [0x20, 0x09].contains(last) { return false }
        guard let document = try? JSONDocument(parsing: Array(text.utf8)) else { return true }
        return document.kind(document.root) == .string && first != UInt8(ascii: "\"")
    }
}
