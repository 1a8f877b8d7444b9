internal import Files

/// A searchable segment: an image in a mapped file or in memory.
///
/// Opening decodes nothing. A page's checksum is compared when the page is first needed. A mismatch throws
/// `IndexDamage`; damaged pages are never used for an answer.
final class Segment: @unchecked Sendable {
    let summary: SegmentSummary
    let documentCount: Int
    let termCount: Int
    let totals: FieldTotals
    let means: MeanLengths
    /// The name used in messages.
    let name: String
    private let owner: AnyObject
    /// The image, if it is in memory.
    var image: MemoryImage? { owner as? MemoryImage }
    private let base: UnsafeRawPointer
    private let offsets: [Int]
    private let counts: [Int]
    private let sums: UnsafeRawPointer
    /// One byte a page: 1 after its checksum matched. Threads may write the same value at the same time.
    private let verified: UnsafeMutablePointer<UInt8>
    private let pageCount: Int
    /// One byte a section: 1 after all its pages matched.
    private let verifiedSections: UnsafeMutablePointer<UInt8>

    convenience init(_ file: MappedFile, name: String) throws(IndexDamage) {
        try self.init(owner: file, file.base, file.count, name: name)
    }

    convenience init(_ image: MemoryImage, name: String) throws(IndexDamage) {
        try self.init(owner: image, image.base, image.count, name: name)
    }

