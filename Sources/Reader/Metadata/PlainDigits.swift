/// A text whose digits of other scripts are those of ASCII, and whose wide spaces and marks of direction are spaces.
struct PlainDigits {
    private(set) var bytes: [UInt8] = []
    /// Where the text became shorter: offsets in `bytes`, and how much was left out before them.
    private var cuts: [(place: Int, removed: Int)] = []

    init(_ source: [UInt8]) {
        bytes.reserveCapacity(source.count)
        var index = 0
        var removed = 0
        while index < source.count {
            let byte = source[index]
            if byte < 0x80 {
                bytes.append(byte)
                index += 1
                continue
            }
            let length = byte >= 0xE0 ? byte >= 0xF0 ? 4 : 3 : 2
            guard index + length <= source.count, let plain = Self.plain(source[index..<index + length]) else {
                bytes.append(byte)
                index += 1
                continue
            }
            bytes.append(plain)
            index += length
            removed += length - 1
            cuts.append((bytes.count, removed))
        }
    }

    /// The offset in the source of an offset in `bytes`.
    func place(of place: Int) -> Int { place + (cuts.last { $0.place <= place }?.removed ?? 0) }

    /// The digit or space for a character in UTF-8; `nil` for other characters.
    private static func plain(_ character: ArraySlice<UInt8>) -> UInt8? {
        let value = character.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        for zero in zeros where value >= zero && value < zero + 10 { return 0x30 + UInt8(value - zero) }
        return spaces.contains(value) ? 0x20 : nil
    }

    /// The zeros in UTF-8: Arabic, Persian, Devanagari, Bengali, Thai, Burmese, wide. (Those of Bengali and Devanagari do
    /// not cross a block of 64 characters.)
    private static let zeros: [UInt32] = [0xD9A0, 0xDBB0, 0xE0A5A6, 0xE0A7A6, 0xE0B990, 0xE18180, 0xEFBC90]
    /// A space that does not break, the Arabic comma, marks of direction, the wide space, comma and colon.
    private static let spaces: Set<UInt32> = [
        0xC2A0, 0xD88C, 0xE2808E, 0xE2808F, 0xE280AA, 0xE280AB, 0xE280AC, 0xE38080, 0xE38081, 0xEFBC8C, 0xEFBC9A,
    ]
}
