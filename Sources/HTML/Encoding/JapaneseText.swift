/// Converts EUC-JP and ISO-2022-JP to Shift_JIS. The three share one index of characters in the Encoding Standard
/// (jis0208), and among glibc's tables only CP932 equals it.
enum JapaneseText {
    /// Replaces each error: a byte that is invalid in Shift_JIS.
    private static let fault: UInt8 = 0xFF

    /// - Returns: `nil` where there are characters of JIS X 0212 (lead byte 8F), which Shift_JIS lacks.
    static func shiftJIS(fromEUC bytes: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            let lead = bytes[at]
            at += 1
            if lead < 0x80 {
                output.append(lead)
                continue
            }
            if lead == 0x8F { return nil }
            guard lead == 0x8E || lead >= 0xA1 && lead < 0xFF, at < bytes.count, bytes[at] >= 0x80 else {
                output.append(fault)
                continue
            }
            let trail = bytes[at]
            at += 1
            if lead == 0x8E {
                output.append(trail >= 0xA1 && trail <= 0xDF ? trail : fault)
            } else if trail >= 0xA1, trail < 0xFF {
                append(row: lead - 0xA1, cell: trail - 0xA1, to: &output)
            } else {
                output.append(fault)
            }
        }
        return output
    }

    private enum Mode { case ascii, katakana, pairs }

    /// JIS X 0201 differs from ASCII in two characters, yen sign and overline. Both are read as ASCII.
    static func shiftJIS(fromISO2022 bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var (at, mode) = (0, Mode.ascii)
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if byte == 0x1B {
                if let next = escape(bytes, at) {
                    mode = next
                    at += 2
                } else {
                    output.append(fault)
                }
                continue
            }
            switch mode {
            case .ascii: output.append(byte < 0x80 && byte != 0x0E && byte != 0x0F ? byte : fault)
            case .katakana: output.append(byte >= 0x21 && byte <= 0x5F ? byte | 0x80 : fault)
            case .pairs:
                guard byte >= 0x21, byte <= 0x7E, at < bytes.count, bytes[at] != 0x1B else {
                    output.append(fault)
                    continue
                }
                let trail = bytes[at]
                at += 1
                if trail >= 0x21, trail <= 0x7E {
                    append(row: byte - 0x21, cell: trail - 0x21, to: &output)
                } else {
                    output.append(fault)
                }
            }
        }
        return output
    }

    private static func escape(_ bytes: [UInt8], _ at: Int) -> Mode? {
        guard at + 1 < bytes.count else { return nil }
        switch (bytes[at], bytes[at + 1]) {
        case (UInt8(ascii: "("), UInt8(ascii: "B")), (UInt8(ascii: "("), UInt8(ascii: "J")): return .ascii
        case (UInt8(ascii: "("), UInt8(ascii: "I")): return .katakana
        case (UInt8(ascii: "$"), UInt8(ascii: "@")), (UInt8(ascii: "$"), UInt8(ascii: "B")): return .pairs
        default: return nil
        }
    }

    /// A position in the index. Both numbers are below 94.
    private static func append(row: UInt8, cell: UInt8, to output: inout [UInt8]) {
        output.append(row / 2 + (row < 62 ? 0x81 : 0xC1))
        output.append(row % 2 == 0 ? cell + (cell < 63 ? 0x40 : 0x41) : cell + 0x9F)
    }
}
