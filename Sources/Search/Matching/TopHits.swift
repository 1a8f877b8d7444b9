/// The best hits so far, best first.
///
/// Better is a higher rank value; among equals the smaller key.
struct TopHits {
    struct Entry {
        let value: Double
        let part: Int
        let document: UInt32
    }

    private(set) var entries: [Entry] = []
    let limit: Int
    private let snapshot: IndexSnapshot
    /// What a hit must at least reach to have a chance; less than everything until there are enough.
    private(set) var threshold = -Double.infinity

    init(limit: Int, _ snapshot: IndexSnapshot) {
        self.limit = limit
        self.snapshot = snapshot
        entries.reserveCapacity(min(limit, 1024) + 1)
    }

    /// Takes a hit; most are below the threshold and should not come here.
    @inline(never)
    mutating func insert(_ value: Double, part: Int, document: UInt32) throws(IndexDamage) {
        if value < threshold || limit == 0 { return }
        let new = Entry(value: value, part: part, document: document)
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) >> 1
            if try isBetter(entries[middle], new) { low = middle + 1 } else { high = middle }
        }
        if low >= limit { return }
        entries.insert(new, at: low)
        if entries.count > limit { entries.removeLast() }
        if entries.count == limit { threshold = entries[limit - 1].value }
    }

    /// Puts other hits behind these, as far as there is room.
    mutating func append(_ others: TopHits) { entries += others.entries.prefix(limit - entries.count) }

    private func isBetter(_ a: Entry, _ b: Entry) throws(IndexDamage) -> Bool {
        if a.value != b.value { return a.value > b.value }
        return try key(a) < key(b)
    }

    func key(_ entry: Entry) throws(IndexDamage) -> DocumentKey {
        try snapshot.parts[entry.part].segment.key(Int(entry.document))
    }
}
