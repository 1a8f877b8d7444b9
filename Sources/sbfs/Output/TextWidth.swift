/// The columns that text takes on a terminal.
enum TextWidth {
    /// Combining marks take none, East Asian wide characters and emoji two (UAX #11, the blocks that are wide
    /// throughout), all others one.
    static func of(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + of($1) } }

    static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    /// Scalars of one character that are printed. 30 marks after a base are more than any language has: UAX #15,
    /// Stream-Safe Text Format.
    private static let scalarLimit = 31

    /// The text cut to a number of columns, with `…` at the cut. A character of more scalars than any language needs
    /// is cut as well, because the marks in it take no columns.
    static func cut(_ text: String, to columns: Int) -> String {
        if of(text) <= columns, text.utf8.count <= scalarLimit { return text }
        let isWide = of(text) > columns
        var width = 0
        var output = ""
        for character in text {
            let scalars = character.unicodeScalars
            let own = scalars.reduce(0) { $0 + of($1) }
            if isWide, width + own > columns - 1 { return output + "…" }
            width += own
            if scalars.count > scalarLimit {
                output.unicodeScalars.append(contentsOf: scalars.prefix(scalarLimit))
                return output + "…"
            }
            output.append(character)
        }
        return output
    }

    /// The text, cut within a character that has more scalars than any language needs.
    static func bounded(_ text: String) -> String { cut(text, to: .max) }

    static func pad(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - of(text)))
    }
}
