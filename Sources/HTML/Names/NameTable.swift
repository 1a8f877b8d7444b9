/// A fixed set of names of 1–16 bytes, each with a number. A hash table with open addressing: a look-up allocates
/// nothing.
package final class NameTable: Sendable {
    private struct Entry: Sendable {
        var low: UInt64 = 0
        var high: UInt64 = 0
        /// The length of the name, or 0 in an empty entry. The words alone do not show a NUL at the end of a name.
        var count: Int32 = 0
        var value: Int32 = 0
    }

    private let entries: [Entry]
    private let mask: Int

    /// - Parameter names: distinct and in lower case.
    package init(_ names: [(String, Int)]) {
        var size = 64
        while size < names.count * 4 { size *= 2 }
        mask = size - 1
        var entries = [Entry](repeating: Entry(), count: size)
        for (name, value) in names {
            precondition((1...16).contains(name.utf8.count), "\(name) does not fit the table")
            var key = NameKey()
            for byte in name.utf8 { key.append(byte) }
            var place = key.hash & mask
            while entries[place].count != 0 { place = (place + 1) & mask }
            entries[place] = Entry(low: key.low, high: key.high, count: Int32(key.count), value: Int32(value))
        }
        self.entries = entries
    }

    /// The number of a name, or `nil` if the name is not in the set.
    package func find(_ key: NameKey) -> Int? {
        if key.count > 16 { return nil }
        return entries.withUnsafeBufferPointer { entries in
            var place = key.hash & mask
            while entries[place].count != 0 {
                let entry = entries[place]
                if entry.low == key.low, entry.high == key.high, Int(entry.count) == key.count {
                    return Int(entry.value)
                }
                place = (place + 1) & mask
            }
            return nil
        }
    }
}
