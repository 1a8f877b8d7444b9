extension IndexSnapshot {
    /// The keys of all documents with a property, trashed ones too, in no particular order.
    package func keys(with term: ExactTerm) throws(IndexDamage) -> [DocumentKey] {
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
                }
            }
        }
        return keys
    }
}
