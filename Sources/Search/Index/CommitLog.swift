internal import Files

/// Recent commits, one record after the other: a small segment, and its deletions from earlier segments.
///
/// SearchIndex.md § I3.4. Each record repeats the checksum of the one before it. If a writer dies, the log may end
/// with an incomplete record: readers ignore it, and the next writer cuts it off. Any other mismatch is damage.
enum CommitLog {
    static let magic: UInt64 = 0x0A4C_5844_4E49_4253  // "SBINDXL" and a newline
    static let headerByteCount = 24
    private static let recordMagic: UInt32 = 0x4443_4552  // "RECD"
    private static let recordHeaderByteCount = 48
    /// A larger log is not read; commits begin a new one long before.
    static let byteLimit = 256 << 20

    struct Deletion: Equatable {
        /// The segment's identity.
        let identity: UInt64
        let document: UInt32
    }

    struct Record {
        /// The number of segments at the end of the log that this record's segment replaces.
        var replaced: Int
        var deletions: [Deletion]
        /// The range of the record's segment in the log; empty if the record only deletes.
        var image: Range<Int>
    }

    /// The place of the next record.
    struct End: Equatable {
        /// The end of the last whole record.
        var offset: Int
        /// The checksum of the last header, which the next record repeats.
        var checksum: UInt64
    }

    static func header(number: UInt64) -> [UInt8] {
        var out = ByteBuffer()
        out.append(magic)
        out.append(number)
        out.append(Checksum.of(out.base, out.count))
        return out.bytes
    }

    /// The end of a log without records.
    static func end(ofHeader header: [UInt8]) -> End {
        End(
            offset: header.count,
            checksum: header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self) })
    }

    /// The bytes of a record, and the log's end after writing them.
    static func record(
        replaced: Int, deletions: [Deletion], image: MemoryImage?, at end: End
    ) -> (bytes: [UInt8], end: End) {
        var body = ByteBuffer(capacity: deletions.count * 16 + (image?.count ?? 0) + 16)
        for deletion in deletions {
            body.append(deletion.identity)
            body.append(UInt64(deletion.document))
        }
        if let image { body.append(image.base, image.count) }
        body.appendZeros((8 - body.count % 8) % 8)
        var out = ByteBuffer(capacity: recordHeaderByteCount + body.count)
        out.append(recordMagic)
        out.append(UInt32(replaced))
        out.append(end.checksum)
        out.append(UInt64(deletions.count))
        out.append(UInt64(image?.count ?? 0))
        out.append(Checksum.of(body.base, body.count))
        let checksum = Checksum.of(out.base, out.count)
        out.append(checksum)
        out.append(body.base, body.count)
        return (out.bytes, End(offset: end.offset + out.count, checksum: checksum))
    }

    /// Reads the records of a log.
    ///
    /// - Returns: the records, and the place of the next one.
    /// - Throws: `IndexDamage` if the log holds bytes that no writer leaves behind.
    static func read(
        _ image: MemoryImage, number: UInt64, name: String
    ) throws(IndexDamage) -> ([Record], end: End) {
        let (base, count) = (image.base, image.count)
        guard count >= headerByteCount, base.loadUnaligned(as: UInt64.self) == magic,
            base.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == number,
            base.loadUnaligned(fromByteOffset: 16, as: UInt64.self) == Checksum.of(base, 16)
        else { throw IndexDamage("\(name): does not begin as this log does") }
        var records: [Record] = []
        var end = End(
            offset: headerByteCount, checksum: base.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        while count - end.offset >= recordHeaderByteCount {
            let at = end.offset
            func number64(_ offset: Int) -> UInt64 {
                base.loadUnaligned(fromByteOffset: at + offset, as: UInt64.self)
            }
            let checksum = number64(40)
            guard base.loadUnaligned(fromByteOffset: at, as: UInt32.self) == recordMagic,
                Checksum.of(base + at, 40) == checksum, number64(8) == end.checksum
            else {
                // After a loss of power, a file may have its new size without its bytes.
                if isZero(base + at, count - at) { break }
                throw IndexDamage("\(name): the record at \(at) does not begin as it should")
            }
            let (deletionCount, imageBytes) = (number64(16), number64(24))
            guard deletionCount < 1 << 32, imageBytes < 1 << 40 else {
                throw IndexDamage("\(name): the record at \(at) is too large")
            }
            let start = at + recordHeaderByteCount + Int(deletionCount) * 16
            let length = (start - at + Int(imageBytes) + 7) / 8 * 8
            if length > count - at { break }
            guard Checksum.of(base + at + recordHeaderByteCount, length - recordHeaderByteCount) == number64(32) else {
                throw IndexDamage("\(name): the checksum of the record at \(at) does not agree")
            }
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
            end = End(offset: at + length, checksum: checksum)
        }
        return (records, end)
    }

    private static func isZero(_ bytes: UnsafeRawPointer, _ count: Int) -> Bool {
        UnsafeRawBufferPointer(start: bytes, count: count).allSatisfy { $0 == 0 }
    }
}
