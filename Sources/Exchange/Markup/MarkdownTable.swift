internal import HTML

/// A table under construction; its first row is the head, which Markdown requires.
struct MarkdownTable {
    var isInCell = false
    private var rows: [[[UInt8]]] = []

    mutating func beginRow() { rows.append([]) }

    mutating func addCell(_ text: [UInt8]) {
        if rows.isEmpty { beginRow() }
        var cell: [UInt8] = []
        for byte in text {
            if byte == UInt8(ascii: "|") { cell.append(UInt8(ascii: "\\")) }
            cell.append(byte == 0x0A ? 0x20 : byte)
        }
        rows[rows.count - 1].append(cell)
    }

    func lines() -> [[UInt8]] {
        let rows = rows.filter { !$0.isEmpty }
        let width = rows.map(\.count).max() ?? 0
        if width == 0 { return [] }
        func line(_ cells: [[UInt8]]) -> [UInt8] {
            Array("| ".utf8) + cells.joined(separator: Array(" | ".utf8)) + Array(" |".utf8)
        }
        // Cells beyond the head would not be shown.
        let head = rows[0] + Array(repeating: [], count: width - rows[0].count)
        return [line(head), line(Array(repeating: Array("---".utf8), count: width))] + rows.dropFirst().map(line)
    }
}

/// Which tables of a page contain data, and which only lay it out. A table is for layout if it contains another
/// table, a heading, a list, a quote, code or a rule.
struct TableKinds {
    private var isData: [Bool] = []
    private var at = 0

    init() {}

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var tokenizer = HTMLTokenizer(bytes)
        var open: [Int] = []
        while tokenizer.next() {
            guard tokenizer.kind == .startTag || tokenizer.kind == .endTag else { continue }
            let tag = MarkupTag(tokenizer.element)
            if tokenizer.kind == .endTag {
                if tag == .table { _ = open.popLast() }
                continue
            }
            switch tag {
            case .table:
                if let outer = open.last { isData[outer] = false }
                open.append(isData.count)
                isData.append(true)
            case .h1, .h2, .h3, .h4, .h5, .h6, .quote, .list, .numbered, .pre, .rule:
                if let outer = open.last { isData[outer] = false }
            default: break
            }
        }
    }

    /// Whether the next table, in the order of start tags, contains data.
    mutating func next() -> Bool {
        defer { at += 1 }
        return at < isData.count ? isData[at] : false
    }
}
