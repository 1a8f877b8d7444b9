/// Escaping for markup.
enum Markup {
    /// Characters as text: `&`, `<` and, for the `]]>` of XML, `>` become references.
    static func appendText(_ text: some Sequence<UInt8>, to output: inout [UInt8]) {
        for byte in text {
            switch byte {
            case 0x26: output += "&amp;".utf8
            case 0x3C: output += "&lt;".utf8
            case 0x3E: output += "&gt;".utf8
            default: output.append(byte)
            }
        }
    }

    /// Characters as the value of an attribute in double quotes.
    static func appendValue(_ value: some Sequence<UInt8>, to output: inout [UInt8]) {
        for byte in value {
            switch byte {
            case 0x26: output += "&amp;".utf8
            case 0x3C: output += "&lt;".utf8
            case 0x22: output += "&quot;".utf8
            default: output.append(byte)
            }
        }
    }

    /// Whether the text of a comment contains nothing that could end the comment or begin markup.
    static func isPlainComment(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var last: UInt8 = 0
        for byte in text {
            if byte == 0x3C || byte == 0x3E || byte == 0 || (byte == 0x2D && last == 0x2D) { return false }
            last = byte
        }
        return true
    }
}

/// Marks of CDATA sections within a text.
enum CDATA {
    /// The text without `<![CDATA[` and `]]>`.
    static func unwrapped(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(0x3C) else { return text }
        return text.withUnsafeBufferPointer { text in
            var output: [UInt8] = []
            output.reserveCapacity(text.count)
            var place = 0
            while place < text.count {
                if text[place] == 0x3C, text.matches("<![cdata[", at: place) {
                    place += 9
                } else if text[place] == 0x5D, text.matches("]]>", at: place) {
                    place += 3
                } else {
                    output.append(text[place])
                    place += 1
                }
            }
            return output
        }
    }
}
