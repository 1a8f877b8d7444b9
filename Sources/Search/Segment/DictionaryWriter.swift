/// Writes sorted terms, front-coded in blocks of 32, with the places of their postings. SearchIndex.md § I3.6.
struct DictionaryWriter: ~Copyable {
    static let termsPerBlock = 32
    /// Lists of at most this many bytes are stored in the dictionary itself.
    static let inlineByteCount = 24
    /// The longest term, in bytes.
    static let termByteLimit = 255

    var terms = ByteBuffer()
    /// For each block: the first eight bytes of its first term as a big-endian number.
    var blockKeys = ByteBuffer()
    /// For each block: its offset in the dictionary (4 bytes), and the offsets of its terms' lists in the sections of
    /// documents and of positions (8 bytes each).
    var blockOffsets = ByteBuffer()
    var blockDocuments = ByteBuffer()
    var blockPositions = ByteBuffer()
    private(set) var count = 0
    private var last: [UInt8] = []

    /// Adds a term whose list `encoder` has finished, and appends the list to the sections.
    mutating func add(
        _ term: UnsafePointer<UInt8>, _ length: Int, _ encoder: borrowing PostingsEncoder,
        documents: inout SectionBuffer, positions: inout SectionBuffer
    ) throws {
        try add(
            term, length, count: encoder.count, encoder.documentBytes.base, encoder.documentBytes.count,
            encoder.positionBytes.base, encoder.positionBytes.count, documents: &documents, positions: &positions)
    }

    mutating func add(
        _ term: UnsafePointer<UInt8>, _ length: Int, count listCount: Int, _ documentBytes: UnsafeRawPointer,
        _ documentByteCount: Int, _ positionBytes: UnsafeRawPointer, _ positionByteCount: Int,
        documents: inout SectionBuffer, positions: inout SectionBuffer
    ) throws {
        var shared = 0
        if count % Self.termsPerBlock == 0 {
            blockKeys.append(Self.key(term, length))
            blockOffsets.append(UInt32(terms.count))
            blockDocuments.append(UInt64(documents.count))
            blockPositions.append(UInt64(positions.count))
        } else {
            let limit = min(length, last.count)
            last.withUnsafeBufferPointer { last in
                while shared < limit, last[shared] == term[shared] { shared += 1 }
            }
        }
        terms.append(UInt8(shared))
        terms.append(UInt8(length - shared))
        terms.append(term + shared, length - shared)
        let isInline = documentByteCount + positionByteCount <= Self.inlineByteCount
        terms.appendVarint(UInt64(listCount) << 1 | (isInline ? 1 : 0))
        terms.appendVarint(UInt64(documentByteCount))
        if PostingDetail(firstByte: term[0]) == .positions { terms.appendVarint(UInt64(positionByteCount)) }
        if isInline {
            terms.append(documentBytes, documentByteCount)
            terms.append(positionBytes, positionByteCount)
        } else {
            try documents.append(documentBytes, documentByteCount)
            try positions.append(positionBytes, positionByteCount)
        }
        last.removeAll(keepingCapacity: true)
        last.append(contentsOf: UnsafeBufferPointer(start: term, count: length))
        count += 1
    }

    /// The first eight bytes of a term, padded with zeros, as a big-endian number.
    static func key(_ term: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        var key: UInt64 = 0
        for index in 0..<min(8, length) { key |= UInt64(term[index]) << UInt64(56 - 8 * index) }
        return key
    }
}
