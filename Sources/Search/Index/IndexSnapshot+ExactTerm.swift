extension IndexSnapshot {
    /// The keys of all documents with a property, including trashed ones, in no particular order.
    ///
    /// - Parameter limit: the largest number of keys.
    package func keys(with term: ExactTerm, limit: Int = .max) throws(IndexDamage) -> [DocumentKey] {
        var keys: [DocumentKey] = []
        var block = PostingBlock()
        for part in parts {
            guard let list = try part.segment.list(term.bytes) else { continue }
            for number in 0..<list.blockCount {
                guard block.readDocuments(list, number, limit: UInt32(part.segment.documentCount)) else {
                    throw part.segment.damage("a list of documents cannot be read")
                }
                for place in 0..<block.count where !part.deletions.contains(Int(block.documents[place])) {
                    keys.append(try part.segment.key(Int(block.documents[place])))
                    if keys.count >= limit { return keys }
                }
            }
        }
        return keys
    }

    /// The values of a property with a prefix, and the number of documents with each, in byte order. Trashed
    /// documents count; deleted and replaced ones do not.
    ///
    /// - Parameter limit: the number of values read in each segment.
    package func values(
        of kind: ExactTerm.Kind, beginning prefix: [UInt8], limit: Int
    ) throws(IndexDamage) -> [(value: [UInt8], count: Int)] {
        var counts: [[UInt8]: Int] = [:]
        let wanted = [kind.rawValue] + prefix.prefix(254)
        for part in parts {
            var cursor = TermCursor(part.segment)
            try cursor.seek(wanted)
            var seen = 0
            while !cursor.isAtEnd, seen < limit, cursor.hasPrefix(wanted) {
                let bytes = Array(cursor.bytes)
                let count = part.deletions.count == 0 ? cursor.count : try liveCount(bytes, in: part)
                if count > 0 { counts[Array(bytes.dropFirst()), default: 0] += count }
                seen += 1
                try cursor.next()
            }
        }
        return counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
    }

    /// The number of documents of a part that have a term and are neither deleted nor replaced.
    private func liveCount(_ term: [UInt8], in part: Part) throws(IndexDamage) -> Int {
        guard let list = try part.segment.list(term) else { return 0 }
        var block = PostingBlock()
        var count = 0
        for number in 0..<list.blockCount {
            guard block.readDocuments(list, number, limit: UInt32(part.segment.documentCount)) else {
                throw part.segment.damage("a list of documents cannot be read")
            }
            for place in 0..<block.count where !part.deletions.contains(Int(block.documents[place])) { count += 1 }
        }
        return count
    }
}
