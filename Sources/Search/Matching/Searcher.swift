/// Answers requests from one snapshot of the index. Reuses its working memory from one request to the next.
///
/// One thread at a time uses a searcher; several searchers may share a snapshot.
package final class Searcher {
    package private(set) var snapshot: IndexSnapshot
    let workspace = UnsafeMutablePointer<SearchWorkspace>.allocate(capacity: 1)
    /// Candidates of each part.
    private(set) var boxes: [CandidateBox] = []
    /// Hidden documents, by part: deleted ones, and trashed ones unless the query includes them.
    private(set) var hidden: [HiddenDocuments] = []
    /// The smallest number of ranges evaluated first: usually enough to contain ten hits.
    var firstRangeCount = 16
    /// The number of ranges evaluated together after that.
    var rangeCount = 64
    /// The number of documents of the rarest of several conditions from which on not all are evaluated; `nil` for what is
    /// fastest.
    var leastOfLead: Int?

    package init(_ snapshot: IndexSnapshot) throws(IndexDamage) {
        self.snapshot = snapshot
        workspace.initialize(to: SearchWorkspace())
        try show(snapshot)
    }

    /// Switches to another snapshot and keeps the data of unchanged segments.
    package func show(_ snapshot: IndexSnapshot) throws(IndexDamage) {
        var known: [UInt64: HiddenDocuments] = [:]
        for (part, hidden) in zip(self.snapshot.parts, hidden) { known[part.segment.summary.identity] = hidden }
        self.snapshot = snapshot
        hidden = []
        while boxes.count < snapshot.parts.count { boxes.append(CandidateBox()) }
        for part in snapshot.parts {
            if let same = known[part.segment.summary.identity], same.deletionCount == part.deletions.count {
                hidden.append(same)
            } else {
                hidden.append(try HiddenDocuments(part))
            }
        }
    }

    deinit {
        workspace.deinitialize(count: 1)
        workspace.deallocate()
    }

    package var segmentCount: Int { snapshot.parts.count }

    /// The documents that match a request, best first.
    package func search(_ request: SearchRequest) throws(IndexDamage) -> SearchAnswer {
        let plan = QueryPlan(request.query, reachesParts: request.reachesParts)
        let revealsTrash = request.query.revealsTrash
        if case .scored(0) = plan.root, let limit = request.limit, !request.needsAll,
            request.order == .relevance || request.order == .recent
        {
            if let answer = try best(of: plan.terms[0], request.order, limit, revealsTrash) { return answer }
        }
        if let limit = request.limit, !request.needsAll, request.order == .relevance {
            if let answer = try best(ofAll: plan, limit, revealsTrash) { return answer }
        }
        var counts = TermCounts(plan.terms)
        for number in snapshot.parts.indices {
            try evaluate(plan, number, revealsTrash, &counts)
        }
        try countMissing(plan, &counts)
        return try answer(request, plan, counts)
    }

    // MARK: Any condition

    func evaluate(
        _ plan: QueryPlan, _ number: Int, _ revealsTrash: Bool, _ counts: inout TermCounts
    ) throws(IndexDamage) {
        let part = snapshot.parts[number]
        let box = boxes[number]
        box.candidates.reset(slots: plan.terms.count)
        if part.segment.documentCount == 0 { return }
        var resolved: [ResolvedTerm] = []
        resolved.reserveCapacity(plan.terms.count)
        for term in plan.terms { resolved.append(try ResolvedTerm(term, in: part.segment)) }
        // Most small segments lack one of the words.
        for slot in plan.required {
            guard case .absent = resolved[slot] else { continue }
            for (other, term) in resolved.enumerated() {
                if case .list(let list) = term { counts.add(list.count, to: other) }
                if case .union(let union) = term { counts.add(union.documentCount ?? -1, to: other, part: number) }
            }
            return
        }
        var evaluation = SegmentEvaluation(
            segment: part.segment, norms: try part.segment.norms(snapshot.means), terms: plan.terms,
            resolved: resolved, hidden: hidden[number].set(revealsTrash))
        try evaluation.run(plan.root, self, &box.candidates)
        counts.add(evaluation.counts, part: number)
    }

    /// Counts the documents of unions in parts where nothing else matched, so that a term's weight does not depend on
    /// how the index is divided into segments.
    private func countMissing(_ plan: QueryPlan, _ counts: inout TermCounts) throws(IndexDamage) {
        if counts.missing.isEmpty || !boxes.prefix(snapshot.parts.count).contains(where: { $0.candidates.count > 0 }) {
            return
        }
        let (scoring, nothing) = (plan.scoring, CandidateBox())
        for (number, slot) in counts.missing where scoring[slot] {
            let segment = snapshot.parts[number].segment
            guard case .union(let terms) = try ResolvedTerm(plan.terms[slot], in: segment) else { continue }
            if let known = terms.documentCount {
                counts.add(known, to: slot)
                continue
            }
            workspace.pointee.union.begin(
                limit: segment.documentCount, isRestricted: true, to: nothing.candidates, isCounted: true)
            try addUnion(terms, nothing.candidates, in: segment)
            counts.add(workspace.pointee.union.documentCount, to: slot)
            workspace.pointee.union.end()
        }
    }

    private func answer(
        _ request: SearchRequest, _ plan: QueryPlan, _ counts: TermCounts
    ) throws(IndexDamage) -> SearchAnswer {
        let total = boxes.prefix(snapshot.parts.count).reduce(0) { $0 + $1.candidates.count }
        var answer = SearchAnswer(count: total)
        let limit = request.limit ?? total
        var top = TopHits(limit: min(limit, total), snapshot)
        let idfs = (0..<plan.terms.count).map { TermCounts.idf(counts.documents[$0], of: snapshot.totalCount) }
        for number in snapshot.parts.indices {
            let box = boxes[number]
            if box.candidates.count == 0 { continue }
            switch request.order {
            case .relevance: try rank(box, number, idfs, plan.scoring, &top)
            case .recent, .newest, .oldest: try sort(box, number, request.order, &top)
            case .manual: try sortByRank(box, number, &top)
            }
        }
        try top.finish()
        let isRanked = request.order == .relevance
        if request.isExplained {
            for entry in top.entries {
                answer.explanations.append(explanation(of: entry, plan, idfs, counts))
            }
        }
        if !request.facets.isEmpty { answer.facets = try facets(request.facets) }
        answer.hits.reserveCapacity(top.entries.count)
        for entry in top.entries {
            answer.hits.append(SearchHit(key: try top.key(entry), score: isRanked ? entry.value : 0))
        }
        return answer
    }

    private func explanation(
        of entry: TopHits.Entry, _ plan: QueryPlan, _ idfs: [Float], _ counts: TermCounts
    ) -> ScoreExplanation {
        let box = boxes[entry.part]
        var terms: [ScoreExplanation.Term] = []
        guard let index = box.candidates.index(of: entry.document) else {
            return ScoreExplanation(terms: [], score: entry.value)
        }
        let scoring = plan.scoring
        for slot in plan.terms.indices where scoring[slot] {
            let x = box.candidates.isFilled[slot] ? box.candidates.values(slot)[index] : 0
            terms.append(
                ScoreExplanation.Term(
                    term: plan.terms[slot].description, documentCount: counts.documents[slot], idf: Double(idfs[slot]),
                    x: Double(x), score: Double(idfs[slot] * x / (LengthNorms.k1 + x))))
        }
        return ScoreExplanation(terms: terms, score: terms.reduce(0) { $0 + $1.score })
    }

    /// Counts the values of some properties over the candidates of all parts.
    private func facets(_ kinds: Set<Facets.Kind>) throws(IndexDamage) -> Facets {
        var counts: [Facets.Kind: [String: Int]] = [:]
        for (number, part) in snapshot.parts.enumerated() where boxes[number].candidates.count > 0 {
            let count = boxes[number].candidates.count
            let documents = boxes[number].candidates.documents
            let set = BitSet(limit: part.segment.documentCount)
            for index in 0..<count { set.insert(documents[index]) }
            // If all documents match, the dictionary has the counts.
            let isWhole = count == part.segment.documentCount
            for kind in kinds { try countValues(kind.term, set, isWhole, part.segment, &counts[kind, default: [:]]) }
        }
        var facets = Facets()
        for kind in kinds {
            facets[kind] = (counts[kind] ?? [:]).map { Facets.Count(value: $0.key, count: $0.value) }
                .sorted { $0.count != $1.count ? $0.count > $1.count : $0.value < $1.value }
        }
        return facets
    }

    private func countValues(
        _ kind: ExactTerm.Kind, _ set: borrowing BitSet, _ isWhole: Bool, _ segment: Segment,
        _ counts: inout [String: Int]
    ) throws(IndexDamage) {
        var cursor = TermCursor(segment)
        try cursor.seek([kind.rawValue])
        while !cursor.isAtEnd, cursor.term[0] == kind.rawValue {
            var count = isWhole ? cursor.count : 0
            if !isWhole {
                let list = try cursor.list()
                for block in 0..<list.blockCount {
                    try workspace.pointee.reader.read(list, block, in: segment)
                    let documents = workspace.pointee.reader.block.documents
                    for place in 0..<workspace.pointee.reader.block.count { count &+= set.bit(documents[place]) }
                }
            }
            if count > 0 { counts[String(decoding: cursor.bytes.dropFirst(), as: UTF8.self), default: 0] += count }
            try cursor.next()
        }
    }

    func rank(
        _ box: CandidateBox, _ number: Int, _ idfs: [Float], _ scoring: [Bool], _ top: inout TopHits
    ) throws(IndexDamage) {
        let slots = (0..<idfs.count).filter { scoring[$0] && box.candidates.isFilled[$0] }
        let count = box.candidates.count
        let documents = box.candidates.documents
        if slots.isEmpty {
            for index in 0..<count { try top.insert(0, part: number, document: documents[index]) }
            return
        }
        let scores = box.candidates.scores
        for (place, slot) in slots.enumerated() {
            let values = box.candidates.values(slot)
            let idf = idfs[slot]
            if place == 0 {
                for index in 0..<count { scores[index] = idf * values[index] / (LengthNorms.k1 + values[index]) }
            } else {
                for index in 0..<count { scores[index] += idf * values[index] / (LengthNorms.k1 + values[index]) }
            }
        }
        var threshold = Float(max(top.threshold, -1))
        for index in 0..<count where scores[index] >= threshold {
            try top.insert(Double(scores[index]), part: number, document: documents[index])
            threshold = Float(max(top.threshold, -1))
        }
    }

    private func sort(
        _ box: CandidateBox, _ number: Int, _ order: SearchRequest.Order, _ top: inout TopHits
    ) throws(IndexDamage) {
        let segment = snapshot.parts[number].segment
        let times = try segment.times(order == .newest || order == .oldest ? .created : .updated)
        for index in stride(from: box.candidates.count - 1, through: 0, by: -1) {
            let document = box.candidates.documents[index]
            var value = Double(times[Int(document)])
            if order == .oldest { value = -value }
            if value >= top.threshold { try top.insert(value, part: number, document: document) }
        }
    }

    private func sortByRank(_ box: CandidateBox, _ number: Int, _ top: inout TopHits) throws(IndexDamage) {
        let segment = snapshot.parts[number].segment
        let created = try segment.times(.created)
        let ranks = try segment.ranks()
        for index in 0..<box.candidates.count {
            let document = Int(box.candidates.documents[index])
            let place = DocumentMatch.place(ranks?[document] ?? .infinity, created: created[document])
            try top.insert(-place, part: number, document: box.candidates.documents[index])
        }
    }
}