    /// A segment within a larger mapping.
    init(owner: AnyObject, _ base: UnsafeRawPointer, _ byteCount: Int, name: String) throws(IndexDamage) {
        self.owner = owner
        self.base = base
        self.name = name
        func damaged(_ what: String) -> IndexDamage { IndexDamage("\(name): \(what)") }
        guard byteCount >= SegmentLayout.headerByteCount else { throw damaged("shorter than a header") }
        func number(_ offset: Int) -> UInt64 { base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        guard number(0) == SegmentLayout.magic else { throw damaged("does not begin as a segment does") }
        let headerChecksum = number(SegmentLayout.headerByteCount - 8)
        guard Checksum.of(base, SegmentLayout.headerByteCount - 8) == headerChecksum else {
            throw damaged("the header's checksum does not agree")
        }
        let version = base.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        guard version == SegmentLayout.version else { throw damaged("version \(version) is not known") }
        documentCount = Int(base.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        termCount = Int(truncatingIfNeeded: number(24))
        totals = FieldTotals(text: number(32), title: number(40), tags: number(48))
        guard number(56) == UInt64(byteCount) else { throw damaged("\(byteCount) bytes instead of \(number(56))") }
        // Sums over segments must not overflow.
        guard max(totals.text, totals.title, totals.tags) < 1 << 48 else { throw damaged("too many words") }
        let sumsOffset = Int(truncatingIfNeeded: number(64))
        let sections = SegmentLayout.Section.allCases.count
        var offsets: [Int] = []
        var counts: [Int] = []
        for section in 0..<sections {
            offsets.append(Int(truncatingIfNeeded: number(80 + section * 8)))
            counts.append(Int(number(80 + sections * 8 + section * 6) & 0xFFFF_FFFF_FFFF))
        }
        guard sumsOffset >= SegmentLayout.headerByteCount + 16, sumsOffset <= byteCount else {
            throw damaged("the checksums lie outside")
        }
        for section in 0..<sections {
            guard offsets[section] >= SegmentLayout.headerByteCount,
                offsets[section] % SegmentLayout.alignment == 0, offsets[section] <= sumsOffset - 16,
                counts[section] <= sumsOffset - 16 - offsets[section]
            else { throw damaged("section \(section) lies outside") }
        }
        pageCount =
            (sumsOffset - SegmentLayout.headerByteCount + SegmentLayout.pageByteCount - 1) / SegmentLayout.pageByteCount
        guard byteCount - sumsOffset == pageCount * 4 else { throw damaged("the checksums are not whole") }
        guard Checksum.of(base + sumsOffset, pageCount * 4) == number(72) else {
            throw damaged("the checksums do not agree with their own")
        }
        let wanted: [(SegmentLayout.Section, Int)] = [
            (.keys, 16), (.keyOrder, 4), (.textLengths, 4), (.fieldLengths, 4), (.updated, 6), (.created, 6),
        ]
        for (section, size) in wanted where counts[section.rawValue] != documentCount * size {
            throw damaged("section \(section) is not that of \(documentCount) documents")
        }
        let blocks = counts[SegmentLayout.Section.blockKeys.rawValue] / 8
        guard counts[SegmentLayout.Section.latest.rawValue] == (documentCount + 127) / 128 * 8,
            [0, documentCount * 8].contains(counts[SegmentLayout.Section.ranks.rawValue]),
            [0, documentCount * 4].contains(counts[SegmentLayout.Section.storedEnds.rawValue]),
            counts[SegmentLayout.Section.blockOffsets.rawValue] == blocks * 4,
            counts[SegmentLayout.Section.blockDocuments.rawValue] == blocks * 8,
            counts[SegmentLayout.Section.blockPositions.rawValue] == blocks * 8
        else { throw damaged("sections do not agree with each other") }
        self.offsets = offsets
        self.counts = counts
        sums = base + sumsOffset
        means = MeanLengths(totals, documents: documentCount)
        summary = SegmentSummary(
            identity: number(16), byteCount: byteCount, headerChecksum: headerChecksum, documents: documentCount)
        verified = .allocate(capacity: max(1, pageCount))
        verified.initialize(repeating: 0, count: max(1, pageCount))
        verifiedSections = .allocate(capacity: sections)
        verifiedSections.initialize(repeating: 0, count: sections)
    }

    deinit {
        verified.deallocate()
        verifiedSections.deallocate()
    }

    // MARK: Bytes

    /// Bytes of a section, after comparing their pages' checksums.
    @inline(__always)
    func bytes(_ section: SegmentLayout.Section, _ offset: Int, _ count: Int) throws(IndexDamage) -> UnsafeRawPointer {
        let length = counts[section.rawValue]
        if offset < 0 || count < 0 || offset > length - count {
            throw IndexDamage("\(name): bytes \(offset)+\(count) lie outside section \(section)")
        }
        let start = offsets[section.rawValue] + offset
        let first = (start - SegmentLayout.headerByteCount) >> 12
        let last = (start - SegmentLayout.headerByteCount + max(1, count) - 1) >> 12
        for page in first...last where verified[page] == 0 { try verify(page) }
        return base + start
    }

    /// A whole section.
    @inline(__always)
    func bytes(_ section: SegmentLayout.Section) throws(IndexDamage) -> (base: UnsafeRawPointer, count: Int) {
        let count = counts[section.rawValue]
        if verifiedSections[section.rawValue] == 0 {
            _ = try bytes(section, 0, count)
            verifiedSections[section.rawValue] = 1
        }
        return (base + offsets[section.rawValue], count)
    }

    /// Compares the checksums of all pages that overlap a part of the image.
    @inline(__always)
    func verify(from start: UnsafeRawPointer, to end: UnsafeRawPointer) throws(IndexDamage) {
        let first = (start - base - SegmentLayout.headerByteCount) >> 12
        let last = (max(start + 1, end) - base - SegmentLayout.headerByteCount - 1) >> 12
        if first < 0 || last >= pageCount { throw damage("positions lie outside") }
        for page in first...last where page < pageCount && verified[page] == 0 { try verify(page) }
    }

    func damage(_ what: String) -> IndexDamage { IndexDamage("\(name): \(what)") }

    func byteCount(_ section: SegmentLayout.Section) -> Int { counts[section.rawValue] }

    /// The number of blocks, and of bytes, of the dictionary.
    var termBlockCount: Int { counts[SegmentLayout.Section.blockKeys.rawValue] / 8 }
    var termByteCount: Int { counts[SegmentLayout.Section.terms.rawValue] }

    @inline(never)
    private func verify(_ page: Int) throws(IndexDamage) {
        if page >= pageCount { return }
        let start = SegmentLayout.headerByteCount + page * SegmentLayout.pageByteCount
        let end = min(start + SegmentLayout.pageByteCount, SegmentLayout.headerByteCount + dataByteCount)
        let sum = sums.loadUnaligned(fromByteOffset: page * 4, as: UInt32.self)
        if UInt32(truncatingIfNeeded: Checksum.of(base + start, end - start)) != sum {
            throw IndexDamage("\(name): the checksum of bytes \(start)..<\(end) does not agree")
        }
        verified[page] = 1
    }

    private var dataByteCount: Int { sums - base - SegmentLayout.headerByteCount }

    /// Compares the checksums of all pages.
    func verify() throws(IndexDamage) { for page in 0..<pageCount where verified[page] == 0 { try verify(page) } }

    // MARK: Documents

    func key(_ document: Int) throws(IndexDamage) -> DocumentKey {
        Self.key(try bytes(.keys, document * 16, 16))
    }

    private static func key(_ bytes: UnsafeRawPointer) -> DocumentKey {
        DocumentKey(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// The number of the document with a key, even if it was deleted later; `nil` if there is none.
    func document(_ key: DocumentKey) throws(IndexDamage) -> Int? {
        var low = 0
        var high = documentCount
        while low < high {
            let middle = (low + high) >> 1
            let number = Int(try bytes(.keyOrder, middle * 4, 4).loadUnaligned(as: UInt32.self))
            let there = try self.key(number)
            if there == key { return number }
            if there < key { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// A document's stored bytes.
    func stored(_ document: Int) throws(IndexDamage) -> UnsafeRawBufferPointer {
        if counts[SegmentLayout.Section.storedEnds.rawValue] == 0 {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        func end(_ number: Int) throws(IndexDamage) -> Int {
            number < 0 ? 0 : Int(try bytes(.storedEnds, number * 4, 4).loadUnaligned(as: UInt32.self))
        }
        let (from, to) = (try end(document - 1), try end(document))
        return UnsafeRawBufferPointer(start: try bytes(.stored, from, to - from), count: to - from)
    }

    /// The lengths of all documents, for ranking with the means of the whole index.
    func norms(_ means: MeanLengths) throws(IndexDamage) -> LengthNorms {
        LengthNorms(
            textLengths: try bytes(.textLengths).base.assumingMemoryBound(to: UInt32.self),
            fieldLengths: try bytes(.fieldLengths).base.assumingMemoryBound(to: UInt32.self), means: means)
    }

    /// The times of all documents: `updated` or `created`.
    func times(_ section: SegmentLayout.Section) throws(IndexDamage) -> DocumentTimes {
        DocumentTimes(base: try bytes(section).base)
    }

    /// For every 128th document, the latest change of all documents before it.
    func latest() throws(IndexDamage) -> UnsafePointer<Int64> {
        try bytes(.latest).base.assumingMemoryBound(to: Int64.self)
    }

    /// The ranks in the manual order; `nil` if no document has one.
    func ranks() throws(IndexDamage) -> UnsafePointer<Double>? {
        let (base, count) = try bytes(.ranks)
        return count == 0 ? nil : base.assumingMemoryBound(to: Double.self)
    }
}

/// A column of times, milliseconds since 1970 UTC.
struct DocumentTimes {
    let base: UnsafeRawPointer

    @inline(__always)
    subscript(_ document: Int) -> Int64 {
        SegmentLayout.unpacked(base.loadUnaligned(fromByteOffset: document * 6, as: UInt64.self))
    }
}
