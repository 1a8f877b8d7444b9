/// One of several conditions that a document must fulfil, in one segment: whether a document fulfils it, its x there, and
/// upper bounds of its part of the score.
struct Conjunct: ~Copyable {
    /// The number of the scored term; `nil` for a filter, which scores nothing.
    let slot: Int?
    let idf: Float
    /// The list that is read: of a word, of a filter, or of all words with a prefix.
    var word: PhraseMatch.Word
    /// For a prefix, the weight of an occurrence in quarters.
    private let quarters: UInt32?
    /// The list of the word itself, beside that of its prefix, and what its occurrences weigh more.
    private var own: PhraseMatch.Word
    private let moreQuarters: UInt32

    init(filter list: PostingList) {
        self.init(list, slot: nil, idf: 0, quarters: nil, own: nil, moreQuarters: 0)
    }

    init(
        _ list: PostingList, slot: Int?, idf: Float, quarters: UInt32?, own: PostingList?, moreQuarters: UInt32
    ) {
        self.slot = slot
        self.idf = idf
        self.quarters = quarters
        word = PhraseMatch.Word(list)
        self.own = PhraseMatch.Word(own ?? list)
        self.moreQuarters = own == nil ? 0 : moreQuarters
    }

    var isUnion: Bool { quarters != nil }

    /// x of a document; below zero if it does not fulfil the condition.
    @inline(__always)
    mutating func value(_ document: UInt32, _ norms: LengthNorms, in segment: Segment) throws(IndexDamage) -> Float {
        if try !word.find(document, in: segment) { return -1 }
        if slot == nil { return 0 }
        return try foundValue(document, norms, in: segment)
    }

    /// x of the posting that `word` has found.
    @inline(__always)
    mutating func foundValue(
        _ document: UInt32, _ norms: LengthNorms, in segment: Segment
    ) throws(IndexDamage) -> Float {
        let found = try word.foundFrequencies(in: segment)
        guard let quarters else { return norms.value(found, document) }
        var sum = QuarterSums.all(found, quarters)
        if moreQuarters > 0, try own.find(document, in: segment) {
            sum &+= QuarterSums.all(try own.foundFrequencies(in: segment), moreQuarters)
        }
        return QuarterSums.value(sum, document, norms)
    }

    /// Writes, for each block of `lead`, an upper bound of this condition's part of the score of documents from behind the
    /// block before up to the block's last one; 0 if none of them fulfils the condition.
    ///
    /// - Parameter growth: by how much an x may be above the segment's bounds.
    func writeBounds(over lead: PostingList, growth: Float, into out: UnsafeMutablePointer<Float>) {
        let blockCount = lead.blockCount
        out.update(repeating: 0, count: blockCount)
        word.list.addBounds(over: lead, Float(quarters ?? 4) * 0.25, to: out)
        if moreQuarters > 0 { own.list.addBounds(over: lead, Float(moreQuarters) * 0.25, to: out) }
        for block in 0..<blockCount {
            let x = out[block] * growth
            out[block] = idf * x / (LengthNorms.k1 + x) * 1.00001
        }
    }
}
