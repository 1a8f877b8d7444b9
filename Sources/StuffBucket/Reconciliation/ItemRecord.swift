internal import Files
internal import Items

/// What the index stores for an item besides its words: the state of its files when they were read, and data for
/// lists.
///
/// Bytes, little-endian: version u8, flags u8, shard u8, 0 u8, parts u16 (bit n: `ItemPart` n existed), time of reading
/// i64 (milliseconds since 1970), hash of the indexed content u64; for each part two u64 (`FileMark`); the document's
/// name as count u8 and bytes; the folded display title as count u8 and bytes; hashes of the fields as count u8 and,
/// for each, number of the field u8 and hash u32 (`FieldHashes`).
struct ItemRecord {
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let pinned = Flags(rawValue: 1)
        /// The item has at least one trash mark.
        static let trashed = Flags(rawValue: 2)
        /// The item has both trash marks, so a tombstone counts.
        static let purgeable = Flags(rawValue: 4)
        /// The document is directly in the item's folder.
        static let looseDocument = Flags(rawValue: 8)
    }

    /// Goes up also when more of an item is indexed: with records of an earlier version, sweeps read every item again.
    static let version: UInt8 = 9
    static let headerByteCount = 22
    /// Bytes of the display title that are compared when sorting.
    static let titleByteLimit = 120

    var flags: Flags = []
    /// The shard that contains the item: its own, unless somebody has moved it.
    var shard: UInt8 = 0
    /// Milliseconds since 1970 UTC.
    var readAt: Int64 = 0
    var contentHash: UInt64 = 0
    var look = ItemLook()
    var documentName: [UInt8] = []
    var title: [UInt8] = []
    var fields = FieldHashes()

    var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version, flags.rawValue, shard, 0, 0, 0]
        func append(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        append(UInt64(bitPattern: readAt))
        append(contentHash)
        var parts: UInt16 = 0
        for part in ItemPart.allCases {
            guard let mark = look[part] else { continue }
            parts |= 1 << UInt16(part.rawValue)
            append(mark.content)
            append(mark.identity)
        }
        (bytes[4], bytes[5]) = (UInt8(truncatingIfNeeded: parts), UInt8(truncatingIfNeeded: parts >> 8))
        let name = documentName.prefix(255)
        bytes.append(UInt8(name.count))
        bytes += name
        let title = title.prefix(Self.titleByteLimit)
        bytes.append(UInt8(title.count))
        bytes += title
        bytes += fields.bytes
        return bytes
    }
}

/// A record in its stored form in the index.
struct ItemRecordView {
    private let base: UnsafeRawPointer
    private let count: Int

    /// - Returns: `nil` for bytes that are no record of this version.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count >= ItemRecord.headerByteCount + 2,
            base.load(as: UInt8.self) == ItemRecord.version
        else { return nil }
        self.base = base
        count = bytes.count
        guard namesOffset + 2 <= count, titleOffset < count, fieldsOffset < count,
            fieldsOffset + 1 + Int(byte(fieldsOffset)) * FieldHashes.byteCount <= count
        else { return nil }
    }

    private func byte(_ offset: Int) -> UInt8 { base.load(fromByteOffset: offset, as: UInt8.self) }
    private func number(_ offset: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    var flags: ItemRecord.Flags { ItemRecord.Flags(rawValue: byte(1)) }
    var shard: UInt8 { byte(2) }
    private var parts: UInt16 { UInt16(byte(4)) | UInt16(byte(5)) << 8 }
    var readAt: Int64 { Int64(bitPattern: number(6)) }
    var contentHash: UInt64 { number(14) }

    private var namesOffset: Int { ItemRecord.headerByteCount + parts.nonzeroBitCount * 16 }
    private var titleOffset: Int { namesOffset + 1 + Int(byte(namesOffset)) }
    private var fieldsOffset: Int { titleOffset + 1 + Int(byte(titleOffset)) }

    var documentName: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + namesOffset + 1, count: Int(byte(namesOffset)))
    }

    /// The display title, folded and cut.
    var title: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + titleOffset + 1, count: Int(byte(titleOffset)))
    }

    var fields: FieldHashes {
        FieldHashes(
            UnsafeRawBufferPointer(
                start: base + fieldsOffset + 1, count: Int(byte(fieldsOffset)) * FieldHashes.byteCount))
    }

    /// The state of a part when the files were read; `nil` for a missing part.
    func mark(of wanted: ItemPart) -> FileMark? {
        let bit: UInt16 = 1 << UInt16(wanted.rawValue)
        if parts & bit == 0 { return nil }
        let offset = ItemRecord.headerByteCount + (parts & (bit - 1)).nonzeroBitCount * 16
        return FileMark(content: number(offset), identity: number(offset + 8))
    }

    func row(_ id: ItemID) -> Row {
        Row(id: id, folder: Layout.itemFolder(id, shard: shard), isTrashed: flags.contains(.trashed))
    }

    // MARK: Comparing

    enum Comparison {
        /// The files look unchanged; `newest` is the latest time at which any of them can have changed, in
        /// nanoseconds.
        case same(newest: Int64)
        /// Sizes and times of modification are the same, so the files were perhaps only moved or given other
        /// permissions.
        case touched
        case changed
        case absent
    }

    /// Compares the record with the files on the disk.
    func compare(_ directory: borrowing Directory, _ path: ItemPath) throws(FileError) -> Comparison {
        var offset = ItemRecord.headerByteCount
        var newest = Int64.min
        var isTouched = false
        let parts = parts
        let isLoose = flags.contains(.looseDocument)
        for part in ItemPart.allCases where parts & 1 << UInt16(part.rawValue) != 0 {
            let content = number(offset)
            let identity = number(offset + 8)
            offset += 16
            let status = try path.with(part, documentName: documentName, isLoose: isLoose) { path throws(FileError) in
                try directory.status(at: path)
            }
            guard let status else { return part == .folder ? .absent : .changed }
            let mark = FileMark(status)
            if mark.content != content { return .changed }
            if mark.identity != identity { isTouched = true }
            // A write that leaves no trace would have to set both times back.
            newest = max(newest, min(status.modified, status.changed))
        }
        return isTouched ? .touched : .same(newest: newest)
    }
}
