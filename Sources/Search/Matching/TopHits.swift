/// The best hits so far, best first.
///
/// A higher rank value is better; among equals, the smaller key.
struct TopHits {
    struct Entry {
        let value: Double
        let part: Int
        let document: UInt32
    }

    /// After `finish`: best first.
    private(set) var entries: [Entry] = []
    /// Up to this number, hits are kept sorted; more are collected and sorted from time to time.
    private static let orderedLimit = 256
    let limit: Int
    private let snapshot: IndexSnapshot
    /// The least value that a new hit needs; lower than any value until there are enough hits.
    private(set) var threshold = -Double.infinity

    init(limit: Int, _ snapshot: IndexSnapshot) {
        self.limit = limit
        self.snapshot = snapshot
        entries.reserveCapacity(min(limit, 1024) + 1)
    }

    /// Adds a hit. Callers should compare with the threshold first.
    @inline(never)
    mutating func insert(_ value: Double, part: Int, document: UInt32) throws(IndexDamage) {
        if value < threshold || limit == 0 { return }
        let new = Entry(value: value, part: part, document: document)
        if limit > Self.orderedLimit {
            entries.append(new)
            if entries.count >= limit &* 2 { try finish() }
            return
        }
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

    /// Sorts the hits and drops those beyond the limit.
    mutating func finish() throws(IndexDamage) {
        if limit <= Self.orderedLimit { return }
        var keyed: [(entry: Entry, key: DocumentKey)] = []
        keyed.reserveCapacity(entries.count)
        for entry in entries { keyed.append((entry, try key(entry))) }
        keyed.sort { a, b in a.entry.value != b.entry.value ? a.entry.value > b.entry.value : a.key < b.key }
        entries = keyed.prefix(limit).map(\.entry)
        if entries.count == limit { threshold = entries[limit - 1].value }
    }

    private func isBetter(_ a: Entry, _ b: Entry) throws(IndexDamage) -> Bool {
        if a.value != b.value { return a.value > b.value }
        return try key(a) < key(b)
    }

    func key(_ entry: Entry) throws(IndexDamage) -> DocumentKey {
        try snapshot.parts[entry.part].segment.key(Int(entry.document))
    }
}
