internal import Characters

/// Text between JSON's quotes: RFC 8259, section 7.
enum JSONString {
    /// Decodes the bytes between the quotes of a parsed string; lone surrogates become U+FFFD.
    static func decode(_ inner: ArraySlice<UInt8>) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(inner.count)
        var index = inner.startIndex
        while index < inner.endIndex {
            if inner[index] != UInt8(ascii: "\\") {
                output.append(inner[index])
                index += 1
                continue
            }
            let escape = inner[index + 1]
            index += 2
            switch escape {
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                var value = unit(inner, index)
                index += 4
                if isHigh(value), let low = followingLow(inner, index) {
                    value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
                    index += 6
                }
                let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { output.append(byte) }
            default: output.append(escape)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Whether decoding would lose a lone surrogate, so that the spelling must be kept.
    static func hasLoneSurrogate(_ inner: ArraySlice<UInt8>) -> Bool {
        var index = inner.startIndex
        while index < inner.endIndex {
            guard inner[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            let isUnit = inner[index + 1] == UInt8(ascii: "u")
            index += 2
            if !isUnit { continue }
            let value = unit(inner, index)
            index += 4
            if isHigh(value), followingLow(inner, index) != nil {
                index += 6
            } else if value & 0xF800 == 0xD800 {
                return true
            }
        }
        return false
    }

    /// Appends a string with quotes; escapes only `"`, `\` and control characters.
    static func append(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var text = text
        let isPlain = text.withUTF8 { bytes in
            let isPlain = !bytes.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F }
            if isPlain { output += bytes }
            return isPlain
        }
        for byte in isPlain ? "".utf8 : text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x08: output += "\\b".utf8
            case 0x09: output += "\\t".utf8
            case 0x0A: output += "\\n".utf8
            case 0x0C: output += "\\f".utf8
            case 0x0D: output += "\\r".utf8
            case 0x00..<0x20, 0x7F:
                output += "\\u00".utf8
                output += Hexadecimal.pair(byte).utf8
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func unit(_ bytes: ArraySlice<UInt8>, _ start: Int) -> UInt32 {
        var value: UInt32 = 0
        for index in start..<start + 4 { value = value << 4 | UInt32(Hexadecimal.value(of: bytes[index]) ?? 0) }
        return value
    }

    private static func isHigh(_ value: UInt32) -> Bool { value & 0xFC00 == 0xD800 }

    private static func followingLow(_ bytes: ArraySlice<UInt8>, _ start: Int) -> UInt32? {
        guard start + 6 <= bytes.endIndex, bytes[start] == UInt8(ascii: "\\"),
            bytes[start + 1] == UInt8(ascii: "u")
        else { return nil }
        let value = unit(bytes, start + 2)
        return value & 0xFC00 == 0xDC00 ? value : nil
    }
}
