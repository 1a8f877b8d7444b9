/// The best documents of a single term.
extension Searcher {
    /// The best documents of one term, found without evaluating all of them; `nil` if that is impossible.
    func best(
        of term: ScoredTerm, _ order: SearchRequest.Order, _ limit: Int, _ revealsTrash: Bool
    ) throws(IndexDamage) -> SearchAnswer? {
        var resolved: [ResolvedTerm] = []
        var count = 0
        // Whether unions have bounds for ranges of documents, and whether others have none.
        var (hasBounds, hasOthers) = (false, false)
        for part in snapshot.parts {
            let one = try ResolvedTerm(term, in: part.segment)
            switch one {
            case .list(let list): count += list.count
            case .absent: break
            case .phrase(let lists) where order == .relevance:
                // The number of documents with the phrase is unknown; it is at most that of its rarest word.
                count += lists.map(\.count).min() ?? 0
            case .union(let union) where order == .relevance:
                if union.beginning?.bounds != nil { hasBounds = true } else { hasOthers = true }
            case .union, .phrase, .phrasePrefix: return nil
            }
            resolved.append(one)
        }
        if hasOthers && !hasBounds { return nil }
        var top = TopHits(limit: limit, snapshot)
        // Large parts first: they raise the threshold early.
        for number in snapshot.parts.indices {
            let isHidden = hidden[number].set(revealsTrash)
            if case .phrase(let lists) = resolved[number] { try scanPhrase(lists, number, isHidden, &top) }
            if case .union(let union) = resolved[number] {
                if let kept = union.beginning {
                    count += kept.count
                    if let bounds = kept.bounds {
                        try scanRanges(union, bounds, number, isHidden, &top)
                        continue
                    }
                    _ = try scanAll(union, number, isHidden, &top)
                } else {
                    count += try scanAll(union, number, isHidden, &top)
                }
            }
            guard case .list(let list) = resolved[number] else { continue }
            if order == .recent {
                try scanRecent(list, number, isHidden, &top)
            } else {
                try scanBest(list, number, isHidden, &top)
            }
        }
        try top.finish()
        let idf = TermCounts.idf(count, of: snapshot.totalCount)
        var answer = SearchAnswer()
        for entry in top.entries {
            let x = Float(entry.value)
            answer.hits.append(
                SearchHit(
                    key: try top.key(entry),
                    score: order == .recent ? 0 : Double(idf * x / (LengthNorms.k1 + x))))
        }
        return answer
    }

    /// Ranks by x: with one term, the score rises with x.
    private func scanBest(
        _ list: PostingList, _ part: Int, _ isHidden: HiddenDocuments.Filter, _ top: inout TopHits
    ) throws(IndexDamage) {
        let segment = snapshot.parts[part].segment
        let norms = try segment.norms(snapshot.means)
        let growth = segment.means.growth(to: snapshot.means)
        let blockCount = list.blockCount
        if list.fullBlocks == 0 {
            try scanBlock(list, 0, part, segment, norms, isHidden, &top)
            return
        }
        try withUnsafeTemporaryAllocation(of: Int32.self, capacity: blockCount) { order throws(IndexDamage) in
            let bounds = BlockOrder.fill(order, list)
            for number in order[..<bounds] {
                let bound = Double(list.bound(Int(number)) * growth)
                if bound < top.threshold { continue }
                try scanBlock(list, Int(number), part, segment, norms, isHidden, &top)
            }
        }
    }

    @inline(__always)
    private func scanBlock(
        _ list: PostingList, _ number: Int, _ part: Int, _ segment: Segment, _ norms: LengthNorms,
        _ isHidden: HiddenDocuments.Filter, _ top: inout TopHits
    ) throws(IndexDamage) {
        try workspace.pointee.reader.read(list, number, in: segment)
        try workspace.pointee.reader.readFrequencies(list, in: segment)
        workspace.pointee.reader.computeValues(norms)
        let count = workspace.pointee.reader.block.count
        let values = workspace.pointee.reader.values
        let documents = workspace.pointee.reader.block.documents
        var threshold = Float(max(top.threshold, -1))
        for place in 0..<count where values[place] >= threshold {
            let document = documents[place]
            if isHidden.contains(document) { continue }
            try top.insert(Double(values[place]), part: part, document: document)
            threshold = Float(max(top.threshold, -1))
        }
    }

    /// Evaluates the documents of the rarest word, the most promising blocks first; a phrase's x is at most that of
    /// each of its words.
    private func scanPhrase(
        _ lists: [PostingList], _ part: Int, _ isHidden: HiddenDocuments.Filter, _ top: inout TopHits
    ) throws(IndexDamage) {
        let segment = snapshot.parts[part].segment
        let norms = try segment.norms(snapshot.means)
        let growth = segment.means.growth(to: snapshot.means)
        workspace.pointee.phrase.begin(lists)
        let lead = workspace.pointee.phrase.lead
        let blockCount = lead.blockCount
        let bounds = UnsafeMutablePointer<Float>.allocate(capacity: blockCount)
        defer { bounds.deallocate() }
        bounds.initialize(repeating: .greatestFiniteMagnitude, count: blockCount)
        for list in lists { list.lower(bounds, over: lead) }
        try withUnsafeTemporaryAllocation(of: Int32.self, capacity: blockCount) { blocks throws(IndexDamage) in
            BlockOrder.fill(blocks, blockCount) { bounds[$0] }
            for number in blocks {
                let bound = bounds[Int(number)]
                if bound == 0 || Double(bound * growth) < top.threshold { continue }
                var least = Float(max(top.threshold, 0))
                try workspace.pointee.phrase.forEachMatch(
                    inBlock: Int(number), segment, norms, isHidden, threshold: { least }
                ) { (document, x) throws(IndexDamage) in
                    if Double(x) < top.threshold { return }
                    try top.insert(Double(x), part: part, document: document)
                    least = Float(max(top.threshold, 0))
                }
            }
        }
    }

    /// Walks backward through the documents, which are nearly in the order of their changes.
    private func scanRecent(
        _ list: PostingList, _ part: Int, _ isHidden: HiddenDocuments.Filter, _ top: inout TopHits
    ) throws(IndexDamage) {
        let segment = snapshot.parts[part].segment
        let times = try segment.times(.updated)
        let latest = try segment.latest()
        for number in stride(from: list.blockCount - 1, through: 0, by: -1) {
            try workspace.pointee.reader.read(list, number, in: segment)
            for place in stride(from: workspace.pointee.reader.block.count - 1, through: 0, by: -1) {
                let document = workspace.pointee.reader.block.documents[place]
                // No document before the next multiple of 128 is later than this one.
                let next = Int(document >> 7) + 1
                if next * 128 < segment.documentCount, Double(latest[next]) < top.threshold { return }
                if isHidden.contains(document) { continue }
                let time = Double(times[Int(document)])
                if time >= top.threshold { try top.insert(time, part: part, document: document) }
            }
        }
    }
}
