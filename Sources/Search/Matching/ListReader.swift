/// Reads posting lists of one segment: intersects them with candidates, adds them up, finds the best documents.
struct ListReader: ~Copyable {
    var block = PostingBlock()
    /// x of each posting of the block.
    let values = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    private let hitPlaces = UnsafeMutablePointer<Int32>.allocate(capacity: 128)
    private let hitCandidates = UnsafeMutablePointer<Int32>.allocate(capacity: 128)
    private var candidateBits = BitSet()

    deinit {
        values.deallocate()
        hitPlaces.deallocate()
        hitCandidates.deallocate()
    }

    // MARK: Blocks

    @inline(__always)
    mutating func read(_ list: PostingList, _ number: Int, in segment: Segment) throws(IndexDamage) {
        if !block.readDocuments(list, number, limit: UInt32(truncatingIfNeeded: segment.documentCount)) {
            throw segment.damage("a posting list cannot be read")
        }
    }

    @inline(__always)
    mutating func readFrequencies(_ list: PostingList, in segment: Segment) throws(IndexDamage) {
        if !block.readFrequencies(list) { throw segment.damage("a posting list's frequencies cannot be read") }
    }

    /// Computes x of all postings of the block; the frequencies must have been read.
    @inline(__always)
    func computeValues(_ norms: LengthNorms) { block.computeValues(norms, into: values) }

    // MARK: Sets

    /// Makes a list's documents the candidates.
    mutating func collect(
        _ list: PostingList, in segment: Segment, into candidates: inout Candidates
    ) throws(IndexDamage) {
        candidates.cut(to: 0)
        candidates.reserve(list.count)
        for number in 0..<list.blockCount {
            try read(list, number, in: segment)
            candidates.append(block.documents, block.count)
        }
    }

    /// Adds a list's documents to a set.
    mutating func mark(_ list: PostingList, in segment: Segment, into set: borrowing BitSet) throws(IndexDamage) {
        for number in 0..<list.blockCount {
            try read(list, number, in: segment)
            for place in 0..<block.count { set.insert(block.documents[place]) }
        }
    }

    /// Keeps the candidates that are in a list.
    ///
    /// - Parameters:
    ///   - slot: the slot for x of each candidate; `nil` computes none.
    ///   - keepsOthers: whether to keep candidates that are not in the list too, with x 0.
    mutating func intersect(
        _ list: PostingList, in segment: Segment, with candidates: inout Candidates, slot: Int?, norms: LengthNorms?,
        keepsOthers: Bool = false
    ) throws(IndexDamage) {
        let total = candidates.count
        if let slot, keepsOthers { candidates.values(slot).update(repeating: 0, count: total) }
        let isDense = total > list.blockCount * 12
        if isDense {
            candidateBits.reset(limit: segment.documentCount)
            for index in 0..<total { candidateBits.insert(candidates.documents[index]) }
        }
        var next = 0
        var kept = 0
        var number = 0
        let blockCount = list.blockCount
        while next < total {
            number = list.block(holding: candidates.documents[next], from: number)
            if number >= blockCount { break }
            try read(list, number, in: segment)
            block.pad()
            let last = block.documents[block.count &- 1]
            let hits =
                isDense ? denseHits(candidates, &next, last) : sparseHits(candidates, &next, total, last)
            if hits > 0 {
                if let slot, let norms {
                    try readFrequencies(list, in: segment)
                    for hit in 0..<hits {
                        let place = Int(hitPlaces[hit])
                        values[place] = norms.text(
                            Float(Int32(bitPattern: block.codes[place] &+ 1)), block.documents[place])
                    }
                    if block.fieldCount > 0 { block.addFields(norms, into: values) }
                    let out = candidates.values(slot)
                    if keepsOthers {
                        for hit in 0..<hits { out[Int(hitCandidates[hit])] = values[Int(hitPlaces[hit])] }
                    } else {
                        candidates.keep(hitCandidates, hits, at: kept)
                        for hit in 0..<hits { out[kept &+ hit] = values[Int(hitPlaces[hit])] }
                        kept += hits
                    }
                } else {
                    candidates.keep(hitCandidates, hits, at: kept)
                    kept += hits
                }
            }
            while next < total, candidates.documents[next] <= last { next += 1 }
            number += 1
        }
        if !keepsOthers { candidates.cut(to: kept) }
        if let slot { candidates.setFilled(slot) }
    }

    /// Finds the block's postings that are candidates by testing each posting.
    @inline(__always)
    private func denseHits(_ candidates: borrowing Candidates, _ next: inout Int, _ last: UInt32) -> Int {
        var hits = 0
        let documents = block.documents
        for place in 0..<block.count {
            hitPlaces[hits] = Int32(truncatingIfNeeded: place)
            hits &+= candidateBits.bit(documents[place])
        }
        for hit in 0..<hits {
            let document = documents[Int(hitPlaces[hit])]
            while candidates.documents[next] < document { next &+= 1 }
            hitCandidates[hit] = Int32(truncatingIfNeeded: next)
            next &+= 1
        }
        return hits
    }

    /// Finds the block's postings that are candidates by searching for each candidate.
    @inline(__always)
    private func sparseHits(
        _ candidates: borrowing Candidates, _ next: inout Int, _ total: Int, _ last: UInt32
    ) -> Int {
        var hits = 0
        let documents = block.documents
        while next < total {
            let document = candidates.documents[next]
            if document > last { break }
            let place = block.place(of: document) & 127
            hitPlaces[hits] = Int32(truncatingIfNeeded: place)
            hitCandidates[hits] = Int32(truncatingIfNeeded: next)
            // 1 if both are equal: the difference minus one borrows only for zero.
            hits &+= Int(truncatingIfNeeded: (UInt64(documents[place] ^ document) &- 1) >> 63)
            next &+= 1
        }
        return hits
    }
}
