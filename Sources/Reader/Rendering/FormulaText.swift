import Characters
internal import HTML

/// A formula as a line of text: in TeX if the page has it so, or with `/`, `^`, `_` and `√`. A row of signs is itself.
struct FormulaText {
    private let tree: PageTree
    /// What is deeper is text without marks.
    private static let depthLimit = 40

    /// - Parameter node: a `math` element.
    static func of(_ node: Int, _ tree: PageTree) -> [UInt8] {
        let formula = FormulaText(tree: tree)
        return Array(((tree.hasStructure(node) ? formula.source(node) : nil) ?? formula.piece(node, 0).text).utf8)
    }

    private struct Piece {
        var text = ""
        /// The number of its leaves.
        var tokens = 0
        /// Whether a letter behind it would seem to belong to its last part.
        var isStructured = false

        var first: Unicode.Scalar? { text.unicodeScalars.first }
        var last: Unicode.Scalar? { text.unicodeScalars.last }

        /// In parentheses, unless it is one token or has them already.
        var grouped: String { tokens <= 1 || isEnclosed ? text : "(\(text))" }

        private var isEnclosed: Bool {
            var depth = 0
            for (place, byte) in text.utf8.enumerated() {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if depth == 0 { return place > 0 && place + 1 == text.utf8.count }
            }
            return false
        }
    }

    private func source(_ node: Int) -> String? {
        guard let source = (node..<Int(tree.nodes[node].end)).first(where: { tree.part($0) == .source }) else {
            return nil
        }
        var text = tree.plainText(source)
        // The wrapper that MediaWiki adds.
        let wrapper = "{\\displaystyle "
        if text.hasPrefix(wrapper), text.hasSuffix("}") { text = String(text.dropFirst(wrapper.count).dropLast()) }
        while text.last == " " { text.removeLast() }
        return text.isEmpty ? nil : text
    }

    private func children(_ node: Int) -> [Int] {
        var children: [Int] = []
        var child = node + 1
        while child < Int(tree.nodes[node].end) {
            if tree.nodes[child].tag != .text { children.append(child) }
            child = Int(tree.nodes[child].end)
        }
        return children
    }

    private func piece(_ node: Int, _ depth: Int) -> Piece {
        let tag = tree.nodes[node].tag
        if tag == .text { return leaf(String(decoding: tree.bytes(node), as: UTF8.self)) }
        if Tag.traits[Int(tag.rawValue)].contains(.unrendered) { return Piece() }
        if depth > Self.depthLimit { return leaf(tree.plainText(node)) }
        guard let part = tree.part(node) else { return row(node, depth) }
        if part.isLeaf { return leaf(tree.plainText(node)) }
        let inner = children(node)
        switch (part, inner.count) {
        case (.mphantom, _), (.source, _): return Piece()
        case (.mfrac, 2):
            return structured("\(piece(inner[0], depth + 1).grouped)/\(piece(inner[1], depth + 1).grouped)")
        case (.msup, 2), (.mover, 2): return scripts(inner[0], depth, below: nil, above: inner[1])
        case (.msub, 2), (.munder, 2): return scripts(inner[0], depth, below: inner[1], above: nil)
        case (.msubsup, 3), (.munderover, 3): return scripts(inner[0], depth, below: inner[1], above: inner[2])
        case (.msqrt, _):
            let root = row(node, depth)
            return Piece(text: "√" + root.grouped, tokens: 1, isStructured: true)
        case (.mroot, 2):
            let (base, index) = (piece(inner[0], depth + 1).grouped, piece(inner[1], depth + 1).grouped)
            switch index {
            case "3": return Piece(text: "∛" + base, tokens: 1, isStructured: true)
            case "4": return Piece(text: "∜" + base, tokens: 1, isStructured: true)
            default: return structured("\(base)^(1/\(index))")
            }
        case (.mfenced, _): return Piece(text: "(\(joined(inner, depth, ", ")))", tokens: 2)
        case (.mtable, _): return Piece(text: joined(inner, depth, "; "), tokens: 2)
        case (.mtr, _): return Piece(text: joined(inner, depth, " "), tokens: 2)
        default: return row(node, depth)
        }
    }

    private func joined(_ nodes: [Int], _ depth: Int, _ separator: String) -> String {
        nodes.map { piece($0, depth + 1).text }.joined(separator: separator)
    }

    private func structured(_ text: String) -> Piece { Piece(text: text, tokens: 2, isStructured: true) }

    private func scripts(_ base: Int, _ depth: Int, below: Int?, above: Int?) -> Piece {
        let base = piece(base, depth + 1)
        let above = above.map { piece($0, depth + 1) }
        if below == nil, base.tokens == 1, base.text.unicodeScalars.count == 1, let over = above,
            let mark = Self.accents[over.text]
        {
            return Piece(text: base.text + mark, tokens: 1)
        }
        var text = base.isStructured ? "(\(base.text))" : base.grouped
        if let below = below.map({ piece($0, depth + 1) }), !below.text.isEmpty { text += "_" + below.grouped }
        if let above, !above.text.isEmpty { text += "^" + above.grouped }
        return structured(text)
    }

    /// Marks over a letter, as combining characters.
    private static let accents = [
        "¯": "\u{304}", "‾": "\u{304}", "^": "\u{302}", "ˆ": "\u{302}", "~": "\u{303}", "˜": "\u{303}",
        "→": "\u{20D7}", "˙": "\u{307}", "¨": "\u{308}",
    ]

    private func leaf(_ text: String) -> Piece {
        // Invisible operators: function application, times, separator, plus.
        let shown = text.unicodeScalars.filter { !(0x2061...0x2064).contains($0.value) }
        let collapsed = String(String.UnicodeScalarView(shown)).split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        return Piece(text: collapsed, tokens: collapsed.isEmpty ? 0 : 1)
    }

    /// What is in a node, one after the other. A space keeps numbers and words apart.
    private func row(_ node: Int, _ depth: Int) -> Piece {
        var row = Piece()
        var lastIsWord = false
        var child = node + 1
        while child < Int(tree.nodes[node].end) {
            let next = piece(child, depth + 1)
            let isText = tree.part(child) == .mtext
            child = Int(tree.nodes[child].end)
            guard let first = next.first else { continue }
            let nextIsWord = Self.isWord(next.text)
            if let last = row.last, Self.isAlphanumeric(last) || isText, Self.isAlphanumeric(first) || first == "√" {
                let areDigits = last.properties.numericType != nil && first.properties.numericType != nil
                if areDigits || row.isStructured || next.isStructured && next.text.contains(text: "/") || lastIsWord
                    || nextIsWord
                {
                    row.text += " "
                }
            }
            row.text += next.text
            row.tokens += next.tokens
            row.isStructured = next.isStructured
            lastIsWord = nextIsWord
        }
        return row
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private static func isWord(_ text: String) -> Bool {
        text.unicodeScalars.count > 1 && text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0 == " " }
    }
}
