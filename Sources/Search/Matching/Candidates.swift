/// Documents of one segment that may match, in rising order, each with its x for every term evaluated so far.
struct Candidates: ~Copyable {
    private(set) var documents: UnsafeMutablePointer<UInt32>
    private(set) var count = 0
    /// Room for a score of each candidate.
    private(set) var scores: UnsafeMutablePointer<Float>
    private var capacity: Int
    /// x of each candidate, by slot; a slot is one scored condition of the query.
    private var rows: [UnsafeMutablePointer<Float>] = []
    /// Whether each slot has values.
    private(set) var isFilled: [Bool] = []
    /// The slots that have values.
    private var filledSlots: [Int] = []
    /// Whether all slots use one row, whose values belong to the slot that was written last.
    private var sharesRow = false

    init() {
        capacity = 1024
        documents = .allocate(capacity: capacity)
        scores = .allocate(capacity: capacity)
    }

    deinit {
        documents.deallocate()
        scores.deallocate()
        for row in rows { row.deallocate() }
    }

    /// Discards the candidates, and makes a row of values for each slot.
    mutating func reset(slots: Int) {
        count = 0
        sharesRow = false
        while rows.count < slots {
            rows.append(.allocate(capacity: capacity))
            isFilled.append(false)
        }
        for slot in filledSlots { isFilled[slot] = false }
        filledSlots.removeAll(keepingCapacity: true)
    }

    /// Discards the candidates, and makes one row for all slots: enough for documents without their scores, or for the
    /// values of one condition. It costs nothing for the other conditions of a long query.
    mutating func resetWithOneRow() {
        reset(slots: 1)
        sharesRow = true
    }

    /// x of each candidate for a slot.
    @inline(__always)
    func values(_ slot: Int) -> UnsafeMutablePointer<Float> { rows[sharesRow ? 0 : slot] }

    /// Makes room for `total` candidates and discards all values.
    mutating func reserve(_ total: Int) {
        if total <= capacity { return }
        capacity = max(total, capacity * 2)
        let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
        larger.update(from: documents, count: count)
        documents.deallocate()
        documents = larger
        scores.deallocate()
        scores = .allocate(capacity: capacity)
        for slot in rows.indices {
            rows[slot].deallocate()
            rows[slot] = .allocate(capacity: capacity)
        }
    }

    @inline(__always)
    mutating func append(_ document: UInt32) {
        documents[count] = document
        count &+= 1
    }

    mutating func append(_ block: UnsafePointer<UInt32>, _ blockCount: Int) {
        (documents + count).update(from: block, count: blockCount)
        count += blockCount
    }

    mutating func setFilled(_ slot: Int) {
        if sharesRow || isFilled[slot] { return }
        isFilled[slot] = true
        filledSlots.append(slot)
    }

    /// Moves the candidate at `from` to `to`; `to` is not above `from`.
    @inline(__always)
    mutating func keep(_ from: Int, as to: Int) {
        documents[to] = documents[from]
        for slot in filledSlots { rows[slot][to] = rows[slot][from] }
    }

    /// Keeps the candidates at the given indices, which rise, and moves them to `start` and up; `start` is not above
    /// the first index.
    @inline(__always)
    mutating func keep(_ places: UnsafePointer<Int32>, _ placeCount: Int, at start: Int) {
        for index in 0..<placeCount { documents[start &+ index] = documents[Int(places[index])] }
        for slot in filledSlots {
            let value = rows[slot]
            for index in 0..<placeCount { value[start &+ index] = value[Int(places[index])] }
        }
    }

    /// The index of a document among the candidates.
    func index(of document: UInt32) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) >> 1
            if documents[middle] < document { low = middle + 1 } else { high = middle }
        }
        return low < count && documents[low] == document ? low : nil
    }

    mutating func cut(to newCount: Int) { count = newCount }
}
