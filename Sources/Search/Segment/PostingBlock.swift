/// Working memory for one block of postings, read step by step: documents, frequencies, positions.
struct PostingBlock: ~Copyable {
    /// Rising document numbers.
    let documents = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
    /// Frequencies in the text minus one; `fieldOnly` marks a frequency of zero.
    let codes = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
    private(set) var count = 0
    /// Indices, in rising order, of postings with title or tags, without the text, or with the rest of the page.
    let fieldIndices = UnsafeMutablePointer<UInt8>.allocate(capacity: 128)
    let titles = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
    let tags = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
    /// How many of the text's occurrences are in the rest of the page.
    let rests = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
    /// Whether the text of the document of posting `fieldIndices[i]` lacks the term.
    let fieldOnly = UnsafeMutablePointer<Bool>.allocate(capacity: 128)
    private(set) var fieldCount = 0
    /// A bit for each posting in `fieldIndices`: for the first 64 postings, and for the others.
    private var fieldBits: (low: UInt64, high: UInt64) = (0, 0)
    private var afterDocuments: UnsafeRawPointer?
    private var hasFrequencies = false
    /// The index of each posting's first text position within the block; one more for the end.
    let positionStarts = UnsafeMutablePointer<Int32>.allocate(capacity: 129)
    private var hasPositionStarts = false
    /// The block's text positions, after the first request.
    private var packed: PackedArray?
    private var packedCount = 0
    private var hasExceptions = false
    private var exceptions = PackedExceptions()
    /// The distances of positions in titles and tags.
    private var fieldDeltas: ByteReader

    init() {
        fieldDeltas = ByteReader(documents, 0)
        positionStarts.initialize(repeating: 0, count: 129)
    }

    deinit {
        documents.deallocate()
        codes.deallocate()
        fieldIndices.deallocate()
        titles.deallocate()
        tags.deallocate()
        rests.deallocate()
        fieldOnly.deallocate()
        positionStarts.deallocate()
    }

    /// Reads the documents of a block.
    ///
    /// - Returns: false if the bytes are no block with documents below `limit`.
    @inline(__always)
    mutating func readDocuments(_ list: PostingList, _ block: Int, limit: UInt32) -> Bool {
        hasPositionStarts = false
        packed = nil
        fieldCount = 0
        fieldBits = (0, 0)
        if block >= list.fullBlocks { return readTail(list, block, limit: limit) }
        let base = list.base(block)
        guard let start = list.start(block),
            let end = BlockCodec.readRising(start, list.blocksEnd, from: base, into: documents)
        else { return false }
        count = 128
        afterDocuments = end
        hasFrequencies = false
        return documents[127] == list.lastDocument(block) && documents[127] < limit
            && (block == 0 || documents[0] > base)
    }

    /// Reads the frequencies of the block whose documents were read last.
    @inline(__always)
    mutating func readFrequencies(_ list: PostingList) -> Bool {
        if hasFrequencies { return true }
        hasFrequencies = true
        guard let start = afterDocuments, let end = BlockCodec.read(start, list.blocksEnd, into: codes) else {
            return false
        }
        return readFields(end, list.blocksEnd)
    }

    private mutating func readFields(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) -> Bool {
        if start >= end { return false }
        fieldCount = Int(start.load(as: UInt8.self))
        if fieldCount == 0 { return true }
        let isBitmap = fieldCount >= FieldCode.bitmapCount
        let codes = start + 1 + (isBitmap ? 16 : fieldCount)
        if fieldCount > count || codes + (fieldCount + 1) / 2 > end { return false }
        if isBitmap {
            if !readPlaces(start + 1) { return false }
        } else {
            var last = -1
            for field in 0..<fieldCount {
                let index = start.load(fromByteOffset: 1 + field, as: UInt8.self)
                if Int(index) >= count || Int(index) <= last { return false }
                last = Int(index)
                fieldIndices[field] = index
                setFieldBit(last)
            }
        }
        let long = codes + (fieldCount + 1) / 2
        var reader = ByteReader(long, end - long)
        for field in 0..<fieldCount {
            let code = codes.load(fromByteOffset: field >> 1, as: UInt8.self) >> UInt8(4 * (field & 1)) & 15
            if code >= FieldCode.restOnly {
                if code == FieldCode.long { readLong(field, &reader) } else { setRestOnly(field) }
                continue
            }
            rests[field] = 0
            (titles[field], tags[field]) = FieldCode.frequencies(code)
            fieldOnly[field] = code & 8 != 0
        }
        return true
    }

