import Characters
internal import Characters

/// Escapes of CSS, both ways.
enum CSSText {
    /// Whether a name, with its escapes resolved, equals a lower-case name, ignoring case.
    static func equals(_ name: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        if bytes.equals(name, start, end) { return true }
        // An escape is longer than its character.
        guard end - start > name.utf8CodeUnitCount, bytes[start..<end].contains(0x5C) else { return false }
        let decoded = decoded(bytes, start, end)
        return decoded.withUnsafeBufferPointer { $0.equals(name, 0, $0.count) }
    }

    /// A name, string or URL with its escapes resolved (CSS Syntax Level 3, sections 4.3.5 and 4.3.7).
    static func decoded(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(end - start)
        var place = start
        while place < end {
            let byte = bytes[place]
            place += 1
            if byte == 0 {
                output += [0xEF, 0xBF, 0xBD]
                continue
            }
            guard byte == 0x5C else {
                output.append(byte)
                continue
            }
            guard place < end else { break }
            if bytes[place] == 0x0A || bytes[place] == 0x0C || bytes[place] == 0x0D {
                // An escaped line end.
                place += bytes[place] == 0x0D && place + 1 < end && bytes[place + 1] == 0x0A ? 2 : 1
            } else if bytes[place].isHexadecimal {
                var value: UInt32 = 0
                var count = 0
                while place < end, count < 6, let digit = Hexadecimal.value(of: bytes[place]) {
                    value = value << 4 | UInt32(digit)
                    place += 1
                    count += 1
                }
                if place < end, bytes[place].isHTMLSpace {
                    place += bytes[place] == 0x0D && place + 1 < end && bytes[place + 1] == 0x0A ? 2 : 1
                }
                let scalar = value == 0 ? nil : Unicode.Scalar(value)
                output += Array(String(Character(scalar ?? "\u{FFFD}")).utf8)
            } else {
                output.append(bytes[place])
                place += 1
            }
        }
        return output
    }

    /// Appends a value as a string in double quotes that is valid in any sheet: also in an attribute, and in the raw
    /// text of a `style` element, which must not contain `<` or `&`.
    static func appendString(_ value: some Sequence<UInt8>, to output: inout [UInt8]) {
        output.append(0x22)
        for byte in value {
            switch byte {
            case 0x22, 0x5C, 0x3C, 0x3E, 0x26, 0x7F, 0..<0x20:
                output.append(0x5C)
                output += Array(String(byte == 0 ? 0xFFFD : Int(byte), radix: 16).utf8)
                output.append(0x20)
            default: output.append(byte)
            }
        }
        output.append(0x22)
    }
}
