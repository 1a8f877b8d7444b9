internal import Files

/// The list of all parts of the index: its segments in order, the deleted documents of each, and its log.
///
/// SearchIndex.md § I3.3. It is replaced as a whole. A reader of an older manifest continues with the files that it
/// names.
struct Manifest: Equatable {
    struct Entry: Equatable {
        var summary: SegmentSummary
        var deletions: Deletions
    }

    /// Rises with every manifest.
    var generation: UInt64 = 0
    /// The number in the log's name.
    var log: UInt64 = 0
    var entries: [Entry] = []

    static let fileName = "manifest"
    private static let magic: UInt64 = 0x0A4D_5844_4E49_4253  // "SBINDXM" and a newline
    private static let version: UInt32 = 2
    static let byteLimit = 64 << 20

    static func segmentName(_ identity: UInt64) -> String { hexadecimal(identity) + ".segment" }
    static func logName(_ number: UInt64) -> String { hexadecimal(number) + ".log" }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    var bytes: [UInt8] {
        var out = ByteBuffer()
        out.append(Self.magic)
        out.append(Self.version)
        out.append(UInt32(entries.count))
        out.append(generation)
        out.append(log)
        for entry in entries {
            out.append(entry.summary.identity)
            out.append(UInt64(entry.summary.byteCount))
            out.append(entry.summary.headerChecksum)
            out.append(UInt32(entry.summary.documents))
            out.append(UInt32(entry.deletions.count))
            if entry.deletions.count > 0 { for word in entry.deletions.words { out.append(word) } }
        }
        out.append(Checksum.of(out.base, out.count))
        return out.bytes
    }

    init() {}

    init(bytes: [UInt8]) throws(IndexDamage) {
        func damaged(_ what: String) -> IndexDamage { IndexDamage("\(Self.fileName): \(what)") }
        guard bytes.count >= 40 else { throw damaged("shorter than a manifest") }
        var offset = 0
        func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number? {
            if offset + MemoryLayout<Number>.size > bytes.count { return nil }
            defer { offset += MemoryLayout<Number>.size }
            return Number(
                littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) })
        }
        guard number(UInt64.self) == Self.magic else { throw damaged("does not begin as a manifest does") }
        let sum = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self) }
        guard Checksum.of(Array(bytes.dropLast(8))) == sum else { throw damaged("the checksum does not agree") }
        let version = number(UInt32.self) ?? 0
        guard version == Self.version else {
            throw IndexDamage("\(Self.fileName): version \(version) is not known", isOtherVersion: true)
        }
        guard let count = number(UInt32.self), let generation = number(UInt64.self), let log = number(UInt64.self)
        else { throw damaged("not whole") }
        self.generation = generation
        self.log = log
        for _ in 0..<count {
            guard let identity = number(UInt64.self), let byteCount = number(UInt64.self),
                let headerChecksum = number(UInt64.self), let documents = number(UInt32.self),
                let deleted = number(UInt32.self), byteCount < 1 << 48
            else { throw damaged("not whole") }
            var deletions = Deletions(documentCount: Int(documents))
            if deleted > 0 {
                for word in 0..<(Int(documents) + 63) / 64 {
                    guard var bits = number(UInt64.self) else { throw damaged("not whole") }
                    while bits != 0 {
                        let document = word * 64 + bits.trailingZeroBitCount
                        if document >= documents { throw damaged("a document that is not there is deleted") }
                        deletions.insert(document)
                        bits &= bits - 1
                    }
                }
            }
            if deletions.count != Int(deleted) { throw damaged("deletions do not add up") }
            entries.append(
                Entry(
                    summary: SegmentSummary(
                        identity: identity, byteCount: Int(byteCount), headerChecksum: headerChecksum,
                        documents: Int(documents)),
                    deletions: deletions))
        }
        if offset != bytes.count - 8 { throw damaged("longer than it says") }
    }
}
