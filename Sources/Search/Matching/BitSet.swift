/// A set of document numbers below a limit.
struct BitSet: ~Copyable {
    private(set) var words: UnsafeMutablePointer<UInt64>
    private(set) var wordCount: Int
    private var capacity: Int

    init(limit: Int = 0) {
        wordCount = (limit + 63) / 64
        capacity = max(1, wordCount)
        words = .allocate(capacity: capacity)
        words.initialize(repeating: 0, count: capacity)
    }

    deinit { words.deallocate() }

    /// Empties the set, for numbers below `limit`.
    mutating func reset(limit: Int) {
        wordCount = (limit + 63) / 64
        if wordCount > capacity {
            words.deallocate()
            capacity = wordCount
            words = .allocate(capacity: capacity)
        }
        words.update(repeating: 0, count: wordCount)
    }

    @inline(__always)
    func contains(_ number: UInt32) -> Bool { words[Int(number >> 6)] &>> UInt64(number & 63) & 1 != 0 }

    /// 1 for a member, else 0; for loops that should not branch.
    @inline(__always)
    func bit(_ number: UInt32) -> Int {
        Int(truncatingIfNeeded: words[Int(number >> 6)] &>> UInt64(number & 63) & 1)
    }

    @inline(__always)
    func insert(_ number: UInt32) { words[Int(number >> 6)] |= 1 &<< UInt64(number & 63) }

    var count: Int {
        var count = 0
        for word in 0..<wordCount { count += words[word].nonzeroBitCount }
        return count
    }

    /// Adds all numbers below `limit`.
    func fill(limit: Int) {
        for word in 0..<wordCount { words[word] = .max }
        if limit & 63 != 0 { words[wordCount - 1] = (1 << UInt64(limit & 63)) - 1 }
    }

    func formUnion(_ other: borrowing BitSet) {
        for word in 0..<wordCount { words[word] |= other.words[word] }
    }

    func subtract(_ other: borrowing BitSet) {
        for word in 0..<wordCount { words[word] &= ~other.words[word] }
    }

    @inline(__always)
    func forEach(_ body: (UInt32) -> Void) {
        for word in 0..<wordCount {
            var bits = words[word]
            while bits != 0 {
                body(UInt32(word << 6 + bits.trailingZeroBitCount))
                bits &= bits &- 1
            }
        }
    }
}
