internal import Files
internal import Items

/// The bytes of a path to an item's folder. File names are appended without creating strings.
final class ItemPath {
    private let buffer: UnsafeMutablePointer<CChar>
    private let start: Int
    /// Room for `document/` and the longest file name, 255 bytes.
    private static let room = 280

    /// - Parameter prefix: the path before the item's id: empty, or ending in a slash.
    init(prefix: String) {
        let prefix = Array(prefix.utf8)
        buffer = .allocate(capacity: prefix.count + 36 + Self.room)
        for (index, byte) in prefix.enumerated() { buffer[index] = CChar(bitPattern: byte) }
        start = prefix.count
    }

    deinit { buffer.deallocate() }

    /// Sets the path to that of an item.
    func set(_ id: ItemID) {
        var place = start
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 {
                buffer[place] = 0x2D
                place += 1
            }
            let half = index < 16 ? id.high : id.low
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - index % 16 * 4)) & 15
            buffer[place] = CChar(bitPattern: digit < 10 ? 0x30 + digit : 0x57 + digit)
            place += 1
        }
    }

    /// Calls `body` with the path of a part, which ends with NUL.
    @inline(__always)
    func with<Result>(
        _ part: ItemPart, documentName: some Collection<UInt8>, isLoose: Bool = false,
        _ body: (UnsafePointer<CChar>) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        var place = start + 36
        if part != .folder {
            buffer[place] = 0x2F
            place += 1
        }
        let name = part.path ?? (isLoose ? "" : "document/")
        for index in 0..<name.utf8CodeUnitCount {
            buffer[place] = CChar(bitPattern: name.utf8Start[index])
            place += 1
        }
        if part == .document {
            for byte in documentName.prefix(Self.room - 12) {
                buffer[place] = CChar(bitPattern: byte)
                place += 1
            }
        }
        buffer[place] = 0
        return try body(buffer)
    }
}
