/// The best documents that fulfil several conditions, found without evaluating all of them.
extension Searcher {
    /// With fewer documents of the rarest condition, all are evaluated: of one word with filters, and of two words. The
    /// bounds of more words together exclude too little.
    private static let leastOfLead = [1: 1024, 2: 32_768]

    /// The best documents of words, prefixes and filters that all must hold; `nil` if they have to be found in another
    /// way.
    func best(ofAll plan: QueryPlan, _ limit: Int, _ revealsTrash: Bool) throws(IndexDamage) -> SearchAnswer? {
        guard case .and = plan.root, limit > 0, limit <= 256 else { return nil }
        guard let least = leastOfLead ?? Self.leastOfLead[plan.terms.count] else { return nil }
        var filters: [ExactTerm] = []
        for condition in SegmentEvaluation.flattened(plan.root) {
            switch condition {
            case .scored: break
            case .exact(let term): filters.append(term)
            default: return nil
            }
        }
        var parts: [ConjunctionPart] = []
        for part in snapshot.parts {
            guard let conditions = try ConjunctionPart(plan, filters, in: part.segment) else { return nil }
            parts.append(conditions)
        }
        if !parts.contains(where: { $0.leadCount >= least }) { return nil }
        var counts = TermCounts(plan.terms)
        for (number, part) in parts.enumerated() {
            for (slot, term) in part.resolved.enumerated() {
                switch term {
                case .list(let list): counts.add(list.count, to: slot)
                case .union(let union): counts.add(try documentCount(union, number), to: slot)
                case .absent, .phrase, .phrasePrefix: break
                }
            }
        }
        let idfs = (0..<plan.terms.count).map { TermCounts.idf(counts.documents[$0], of: snapshot.totalCount) }
        var top = TopHits(limit: limit, snapshot)
        for (number, part) in parts.enumerated() where part.leadCount > 0 {
            if part.leadCount >= least,
                try scan(part, number, idfs, hidden[number].set(revealsTrash), &top)
            {
                continue
            }
            var ignored = TermCounts(plan.terms)
            try evaluate(plan, number, revealsTrash, &ignored)
            try rank(boxes[number], number, idfs, plan.scoring, &top)
        }
        try top.finish()
        var answer = SearchAnswer()
        for entry in top.entries { answer.hits.append(SearchHit(key: try top.key(entry), score: entry.value)) }
        return answer
    }

    /// The number of a union's documents in a part.
    private func documentCount(_ union: TermUnion, _ number: Int) throws(IndexDamage) -> Int {
        if let known = union.documentCount { return known }
        let segment = snapshot.parts[number].segment
        boxes[number].candidates.reset(slots: 0)
        workspace.pointee.union.begin(
            limit: segment.documentCount, isRestricted: true, to: boxes[number].candidates, isCounted: true)
        try addUnion(union, boxes[number].candidates, in: segment)
        workspace.pointee.union.end()
        return workspace.pointee.union.documentCount
    }

    /// Evaluates the blocks of the rarest condition, the most promising first; of a block, only documents that may be among
    /// the best.
    ///
    /// - Returns: false if that would take longer than evaluating all documents; `top` then has none of this part.
    private func scan(
        _ part: ConjunctionPart, _ number: Int, _ idfs: [Float], _ isHidden: HiddenDocuments.Filter,
        _ top: inout TopHits
    ) throws(IndexDamage) -> Bool {
        let segment = snapshot.parts[number].segment
        let conjuncts = UnsafeMutablePointer<Conjunct>.allocate(capacity: part.order.count + part.filters.count)
        var count = 0
        defer {
            conjuncts.deinitialize(count: count)
            conjuncts.deallocate()
        }
        for slot in part.order {
            switch part.resolved[slot] {
            case .list(let list):
                (conjuncts + count).initialize(
                    to: Conjunct(list, slot: slot, idf: idfs[slot], quarters: nil, own: nil, moreQuarters: 0))
            case .union(let union):
                guard let kept = union.beginning?.list else { return false }
                let more = union.exactQuarters - union.longerQuarters
                (conjuncts + count).initialize(
                    to: Conjunct(
                        kept, slot: slot, idf: idfs[slot], quarters: union.longerQuarters,
                        own: more > 0 ? try segment.list(union.word) : nil, moreQuarters: more))
            case .absent, .phrase, .phrasePrefix: return false
            }
            count += 1
        }
        for list in part.filters {
            (conjuncts + count).initialize(to: Conjunct(filter: list))
            count += 1
        }
        var scan = ConjunctionScan(
            conjuncts, count, terms: idfs.count, part: number, segment, try segment.norms(snapshot.means), isHidden,
            growth: segment.means.growth(to: snapshot.means))
        var found = top
        let isDone = try scan.run(&found)
        if isDone { top = found }
        return isDone
    }
}

/// The conditions of a conjunction in one segment.
struct ConjunctionPart {
    let resolved: [ResolvedTerm]
    let filters: [PostingList]
    /// The numbers of the scored terms, the one with the fewest documents first.
    let order: [Int]
    /// The number of documents of the rarest scored term; 0 if no document fulfils all, and a small number if all documents
    /// should be evaluated.
    let leadCount: Int

    /// - Returns: `nil` if one of the conditions is of another kind.
    init?(_ plan: QueryPlan, _ filters: [ExactTerm], in segment: Segment) throws(IndexDamage) {
        var resolved: [ResolvedTerm] = []
        var counts: [Int] = []
        for term in plan.terms {
            let one = try ResolvedTerm(term, in: segment)
            resolved.append(one)
            switch one {
            case .absent: counts.append(0)
            case .list(let list): counts.append(list.count)
            case .union(let union):
                if union.reachesParts { return nil }
                counts.append(union.beginning?.list?.count ?? 1)
            case .phrase, .phrasePrefix: return nil
            }
        }
        var lists: [PostingList] = []
        var least = counts.min() ?? 0
        for filter in filters {
            if let list = try segment.list(filter.bytes) { lists.append(list) } else { least = 0 }
        }
        // A rare filter leaves few documents to evaluate.
        if let rarest = lists.map(\.count).min(), rarest < least / 8 { least = min(least, 1) }
        self.resolved = resolved
        self.filters = lists.sorted { $0.count < $1.count }
        order = resolved.indices.sorted { counts[$0] < counts[$1] }
        leadCount = least
    }
}
