/// Markdown under construction: blocks, the quotes and lists around them, and the current line.
///
/// Levels above `levelLimit` add no further signs, so the length of the text is at most a fixed multiple of its
/// source's.
struct MarkdownLines {
    private enum Level {
        case quote
        /// The number of the next item; `nil` for bullets.
        case list(next: Int?)
        /// The sign of an item, and whether it is already written.
        case item(sign: [UInt8], isBegun: Bool)
    }

    static let levelLimit = 24

    private(set) var bytes: [UInt8] = []
    private var levels: [Level] = []
    /// The number of open levels beyond the limit.
    private var ignored = 0
    /// Whether the previous block is in the same list.
    private var isTight = false

    // MARK: Levels

    mutating func openQuote() { open(.quote) }
    mutating func openList(from number: Int?) { open(.list(next: number)) }

    mutating func openItem() {
        var sign = Array("- ".utf8)
        if let place = levels.lastIndex(where: { if case .list = $0 { true } else { false } }), ignored == 0,
            case .list(let next?) = levels[place]
        {
            sign = Array("\(next). ".utf8)
            levels[place] = .list(next: min(next + 1, 999_999_999))
        }
        open(.item(sign: sign, isBegun: false))
    }

    private mutating func open(_ level: Level) {
        if levels.count >= Self.levelLimit || ignored > 0 { ignored += 1 } else { levels.append(level) }
    }

    var isTooDeep: Bool { ignored > 0 }

    mutating func close() {
        if ignored > 0 {
            ignored -= 1
        } else if let last = levels.popLast() {
            if case .list = last { isTight = levels.contains { if case .list = $0 { true } else { false } } }
        }
    }

    // MARK: Blocks

    /// Adds a block of whole lines after a blank line, or directly after the previous line if both are items of one
    /// list.
    mutating func add(_ lines: [[UInt8]]) {
        let isItemStart = levels.last.map { if case .item(_, isBegun: false) = $0 { true } else { false } } ?? false
        if !bytes.isEmpty {
            if isItemStart, isTight { bytes.append(0x0A) } else { blankLine() }
        }
        for (number, line) in lines.enumerated() {
            if number > 0 { bytes.append(0x0A) }
            let start = bytes.count
            writeLevels()
            bytes += line
            if line.isEmpty { while bytes.count > start, bytes.last == 0x20 { bytes.removeLast() } }
        }
        isTight = levels.contains { if case .list = $0 { true } else { false } }
    }

    private mutating func blankLine() {
        bytes.append(0x0A)
        let start = bytes.count
        for level in levels {
            switch level {
            case .quote: bytes += Array("> ".utf8)
            case .list: break
            case .item(let sign, let isBegun): if isBegun { bytes += Array(repeating: 0x20, count: sign.count) }
            }
        }
        while bytes.count > start, bytes.last == 0x20 { bytes.removeLast() }
        bytes.append(0x0A)
    }

    /// Writes the signs and margins of all levels at the start of a line.
    private mutating func writeLevels() {
        for place in levels.indices {
            switch levels[place] {
            case .quote: bytes += Array("> ".utf8)
            case .list: break
            case .item(let sign, let isBegun):
                bytes += isBegun ? Array(repeating: 0x20, count: sign.count) : sign
                levels[place] = .item(sign: sign, isBegun: true)
            }
        }
    }
}
