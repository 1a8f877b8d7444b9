internal import Glibc

/// Text of a page with its character references replaced.
enum TextDecoding {
    static func append(_ source: UnsafeBufferPointer<UInt8>, to output: inout [UInt8], inAttribute: Bool) {
        guard let base = source.baseAddress else { return }
        var place = 0
        while place < source.count {
            guard let found = memchr(base + place, 0x26, source.count - place) else { break }
            let at = UnsafeRawPointer(base).distance(to: found)
            output.append(contentsOf: source[place..<at])
            place = at + reference(source, at, &output, inAttribute)
        }
        if place < source.count { output.append(contentsOf: source[place...]) }
    }

    /// Appends what the `&` at a place stands for.
    ///
    /// - Returns: how many bytes were used.
    private static func reference(
        _ source: UnsafeBufferPointer<UInt8>, _ at: Int, _ output: inout [UInt8], _ inAttribute: Bool
    ) -> Int {
        var index = at + 1
        if index < source.count, source[index] == UInt8(ascii: "#") {
            index += 1
            let isHex = index < source.count && source[index] | 0x20 == UInt8(ascii: "x")
            if isHex { index += 1 }
            let first = index
            var value: UInt32 = 0
            while index < source.count {
                let byte = source[index]
                let digit: UInt32
                if isDigit(byte) {
                    digit = UInt32(byte - 0x30)
                } else if isHex, (byte | 0x20) >= 0x61, (byte | 0x20) <= 0x66 {
                    digit = UInt32((byte | 0x20) - 0x57)
                } else {
                    break
                }
                value = min(0x11_0000, value * (isHex ? 16 : 10) + digit)
                index += 1
            }
            if index > first {
                if index < source.count, source[index] == UInt8(ascii: ";") { index += 1 }
                append(numeric(value), &output)
                return index - at
            }
        } else {
            var end = index
            while end < source.count, end - index < 32, isLetter(source[end]) || isDigit(source[end]) { end += 1 }
            if end > index, let scalar = named[String(decoding: source[index..<end], as: UTF8.self)] {
                let hasEnd = end < source.count && source[end] == UInt8(ascii: ";")
                if hasEnd || !inAttribute {
                    append(scalar, &output)
                    return end - at + (hasEnd ? 1 : 0)
                }
            }
        }
        output.append(0x26)
        return 1
    }

    private static let named: [String: UInt32] = [
        "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "nbsp": 0xA0, "copy": 0xA9, "reg": 0xAE,
        "mdash": 0x2014, "ndash": 0x2013, "lsquo": 0x2018, "rsquo": 0x2019, "ldquo": 0x201C, "rdquo": 0x201D,
        "hellip": 0x2026, "laquo": 0xAB, "raquo": 0xBB, "bdquo": 0x201E, "auml": 0xE4, "ouml": 0xF6, "uuml": 0xFC,
        "Auml": 0xC4, "Ouml": 0xD6, "Uuml": 0xDC, "szlig": 0xDF, "eacute": 0xE9, "egrave": 0xE8, "agrave": 0xE0,
        "ccedil": 0xE7, "ecirc": 0xEA, "euro": 0x20AC, "bull": 0x2022, "middot": 0xB7, "shy": 0xAD, "deg": 0xB0,
    ]

    private static func numeric(_ value: UInt32) -> UInt32 {
        let windows: [UInt32] = [
            0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D,
            0x17D,
            0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153,
            0x9D,
            0x17E, 0x178,
        ]
        if value >= 0x80, value < 0xA0 { return windows[Int(value - 0x80)] }
        return value
    }

    private static func append(_ value: UInt32, _ output: inout [UInt8]) {
        let scalar = value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
