internal import Characters

/// Lays out the blocks of a page in lines. See `TerminalText`.
struct TerminalWriter {
    private let tree: PageTree
    private let isDropped: [Bool]
    private let width: Int
    private let listsLinks: Bool
    private let links: LinkResolution
    private var output: [String] = []
    /// The words of the current block. A line end stands for a `br`.
    private var words: [Word] = []
    private var word = ""
    private var isGlued = false
    private var targets: [String] = []
    private var open: [Block] = []
    private let traits = Tag.traits

    private enum Word {
        /// Glued: no space is before it, but a line may end there.
        case text(String, isGlued: Bool)
        case lineEnd
    }

    private struct Block {
        let end: Int32
        let tag: Tag
        /// The prefix of its lines, and the prefix of its first line.
        var prefix: String
        var firstPrefix: String?
        /// The number of items so far in a numbered list.
        var count = 0
        /// Number of a link.
        var link: Int?
    }

    init(tree: PageTree, isDropped: [Bool], width: Int, listsLinks: Bool, links: LinkResolution) {
        self.tree = tree
        self.isDropped = isDropped
        self.width = width
        self.listsLinks = listsLinks
        self.links = links
    }

    mutating func heading(_ text: String) {
        add(text)
        endBlock(isHeading: true)
    }

    mutating func line(_ text: String) {
        if text.isEmpty { return }
        add(text)
        endBlock()
    }

    mutating func finish() -> String {
        endBlock()
        if listsLinks, !targets.isEmpty {
            for (index, target) in targets.enumerated() { output.append("[\(index + 1)] \(target)") }
            output.append("")
        }
        while output.last == "" { output.removeLast() }
        return output.isEmpty ? "" : output.joined(separator: "\n") + "\n"
    }

    // MARK: Blocks

    mutating func write(_ root: Int) {
        var index = root
        let end = Int(tree.nodes[root].end)
        while index < end {
            closeBlocks(before: index)
            let node = tree.nodes[index]
            if isDropped[index] {
                index = Int(node.end)
                continue
            }
            if tree.isFormula(index, isDropped) {
                add(String(decoding: FormulaText.of(index, tree), as: UTF8.self))
                index = Int(node.end)
                continue
            }
            switch node.tag {
            case .text: add(String(decoding: tree.bytes(index), as: UTF8.self))
            case .sup where (word.utf8.last?.isDigit ?? false) && tree.isPower(index): word.append("^")
            case .rp:
                index = Int(node.end)
                continue
            case .rt where !tree.collapsedText(index, limit: 4).isEmpty:
                add("(")
                open.append(Block(end: node.end, tag: .rt, prefix: ""))
            case .pre:
                endBlock()
                preformatted(index)
                index = Int(node.end)
                continue
            case .table where isGrid(index):
                endBlock()
                table(index)
                index = Int(node.end)
                continue
            case .br:
                endWord()
                words.append(.lineEnd)
            case .hr:
                endBlock()
                output += [indent + String(repeating: "─", count: max(3, min(20, width - indent.count))), ""]
            case .img, .ampImg:
                if let alt = tree.string(index, .alt), alt.utf8.count > 2 { add(" [\(alt)] ") }
            case .a:
                var block = Block(end: node.end, tag: .a, prefix: "")
                if listsLinks, let href = tree.value(index, .href).flatMap({ links.href($0) }), href.first != 0x23 {
                    let target = Self.printable(String(decoding: href, as: UTF8.self))
                    block.link = (targets.firstIndex(of: target) ?? targets.count) + 1
                    if block.link == targets.count + 1 {
                        if targets.count >= 500 { block.link = nil } else { targets.append(target) }
                    }
                }
                open.append(block)
            default:
                if traits[Int(node.tag.rawValue)].contains(.block) { begin(node) }
            }
            index += 1
        }
        closeBlocks(before: end)
        endBlock()
    }

    private mutating func begin(_ node: PageTree.Node) {
        endBlock()
        var block = Block(end: node.end, tag: node.tag, prefix: "")
        switch node.tag {
        case .blockquote: block.prefix = "> "
        case .dd: block.prefix = "    "
        case .li:
            let list = open.lastIndex { $0.tag == .ul || $0.tag == .ol || $0.tag == .menu }
            if let list, open[list].tag == .ol {
                open[list].count += 1
                block.firstPrefix = "\(open[list].count). "
            } else {
                block.firstPrefix = "• "
            }
            block.prefix = String(repeating: " ", count: block.firstPrefix?.count ?? 2)
        default: break
        }
        open.append(block)
    }

    private mutating func closeBlocks(before index: Int) {
        while let last = open.last, last.end <= Int32(index) {
            if last.tag == .a {
                if let link = last.link { word += "[\(link)]" }
            } else if last.tag == .rt {
                add(")")
            } else {
                endBlock(isHeading: traits[Int(last.tag.rawValue)].contains(.heading))
            }
            open.removeLast()
            // A list ends with an empty line, unless it is in another.
            if last.tag == .ul || last.tag == .ol, !open.contains(where: { $0.tag == .li }), let line = output.last,
                line != ""
            {
                output.append("")
            }
        }
    }

