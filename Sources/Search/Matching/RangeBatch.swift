/// Adds up the lists of a union for a few ranges of documents at once.
struct RangeBatch: ~Copyable {
    /// The ranges, in rising order.
    private var ranges: [Int] = []
    private var shift = 0
    private var limit: UInt32 = 0
    /// For each range, its index in the batch; -1 for the others.
    private var places: [Int32] = []
    /// `QuarterSums` of the documents of all ranges, one range after the other; all zero between batches.
    private var sums = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    private var capacity = 0
    /// The documents among them that have a posting.
    private var marks = BitSet()

    deinit { sums.deallocate() }

    /// Begins a batch of ranges of 2^shift documents each.
    mutating func begin(_ wanted: [Int], shift: Int, documentCount: Int) {
        ranges = wanted.sorted()
        self.shift = shift
        limit = UInt32(documentCount)
        let count = RangeBounds.rangeCount(documentCount: documentCount, shift: shift)
        if places.count < count { places = Array(repeating: -1, count: count) }
        for (place, range) in ranges.enumerated() { places[range] = Int32(place) }
        let size = ranges.count << shift
        if size > capacity {
            sums.deallocate()
            sums = .allocate(capacity: size)
            sums.initialize(repeating: 0, count: size)
            capacity = size
        }
        marks.reset(limit: size)
    }

    mutating func end() {
        for range in ranges { places[range] = -1 }
        marks.forEach { sums[Int($0)] = 0 }
    }

    mutating func add(
        _ list: PostingList, quarters: UInt32, _ reader: inout ListReader, in segment: Segment
    ) throws(IndexDamage) {
        // With more ranges than blocks, most blocks have documents in some range.
        if list.blockCount <= ranges.count {
            for number in 0..<list.blockCount { try addBlock(list, number, quarters, &reader, segment) }
            return
        }
        var number = 0
        var present = -1
        for (place, range) in ranges.enumerated() {
            let first = UInt32(range << shift)
            let end = min(UInt32((range + 1) << shift), limit)
            number = list.block(holding: first, from: number)
            while number < list.blockCount {
                // The first document of a block follows the last one of the block before.
                if number > 0, list.lastDocument(number - 1) &+ 1 >= end { break }
                if present != number {
                    try reader.read(list, number, in: segment)
                    reader.block.pad()
                    present = number
                }
                let documents = reader.block.documents
                let last = documents[reader.block.count &- 1]
                if last >= first {
                    let from = documents[0] >= first ? 0 : reader.block.place(of: first)
                    let to = last < end ? reader.block.count : reader.block.place(of: end)
                    if from < to {
                        try reader.readFrequencies(list, in: segment)
                        add(reader.block, from..<to, quarters, UInt32(place << shift) &- first)
                    }
                }
                if last >= end { break }
                number += 1
            }
            if number >= list.blockCount { return }
        }
    }

    @inline(__always)
    private func add(
        _ block: borrowing PostingBlock, _ wanted: Range<Int>, _ quarters: UInt32, _ distance: UInt32
    ) {
        let (documents, codes) = (block.documents, block.codes)
        for place in wanted {
            let index = documents[place] &+ distance
            sums[Int(index)] &+= QuarterSums.text(codes[place] &+ 1, quarters)
            marks.insert(index)
        }
        for field in 0..<block.fieldCount {
            let place = Int(block.fieldIndices[field])
            if wanted.contains(place) {
                sums[Int(documents[place] &+ distance)] &+= QuarterSums.fields(block, field, quarters)
            }
        }
    }

    /// Adds those documents of a block that are in a range of the batch.
    private func addBlock(
        _ list: PostingList, _ number: Int, _ quarters: UInt32, _ reader: inout ListReader, _ segment: Segment
    ) throws(IndexDamage) {
        try reader.read(list, number, in: segment)
        let (documents, count) = (reader.block.documents, reader.block.count)
        var isWanted = false
        for place in 0..<count where places[Int(documents[place]) >> shift] >= 0 {
            isWanted = true
            break
        }
        if !isWanted { return }
        try reader.readFrequencies(list, in: segment)
        let codes = reader.block.codes
        for place in 0..<count {
            guard let index = index(of: documents[place]) else { continue }
            sums[Int(index)] &+= QuarterSums.text(codes[place] &+ 1, quarters)
            marks.insert(index)
        }
        for field in 0..<reader.block.fieldCount {
            guard let index = index(of: documents[Int(reader.block.fieldIndices[field])]) else { continue }
            sums[Int(index)] &+= QuarterSums.fields(reader.block, field, quarters)
        }
    }

    /// The index of a document's sums; `nil` if it is in no range of the batch.
    @inline(__always)
    private func index(of document: UInt32) -> UInt32? {
        let place = Int(places[Int(document) >> shift])
        if place < 0 { return nil }
        return UInt32(place << shift) | document & (1 << UInt32(shift) - 1)
    }

    /// Calls `body` with each document that has a posting, and its sums.
    @inline(__always)
    func forEach(_ body: (UInt32, UInt64) throws(IndexDamage) -> Void) throws(IndexDamage) {
        for word in 0..<marks.wordCount {
            var bits = marks.words[word]
            while bits != 0 {
                let index = word << 6 + bits.trailingZeroBitCount
                bits &= bits &- 1
                let local = index & (1 << shift - 1)
                try body(UInt32(ranges[index >> shift] << shift + local), sums[index])
            }
        }
    }
}
