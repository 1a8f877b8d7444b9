internal import Files

/// Writes a segment's sections one after the other, the header before them and the pages' checksums after them.
struct ImageWriter: ~Copyable {
    private let file: OpenFile?
    private var page = ByteBuffer(capacity: SegmentLayout.pageByteCount)
    private var checksums = ByteBuffer()
    private var pending = ByteBuffer()
    private var offset = 0
    private var places: [(offset: Int, count: Int)] = []

    /// - Parameter file: an empty file for the image; in memory if `nil`.
    init(file: OpenFile?) {
        self.file = file
        offset = SegmentLayout.headerByteCount
        pending.appendZeros(SegmentLayout.headerByteCount)
    }

    private mutating func append(_ bytes: UnsafeRawPointer, _ byteCount: Int) throws {
        var at = bytes
        var rest = byteCount
        offset += byteCount
        while rest > 0 {
            let part = min(rest, SegmentLayout.pageByteCount - page.count)
            page.append(at, part)
            at += part
            rest -= part
            if page.count == SegmentLayout.pageByteCount { endPage() }
        }
        pending.append(bytes, byteCount)
        if file != nil, pending.count >= 1 << 20 { try flush() }
    }

    private mutating func endPage() {
        if page.count == 0 { return }
        checksums.append(UInt32(truncatingIfNeeded: Checksum.of(page.base, page.count)))
        page.removeAll()
    }

    private mutating func flush() throws {
        try file?.descriptor.write(UnsafeRawBufferPointer(start: pending.base, count: pending.count))
        pending.removeAll()
    }

    /// Begins the next section of `SegmentLayout.Section`; `write` passes its bytes.
    mutating func section(_ write: ((UnsafeRawPointer, Int) throws -> Void) throws -> Void) throws {
        let padding = SegmentLayout.aligned(offset) - offset
        if padding > 0 { try withUnsafeBytes(of: UInt64(0)) { try append($0.baseAddress.unsafelyUnwrapped, padding) } }
        let start = offset
        try write { bytes, count in try append(bytes, count) }
        places.append((start, offset - start))
    }

    mutating func section(_ bytes: borrowing ByteBuffer) throws {
        let (base, count) = (bytes.base, bytes.count)
        try section { try $0(base, count) }
    }

    mutating func section<Element: BitwiseCopyable>(_ elements: [Element]) throws {
        try elements.withUnsafeBytes { raw in
            try section { if let base = raw.baseAddress { try $0(base, raw.count) } }
        }
    }

    /// Ends the image.
    ///
    /// - Parameter identity: distinguishes this segment from all others of the index.
    mutating func finish(
        identity: UInt64, documents: Int, terms: Int, totals: FieldTotals
    ) throws -> SegmentSummary {
        // Slack, so that numbers at the end of the last section can be read eight bytes at a time.
        try section { try $0([UInt64](repeating: 0, count: 2), 16) }
        places.removeLast()
        endPage()
        let sumsOffset = offset
        pending.append(checksums.base, checksums.count)
        offset += checksums.count
        var header = ByteBuffer()
        header.append(SegmentLayout.magic)
        header.append(SegmentLayout.version)
        header.append(UInt32(documents))
        header.append(identity)
        header.append(UInt64(terms))
        header.append(totals.text)
        header.append(totals.title)
        header.append(totals.tags)
        header.append(UInt64(offset))
        header.append(UInt64(sumsOffset))
        header.append(Checksum.of(checksums.base, checksums.count))
        for place in places { header.append(UInt64(place.offset)) }
        for place in places { header.append48(UInt64(place.count)) }
        header.appendZeros(SegmentLayout.headerByteCount - 8 - header.count)
        let headerChecksum = Checksum.of(header.base, header.count)
        header.append(headerChecksum)
        if file != nil {
            try flush()
            try file?.descriptor.write(UnsafeRawBufferPointer(start: header.base, count: header.count), at: 0)
        } else {
            pending.base.copyMemory(from: header.base, byteCount: header.count)
        }
        return SegmentSummary(
            identity: identity, byteCount: offset, headerChecksum: headerChecksum, documents: documents)
    }

    /// The image, if it was made in memory.
    func memory() -> MemoryImage? { file == nil ? MemoryImage(pending.base, pending.count) : nil }
}

/// Identifies a segment and checks that a file is that segment.
package struct SegmentSummary: Equatable, Sendable {
    package var identity: UInt64
    package var byteCount: Int
    package var headerChecksum: UInt64
    package var documents: Int
}

/// A segment's image in its own memory.
final class MemoryImage: @unchecked Sendable {
    let base: UnsafeRawPointer
    let count: Int

    init(_ bytes: UnsafeRawPointer, _ count: Int) {
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, count), alignment: 16)
        copy.copyMemory(from: bytes, byteCount: count)
        base = UnsafeRawPointer(copy)
        self.count = count
    }

    deinit { base.deallocate() }
}

/// A file to which several writers append in turn.
final class OpenFile: Sendable {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
}
