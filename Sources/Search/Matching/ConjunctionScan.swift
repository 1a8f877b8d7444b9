/// One pass over the documents of a segment that fulfil several conditions.
struct ConjunctionScan: ~Copyable {
    /// The rarest one first.
    private let conjuncts: UnsafeMutablePointer<Conjunct>
    private let count: Int
    private let part: Int
    private let segment: Segment
    private let norms: LengthNorms
    private let isHidden: HiddenDocuments.Filter
    private let growth: Float
    private let lead: PostingList
    private let blockCount: Int
    /// For each conjunct and block of the lead, what the conjunct adds to a score at most.
    private let bounds: UnsafeMutablePointer<Float>
    /// For each block, what all conjuncts but the lead add at most; below zero if one of them has no document there.
    private let rest: UnsafeMutablePointer<Float>
    /// x of each posting of a block.
    private let values = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    /// The parts of a score, by the numbers of the terms.
    private let shares: UnsafeMutablePointer<Float>
    private let termCount: Int
    /// How many documents have been compared with the other conditions.
    private var evaluated = 0

    /// The blocks that are looked at before it may give up: so many to find a threshold, and as many with it.
    private static let trialBlocks = 8
    /// With more evaluated documents of a block, evaluating all in sequence is faster.
    private static let mostOfBlock = 16

    init(
        _ conjuncts: UnsafeMutablePointer<Conjunct>, _ count: Int, terms: Int, part: Int, _ segment: Segment,
        _ norms: LengthNorms, _ isHidden: HiddenDocuments.Filter, growth: Float
    ) {
        self.conjuncts = conjuncts
        self.count = count
        termCount = terms
        self.part = part
        self.segment = segment
        self.norms = norms
        self.isHidden = isHidden
        self.growth = growth
        lead = conjuncts[0].word.list
        blockCount = lead.blockCount
        bounds = .allocate(capacity: blockCount * count)
        rest = .allocate(capacity: blockCount)
        shares = .allocate(capacity: terms)
    }

    deinit {
        bounds.deallocate()
        rest.deallocate()
        values.deallocate()
        shares.deallocate()
    }

    /// - Returns: false if it gave up, because most documents have to be evaluated.
    mutating func run(_ top: inout TopHits) throws(IndexDamage) -> Bool {
        rest.initialize(repeating: 0, count: blockCount)
        for number in 0..<count where conjuncts[number].slot != nil {
            let own = bounds + number * blockCount
            conjuncts[number].writeBounds(over: lead, growth: growth, into: own)
            if number == 0 { continue }
            for block in 0..<blockCount { rest[block] = own[block] > 0 ? rest[block] + own[block] : -.infinity }
        }
        return try withUnsafeTemporaryAllocation(of: Int32.self, capacity: blockCount) { order throws(IndexDamage) in
            BlockOrder.fill(order, blockCount) { max(0, bounds[$0] + rest[$0]) }
            var done = 0
            for number in order {
                let block = Int(number)
                if rest[block] < 0 || Double(bounds[block] + rest[block]) * 1.00001 < top.threshold { continue }
                if done == Self.trialBlocks { evaluated = 0 }
                if done == Self.trialBlocks * 2, count > 1, evaluated > Self.trialBlocks * Self.mostOfBlock {
                    return false
                }
                try scan(block, &top)
                done += 1
            }
            return true
        }
    }

    /// The least x of the lead with which a document of a block may be among the best; `nil` if none is enough.
    @inline(__always)
    private func leastValue(_ block: Int, _ threshold: Double) -> Float? {
        let least = (Float(max(threshold, 0)) * 0.99999 - rest[block]) / conjuncts[0].idf
        if least <= 0 { return 0 }
        return least >= 1 ? nil : LengthNorms.k1 * least / (1 - least) * 0.9999
    }

    private mutating func scan(_ block: Int, _ top: inout TopHits) throws(IndexDamage) {
        guard var least = leastValue(block, top.threshold) else { return }
        try conjuncts[0].word.open(block, in: segment)
        // Of a union, these are the values if all words were the word itself: at least its x.
        try conjuncts[0].word.computeValues(norms, into: values, in: segment)
        let documents = conjuncts[0].word.block.documents
        let isUnion = conjuncts[0].isUnion
        for place in 0..<conjuncts[0].word.block.count where values[place] >= least {
            let document = documents[place]
            if isHidden.contains(document) { continue }
            var x = values[place]
            if isUnion {
                conjuncts[0].word.place = place
                x = try conjuncts[0].foundValue(document, norms, in: segment)
                if x < least { continue }
            }
            evaluated &+= 1
            if try !evaluate(document, x, block, &top) { continue }
            guard let next = leastValue(block, top.threshold) else { return }
            least = next
        }
    }

    /// - Parameter x: that of the lead.
    /// - Returns: whether the document is among the best so far.
    @inline(__always)
    private func evaluate(
        _ document: UInt32, _ x: Float, _ block: Int, _ top: inout TopHits
    ) throws(IndexDamage) -> Bool {
        let share = conjuncts[0].idf * x / (LengthNorms.k1 + x)
        shares[conjuncts[0].slot ?? 0] = share
        // An upper bound, which comes down to the score.
        var most = share + rest[block]
        for number in 1..<count {
            let value = try conjuncts[number].value(document, norms, in: segment)
            if value < 0 { return false }
            guard let slot = conjuncts[number].slot else { continue }
            shares[slot] = conjuncts[number].idf * value / (LengthNorms.k1 + value)
            most += shares[slot] - bounds[number * blockCount + block]
            if Double(most) * 1.0001 < top.threshold { return false }
        }
        // In the order of the terms, as all scores are added up.
        var score = shares[0]
        for slot in 1..<max(1, termCount) { score += shares[slot] }
        if Double(score) < top.threshold { return false }
        try top.insert(Double(score), part: part, document: document)
        return true
    }
}
