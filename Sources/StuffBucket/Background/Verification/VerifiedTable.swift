internal import Files
internal import Items

/// `.sbfs/verified`: when each item was last read to its end, and what it was. DeviceFiles.md § D9.
///
/// Little-endian. Header: `sbfsver1`, two u64 of salt, the number of records u64. Records of 24 bytes, sorted by key:
/// key u64, whose lowest bit is `hasEdits`; day u16, whose highest bit says that something was wrong; look u32 and content u24 of item.json and
/// text.md; the same of all other files. At the end 16 bytes: hash16 of everything before.
struct VerifiedTable {
    static let magic = Array("sbfsver1".utf8)
    static let headerByteCount = 32
    static let recordByteCount = 24
    static let trailerByteCount = 16
    static let byteLimit = 512 << 20

    /// Secret, so that nobody can make two ids with the same key.
    let salt: (UInt64, UInt64)
    /// Sorted by key, each key once.
    private(set) var records: [VerifiedRecord] = []
    /// Newer records, which `settle` sorts in.
    private var recent: [UInt64: VerifiedRecord] = [:]

    /// A table of nothing.
    init(salt: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))) { self.salt = salt }

    /// The key of an item, 63 bits.
    func key(_ id: ItemID) -> UInt64 { Self.mix(Self.mix(id.high ^ salt.0) ^ id.low ^ salt.1) >> 1 }

    /// The finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
    private static func mix(_ number: UInt64) -> UInt64 {
        var z = number &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    // MARK: Records

    subscript(key: UInt64) -> VerifiedRecord? { recent[key] ?? place(of: key).map { records[$0] } }

    private func place(of key: UInt64) -> Int? {
        var low = 0, high = records.count
        while low < high {
            let middle = (low + high) / 2
            if records[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low < records.count && records[low].key == key ? low : nil
    }

    mutating func put(_ record: VerifiedRecord) {
        if let place = place(of: record.key) { records[place] = record } else { recent[record.key] = record }
    }

    /// Sorts new records in.
    mutating func settle() {
        if recent.isEmpty { return }
        records += recent.values
        records.sort { $0.key < $1.key }
        recent = [:]
    }

    /// Forgets items that are gone. If more than a fifth of all seem to be gone, the library is perhaps not here, and
    /// nothing is forgotten.
    ///
    /// - Parameter isPresent: for each of `records`.
    mutating func prune(_ isPresent: [Bool]) {
        let gone = isPresent.count { !$0 }
        if gone == 0 || isPresent.count != records.count || gone * 5 > records.count { return }
        records = zip(records, isPresent).filter(\.1).map(\.0)
    }

    /// The place of a key among `records`; `nil` if it is new.
    func settledPlace(of key: UInt64) -> Int? { place(of: key) }

    // MARK: Bytes

    /// - Returns: `nil` if anything is wrong with them: the items are then read again, longest ago first.
    init?(parsing bytes: [UInt8]) {
        let bodyCount = bytes.count - Self.trailerByteCount
        guard bodyCount >= Self.headerByteCount, bytes.starts(with: Self.magic),
            (bodyCount - Self.headerByteCount) % Self.recordByteCount == 0,
            Self.hash(bytes[..<bodyCount]).elementsEqual(bytes[bodyCount...])
        else { return nil }
        func number(_ offset: Int, _ count: Int) -> UInt64 {
            (0..<count).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
        }
        salt = (number(8, 8), number(16, 8))
        let count = (bodyCount - Self.headerByteCount) / Self.recordByteCount
        guard number(24, 8) == UInt64(count) else { return nil }
        records.reserveCapacity(count)
        for index in 0..<count {
            let start = Self.headerByteCount + index * Self.recordByteCount
            let day = UInt16(number(start + 8, 2))
            let key = number(start, 8)
            var record = VerifiedRecord(
                key: key >> 1, hasEdits: key & 1 != 0, day: day & 0x7FFF, hasFault: day & 0x8000 != 0)
            record.edited.look = UInt32(number(start + 10, 4))
            record.edited.content = UInt32(number(start + 14, 3))
            record.saved.look = UInt32(number(start + 17, 4))
            record.saved.content = UInt32(number(start + 21, 3))
            guard records.last.map({ $0.key < record.key }) ?? true else { return nil }
            records.append(record)
        }
    }

    /// All records; call `settle` first.
    var bytes: [UInt8] {
        var bytes = Self.magic
        bytes.reserveCapacity(Self.headerByteCount + records.count * Self.recordByteCount + Self.trailerByteCount)
        func append(_ number: UInt64, _ count: Int) {
            for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))) }
        }
        append(salt.0, 8)
        append(salt.1, 8)
        append(UInt64(records.count), 8)
        for record in records {
            append(record.key << 1 | (record.hasEdits ? 1 : 0), 8)
            append(UInt64(record.day & 0x7FFF | (record.hasFault ? 0x8000 : 0)), 2)
            for mark in [record.edited, record.saved] {
                append(UInt64(mark.look), 4)
                append(UInt64(mark.content), 3)
            }
        }
        return bytes + Self.hash(bytes[...])
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(SHA256.hex(Array(bytes)).utf8.prefix(trailerByteCount))
    }

    // MARK: The file

    /// The table of a library; of nothing if there is none, or it is damaged.
    static func read(in device: borrowing Directory) -> VerifiedTable {
        let contents = try? device.contentsIfPresent(of: Layout.verified, limit: byteLimit)
        return contents.flatMap { $0 }.flatMap { VerifiedTable(parsing: $0.bytes) } ?? VerifiedTable()
    }

    mutating func write(in device: borrowing Directory) throws(FileError) {
        settle()
        try device.replaceFile(Layout.verified, with: bytes)
    }
}
