/// One field of a CSV file, written so that no spreadsheet reads it as a formula, and read back unchanged.
///
/// A field that starts with `=`, `+`, `-`, `@`, a tab or a carriage return gets a single quote before it. So does one
/// that starts with single quotes and then such a character. Reading removes exactly one quote.
enum CSVField {
    static func written(_ text: String) -> String {
        let guarded = isFormula(text) ? "'" + text : text
        guard guarded.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 })
        else {
            return guarded
        }
        var output: [UInt8] = [0x22]
        for byte in guarded.utf8 {
            if byte == 0x22 { output.append(0x22) }
            output.append(byte)
        }
        return String(decoding: output + [0x22], as: UTF8.self)
    }

    static func read(_ text: String) -> String {
        text.utf8.first == UInt8(ascii: "'") && isFormula(text) ? String(text.unicodeScalars.dropFirst()) : text
    }

    private static func isFormula(_ text: String) -> Bool {
        guard let byte = text.utf8.first(where: { $0 != UInt8(ascii: "'") }) else { return false }
        return "=+-@\t\r".utf8.contains(byte)
    }
}
