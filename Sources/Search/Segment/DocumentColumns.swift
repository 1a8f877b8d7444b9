/// The data about each document of a segment under construction, by document number.
struct DocumentColumns: ~Copyable {
    var keys: [DocumentKey] = []
    var textLengths: [UInt32] = []
    /// The number of words in the title, plus that in the tags times 65,536.
    var fieldLengths: [UInt32] = []
    var updated: [Int64] = []
    var created: [Int64] = []
    var ranks: [Double] = []
    var storedEnds: [UInt32] = []
    var stored = ByteBuffer()
    var totals = FieldTotals()

    var count: Int { keys.count }

    mutating func add(
        _ key: DocumentKey, text: UInt32, title: UInt32, tags: UInt32, updated: Int64, created: Int64, rank: Double
    ) {
        keys.append(key)
        textLengths.append(min(text, 1 << 30))
        fieldLengths.append(min(title, 0xFFFF) | min(tags, 0xFFFF) << 16)
        totals += FieldTotals(text: UInt64(text), title: UInt64(title), tags: UInt64(tags))
        self.updated.append(updated)
        self.created.append(created)
        ranks.append(rank)
    }

    var means: MeanLengths { MeanLengths(totals, documents: count) }
}
