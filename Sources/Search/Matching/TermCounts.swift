internal import Glibc

/// The number of documents with each scored term, over all parts.
struct TermCounts {
    private(set) var documents: [Int]
    /// Terms that were not counted in a part.
    private(set) var missing: [(part: Int, slot: Int)] = []

    init(_ terms: [ScoredTerm]) { documents = Array(repeating: 0, count: terms.count) }

    mutating func add(_ counts: [Int], part: Int) {
        for slot in counts.indices {
            add(counts[slot], to: slot, part: part)
        }
    }

    mutating func add(_ count: Int, to slot: Int) { documents[slot] += count }

    /// - Parameter count: -1 for a union that was not evaluated.
    mutating func add(_ count: Int, to slot: Int, part: Int) {
        if count < 0 { missing.append((part, slot)) } else { documents[slot] += count }
    }

    static func idf(_ count: Int, of total: Int) -> Float {
        let (n, all) = (Double(count), Double(max(total, count)))
        let ratio = (all - n + 0.5) / (n + 0.5)
        return Float(log(1 + ratio))
    }
}
