internal import Glibc

/// Finds and replaces short byte sequences in long ones.
enum ByteReplacement {
    static func first(of wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let head = wanted.first, start <= bytes.count else { return nil }
        return bytes.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress else { return nil }
            var place = start
            // Jumps from one occurrence of the first byte to the next.
            while place + wanted.count <= bytes.count {
                guard let found = memchr(base + place, Int32(head), bytes.count - wanted.count + 1 - place) else {
                    break
                }
                place = UnsafeRawPointer(found) - base
                if memcmp(base + place, wanted, wanted.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }

    static func bytes(_ bytes: [UInt8], _ wanted: [UInt8], _ other: [UInt8]) -> [UInt8] {
        guard var place = first(of: wanted, in: bytes, from: 0) else { return bytes }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var start = 0
        while true {
            output += bytes[start..<place]
            output += other
            start = place + wanted.count
            guard let next = first(of: wanted, in: bytes, from: start) else { break }
            place = next
        }
        output += bytes[start...]
        return output
    }
}