    /// Reads the indices of postings with fields from a bitmap.
    private mutating func readPlaces(_ start: UnsafeRawPointer) -> Bool {
        let low = start.loadUnaligned(as: UInt64.self)
        let high = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        let limit = high != 0 ? 128 - high.leadingZeroBitCount : 64 - low.leadingZeroBitCount
        if low.nonzeroBitCount + high.nonzeroBitCount != fieldCount || limit > count { return false }
        fieldBits = (low, high)
        readPlaces(low, 0, at: 0)
        readPlaces(high, 64, at: low.nonzeroBitCount)
        return true
    }

    @inline(__always)
    private func readPlaces(_ bits: UInt64, _ first: UInt8, at start: Int) {
        var rest = bits
        var field = start
        while rest != 0 {
            fieldIndices[field] = first &+ UInt8(truncatingIfNeeded: rest.trailingZeroBitCount)
            rest &= rest &- 1
            field &+= 1
        }
    }

    @inline(never)
    private func readLong(_ field: Int, _ reader: inout ByteReader) {
        let code = reader.byte()
        var title = UInt32(code & 7)
        var tag = UInt32(code >> 3 & 7)
        if title == FieldCode.mostBits { title = saturated(title, reader.varint()) }
        if tag == FieldCode.mostBits { tag = saturated(tag, reader.varint()) }
        titles[field] = title
        tags[field] = tag
        fieldOnly[field] = code & 0x80 != 0
        setRest(field, code & 0x40 != 0 ? reader.varint() : 0)
    }

    private func setRestOnly(_ field: Int) {
        titles[field] = 0
        tags[field] = 0
        fieldOnly[field] = false
        setRest(field, .max)
    }

    /// - Parameter rest: at most the occurrences in the text, which it is part of.
    private func setRest(_ field: Int, _ rest: UInt32) {
        rests[field] = fieldOnly[field] ? 0 : min(rest, codes[Int(fieldIndices[field])] &+ 1)
    }

    private func saturated(_ low: UInt32, _ more: UInt32) -> UInt32 { low + min(more, 1 << 24) }

    /// Fills the entries after the last posting, for `place(of:)`.
    @inline(__always)
    func pad() { if count < 128 { (documents + count).update(repeating: .max, count: 128 - count) } }

    /// The first posting whose document is not before `document`; 127 if none of the first 127 is. Call `pad` first.
    @inline(__always)
    func place(of document: UInt32) -> Int {
        // Differences of numbers below 2³² borrow into the upper half, so no branch is needed.
        @inline(__always)
        func step(_ place: Int, _ size: Int) -> Int {
            Int(truncatingIfNeeded: (UInt64(documents[place]) &- UInt64(document)) >> 63) &* size
        }
        var low = step(63, 64)
        low &+= step(low &+ 31, 32)
        low &+= step(low &+ 15, 16)
        low &+= step(low &+ 7, 8)
        low &+= step(low &+ 3, 4)
        low &+= step(low &+ 1, 2)
        low &+= step(low, 1)
        return low
    }

    private mutating func readTail(_ list: PostingList, _ block: Int, limit: UInt32) -> Bool {
        count = list.count - block * 128
        hasFrequencies = true
        guard let start = list.start(block), count > 0, count < 128 else { return false }
        if count < PostingsEncoder.looseCount { return readLooseTail(list, start, block, limit) }
        guard let gaps = PackedArray(start, list.blocksEnd, count: count) else { return false }
        gaps.read(0, count, into: documents)
        var document = list.base(block)
        for index in 0..<count {
            let next = document &+ documents[index] &+ 1
            // A gap that is too large would overflow.
            if next >= limit || (document != .max && next <= document) { return false }
            document = next
            documents[index] = document
        }
        if list.detail == .documents { return true }
        guard let packed = PackedArray(gaps.end, list.blocksEnd, count: count) else { return false }
        packed.read(0, count, into: codes)
        return readFields(packed.end, list.blocksEnd)
    }

