extension Segment {
    /// A term's list; `nil` if no document has the term.
    ///
    /// Within a block only the bytes that a term does not share with the previous one are compared: if it shares more
    /// with the previous term than the wanted term does, the order cannot change.
    func list(_ term: UnsafePointer<UInt8>, _ length: Int) throws(IndexDamage) -> PostingList? {
        let blockCount = termBlockCount
        if blockCount == 0 || length == 0 { return nil }
        let key = DictionaryWriter.key(term, length)
        let keys = try bytes(.blockKeys).base
        var low = 0
        var high = blockCount
        // The first block whose key is above the wanted one.
        while low < high {
            let middle = (low &+ high) >> 1
            if keys.loadUnaligned(fromByteOffset: middle &* 8, as: UInt64.self) <= key {
                low = middle &+ 1
            } else {
                high = middle
            }
        }
        // Among blocks with the same key, the last one whose first term is not after the wanted one.
        var block = low - 1
        while block > 0, keys.loadUnaligned(fromByteOffset: block &* 8, as: UInt64.self) == key {
            if try beginsBehind(block, term, length) { block -= 1 } else { break }
        }
        if block < 0 { return nil }
        return try list(term, length, inBlock: block)
    }

    /// The bytes of a block of the dictionary.
    func termBytes(ofBlock block: Int) throws(IndexDamage) -> ByteReader {
        let isLast = block + 1 >= termBlockCount
        let offsets = try bytes(.blockOffsets, block &* 4, isLast ? 4 : 8)
        let start = Int(offsets.loadUnaligned(as: UInt32.self))
        let end = isLast ? termByteCount : Int(offsets.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        if end < start { throw damage("the dictionary's blocks are not in order") }
        return ByteReader(try bytes(.terms, start, end - start), end - start)
    }

    private func beginsBehind(_ block: Int, _ term: UnsafePointer<UInt8>, _ length: Int) throws(IndexDamage) -> Bool {
        var reader = try termBytes(ofBlock: block)
        _ = reader.byte()
        let count = Int(reader.byte())
        if reader.end - reader.at < count { throw damage("a term of block \(block) is not whole") }
        let first = reader.at.assumingMemoryBound(to: UInt8.self)
        for at in 0..<min(count, length) where first[at] != term[at] { return first[at] > term[at] }
        return count > length
    }

    private func whole(_ list: PostingList?, _ block: Int) throws(IndexDamage) -> PostingList {
        guard let list else { throw damage("a list of block \(block) is not whole") }
        return list
    }

    private func list(
        _ term: UnsafePointer<UInt8>, _ length: Int, inBlock block: Int
    ) throws(IndexDamage) -> PostingList? {
        var reader = try termBytes(ofBlock: block)
        var documentOffset = 0
        var positionOffset = 0
        // The number of bytes that the previous term shares with the wanted one.
        var matched = 0
        // The first byte of the current term, which decides what is stored about it.
        var first: UInt8 = 0
        while !reader.isAtEnd {
            let shared = Int(reader.byte())
            let suffixCount = Int(reader.byte())
            if reader.end - reader.at < suffixCount { throw damage("a term of block \(block) is not whole") }
            let suffix = reader.at.assumingMemoryBound(to: UInt8.self)
            reader.at += suffixCount
            if shared < matched { return nil }
            var isWanted = false
            if shared == matched {
                var at = 0
                while at < suffixCount, matched < length, suffix[at] == term[matched] {
                    at &+= 1
                    matched &+= 1
                }
                if matched == length {
                    if at < suffixCount { return nil }
                    isWanted = true
                } else if at < suffixCount, suffix[at] > term[matched] {
                    return nil
                }
            }
            let number = reader.varint64()
            let isInline = number & 1 != 0
            let documentByteCount = Int(reader.varint())
            if shared == 0, suffixCount > 0 { first = suffix[0] }
            let hasPositions = PostingDetail(firstByte: first) == .positions
            let positionByteCount = hasPositions ? Int(reader.varint()) : 0
            if isWanted {
                let count = Int(truncatingIfNeeded: number >> 1)
                if count < 1 || count > documentCount {
                    throw damage("a term of block \(block) has \(count) documents")
                }
                if isInline {
                    if reader.end - reader.at < documentByteCount + positionByteCount {
                        throw damage("a list in block \(block) is not whole")
                    }
                    return try whole(
                        PostingList(
                            detail: PostingDetail(firstByte: first), count: count, reader.at, documentByteCount,
                            reader.at + documentByteCount, positionByteCount), block)
                }
                let documentBase = try bytes(.blockDocuments, block &* 8, 8).loadUnaligned(as: UInt64.self)
                let positionBase = try bytes(.blockPositions, block &* 8, 8).loadUnaligned(as: UInt64.self)
                documentOffset += Int(truncatingIfNeeded: documentBase)
                positionOffset += Int(truncatingIfNeeded: positionBase)
                return try whole(
                    PostingList(
                        detail: PostingDetail(firstByte: first), count: count,
                        try bytes(.documents, documentOffset, documentByteCount), documentByteCount,
                        try bytes(.positions, positionOffset, 0), positionByteCount), block)
            }
            if isInline {
                reader.at += documentByteCount + positionByteCount
            } else {
                documentOffset += documentByteCount
                positionOffset += positionByteCount
            }
        }
        return nil
    }

    /// The start and end, in the section of documents, of the lists of a block's terms.
    func postingBytes(ofBlock block: Int) throws(IndexDamage) -> (Int, Int) {
        let isLast = block + 1 >= termBlockCount
        let offsets = try bytes(.blockDocuments, block * 8, isLast ? 8 : 16)
        let from = Int(truncatingIfNeeded: offsets.loadUnaligned(as: UInt64.self))
        let to = isLast ? from : Int(truncatingIfNeeded: offsets.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        if from < 0 || to < from || to > byteCount(.documents) {
            throw damage("the lists of block \(block) lie outside")
        }
        return (from, to)
    }

    /// The stored data about all plain tokens with a prefix; `nil` if they are few.
    func beginning(_ prefix: [UInt8]) throws(IndexDamage) -> Beginning? {
        var cursor = TermCursor(self)
        let term = [PostingDetail.prefixMark] + prefix
        try cursor.seek(term)
        if cursor.isAtEnd || !cursor.equals(term) { return nil }
        if Beginning.hasList(prefix, documentCount: documentCount) {
            return Beginning(count: cursor.count, list: try cursor.list(), bounds: nil)
        }
        return Beginning(
            count: cursor.count, list: try list(term + [Beginnings.listMark]), bounds: try cursor.bounds())
    }

    func list(_ term: [UInt8]) throws(IndexDamage) -> PostingList? { try list(term, term.count) }
}

/// All plain tokens that share a prefix.
struct Beginning {
    /// The number of documents with any of them.
    let count: Int
    /// The union of prefixes of two characters and, in smaller segments, of one; of longer ones if many tokens share them.
    let list: PostingList?
    /// Bounds for longer prefixes.
    let bounds: RangeBounds?

    static func hasList(_ prefix: [UInt8], documentCount: Int) -> Bool {
        let first = prefix.first.map(PrefixLists.characterLength) ?? 0
        if prefix.count <= first { return documentCount < PrefixLists.singleListLimit }
        return prefix.count <= first + PrefixLists.characterLength(prefix[first])
    }
}

/// Walks over a segment's terms in order.
struct TermCursor: ~Copyable {
    private let segment: Segment
    private let blockCount: Int
    private var block = 0
    private var reader: ByteReader
    /// The number of terms of the block read so far.
    private var index = 0
    private(set) var documentOffset = 0
    private var positionOffset = 0
    /// The current term.
    let term = UnsafeMutablePointer<UInt8>.allocate(capacity: 264)
    private(set) var length = 0
    /// The number of bytes that the current term shares with the previous one in its block.
    private(set) var shared = 0
    private(set) var isAtEnd = false
    /// The number of documents with the current term.
    private(set) var count = 0
    private var isInline = false
    private var documentByteCount = 0
    private var positionByteCount = 0
    private var inlineBytes: UnsafeRawPointer

    init(_ segment: Segment) {
        self.segment = segment
        blockCount = segment.termBlockCount
        reader = ByteReader(term, 0)
        inlineBytes = UnsafeRawPointer(term)
        isAtEnd = true
    }

    deinit { term.deallocate() }

    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: term, count: length)) }

    /// Moves to the first term that is not before the given one.
    mutating func seek(_ wanted: UnsafePointer<UInt8>, _ wantedLength: Int) throws(IndexDamage) {
        isAtEnd = blockCount == 0
        if isAtEnd { return }
        let key = DictionaryWriter.key(wanted, wantedLength)
        let keys = try segment.bytes(.blockKeys).base
        // The last block whose first term is not after the wanted one; blocks with the same key are compared fully.
        var low = 0
        var high = blockCount
        while low < high {
            let middle = (low + high) >> 1
            if keys.loadUnaligned(fromByteOffset: middle * 8, as: UInt64.self) < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        var block = max(0, low - 1)
        while low < blockCount, keys.loadUnaligned(fromByteOffset: low * 8, as: UInt64.self) == key {
            try open(low)
            try readTerm()
            if compare(wanted, wantedLength) > 0 { break }
            block = low
            low += 1
        }
        try open(block)
        try readTerm()
        while !isAtEnd, compare(wanted, wantedLength) < 0 { try next() }
    }

    mutating func seek(_ wanted: [UInt8]) throws(IndexDamage) {
        try seek(wanted, wanted.count)
    }

    mutating func seekFirst() throws(IndexDamage) {
        isAtEnd = blockCount == 0
        if isAtEnd { return }
        try open(0)
        try readTerm()
    }

    @inline(__always)
    mutating func next() throws(IndexDamage) {
        if !isInline {
            documentOffset += documentByteCount
            positionOffset += positionByteCount
        }
        if index == DictionaryWriter.termsPerBlock || reader.isAtEnd {
            if block + 1 >= blockCount {
                isAtEnd = true
                return
            }
            try open(block + 1)
        }
        try readTerm()
    }

    private mutating func open(_ block: Int) throws(IndexDamage) {
        self.block = block
        index = 0
        length = 0
        let offsets = try segment.bytes(.blockOffsets, block * 4, block + 1 < blockCount ? 8 : 4)
        let start = Int(offsets.loadUnaligned(as: UInt32.self))
        let end =
            block + 1 < blockCount
            ? Int(offsets.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) : segment.termByteCount
        if end < start { throw segment.damage("the dictionary's blocks are not in order") }
        reader = ByteReader(try segment.bytes(.terms, start, end - start), end - start)
        documentOffset = Int(
            truncatingIfNeeded: try segment.bytes(.blockDocuments, block * 8, 8).loadUnaligned(as: UInt64.self))
        positionOffset = Int(
            truncatingIfNeeded: try segment.bytes(.blockPositions, block * 8, 8).loadUnaligned(as: UInt64.self))
        if !(0...segment.byteCount(.documents)).contains(documentOffset)
            || !(0...segment.byteCount(.positions)).contains(positionOffset)
        {
            throw segment.damage("the lists of block \(block) lie outside")
        }
    }

    @inline(__always)
    private mutating func readTerm() throws(IndexDamage) {
        shared = Int(reader.byte())
        let suffix = Int(reader.byte())
        if shared > length || shared + suffix > 255 || shared + suffix == 0 || reader.end - reader.at < suffix {
            throw segment.damage("a term of block \(block) is not whole")
        }
        (UnsafeMutableRawPointer(term) + shared).copyMemory(from: reader.at, byteCount: suffix)
        reader.at += suffix
        length = shared + suffix
        let number = reader.varint64()
        count = Int(truncatingIfNeeded: number >> 1)
        isInline = number & 1 != 0
        documentByteCount = Int(reader.varint())
        positionByteCount = PostingDetail(firstByte: term[0]) == .positions ? Int(reader.varint()) : 0
        if isInline {
            inlineBytes = reader.at
            if reader.end - reader.at < documentByteCount + positionByteCount {
                throw segment.damage("a list in block \(block) is not whole")
            }
            reader.at += documentByteCount + positionByteCount
        }
        if count < 1 || count > segment.documentCount {
            throw segment.damage("a term of block \(block) has \(count) documents")
        }
        index += 1
    }

    /// Below zero if the current term comes before the other, above zero if after it.
    @inline(__always)
    func compare(_ other: UnsafePointer<UInt8>, _ otherLength: Int) -> Int {
        let limit = min(length, otherLength)
        for at in 0..<limit where term[at] != other[at] { return Int(term[at]) - Int(other[at]) }
        return length - otherLength
    }

    @inline(__always)
    func equals(_ other: UnsafePointer<UInt8>, _ otherLength: Int) -> Bool {
        length == otherLength && compare(other, otherLength) == 0
    }

    func equals(_ other: [UInt8]) -> Bool { equals(other, other.count) }

    @inline(__always)
    func hasPrefix(_ prefix: [UInt8]) -> Bool {
        if length < prefix.count { return false }
        for at in 0..<prefix.count where term[at] != prefix[at] { return false }
        return true
    }

    /// The stored bounds of the current term, a prefix of three characters or more.
    func bounds() throws(IndexDamage) -> RangeBounds {
        let bytes = isInline ? inlineBytes : try segment.bytes(.documents, documentOffset, documentByteCount)
        guard let bounds = RangeBounds(bytes, documentByteCount, documentCount: segment.documentCount) else {
            throw segment.damage("the bounds of a beginning in block \(block) are none")
        }
        return bounds
    }

    /// The current term's list.
    func list() throws(IndexDamage) -> PostingList {
        let detail = PostingDetail(firstByte: term[0])
        let list: PostingList?
        if isInline {
            list = PostingList(
                detail: detail, count: count, inlineBytes, documentByteCount, inlineBytes + documentByteCount,
                positionByteCount)
        } else {
            if positionByteCount > segment.byteCount(.positions) - positionOffset {
                throw segment.damage("positions of block \(block) lie outside")
            }
            list = PostingList(
                detail: detail, count: count, try segment.bytes(.documents, documentOffset, documentByteCount),
                documentByteCount, try segment.bytes(.positions, positionOffset, 0), positionByteCount)
        }
        guard let list else { throw segment.damage("a list of block \(block) is not whole") }
        return list
    }
}
