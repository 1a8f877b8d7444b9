/// Base64: RFC 4648, section 4, and more tolerant readers.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// With padding, without line ends.
    package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count / 3 + 1) * 4)
        var place = 0
        while place < bytes.count {
            let second = place + 1 < bytes.count ? bytes[place + 1] : 0
            let third = place + 2 < bytes.count ? bytes[place + 2] : 0
            let group = UInt32(bytes[place]) << 16 | UInt32(second) << 8 | UInt32(third)
            for shift: UInt32 in [18, 12, 6, 0] { output.append(alphabet[Int(group >> shift & 63)]) }
            place += 3
        }
        if place > bytes.count { output[output.count - 1] = 0x3D }
        if place > bytes.count + 1 { output[output.count - 2] = 0x3D }
        return output
    }

    /// Decodes as browsers do: ASCII white space is ignored, and the padding is optional.
    /// https://infra.spec.whatwg.org/#forgiving-base64-decode
    ///
    /// - Returns: `nil` for any other error.
    package static func decodedAsInBrowsers(_ bytes: [UInt8]) -> [UInt8]? {
        var digits = Digits(capacity: bytes.count)
        var padding = 0
        for byte in bytes {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: continue
            case UInt8(ascii: "="): padding += 1
            default:
                guard padding == 0, let value = value(of: byte) else { return nil }
                digits.append(value)
            }
        }
        if padding > 0, padding > 2 || (digits.count + padding) & 3 != 0 { return nil }
        return digits.count & 3 == 1 ? nil : digits.bytes
    }

    /// Decodes as mail programs do: other characters are ignored, and padding ends the data. RFC 2045, section 6.8.
    package static func decodedAsInMail(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digits = Digits(capacity: bytes.underestimatedCount)
        for byte in bytes {
            if byte == UInt8(ascii: "=") { break }
            if let value = value(of: byte) { digits.append(value) }
        }
        return digits.bytes
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// Digits of six bits, collected into whole bytes.
    private struct Digits {
        var bytes: [UInt8] = []
        var count = 0
        private var bits: UInt32 = 0
        private var bitCount: UInt32 = 0

        init(capacity: Int) { bytes.reserveCapacity(capacity / 4 * 3) }

        mutating func append(_ value: UInt8) {
            count += 1
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
    }
}
