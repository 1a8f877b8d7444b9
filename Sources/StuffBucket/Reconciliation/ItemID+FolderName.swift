internal import Items

extension ItemID {
    /// Reads the name of an item's folder: a UUID in lower case.
    init?(folderName name: UnsafeBufferPointer<UInt8>) {
        guard name.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var digits = 0
        for (index, byte) in name.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                if byte != 0x2D { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
            digits += 1
        }
        if high == 0, low == 0 { return nil }
        self.init(high: high, low: low)
    }
}
