/// Text from the library as a terminal may show it: nothing in it can move the cursor, ring, or turn the writing.
enum Printable {
    /// One line: control characters, line ends and bidirectional controls are escaped.
    static func line(_ text: String) -> String { escape(text, keepsLines: false) }

    /// Several lines: line feeds and tabs stay.
    static func text(_ text: String) -> String { escape(text, keepsLines: true) }

    /// One field of a tab-separated row: also the backslash is escaped, so that the row can be read back.
    static func field(_ text: String) -> String {
        // By scalars: a mark that combines with a backslash changes nothing of it.
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return line(text) }
        let parts = text.unicodeScalars.split(separator: "\\", omittingEmptySubsequences: false)
        return line(parts.map { String($0) }.joined(separator: "\\\\"))
    }

    /// JSON with the same characters as `\uXXXX`, which means the same.
    static func json(_ bytes: [UInt8]) -> [UInt8] {
        // C2, D8, E2 and EF begin all of them; DEL and what is below a space is escaped already.
        guard bytes.contains(where: { $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 || $0 == 0xEF }) else { return bytes }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar.value > 0x7F, isUnsafe(scalar) {
                let digits = String(scalar.value, radix: 16)
                output += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            } else {
                output += Array(String(Character(scalar)).utf8)
            }
        }
        return output
    }

    private static func escape(_ text: String, keepsLines: Bool) -> String {
        if !text.unicodeScalars.contains(where: isUnsafe) { return text }
        var output = ""
        for scalar in text.unicodeScalars {
            if !isUnsafe(scalar) || (keepsLines && (scalar == "\n" || scalar == "\t")) {
                output.unicodeScalars.append(scalar)
                continue
            }
            switch scalar {
            case "\n": output += "\\n"
            case "\t": output += "\\t"
            case "\r": output += "\\r"
            default: output += scalar.value < 0x80 ? "\\x" + pad(scalar.value, 2) : "\\u" + pad(scalar.value, 4)
            }
        }
        return output
    }

    private static func pad(_ value: UInt32, _ width: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// C0, DEL, C1, line and paragraph separators, bidirectional controls (UAX #9), and the byte order mark.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
