/// Reading and writing of UTF-8.
package enum UTF8Text {
    static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    package static func isWellFormed(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { firstFault($0, from: 0) == $0.count }
    }

    static func decoded(_ bytes: [UInt8], from start: Int) -> DecodedText {
        let isWhole = bytes.withUnsafeBufferPointer { firstFault($0, from: start) == $0.count }
        if isWhole { return DecodedText(utf8: start == 0 ? bytes : Array(bytes[start...])) }
        // The standard library replaces the same maximal parts as section 8.1.1 of the standard.
        return DecodedText(utf8: Array(String(decoding: bytes[start...], as: UTF8.self).utf8), hasReplacements: true)
    }

    /// The start of the first sequence that is not well-formed, or the end.
    static func firstFault(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let count = bytes.count
        guard let base = bytes.baseAddress else { return 0 }
        let raw = UnsafeRawPointer(base)
        var at = start
        while at < count {
            if base[at] < 0x80 {
                // ASCII, eight bytes at a time.
                while at &+ 8 <= count,
                    raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    at &+= 8
                }
                while at < count, base[at] < 0x80 { at &+= 1 }
                continue
            }
            let length = sequence(base + at, count &- at)
            if length == 0 { return at }
            at &+= length
        }
        return count
    }

    /// Length of the sequence of two to four bytes that begins here, or 0 (Unicode, table 3-7).
    @inline(__always)
    private static func sequence(_ at: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let lead = at[0]
        if lead < 0xC2 || lead > 0xF4 || count < 2 { return 0 }
        let second = at[1]
        if lead < 0xE0 { return second & 0xC0 == 0x80 ? 2 : 0 }
        if count < 3 { return 0 }
        let low: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
        let high: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
        if second < low || second > high || at[2] & 0xC0 != 0x80 { return 0 }
        if lead < 0xF0 { return 3 }
        return count >= 4 && at[3] & 0xC0 == 0x80 ? 4 : 0
    }

    package static func append(_ scalar: UInt32, to output: inout [UInt8]) {
        if scalar < 0x80 { return output.append(UInt8(scalar)) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4) { buffer in
            guard let base = buffer.baseAddress else { return }
            let count = write(scalar, to: base)
            output.append(contentsOf: buffer[..<count])
        }
    }

    /// Writes a scalar value: at most four bytes.
    ///
    /// - Returns: the number of bytes written.
    @inlinable
    package static func write(_ scalar: UInt32, to output: UnsafeMutablePointer<UInt8>) -> Int {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | scalar >> shift & 0x3F) }
        switch scalar {
        case ..<0x80:
            output[0] = UInt8(scalar)
            return 1
        case ..<0x800:
            output[0] = UInt8(0xC0 | scalar >> 6)
            output[1] = tail(0)
            return 2
        case ..<0x1_0000:
            output[0] = UInt8(0xE0 | scalar >> 12)
            output[1] = tail(6)
            output[2] = tail(0)
            return 3
        default:
            output[0] = UInt8(0xF0 | scalar >> 18 & 0x07)
            output[1] = tail(12)
            output[2] = tail(6)
            output[3] = tail(0)
            return 4
        }
    }
}