    private var indent: String { open.map(\.prefix).joined() }

    /// The prefix of the first line of a block, with bullets that are not written yet.
    private mutating func firstIndent() -> String {
        var text = ""
        for index in open.indices {
            text += open[index].firstPrefix ?? open[index].prefix
            open[index].firstPrefix = nil
        }
        return text
    }

    /// Writes the collected words as lines, and an empty line unless the block is an item of a list.
    private mutating func endBlock(isHeading: Bool = false) {
        endWord()
        guard words.contains(where: { if case .text = $0 { true } else { false } }) else {
            words = []
            return
        }
        let rest = indent
        var line = firstIndent()
        if isHeading { line += "# " }
        var column = Self.columns(line)
        var isStart = true
        for word in words {
            guard case .text(let text, let isGlued) = word else {
                if !isStart {
                    output.append(line)
                    line = rest
                    column = Self.columns(rest)
                    isStart = true
                }
                continue
            }
            let count = Self.columns(text)
            let gap = isStart || isGlued ? 0 : 1
            if !isStart, column + gap + count > width {
                output.append(line)
                line = rest
                column = Self.columns(rest)
                isStart = true
            }
            if !isStart, gap > 0 {
                line += " "
                column += gap
            }
            line += text
            column += count
            isStart = false
        }
        if !isStart { output.append(line) }
        words = []
        let isItem = open.contains { $0.tag == .li }
        if !isItem || isHeading { output.append("") }
    }

    // MARK: Words

    private mutating func add(_ text: String) {
        for scalar in text.unicodeScalars {
            if scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" || scalar == "\u{0C}" {
                endWord()
            } else if Self.isPrintable(scalar) {
                if let last = word.unicodeScalars.last, LineBreaks.mayBreak(between: last, and: scalar) {
                    endWord()
                    isGlued = true
                }
                word.unicodeScalars.append(scalar)
            }
        }
    }

    private mutating func endWord() {
        if !word.isEmpty { words.append(.text(word, isGlued: isGlued)) }
        word = ""
        isGlued = false
    }

    static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { isPrintable($0) }))
    }

    /// Removes control characters and characters that change the direction of text.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF,
            0xFFF9...0xFFFB:
            false
        case 0xE0000...0xE0FFF: false
        default: true
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }

    private static func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { sum, scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: sum
            default: sum + (isWide(scalar) ? 2 : 1)
            }
        }
    }

    // MARK: Code and tables

    private mutating func preformatted(_ index: Int) {
        var text = ""
        for node in index..<Int(tree.nodes[index].end) where !isDropped[node] {
            if tree.nodes[node].tag == .text { text += String(decoding: tree.bytes(node), as: UTF8.self) }
            if tree.nodes[node].tag == .br { text += "\n" }
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last.map({ $0.allSatisfy(\.isWhitespace) }) ?? false { lines.removeLast() }
        let start = firstIndent()
        for (number, line) in lines.enumerated() {
            let tabs = line.utf8.contains(0x09) ? line.replacing(text: "\t", with: "    ") : line
            output.append((number == 0 ? start : indent) + "    " + Self.printable(tabs))
        }
        output.append("")
    }

    /// Whether a table has several columns and contains no other table.
    private func isGrid(_ index: Int) -> Bool {
        var rows = 0
        var cells = 0
        for node in index + 1..<max(index + 1, Int(tree.nodes[index].end)) {
            switch tree.nodes[node].tag {
            case .table, .pre, .ul, .ol: return false
            case .tr: rows += 1
            case .td, .th: cells += 1
            default: break
            }
        }
        return rows > 0 && cells > rows && cells < 5000
    }

    private func cell(_ node: Int) -> String {
        if tree.formulaParts.isEmpty { return tree.plainText(node, limit: 2000) }
        let cell = Content(tree: tree, roots: [node], isDropped: isDropped, isCaption: isDropped)
        return String(decoding: cell.plainText().map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
    }

    private mutating func table(_ index: Int) {
        var rows: [[String]] = []
        for node in index + 1..<max(index + 1, Int(tree.nodes[index].end)) where !isDropped[node] {
            switch tree.nodes[node].tag {
            case .tr: rows.append([])
            case .td, .th:
                if rows.isEmpty { rows.append([]) }
                rows[rows.count - 1].append(Self.printable(cell(node)))
            default: break
            }
        }
        let count = rows.map(\.count).max() ?? 0
        var widths = [Int](repeating: 0, count: count)
        for row in rows {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], Self.columns(cell)) }
        }
        let start = firstIndent()
        let fits = Self.columns(start) + widths.reduce(0, +) + 2 * max(0, count - 1) <= width
        for row in rows where !row.isEmpty {
            if fits {
                var line = start
                for (column, cell) in row.enumerated() {
                    line += cell
                    if column + 1 < row.count {
                        line += String(repeating: " ", count: widths[column] - Self.columns(cell) + 2)
                    }
                }
                output.append(line)
            } else {
                add(row.joined(separator: " | "))
                endBlock()
                if output.last == "" { output.removeLast() }
            }
        }
        output.append("")
    }
}
