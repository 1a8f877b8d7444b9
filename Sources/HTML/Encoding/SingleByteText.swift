/// Encodings of one byte a character: section 9 of the Encoding Standard.
enum SingleByteText {
    static func decoded(_ bytes: [UInt8], _ index: StaticString) -> DecodedText {
        // The index is UTF-8 text: the character of each byte is a piece of it.
        let pool = UnsafeBufferPointer(start: index.utf8Start, count: index.utf8CodeUnitCount)
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 129) { starts in
            var (entry, place) = (0, 0)
            while entry < 128, place < pool.count {
                starts[entry] = UInt16(place)
                place += pool[place] < 0x80 ? 1 : pool[place] < 0xE0 ? 2 : 3
                entry += 1
            }
            precondition(entry == 128 && place == pool.count, "an index has 128 characters")
            starts[128] = UInt16(place)
            var hasReplacements = false
            let utf8 = write(bytes) { byte, output in
                let start = Int(starts[Int(byte & 0x7F)])
                let count = Int(starts[Int(byte & 0x7F) + 1]) - start
                for offset in 0..<count { output[offset] = pool[start + offset] }
                if count == 3, output[0] == 0xEF, output[1] == 0xBF, output[2] == 0xBD { hasReplacements = true }
                return count
            }
            return DecodedText(utf8: utf8, hasReplacements: hasReplacements)
        }
    }

    /// 80 to FF are U+F780 to U+F7FF.
    static func decodedUserDefined(_ bytes: [UInt8]) -> DecodedText {
        DecodedText(utf8: write(bytes) { UTF8Text.write(0xF700 + UInt32($0), to: $1) })
    }

    /// Every run of bytes above ASCII as one U+FFFD.
    static func asciiOnly(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var isReplaced = false
        for byte in bytes {
            if byte < 0x80 { output.append(byte) } else if !isReplaced { output += UTF8Text.replacement }
            isReplaced = byte >= 0x80
        }
        return output
    }

    /// - Parameter character: writes what a byte above ASCII stands for, at most three bytes, and says how many.
    @inline(__always)
    private static func write(
        _ bytes: [UInt8], _ character: (UInt8, UnsafeMutablePointer<UInt8>) -> Int
    ) -> [UInt8] {
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return [] }
            let wide = bytes.reduce(0) { $0 + Int($1 >> 7) }
            return [UInt8](unsafeUninitializedCapacity: bytes.count + wide * 2) { output, count in
                guard let to = output.baseAddress else { return }
                let raw = UnsafeRawPointer(base)
                var at = 0
                while at < bytes.count {
                    while at &+ 8 <= bytes.count {
                        let word = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                        if word & 0x8080_8080_8080_8080 != 0 { break }
                        UnsafeMutableRawPointer(to + count).storeBytes(of: word, as: UInt64.self)
                        at &+= 8
                        count &+= 8
                    }
                    if at == bytes.count { break }
                    if base[at] < 0x80 {
                        to[count] = base[at]
                        count &+= 1
                    } else {
                        count &+= character(base[at], to + count)
                    }
                    at &+= 1
                }
            }
        }
    }
}
