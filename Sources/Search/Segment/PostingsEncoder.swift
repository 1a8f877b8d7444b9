/// Writes posting lists one after the other: rising documents, and the frequencies and positions of the term.
///
/// For each posting, pass the positions first, then call `add`. SearchIndex.md § I3.7 describes the bytes.
struct PostingsEncoder: ~Copyable {
    static let blockCount = BlockCodec.count
    /// Up to this number, the last postings of a list are written one by one instead of packed.
    static let looseCount = 8

    private var detail = PostingDetail.documents
    private let norms: LengthNorms
    private let documents = UnsafeMutablePointer<UInt32>.allocate(capacity: blockCount)
    private let gaps = UnsafeMutablePointer<UInt32>.allocate(capacity: blockCount)
    private let texts = UnsafeMutablePointer<UInt32>.allocate(capacity: blockCount)
    private let titles = UnsafeMutablePointer<UInt32>.allocate(capacity: blockCount)
    private let tags = UnsafeMutablePointer<UInt32>.allocate(capacity: blockCount)
    private let rests = UnsafeMutablePointer<UInt32>.allocate(capacity: blockCount)
    private let fieldPlaces = UnsafeMutablePointer<UInt8>.allocate(capacity: blockCount)
    private var filled = 0
    private var lastDocument = UInt32.max
    /// Distances between the block's positions in texts.
    private var deltas = UnsafeMutablePointer<UInt32>.allocate(capacity: 1024)
    private var deltaCount = 0
    private var deltaCapacity = 1024
    /// Distances between the block's positions in titles and tags, LEB128.
    private var fieldDeltas = ByteBuffer()
    private var blocks = ByteBuffer()
    private var lastDocuments = ByteBuffer()
    private var blockEnds = ByteBuffer()
    private var positionEnds = ByteBuffer()
    private var bounds = ByteBuffer()
    /// The number of documents in the list so far.
    private(set) var count = 0
    /// The bytes of the last finished list for the sections of documents and positions.
    private(set) var documentBytes = ByteBuffer()
    private(set) var positionBytes = ByteBuffer()

    init(norms: LengthNorms) { self.norms = norms }

    deinit {
        documents.deallocate()
        gaps.deallocate()
        texts.deallocate()
        titles.deallocate()
        tags.deallocate()
        rests.deallocate()
        fieldPlaces.deallocate()
        deltas.deallocate()
    }

    mutating func begin(_ detail: PostingDetail) {
        self.detail = detail
        filled = 0
        count = 0
        lastDocument = .max
        deltaCount = 0
        fieldDeltas.removeAll()
        blocks.removeAll()
        lastDocuments.removeAll()
        blockEnds.removeAll()
        positionEnds.removeAll()
        bounds.removeAll()
        documentBytes.removeAll()
        positionBytes.removeAll()
    }

    /// Adds a position in the text, as the distance from the one before it in the same document.
    @inline(__always)
    mutating func addTextDelta(_ delta: UInt32) {
        if deltaCount == deltaCapacity { growDeltas(1) }
        deltas[deltaCount] = delta
        deltaCount += 1
    }

    /// Room for `extra` distances, which the caller must fill in at once.
    @inline(__always)
    mutating func textDeltas(_ extra: Int) -> UnsafeMutablePointer<UInt32> {
        if deltaCount + extra > deltaCapacity { growDeltas(extra) }
        deltaCount += extra
        return deltas + (deltaCount - extra)
    }

    /// Adds a position in title or tags, as a distance. All of the title come before those of the tags.
    @inline(__always)
    mutating func addFieldDelta(_ delta: UInt32) { fieldDeltas.appendVarint(delta) }

    @inline(never)
    private mutating func growDeltas(_ extra: Int) {
        let capacity = max(deltaCapacity * 2, deltaCount + extra)
        let new = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
        new.update(from: deltas, count: deltaCount)
        deltas.deallocate()
        deltas = new
        deltaCapacity = capacity
    }

    /// Ends a posting. Documents rise strictly within a list.
    ///
    /// - Parameter rest: how many of the occurrences in the text are in the rest of the page.
    @inline(__always)
    mutating func add(_ document: UInt32, text: UInt32, title: UInt32, tags: UInt32, rest: UInt32 = 0) {
        documents[filled] = document
        gaps[filled] = document &- lastDocument &- 1
        texts[filled] = text
        titles[filled] = title
        self.tags[filled] = tags
        rests[filled] = rest
        lastDocument = document
        filled += 1
        count += 1
        if filled == Self.blockCount { endBlock() }
    }

    private mutating func endBlock() {
        BlockCodec.append(gaps, to: &blocks)
        if detail > .documents {
            appendBound()
            withCodes { codes, out in BlockCodec.append(codes, to: &out) }
            appendFields()
        }
        lastDocuments.append(lastDocument)
        blockEnds.append(UInt32(blocks.count))
        if detail == .positions {
            positionBytes.appendVarint(UInt64(fieldDeltas.count))
            positionBytes.append(fieldDeltas.base, fieldDeltas.count)
            PackedArray.append(deltas, deltaCount, to: &positionBytes)
            positionEnds.append(UInt32(positionBytes.count))
        }
        filled = 0
        deltaCount = 0
        fieldDeltas.removeAll()
    }