    private mutating func readLooseTail(
        _ list: PostingList, _ start: UnsafeRawPointer, _ block: Int, _ limit: UInt32
    ) -> Bool {
        var reader = ByteReader(start, list.blocksEnd - start)
        var document = list.base(block)
        for index in 0..<count {
            if reader.isAtEnd { return false }
            var gap = reader.varint64()
            let isSpecial = list.detail > .documents && gap & 1 != 0
            if list.detail > .documents { gap >>= 1 }
            let next = Int64(document == .max ? -1 : Int64(document)) + Int64(truncatingIfNeeded: gap & 0xFFFF_FFFF) + 1
            if next >= Int64(limit) { return false }
            document = UInt32(next)
            documents[index] = document
            if !isSpecial {
                codes[index] = 0
                continue
            }
            let code = reader.varint()
            let text = code >> 2
            codes[index] = max(1, text) - 1
            let kind = PostingsEncoder.LooseKind(rawValue: UInt8(code & 3)) ?? .textOnly
            if kind == .textOnly, text != 0 { continue }
            let hasFields = kind == .fields || kind == .all
            fieldIndices[fieldCount] = UInt8(index)
            setFieldBit(index)
            titles[fieldCount] = hasFields ? saturated(0, reader.varint()) : 0
            tags[fieldCount] = hasFields ? saturated(0, reader.varint()) : 0
            fieldOnly[fieldCount] = text == 0
            setRest(fieldCount, kind == .all ? reader.varint() : kind == .restOnly ? .max : 0)
            fieldCount += 1
        }
        return true
    }

    @inline(__always)
    private mutating func setFieldBit(_ index: Int) {
        if index < 64 { fieldBits.low |= 1 &<< UInt64(index) } else { fieldBits.high |= 1 &<< UInt64(index & 63) }
    }

    /// Whether a posting has title or tags, lacks the text, or has the rest of the page; call `readFrequencies` first.
    @inline(__always)
    func hasFields(_ index: Int) -> Bool { fieldBit(index) != 0 }

    /// 1 if a posting has fields, and else 0.
    @inline(__always)
    func fieldBit(_ index: Int) -> Int {
        Int(truncatingIfNeeded: (index < 64 ? fieldBits.low : fieldBits.high) &>> UInt64(index & 63) & 1)
    }

    /// The frequencies of one posting; call `readFrequencies` first.
    @inline(__always)
    func frequencies(_ index: Int) -> Frequencies {
        if !hasFields(index) { return Frequencies(text: codes[index] &+ 1, title: 0, tags: 0) }
        return frequenciesWithFields(index)
    }

    private func frequenciesWithFields(_ index: Int) -> Frequencies {
        let before: UInt64 = (1 &<< UInt64(index & 63)) &- 1
        let field =
            index < 64
            ? (fieldBits.low & before).nonzeroBitCount
            : fieldBits.low.nonzeroBitCount &+ (fieldBits.high & before).nonzeroBitCount
        return Frequencies(
            text: fieldOnly[field] ? 0 : codes[index] &+ 1, title: titles[field], tags: tags[field], rest: rests[field])
    }

    /// A term is never more frequent in one document.
    static let frequencyLimit: UInt32 = 1 << 24

    // MARK: Positions

    /// Adds up the numbers of text positions before each posting.
    @inline(__always)
    mutating func readPositionStarts() {
        if !hasPositionStarts { addUpPositions() }
    }

    private mutating func addUpPositions() {
        hasPositionStarts = true
        let ends = positionStarts + 1
        var bits: UInt32 = 0
        for index in 0..<count {
            ends[index] = Int32(truncatingIfNeeded: codes[index])
            bits |= codes[index]
        }
        if bits >= Self.frequencyLimit {
            for index in 0..<count { ends[index] = Int32(truncatingIfNeeded: min(codes[index], Self.frequencyLimit)) }
        }
        for field in 0..<fieldCount where fieldOnly[field] { ends[Int(fieldIndices[field])] = -1 }
        if count == BlockCodec.count {
            BlockCodec.addUp(UnsafeMutableRawPointer(ends).assumingMemoryBound(to: UInt32.self), from: 0)
            return
        }
        var sum: Int32 = 0
        for index in 0..<count {
            sum &+= ends[index] &+ 1
            ends[index] = sum
        }
    }

    /// The number of positions in titles and tags of the postings before one.
    func fieldPositions(before index: Int) -> Int {
        var sum = 0
        for field in 0..<fieldCount where Int(fieldIndices[field]) < index {
            sum += Int(titles[field]) + Int(tags[field])
        }
        return sum
    }

