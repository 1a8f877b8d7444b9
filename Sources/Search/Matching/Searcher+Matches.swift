/// A matching document with its sort keys.
package struct DocumentMatch: Sendable {
    package let key: DocumentKey
    /// Milliseconds since 1970 UTC.
    package let updated: Int64
    /// Milliseconds since 1970 UTC.
    package let created: Int64
    /// The document's rank in the manual order; infinite for none.
    package let rank: Double
    let part: Int
    let document: Int

    /// The document's place in the manual order. Without a rank, it is the creation time in seconds.
    package var place: Double { Self.place(rank, created: created) }

    /// - Parameter created: milliseconds since 1970 UTC.
    static func place(_ rank: Double, created: Int64) -> Double { rank.isFinite ? rank : Double(created) / 1000 }
}

extension Searcher {
    /// All matching documents, in no particular order.
    package func matches(_ query: Query, reachesParts: Bool = true) throws(IndexDamage) -> [DocumentMatch] {
        let plan = QueryPlan(query, reachesParts: reachesParts)
        let revealsTrash = query.revealsTrash
        var counts = TermCounts(plan.terms)
        var matches: [DocumentMatch] = []
        for (number, part) in snapshot.parts.enumerated() {
            try evaluate(plan, number, revealsTrash, &counts)
            let count = boxes[number].candidates.count
            if count == 0 { continue }
            let updated = try part.segment.times(.updated)
            let created = try part.segment.times(.created)
            let ranks = try part.segment.ranks()
            let documents = boxes[number].candidates.documents
            matches.reserveCapacity(matches.count + count)
            for index in 0..<count {
                let document = Int(documents[index])
                matches.append(
                    DocumentMatch(
                        key: try part.segment.key(document), updated: updated[document], created: created[document],
                        rank: ranks?[document] ?? .infinity, part: number, document: document))
            }
        }
        return matches
    }

    /// Whether one document matches; only its segment is searched.
    package func matches(_ query: Query, _ key: DocumentKey) throws(IndexDamage) -> Bool {
        guard let place = try snapshot.place(of: key) else { return false }
        let plan = QueryPlan(query, reachesParts: true)
        var counts = TermCounts(plan.terms)
        try evaluate(plan, place.part, query.revealsTrash, &counts)
        let box = boxes[place.part]
        for index in 0..<box.candidates.count where Int(box.candidates.documents[index]) == place.document {
            return true
        }
        return false
    }

    /// The stored bytes of a document, valid as long as the searcher lives.
    package func stored(_ match: DocumentMatch) throws(IndexDamage) -> UnsafeRawBufferPointer {
        try snapshot.parts[match.part].segment.stored(match.document)
    }
}
