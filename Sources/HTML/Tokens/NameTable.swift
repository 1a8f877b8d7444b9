/// Names of up to sixteen bytes and a number for each, found without regard to ASCII case; open addressing.
///
/// Made once for a fixed list; the look-up allocates nothing.
package final class NameTable: Sendable {
    private struct Entry: Sendable {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var value: UInt8 = 0
    }

    private let entries: [Entry]
    private let mask: Int

    package init(_ names: [(String, UInt8)]) {
        var size = 64
        while size < names.count * 3 { size *= 2 }
        var entries = [Entry](repeating: Entry(), count: size)
        for (name, value) in names {
            let bytes = Array(name.utf8)
            precondition((1...16).contains(bytes.count) && value > 0, "\(name) does not fit the table")
            let (low, high) = bytes.withUnsafeBufferPointer { Self.key($0, 0, bytes.count) }
            var place = Self.place(low, high) & (size - 1)
            while entries[place].value != 0 { place = (place + 1) & (size - 1) }
            entries[place] = Entry(low: low, high: high, value: value)
        }
        self.entries = entries
        mask = size - 1
    }

    /// - Returns: 0 for a name that is not in the table.
    package func value(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> UInt8 {
        let count = end - start
        if count < 1 || count > 16 { return 0 }
        let (low, high) = Self.key(bytes, start, end)
        var place = Self.place(low, high) & mask
        return entries.withUnsafeBufferPointer { entries in
            while entries[place].value != 0 {
                if entries[place].low == low && entries[place].high == high { return entries[place].value }
                place = (place + 1) & mask
            }
            return 0
        }
    }

    private static func key(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> (UInt64, UInt64) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        for index in 0..<end - start {
            let byte = UInt64(bytes[start + index].lowercased)
            if index < 8 { low |= byte << UInt64(index * 8) } else { high |= byte << UInt64((index - 8) * 8) }
        }
        return (low, high)
    }

    private static func place(_ low: UInt64, _ high: UInt64) -> Int {
        Int(truncatingIfNeeded: ((low ^ high &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }
}
