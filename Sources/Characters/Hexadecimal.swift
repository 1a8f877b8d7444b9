/// Hexadecimal digits.
package enum Hexadecimal {
    /// The value of a digit of either case; `nil` for any other byte.
    @inline(__always)
    package static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// Two lower-case digits.
    package static func pair(_ byte: UInt8) -> String {
        String(unsafeUninitializedCapacity: 2) { buffer in
            buffer[0] = digit(byte >> 4)
            buffer[1] = digit(byte & 15)
            return 2
        }
    }

    /// Sixteen lower-case digits.
    package static func padded(_ number: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { buffer in
            for place in 0..<16 { buffer[place] = digit(UInt8(number >> UInt64(60 - place * 4) & 15)) }
            return 16
        }
    }

    /// The lower-case digit of a value below 16.
    @inline(__always)
    package static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
