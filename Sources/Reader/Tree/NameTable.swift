/// A fixed set of lower-case ASCII names of at most 16 bytes, found by hash: no string is made for a lookup.
struct NameTable<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var value: Value?
    }

    private var entries: [Entry]
    private let mask: Int

    /// - Parameter names: distinct, each of 1–16 bytes of lower-case ASCII.
    init(_ names: [(String, Value)]) {
        var size = 64
        while size < names.count * 4 { size *= 2 }
        mask = size - 1
        entries = Array(repeating: Entry(), count: size)
        for (name, value) in names {
            var key = NameKey()
            for byte in name.utf8 { key.append(byte) }
            var place = Int(truncatingIfNeeded: key.hash) & mask
            while entries[place].value != nil { place = (place + 1) & mask }
            entries[place] = Entry(low: key.low, high: key.high, value: value)
        }
    }

    /// The value of a name, or `nil` for one that is not in the set.
    func find(_ key: NameKey) -> Value? {
        if key.count > 16 { return nil }
        var place = Int(truncatingIfNeeded: key.hash) & mask
        while let value = entries[place].value {
            if entries[place].low == key.low && entries[place].high == key.high { return value }
            place = (place + 1) & mask
        }
        return nil
    }
}

/// A name's first 16 bytes, packed as it is read.
struct NameKey {
    private(set) var low: UInt64 = 0
    private(set) var high: UInt64 = 0
    private(set) var count = 0

    mutating func append(_ byte: UInt8) {
        if count < 8 {
            low |= UInt64(byte) << UInt64(count * 8)
        } else if count < 16 {
            high |= UInt64(byte) << UInt64(count * 8 - 64)
        }
        count += 1
    }

    /// The key of the first bytes of the name, at most 8.
    func prefix(_ count: Int) -> NameKey {
        var key = NameKey()
        key.low = count >= 8 ? low : low & (1 << UInt64(count * 8) - 1)
        key.count = count
        return key
    }

    var hash: UInt64 {
        let mixed = (low ^ (high &* 0x9E37_79B9_7F4A_7C15)) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ (mixed >> 29)
    }
}
