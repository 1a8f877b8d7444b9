/// UTF-16 in either byte order. A lone surrogate and an odd last byte become one U+FFFD each.
enum UTF16Text {
    static func decoded(_ bytes: [UInt8], from start: Int, isBigEndian: Bool) -> DecodedText {
        var text = DecodedText(utf8: [])
        text.utf8.reserveCapacity((bytes.count - start) / 2 * 3 / 2 + 8)
        bytes.withUnsafeBufferPointer { bytes in
            func unit(_ at: Int) -> UInt32 {
                isBigEndian
                    ? UInt32(bytes[at]) << 8 | UInt32(bytes[at + 1]) : UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at])
            }
            var at = start
            while at + 1 < bytes.count {
                let first = unit(at)
                at += 2
                if first & 0xF800 != 0xD800 {
                    UTF8Text.append(first, to: &text.utf8)
                } else if first < 0xDC00, at + 1 < bytes.count, unit(at) & 0xFC00 == 0xDC00 {
                    UTF8Text.append(0x1_0000 + (first & 0x3FF) << 10 + unit(at) & 0x3FF, to: &text.utf8)
                    at += 2
                } else {
                    text.utf8 += UTF8Text.replacement
                    text.hasReplacements = true
                }
            }
            if at < bytes.count {
                text.utf8 += UTF8Text.replacement
                text.hasReplacements = true
            }
        }
        return text
    }
}
