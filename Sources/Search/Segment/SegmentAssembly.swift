internal import Files

/// Assembles a segment's image from its documents and the parts of its terms.
enum SegmentAssembly {
    /// - Parameters:
    ///   - parts: in the order of their terms.
    ///   - prefixLists: the prefix lists of all parts.
    ///   - file: the target; `nil` for memory.
    /// - Returns: the segment's summary, and the image if it was made in memory.
    static func write(
        _ columns: borrowing DocumentColumns, _ parts: [PartBox], _ prefixLists: [PrefixLists.List],
        identity: UInt64, spill: (any SpillPlace)?, to file: OpenFile?
    ) throws -> (summary: SegmentSummary, memory: MemoryImage?) {
        var image = ImageWriter(file: file)
        let all = try [prefixPart(prefixLists, columns, spill)] + parts
        try writeColumns(columns, &image)
        try image.section { write in
            for part in all { try write(part.part.dictionary.blockKeys.base, part.part.dictionary.blockKeys.count) }
        }
        let termBytes = all.map { $0.part.dictionary.terms.count }
        let documentBytes = all.map { $0.part.documents.count }
        let positionBytes = all.map { $0.part.positions.count }
        var offsets = ByteBuffer()
        var documents = ByteBuffer()
        var positions = ByteBuffer()
        var (termBase, documentBase, positionBase) = (0, 0, 0)
        for (index, part) in all.enumerated() {
            let count = part.part.dictionary.blockOffsets.count / 4
            for block in 0..<count {
                let offset = part.part.dictionary.blockOffsets.base.load(fromByteOffset: block * 4, as: UInt32.self)
                let document = part.part.dictionary.blockDocuments.base.load(
                    fromByteOffset: block * 8, as: UInt64.self)
                let position = part.part.dictionary.blockPositions.base.load(
                    fromByteOffset: block * 8, as: UInt64.self)
                offsets.append(UInt32(termBase + Int(offset)))
                documents.append(UInt64(documentBase) + document)
                positions.append(UInt64(positionBase) + position)
            }
            termBase += termBytes[index]
            documentBase += documentBytes[index]
            positionBase += positionBytes[index]
        }
        try image.section(offsets)
        try image.section(documents)
        try image.section(positions)
        try image.section { write in
            for part in all { try write(part.part.dictionary.terms.base, part.part.dictionary.terms.count) }
        }
        try image.section { write in for part in all { try part.part.documents.read(write) } }
        try image.section { write in for part in all { try part.part.positions.read(write) } }
        let termCount = all.reduce(0) { $0 + $1.part.dictionary.count }
        let summary = try image.finish(
            identity: identity, documents: columns.count, terms: termCount, totals: columns.totals)
        return (summary, image.memory())
    }

    private static func writeColumns(_ columns: borrowing DocumentColumns, _ image: inout ImageWriter) throws {
        let count = columns.count
        var keys = ByteBuffer(capacity: count * 16)
        for key in columns.keys {
            keys.append(key.high.bigEndian)
            keys.append(key.low.bigEndian)
        }
        try image.section(keys)
        let all = columns.keys
        try image.section((0..<UInt32(count)).sorted { all[Int($0)] < all[Int($1)] })
        try image.section(columns.textLengths)
        try image.section(columns.fieldLengths)
        for times in [columns.updated, columns.created] {
            var packed = ByteBuffer(capacity: count * 6 + 8)
            for time in times { packed.append48(SegmentLayout.packed(time)) }
            try image.section(packed)
        }
        var latest: [Int64] = []
        var maximum = Int64.min
        for (index, time) in columns.updated.enumerated() {
            if index % 128 == 0 { latest.append(maximum) }
            maximum = max(maximum, time)
        }
        try image.section(latest)
        try image.section(columns.ranks.contains { $0 != .infinity } ? columns.ranks : [])
        try image.section(columns.stored.count > 0 ? columns.storedEnds : [])
        try image.section(columns.stored)
    }

    private static func prefixPart(
        _ lists: [PrefixLists.List], _ columns: borrowing DocumentColumns, _ spill: (any SpillPlace)?
    ) throws -> PartBox {
        let box = columns.textLengths.withUnsafeBufferPointer { texts in
            columns.fieldLengths.withUnsafeBufferPointer { fields in
                // No posting is encoded, so the lengths are not read.
                PartBox(
                    SegmentPart(
                        norms: LengthNorms(
                            textLengths: texts.baseAddress ?? PartBox.nothing,
                            fieldLengths: fields.baseAddress ?? PartBox.nothing, means: columns.means),
                        documentCount: 0, spill: spill))
            }
        }
        let sorted = lists.sorted { $0.prefix.lexicographicallyPrecedes($1.prefix) }
        for list in sorted {
            try box.part.add(list)
        }
        return box
    }
}

/// Carries a part from the thread that wrote it to the one that assembles the segment.
final class PartBox: @unchecked Sendable {
    var part: SegmentPart
    init(_ part: consuming SegmentPart) { self.part = part }
    nonisolated(unsafe) static let nothing: UnsafePointer<UInt32> = {
        let nothing = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
        nothing.initialize(to: 0)
        return UnsafePointer(nothing)
    }()
}
