/// The documents of a segment that were deleted or replaced later.
struct Deletions: Sendable, Equatable {
    /// One bit for each document; empty until one is deleted.
    private(set) var words: [UInt64] = []
    private(set) var count = 0
    private let documentCount: Int

    init(documentCount: Int) { self.documentCount = documentCount }

    @inline(__always)
    func contains(_ document: Int) -> Bool { count != 0 && words[document >> 6] & (1 << UInt64(document & 63)) != 0 }

    /// - Returns: false if it was already deleted.
    @discardableResult
    mutating func insert(_ document: Int) -> Bool {
        if contains(document) { return false }
        if words.isEmpty { words = Array(repeating: 0, count: (documentCount + 63) / 64) }
        words[document >> 6] |= 1 << UInt64(document & 63)
        count += 1
        return true
    }
}
