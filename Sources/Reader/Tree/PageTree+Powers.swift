internal import Characters
internal import HTML

extension PageTree {
    /// Whether an element that follows a number is a power of it. Marks of notes are links.
    func isPower(_ node: Int) -> Bool {
        // A number is one text, perhaps in another element or two.
        let end = Int(nodes[node].end)
        guard end - node <= 8 else { return false }
        for index in node + 1..<max(node + 1, end) where nodes[index].tag == .a { return false }
        let text = collapsedText(node, limit: 20)
        let digits = text.starts(with: "−".utf8) ? text.dropFirst(3) : text.drop { $0 == UInt8(ascii: "-") }
        return !digits.isEmpty && digits.allSatisfy(\.isDigit)
    }
}
