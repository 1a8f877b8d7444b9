internal import Files

/// Recent commits, one record behind the other: small segments, and what each deletes from those before it.
///
/// FORMAT.md § "Log". A record counts when its checksum agrees; what follows the last such record is a torn tail and is
/// written over by the next commit.
enum CommitLog {
    static let magic: UInt64 = 0x0A4C_5844_4E49_4253  // "SBINDXL" and a newline
    static let headerByteCount = 24
    private static let recordMagic: UInt32 = 0x4443_4552  // "RECD"
    private static let recordHeaderByteCount = 40
    /// A log larger than this is not read; commits begin a new one long before.
    static let byteLimit = 256 << 20

    struct Deletion: Equatable {
        /// The segment's.
        let identity: UInt64
        let document: UInt32
    }

    struct Record {
        /// Segments of the log, its last ones, that this record's segment takes the place of.
        var replaced: Int
        var deletions: [Deletion]
        /// Where the record's segment lies in the log; empty if it only deletes.
        var image: Range<Int>
    }

    static func header(number: UInt64) -> [UInt8] {
        var out = ByteBuffer()
        out.append(magic)
        out.append(number)
        out.append(Checksum.of(out.base, out.count))
        return out.bytes
    }

    /// The bytes of a record.
    static func record(replaced: Int, deletions: [Deletion], image: MemoryImage?, log: UInt64) -> [UInt8] {
        var out = ByteBuffer(capacity: recordHeaderByteCount + deletions.count * 16 + (image?.count ?? 0) + 16)
        let deletionBytes = deletions.count * 16
        let imageBytes = image?.count ?? 0
        let padding = (8 - imageBytes % 8) % 8
        out.append(recordMagic)
        out.append(UInt32(replaced))
        out.append(UInt64(0))
        out.append(log)
        out.append(UInt64(deletions.count))
        out.append(UInt64(imageBytes))
        for deletion in deletions {
            out.append(deletion.identity)
            out.append(UInt64(deletion.document))
        }
        if let image { out.append(image.base, image.count) }
        out.appendZeros(padding)
        assert(out.count == recordHeaderByteCount + deletionBytes + imageBytes + padding)
        out.base.storeBytes(of: checksum(out.base, out.count), toByteOffset: 8, as: UInt64.self)
        return out.bytes
    }

    /// Over all but the place of the checksum itself.
    private static func checksum(_ record: UnsafeRawPointer, _ count: Int) -> UInt64 {
        Checksum.of(record + 16, count - 16) ^ (record.loadUnaligned(as: UInt64.self) &* 0x9E37_79B1_85EB_CA87)
    }

    /// Reads the records of a log.
    ///
    /// - Returns: the records, and the byte behind the last whole one.
    static func read(_ image: MemoryImage, number: UInt64, name: String) throws(IndexDamage) -> ([Record], end: Int) {
        let (base, count) = (image.base, image.count)
        guard count >= headerByteCount, base.loadUnaligned(as: UInt64.self) == magic,
            base.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == number,
            base.loadUnaligned(fromByteOffset: 16, as: UInt64.self) == Checksum.of(base, 16)
        else { throw IndexDamage("\(name): does not begin as this log does") }
        var records: [Record] = []
        var at = headerByteCount
        while count - at >= recordHeaderByteCount {
            func number64(_ offset: Int) -> UInt64 {
                base.loadUnaligned(fromByteOffset: at + offset, as: UInt64.self)
            }
            let deletionCount = number64(24)
            let imageBytes = number64(32)
            guard base.loadUnaligned(fromByteOffset: at, as: UInt32.self) == recordMagic, number64(16) == number,
                deletionCount < 1 << 32, imageBytes < 1 << 40
            else { break }
            let start = at + recordHeaderByteCount + Int(deletionCount) * 16
            let length = (start - at + Int(imageBytes) + 7) / 8 * 8
            guard length <= count - at, checksum(base + at, length) == number64(8) else { break }
            var deletions: [Deletion] = []
            for deletion in 0..<Int(deletionCount) {
                let offset = recordHeaderByteCount + deletion * 16
                deletions.append(
                    Deletion(
                        identity: number64(offset), document: UInt32(truncatingIfNeeded: number64(offset + 8))))
            }
            records.append(
                Record(
                    replaced: Int(base.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)), deletions: deletions,
                    image: start..<start + Int(imageBytes)))
            at += length
        }
        return (records, at)
    }
}