    /// Reads the positions of the term in one document; call `readFrequencies` first.
    ///
    /// - Parameter out: rising positions in the title, then in the tags, then in the text.
    /// - Returns: the frequencies, or `nil` if the bytes are damaged.
    mutating func readPositions(
        _ list: PostingList, _ block: Int, _ index: Int, into out: inout PositionBuffer
    ) -> Frequencies? {
        readPositionStarts()
        let frequencies = frequencies(index)
        let fieldTotal = Int(frequencies.title + frequencies.tags)
        guard let start = list.positionStart(block), frequencies.text <= Self.frequencyLimit + 1 else { return nil }
        let fieldStart = fieldTotal > 0 || isLoose(list, block) ? fieldPositions(before: index) : 0
        let fieldEnd = fieldStart + fieldTotal
        if isLoose(list, block) {
            // Each distance takes at least one byte.
            if Int(positionStarts[index + 1]) + fieldEnd > list.positionsEnd - start { return nil }
            out.resize(fieldTotal + Int(frequencies.text))
            var reader = ByteReader(start, list.positionsEnd - start)
            for _ in 0..<(Int(positionStarts[index]) + fieldStart) { _ = reader.varint() }
            for place in 0..<out.count { out.base[place] = reader.varint() }
            if reader.at > list.positionsEnd { return nil }
        } else {
            guard let text = textRun(list, block, index) else { return nil }
            if fieldEnd > fieldDeltas.end - fieldDeltas.at { return nil }
            out.resize(fieldTotal + Int(frequencies.text))
            if fieldTotal > 0 {
                var reader = fieldDeltas
                for _ in 0..<fieldStart { _ = reader.varint() }
                for place in 0..<fieldTotal { out.base[place] = reader.varint() }
            }
            readText(text.lowerBound, text.count, into: out.base + fieldTotal)
        }
        out.addUp(frequencies)
        return frequencies
    }

    @inline(__always)
    private func isLoose(_ list: PostingList, _ block: Int) -> Bool {
        count < PostingsEncoder.looseCount && block >= list.fullBlocks
    }

    /// Where the distances between a posting's text positions are among those of the block, for `readText`; call
    /// `readFrequencies` first.
    ///
    /// - Returns: `nil` if they are not packed, or damaged; `readPositions` tells which.
    @inline(__always)
    mutating func textRun(_ list: PostingList, _ block: Int, _ index: Int) -> Range<Int>? {
        if !openText(list, block) { return nil }
        let first = Int(positionStarts[index])
        let end = Int(positionStarts[index &+ 1])
        readExceptions()
        return first >= 0 && first <= end && end <= packedCount ? Range(uncheckedBounds: (first, end)) : nil
    }

    /// Has the first and last of a posting's packed distances fetched from memory; call `openText` first.
    @inline(__always)
    func fetchText(_ index: Int) {
        packed?.fetch(Int(positionStarts[index]))
        packed?.fetch(Int(positionStarts[index &+ 1]))
    }

    /// Finds the block's packed distances; call `readFrequencies` first.
    @inline(__always)
    mutating func openText(_ list: PostingList, _ block: Int) -> Bool {
        if isLoose(list, block) { return false }
        if packed != nil { return true }
        readPositionStarts()
        guard let start = list.positionStart(block) else { return false }
        return openPositions(list, start)
    }

    /// Reads distances within a range of `textRun`. Up to three numbers more are written.
    @inline(__always)
    mutating func readText(_ first: Int, _ wanted: Int, into out: UnsafeMutablePointer<UInt32>) {
        packed?.readFours(first, wanted, into: out, &exceptions)
    }

    @inline(__always)
    private mutating func readExceptions() {
        if hasExceptions { return }
        hasExceptions = true
        packed?.readExceptions(into: &exceptions)
    }

    private mutating func openPositions(_ list: PostingList, _ start: UnsafeRawPointer) -> Bool {
        var reader = ByteReader(start, list.positionsEnd - start)
        let fieldBytes = Int(reader.varint())
        if fieldBytes > list.positionsEnd - reader.at { return false }
        fieldDeltas = ByteReader(reader.at, fieldBytes)
        packed = PackedArray(reader.at + fieldBytes, list.positionsEnd, count: Int(positionStarts[count]))
        packedCount = packed?.count ?? 0
        packed?.fetchExceptions()
        hasExceptions = false
        return packed != nil
    }
}
