internal import Items

/// The older packs of a device, in lists that are objects of their own, so that its head stays small.
/// Documentation/Exchange.md § 2.
enum PackLists {
    /// The number of packs in a list.
    static let length = 256
    /// The largest list that is read, in bytes: a line has 65.
    static let byteLimit = 1 << 16
    /// The number of lists that a head may name.
    static let countLimit = 4_096

    /// The parts of a device's packs that are in lists: all but the last 256 to 511.
    static func listed(of packs: [Items.ContentHash]) -> [ArraySlice<Items.ContentHash>] {
        guard packs.count >= 2 * length else { return [] }
        return (0..<packs.count / length - 1).map { packs[$0 * length..<($0 + 1) * length] }
    }

    /// One name in each line.
    static func bytes(of packs: ArraySlice<Items.ContentHash>) -> [UInt8] {
        packs.flatMap { Array($0.hex.utf8) + [UInt8(ascii: "\n")] }
    }

    /// - Returns: `nil` if the bytes are no list.
    static func packs(in bytes: [UInt8]) -> [Items.ContentHash]? {
        guard bytes.last == UInt8(ascii: "\n") else { return nil }
        let lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let packs = lines.compactMap { Items.ContentHash(hex: $0) }
        return packs.count == lines.count ? packs : nil
    }

    /// Every list that a device's packs make or will make, by its name.
    static func byName(of packs: [Items.ContentHash]) -> [Items.ContentHash: ArraySlice<Items.ContentHash>] {
        let parts = (0..<packs.count / length).map { packs[$0 * length..<($0 + 1) * length] }
        return Dictionary(parts.map { (Items.ContentHash(of: bytes(of: $0)), $0) }) { first, _ in first }
    }
}