    /// Passes the frequencies in the text, minus one, to `body`. `appendFields` marks frequencies of zero.
    private mutating func withCodes(_ body: (UnsafeMutablePointer<UInt32>, inout ByteBuffer) -> Void) {
        for index in 0..<filled { gaps[index] = max(1, texts[index]) - 1 }
        body(gaps, &blocks)
    }

    /// Writes the indices of postings with the term in title, tags or the rest of the page, or without it in the text; then
    /// `FieldCode` of each.
    private mutating func appendFields() {
        let places = fieldPlaces
        var fieldCount = 0
        for index in 0..<filled where titles[index] | tags[index] | rests[index] != 0 || texts[index] == 0 {
            places[fieldCount] = UInt8(index)
            fieldCount += 1
        }
        blocks.append(UInt8(fieldCount))
        if fieldCount < FieldCode.bitmapCount {
            blocks.append(places, fieldCount)
        } else {
            var bits: (UInt64, UInt64) = (0, 0)
            for field in 0..<fieldCount {
                let bit: UInt64 = 1 << UInt64(places[field] & 63)
                if places[field] < 64 { bits.0 |= bit } else { bits.1 |= bit }
            }
            blocks.append(bits.0)
            blocks.append(bits.1)
        }
        for field in stride(from: 0, to: fieldCount, by: 2) {
            let low = code(places[field])
            blocks.append(field + 1 < fieldCount ? low | code(places[field + 1]) << 4 : low)
        }
        for field in 0..<fieldCount where code(places[field]) == FieldCode.long {
            FieldCode.append(frequencies(Int(places[field])), to: &blocks)
        }
    }

    private func code(_ index: UInt8) -> UInt8 { FieldCode.short(frequencies(Int(index))) }

    @inline(__always)
    private func frequencies(_ index: Int) -> Frequencies {
        Frequencies(text: texts[index], title: titles[index], tags: tags[index], rest: rests[index])
    }

    /// The largest x of the block, rounded up to the upper half of a Float.
    private mutating func appendBound() {
        var largest: Float = 0
        for index in 0..<filled {
            largest = max(largest, norms.value(frequencies(index), documents[index]))
        }
        bounds.append(UInt16(truncatingIfNeeded: (largest * 1.00001).bitPattern >> 16) + 1)
    }

    /// Ends the list; its bytes are in `documentBytes` and `positionBytes`.
    mutating func finish() {
        let tail = filled
        if tail > 0 {
            if tail < Self.looseCount { appendLooseTail() } else { appendPackedTail() }
            // Bounds serve to skip whole blocks of long lists.
            if detail > .documents, count > Self.blockCount { appendBound() }
        }
        if count >= Self.blockCount {
            documentBytes.append(lastDocuments.base, lastDocuments.count)
            documentBytes.append(blockEnds.base, blockEnds.count)
            if detail == .positions { documentBytes.append(positionEnds.base, positionEnds.count) }
            documentBytes.append(bounds.base, bounds.count)
        }
        documentBytes.append(blocks.base, blocks.count)
    }

    /// What the frequency in the text says about a posting of a loose tail.
    enum LooseKind: UInt8 {
        /// Neither title nor tags have the term, and no occurrence is in the rest of the page.
        case textOnly
        /// The frequencies of title and tags follow.
        case fields
        /// All occurrences are in the rest of the page.
        case restOnly
        /// The frequencies of title, tags and the rest of the page follow.
        case all

        init(_ found: Frequencies) {
            let hasFields = found.title | found.tags != 0
            self =
                if found.rest == 0 { hasFields ? .fields : .textOnly } else {
                    hasFields || found.rest < found.text ? .all : .restOnly
                }
        }
    }

    private mutating func appendLooseTail() {
        var deltasDone = 0
        var fields = ByteReader(fieldDeltas.base, fieldDeltas.count)
        for index in 0..<filled {
            if detail == .documents {
                blocks.appendVarint(gaps[index])
                continue
            }
            let kind = LooseKind(frequencies(index))
            let isPlain = texts[index] == 1 && kind == .textOnly
            blocks.appendVarint(UInt64(gaps[index]) << 1 | (isPlain ? 0 : 1))
            if !isPlain {
                blocks.appendVarint(UInt64(texts[index]) << 2 | UInt64(kind.rawValue))
                if kind == .fields || kind == .all {
                    blocks.appendVarint(titles[index])
                    blocks.appendVarint(tags[index])
                }
                if kind == .all { blocks.appendVarint(rests[index]) }
            }
            if detail == .positions {
                for _ in 0..<(titles[index] + tags[index]) { positionBytes.appendVarint(fields.varint()) }
                for _ in 0..<texts[index] {
                    positionBytes.appendVarint(deltas[deltasDone])
                    deltasDone += 1
                }
            }
        }
    }

    private mutating func appendPackedTail() {
        PackedArray.append(gaps, filled, to: &blocks)
        if detail == .documents { return }
        let filled = filled
        withCodes { codes, out in PackedArray.append(codes, filled, to: &out) }
        appendFields()
        if detail == .positions {
            positionBytes.appendVarint(UInt64(fieldDeltas.count))
            positionBytes.append(fieldDeltas.base, fieldDeltas.count)
            PackedArray.append(deltas, deltaCount, to: &positionBytes)
        }
    }
}
