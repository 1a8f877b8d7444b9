/// Code in Markdown.
enum MarkdownCode {
    /// The language that a `class` names, such as `language-swift`; `nil` if it names none that can stand at a fence.
    static func language(ofClass names: String) -> [UInt8]? {
        for name in names.split(separator: " ") {
            for prefix in ["language-", "lang-"] where name.hasPrefix(prefix) {
                let name = name.dropFirst(prefix.count)
                let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "`") }
                if !name.isEmpty, name.utf8.count <= 40, isPlain { return Array(name.utf8) }
            }
        }
        return nil
    }

    /// Lines of code between fences; none if there is no code.
    static func block(_ bytes: [UInt8], language: [UInt8]) -> [[UInt8]] {
        var text = bytes.filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 }
        if text.first == 0x0A { text.removeFirst() }
        while text.last == 0x0A { text.removeLast() }
        if text.isEmpty { return [] }
        let fence = fence(text, atLeast: 3)
        let inner = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        return [fence + language] + inner + [fence]
    }

    /// Code within a line; empty if there is none.
    static func span(_ bytes: [UInt8]) -> [UInt8] {
        let words = bytes.split { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }
        var text = [UInt8](words.joined(separator: [0x20])).filter { $0 >= 0x20 && $0 != 0x7F }
        if text.isEmpty { return [] }
        let fence = fence(text, atLeast: 1)
        if text.first == UInt8(ascii: "`") || text.last == UInt8(ascii: "`") { text = [0x20] + text + [0x20] }
        return fence + text + fence
    }

    /// A run of backticks longer than any in the text.
    private static func fence(_ text: [UInt8], atLeast count: Int) -> [UInt8] {
        var longest = 0
        var run = 0
        for byte in text {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        return Array(repeating: UInt8(ascii: "`"), count: max(count, longest + 1))
    }
}
