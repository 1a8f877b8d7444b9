extension IndexSnapshot {
    /// Calls `body` with every document that an earlier snapshot of the same index lacks, has and this one lacks, or may have
    /// in another version. Segments that both have are not read, so the cost follows the number of documents in
    /// segments that are new or gone.
    ///
    /// - Parameter body: gets the document's key and its stored bytes of before and of now; `nil` where there is none.
    package func forEachChange(
        since earlier: IndexSnapshot,
        _ body: (DocumentKey, _ before: UnsafeRawBufferPointer?, _ now: UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        let known = Dictionary(earlier.parts.map { ($0.segment.summary.identity, $0) }) { first, _ in first }
        let current = Set(parts.map(\.segment.summary.identity))
        for part in parts {
            let segment = part.segment
            let old = known[segment.summary.identity]
            if let old, old.deletions.count == part.deletions.count { continue }
            for document in 0..<segment.documentCount {
                let isDeleted = part.deletions.contains(document)
                if let old {
                    // Documents never come back in a segment; those that went may be in another one.
                    if !isDeleted || old.deletions.contains(document) { continue }
                    let key = try segment.key(document)
                    if try place(of: key) == nil { try body(key, try segment.stored(document), nil) }
                } else if !isDeleted {
                    let key = try segment.key(document)
                    try body(key, try earlier.storedBytes(key), try segment.stored(document))
                }
            }
        }
        for old in earlier.parts where !current.contains(old.segment.summary.identity) {
            for document in 0..<old.segment.documentCount where !old.deletions.contains(document) {
                let key = try old.segment.key(document)
                if try place(of: key) == nil { try body(key, try old.segment.stored(document), nil) }
            }
        }
    }

    /// A document's stored bytes in the mapped file; `nil` if the key is unknown.
    private func storedBytes(_ key: DocumentKey) throws(IndexDamage) -> UnsafeRawBufferPointer? {
        guard let place = try place(of: key) else { return nil }
        return try parts[place.part].segment.stored(place.document)
    }
}
