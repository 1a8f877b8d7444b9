/// The postings of a block of a phrase's rarest word whose documents may be among the best.
struct PhrasePairs: ~Copyable {
    /// Their places in the block, rising.
    private let picked = UnsafeMutablePointer<UInt8>.allocate(capacity: 128)
    private var pickedCount = 0
    private var next = 0
    /// The places of those that a block of the second word has as well, in both blocks.
    private let firsts = UnsafeMutablePointer<UInt8>.allocate(capacity: 128)
    private let seconds = UnsafeMutablePointer<UInt8>.allocate(capacity: 128)
    private(set) var count = 0

    deinit {
        picked.deallocate()
        firsts.deallocate()
        seconds.deallocate()
    }

    /// Picks the postings of a block whose x is not below `least`.
    @inline(__always)
    mutating func pick(_ blockCount: Int, _ values: UnsafePointer<Float>, least: Float) {
        next = 0
        pickedCount = 0
        // Both are not negative, so their bit patterns have the same order; a comparison would become a branch.
        let leastBits = Int(max(least, 0).bitPattern)
        for place in 0..<blockCount {
            picked[pickedCount] = UInt8(truncatingIfNeeded: place)
            pickedCount &+= 1 &+ (Int(values[place].bitPattern) &- leastBits) >> 63
        }
    }

    /// Finds the next picked documents that one block of the second word has.
    ///
    /// - Returns: false after the last.
    @inline(__always)
    mutating func findNext(
        _ first: inout PhraseMatch.Word, _ second: inout PhraseMatch.Word, in segment: Segment
    ) throws(IndexDamage) -> Bool {
        let documents = first.block.documents
        while next < pickedCount {
            if try !second.reach(documents[Int(picked[next])], in: segment) { return false }
            let last = second.lastOfBlock, start = next
            var found = 0
            while next < pickedCount {
                let document = documents[Int(picked[next])]
                if document > last { break }
                let place = second.block.place(of: document) & 127
                firsts[found] = picked[next]
                seconds[found] = UInt8(truncatingIfNeeded: place)
                found &+= second.block.documents[place] == document ? 1 : 0
                next &+= 1
            }
            // The block does not hold what the list says it holds.
            if next == start { throw segment.damage("a posting list cannot be read") }
            if found == 0 { continue }
            count = found
            // While the frequencies are read, the positions are fetched.
            second.fetchPositions()
            try second.readFrequencies(in: segment)
            return true
        }
        return false
    }

    /// Keeps those in which the phrase may have an x of `least`.
    @inline(__always)
    mutating func keep(
        _ first: inout PhraseMatch.Word, _ second: inout PhraseMatch.Word, _ norms: LengthNorms, least: Float
    ) {
        let (documents, firstCodes, secondCodes) = (first.block.documents, first.block.codes, second.block.codes)
        var kept = 0
        for pair in 0..<count {
            let (a, b) = places(pair)
            let frequency = Float(Int32(truncatingIfNeeded: min(firstCodes[a], secondCodes[b]) &+ 1))
            // Below zero if the text does not suffice; without a branch, as above.
            let more = Int(frequency.bitPattern) &- Int((least * norms.textDivisor(documents[a]) * 0.9999).bitPattern)
            firsts[kept] = firsts[pair]
            seconds[kept] = seconds[pair]
            // A phrase is in title or tags only where both words are.
            kept &+= (1 &+ more >> 63) | (first.block.fieldBit(a) & second.block.fieldBit(b))
        }
        count = kept
    }

    /// Has the positions of all fetched from memory, before the first ones are compared.
    @inline(__always)
    func fetch(_ first: inout PhraseMatch.Word, _ second: inout PhraseMatch.Word) {
        for pair in 0..<count {
            let (a, b) = places(pair)
            first.block.fetchText(a)
            second.block.fetchText(b)
        }
    }

    /// The places of a pair in both blocks.
    @inline(__always)
    func places(_ pair: Int) -> (first: Int, second: Int) { (Int(firsts[pair]), Int(seconds[pair])) }
}
