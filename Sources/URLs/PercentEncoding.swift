internal import Characters

/// Percent-encoding with the sets of the URL Standard, section 1.3.
package enum PercentEncoding {
    /// The bytes to encode: some of ASCII, the controls always, and all from 0x80 on.
    struct Set: Sendable {
        private let ascii: ByteSet

        init(_ characters: StaticString, and other: Set? = nil) {
            ascii = ByteSet(characters, and: other?.ascii ?? .controls)
        }

        @inline(__always)
        func contains(_ byte: UInt8) -> Bool { byte >= 0x80 || ascii.contains(byte) }
    }

    static let control = Set("")
    static let fragment = Set(" \"<>`", and: control)
    static let query = Set(" \"#<>", and: control)
    static let specialQuery = Set("'", and: query)
    static let path = Set("?^`{}", and: query)
    static let userinfo = Set("/:;=@[\\]^|", and: path)

    @inline(__always)
    static func append(_ byte: UInt8, encoding set: Set, to output: inout [UInt8]) {
        if set.contains(byte) {
            output.append(UInt8(ascii: "%"))
            output.append(upperDigit(byte >> 4))
            output.append(upperDigit(byte & 15))
        } else {
            output.append(byte)
        }
    }

    private static func upperDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

    /// Decodes each `%` followed by two hexadecimal digits; all else stays unchanged.
    package static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let input = Array(bytes)
        guard var index = input.firstIndex(of: UInt8(ascii: "%")) else { return input }
        var output = Array(input[..<index])
        output.reserveCapacity(input.count)
        while index < input.count {
            let byte = byte(escapedAt: index, in: input[...])
            output.append(byte ?? input[index])
            index += byte == nil ? 1 : 3
        }
        return output
    }

    /// The byte of `%` and two hexadecimal digits; `nil` if there are none at the index.
    package static func byte(escapedAt index: Int, in bytes: ArraySlice<UInt8>) -> UInt8? {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
            let high = Hexadecimal.value(of: bytes[index + 1]), let low = Hexadecimal.value(of: bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }
}
