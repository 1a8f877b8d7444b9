import StuffBucket

/// A list with boxes on the terminal, all ticked at first, edited by keyboard.
struct BoxList {
    /// What stands above the list; one line.
    let heading: String
    /// What each box is for, and a remark about it.
    let rows: [(text: String, remark: String)]

    private static let keys = "Space ticks or unticks, a all, n none, Enter applies, q leaves everything as it is"
    /// The rows that are shown at once.
    private static let window = 15

    /// - Returns: the numbers of the ticked rows; `nil` if the person leaves, or there is no terminal.
    func choose(_ style: Style) -> [Int]? {
        guard let terminal = RawTerminal() else { return nil }
        var ticked = Array(repeating: true, count: rows.count)
        var current = 0
        var top = 0
        terminal.write(style.bold(Printable.line(heading)) + "\n")
        draw(ticked, current, top, terminal, style)
        while true {
            switch terminal.key() {
            case .up, .byte(UInt8(ascii: "k")): current = max(0, current - 1)
            case .down, .byte(UInt8(ascii: "j")): current = min(rows.count - 1, current + 1)
            case .byte(UInt8(ascii: " ")), .byte(UInt8(ascii: "x")): ticked[current].toggle()
            case .byte(UInt8(ascii: "a")): ticked = ticked.map { _ in true }
            case .byte(UInt8(ascii: "n")): ticked = ticked.map { _ in false }
            case .enter: return rows.indices.filter { ticked[$0] }
            case .byte(UInt8(ascii: "q")), .escape, .interrupt, .end: return nil
            case .byte: continue
            }
            if current < top { top = current }
            if current >= top + Self.window { top = current - Self.window + 1 }
            terminal.write("\u{1B}[\(shownCount + 1)A")
            draw(ticked, current, top, terminal, style)
        }
    }

    private var shownCount: Int { min(rows.count, Self.window) }

    private func draw(_ ticked: [Bool], _ current: Int, _ top: Int, _ terminal: RawTerminal, _ style: Style) {
        let width = max(20, Terminal.columns - 8)
        var text = ""
        for place in top..<top + shownCount {
            let row = rows[place]
            let line = TextWidth.cut(Printable.line(row.text), to: width)
            text += "\r\u{1B}[K\(place == current ? ">" : " ") [\(ticked[place] ? "x" : " ")] \(line)"
            text += row.remark.isEmpty ? "\n" : "  " + style.dim(Printable.line(row.remark)) + "\n"
        }
        let more = rows.count > Self.window ? " (\(current + 1) of \(rows.count))" : ""
        terminal.write(
            text + "\r\u{1B}[K" + style.dim(TextWidth.cut(Self.keys + more, to: max(20, Terminal.columns - 1))) + "\n")
    }
}
