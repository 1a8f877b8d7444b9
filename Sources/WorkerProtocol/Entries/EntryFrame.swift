/// The parts of a stream of entries between sbfs and its worker: one byte for the kind, four for the length (little-endian), and
/// the contents.
///
/// Each entry is followed by its contents in pieces. The stream ends with `end` or `fault`; without either it was cut off.
enum EntryFrame: UInt8 {
    /// A `PackedEntry`.
    case entry = 0x45
    /// A piece of the entry's contents.
    case piece = 0x50
    /// The entry's contents end here, and are not those that were packed.
    case damage = 0x44
    /// Nothing follows.
    case end = 0x5A
    /// A `PackedFault` as JSON; nothing follows.
    case fault = 0x46

    /// The longest contents in bytes.
    static let limit = 1 << 20

    func head(_ count: Int) -> [UInt8] {
        [rawValue] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }
}
