/// Well-formed UTF-8: Unicode 16.0, table 3-7.
package enum UTF8Sequence {
    /// Length in bytes of the well-formed sequence at `offset`; 0 if there is none.
    package static func length(in bytes: [UInt8], at offset: Int) -> Int {
        func at(_ index: Int) -> UInt8 { offset + index < bytes.count ? bytes[offset + index] : 0 }
        func isTrail(_ index: Int) -> Bool { at(index) & 0xC0 == 0x80 }
        switch at(0) {
        case 0x00...0x7F: return offset < bytes.count ? 1 : 0
        case 0xC2...0xDF: return isTrail(1) ? 2 : 0
        case 0xE0: return at(1) >= 0xA0 && at(1) <= 0xBF && isTrail(2) ? 3 : 0
        case 0xED: return at(1) >= 0x80 && at(1) <= 0x9F && isTrail(2) ? 3 : 0
        case 0xE1...0xEF: return isTrail(1) && isTrail(2) ? 3 : 0
        case 0xF0: return at(1) >= 0x90 && at(1) <= 0xBF && isTrail(2) && isTrail(3) ? 4 : 0
        case 0xF4: return at(1) >= 0x80 && at(1) <= 0x8F && isTrail(2) && isTrail(3) ? 4 : 0
        case 0xF1...0xF3: return isTrail(1) && isTrail(2) && isTrail(3) ? 4 : 0
        default: return 0
        }
    }

    /// Offset of the first byte from `start` on that is not well-formed UTF-8; `nil` if there is none.
    package static func firstFault(in bytes: [UInt8], from start: Int = 0) -> Int? {
        bytes.withUnsafeBytes { buffer in
            var offset = start
            while offset < buffer.count {
                // Eight ASCII bytes at a time.
                if offset + 8 <= buffer.count,
                    buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    offset += 8
                    continue
                }
                if buffer[offset] < 0x80 {
                    offset += 1
                    continue
                }
                let length = length(in: bytes, at: offset)
                if length == 0 { return offset }
                offset += length
            }
            return nil
        }
    }
}
