/// Adds up the lists of many terms that count as one, document by document.
///
/// Frequencies are counted in quarters: a list of weight 1 counts 4, one of weight ¼ counts 1.
struct UnionAccumulator: ~Copyable {
    /// `QuarterSums` by document. All are zero between unions.
    private var sums = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    private var capacity = 0
    /// Whether all frequencies are zero; damage may have ended a union half way.
    private var isClean = true
    /// The documents of the union.
    private var marks = BitSet()
    /// The candidates to which the union is restricted.
    private var wanted = BitSet()
    private var isRestricted = false
    private var isCounted = true
    private let hitPlaces = UnsafeMutablePointer<Int32>.allocate(capacity: 128)

    deinit {
        sums.deallocate()
        hitPlaces.deallocate()
    }

    /// Begins a union over a segment's documents.
    ///
    /// - Parameters:
    ///   - candidates: the documents to restrict the union to, if `isRestricted`.
    ///   - isCounted: whether other documents are counted too.
    mutating func begin(limit: Int, isRestricted: Bool, to candidates: borrowing Candidates, isCounted: Bool) {
        self.isCounted = isCounted
        if limit > capacity {
            sums.deallocate()
            capacity = limit
            sums = .allocate(capacity: limit)
            sums.initialize(repeating: 0, count: limit)
        } else if !isClean {
            sums.update(repeating: 0, count: capacity)
        }
        isClean = false
        marks.reset(limit: limit)
        self.isRestricted = isRestricted
        if isRestricted {
            wanted.reset(limit: limit)
            for index in 0..<candidates.count { wanted.insert(candidates.documents[index]) }
        }
    }

    /// The number of the union's documents, candidates or not, if they are counted.
    private(set) var documentCount = 0

    mutating func countDocuments() { documentCount = marks.count }

    mutating func add(
        _ list: PostingList, quarters: UInt32, _ candidates: UnsafePointer<UInt32>, _ candidateCount: Int,
        _ reader: inout ListReader, in segment: Segment
    ) throws(IndexDamage) {
        if isRestricted, !isCounted, candidateCount < list.fullBlocks * 8 {
            return try addFew(list, quarters, candidates, candidateCount, &reader, segment)
        }
        for number in 0..<list.blockCount {
            try reader.read(list, number, in: segment)
            if isRestricted {
                try addWanted(list, quarters, &reader, segment)
            } else {
                try reader.readFrequencies(list, in: segment)
                addAll(quarters, reader.block)
            }
        }
    }

    @inline(__always)
    private func addAll(_ quarters: UInt32, _ block: borrowing PostingBlock) {
        let (documents, codes) = (block.documents, block.codes)
        for place in 0..<block.count {
            let document = documents[place]
            sums[Int(document)] &+= QuarterSums.text(codes[place] &+ 1, quarters)
            marks.insert(document)
        }
        addFields(quarters, block)
    }

    @inline(__always)
    private func addFields(_ quarters: UInt32, _ block: borrowing PostingBlock) {
        for field in 0..<block.fieldCount {
            let document = block.documents[Int(block.fieldIndices[field])]
            if isRestricted, !wanted.contains(document) { continue }
            sums[Int(document)] &+= QuarterSums.fields(block, field, quarters)
        }
    }

    /// Searches a long list for each of a few candidates.
    private mutating func addFew(
        _ list: PostingList, _ quarters: UInt32, _ candidates: UnsafePointer<UInt32>, _ candidateCount: Int,
        _ reader: inout ListReader, _ segment: Segment
    ) throws(IndexDamage) {
        var number = -1
        for index in 0..<candidateCount {
            let document = candidates[index]
            let next = list.block(holding: document, from: max(0, number))
            if next >= list.blockCount { return }
            if next != number {
                number = next
                try reader.read(list, number, in: segment)
                reader.block.pad()
            }
            let place = reader.block.place(of: document)
            if place >= reader.block.count || reader.block.documents[place] != document { continue }
            try reader.readFrequencies(list, in: segment)
            sums[Int(document)] &+= QuarterSums.all(reader.block.frequencies(place), quarters)
        }
    }

    @inline(__always)
    private mutating func addWanted(
        _ list: PostingList, _ quarters: UInt32, _ reader: inout ListReader, _ segment: Segment
    ) throws(IndexDamage) {
        var hits = 0
        let count = reader.block.count
        let documents = reader.block.documents
        if isCounted { for place in 0..<count { marks.insert(documents[place]) } }
        for place in 0..<count {
            hitPlaces[hits] = Int32(truncatingIfNeeded: place)
            hits &+= wanted.bit(documents[place])
        }
        if hits == 0 { return }
        try reader.readFrequencies(list, in: segment)
        let codes = reader.block.codes
        for hit in 0..<hits {
            let place = Int(hitPlaces[hit])
            sums[Int(documents[place])] &+= QuarterSums.text(codes[place] &+ 1, quarters)
        }
        if reader.block.fieldCount > 0 { addFields(quarters, reader.block) }
    }

    @inline(__always)
    private func value(_ document: UInt32, _ norms: LengthNorms) -> Float {
        let sum = sums[Int(document)]
        sums[Int(document)] = 0
        return QuarterSums.value(sum, document, norms)
    }

    /// Makes the union's documents the candidates, with their x; ends the union.
    mutating func collect(into candidates: inout Candidates, slot: Int, _ norms: LengthNorms) {
        candidates.cut(to: 0)
        candidates.reserve(marks.count)
        let out = candidates.values(slot)
        var count = 0
        let documents = candidates.documents
        for word in 0..<marks.wordCount {
            var bits = marks.words[word]
            while bits != 0 {
                let document = UInt32(truncatingIfNeeded: word << 6 + bits.trailingZeroBitCount)
                documents[count] = document
                out[count] = value(document, norms)
                count &+= 1
                bits &= bits &- 1
            }
        }
        candidates.cut(to: count)
        candidates.setFilled(slot)
        isClean = true
    }

    /// Keeps the candidates that are in the union, with their x; ends the union.
    mutating func restrict(
        _ candidates: inout Candidates, slot: Int, _ norms: LengthNorms, keepsOthers: Bool
    ) {
        var kept = 0
        let out = candidates.values(slot)
        for index in 0..<candidates.count {
            let document = candidates.documents[index]
            if sums[Int(document)] == 0 {
                if keepsOthers { out[index] = 0 }
                continue
            }
            let x = value(document, norms)
            if keepsOthers {
                out[index] = x
            } else {
                candidates.keep(index, as: kept)
                out[kept] = x
                kept += 1
            }
        }
        if !keepsOthers { candidates.cut(to: kept) }
        candidates.setFilled(slot)
        isClean = true
    }

    /// Adds the union's documents to a set and ends the union without computing x.
    mutating func mark(into set: borrowing BitSet) {
        set.formUnion(marks)
        marks.forEach { document in
            sums[Int(document)] = 0
        }
        isClean = true
    }

    /// Raises the bound of each range by the largest x that the union has there, and ends the union.
    mutating func raise(_ bounds: inout [Float], shift: Int, _ norms: LengthNorms) {
        var largest = [Float](repeating: 0, count: bounds.count)
        marks.forEach { document in
            let range = Int(document) >> shift
            largest[range] = max(largest[range], value(document, norms))
        }
        isClean = true
        for range in bounds.indices { bounds[range] += largest[range] * 1.00001 }
    }

    /// Ends a union that was restricted to no candidates and of which only the number of documents was needed.
    mutating func end() { isClean = true }
}
