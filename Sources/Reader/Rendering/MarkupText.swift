/// Text for HTML: escaped, valid UTF-8, without control characters.
enum MarkupText {
    static func append(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        write(text, to: &output, collapses: false)
    }

    /// The same with white space collapsed.
    static func appendCollapsed(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        write(text, to: &output, collapses: true)
    }

    private static func write(_ text: ArraySlice<UInt8>, to output: inout [UInt8], collapses: Bool) {
        // Repairs invalid UTF-8.
        let repaired = String(decoding: text, as: UTF8.self)
        for byte in repaired.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            case UInt8(ascii: "'"): output += "&#39;".utf8
            case UInt8(ascii: "`"): output += "&#96;".utf8
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
                if !collapses {
                    output.append(byte == 0x0D || byte == 0x0C ? 0x0A : byte)
                } else if let last = output.last, last != 0x20 {
                    output.append(0x20)
                }
            case 0x00..<0x20, 0x7F: break
            default: output.append(byte)
            }
        }
    }

    static func escaped(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        append(Array(text.utf8)[...], to: &output)
        return output
    }
}
