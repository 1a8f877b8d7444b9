/// Finds the documents of one segment that fulfil a condition, each with its x for the scored terms.
struct SegmentEvaluation {
    let segment: Segment
    let norms: LengthNorms
    let terms: [ScoredTerm]
    let resolved: [ResolvedTerm]
    let hidden: HiddenDocuments.Filter
    /// The number of documents with each scored term; -1 for a union that was not evaluated.
    private(set) var counts: [Int]

    init(
        segment: Segment, norms: LengthNorms, terms: [ScoredTerm], resolved: [ResolvedTerm],
        hidden: HiddenDocuments.Filter
    ) {
        self.segment = segment
        self.norms = norms
        self.terms = terms
        self.resolved = resolved
        self.hidden = hidden
        counts = resolved.map {
            switch $0 {
            case .list(let list): list.count
            case .union(let union): union.documentCount ?? -1
            case .absent, .phrase, .phrasePrefix: 0
            }
        }
    }

    private var limit: Int { segment.documentCount }

    mutating func run(
        _ root: Condition, _ searcher: Searcher, _ candidates: inout Candidates
    ) throws(IndexDamage) {
        try all(Self.flattened(root), searcher, &candidates)
        try fillMissing(root, searcher, &candidates)
    }

    static func flattened(_ condition: Condition) -> [Condition] {
        if case .and(let parts) = condition { return parts.flatMap(flattened) }
        return [condition]
    }

    /// Finds the documents that fulfil all conditions.
    private mutating func all(
        _ parts: [Condition], _ searcher: Searcher, _ candidates: inout Candidates
    ) throws(IndexDamage) {
        var lists: [(list: PostingList, slot: Int?)] = []
        var unions: [Int] = []
        var phrases: [Int] = []
        var others: [Condition] = []
        for part in parts {
            switch part {
            case .everything: break
            case .nothing: return
            case .scored(let slot):
                switch resolved[slot] {
                case .absent: return
                case .list(let list): lists.append((list, slot))
                case .union: unions.append(slot)
                case .phrase(let words):
                    phrases.append(slot)
                    for word in words { lists.append((word, nil)) }
                case .phrasePrefix(let words, _, _):
                    phrases.append(slot)
                    for word in words { lists.append((word, nil)) }
                }
            case .exact(let term):
                guard let list = try segment.list(term.bytes) else { return }
                lists.append((list, nil))
            case .created, .updated, .values, .inTexts, .or, .not, .and: others.append(part)
            }
        }
        lists.sort { $0.list.count < $1.list.count }
        unions.sort { resolved[$0].cost < resolved[$1].cost }
        if let lead = lists.first {
            try searcher.workspace.pointee.reader.collect(lead.list, in: segment, into: &candidates)
            for (list, slot) in lists.dropFirst() {
                if candidates.count == 0 { break }
                try searcher.workspace.pointee.reader.intersect(
                    list, in: segment, with: &candidates, slot: slot, norms: norms)
            }
        } else if let lead = unions.first {
            try add(lead, searcher, candidates, isRestricted: false)
            searcher.workspace.pointee.union.collect(into: &candidates, slot: lead, norms)
            unions.removeFirst()
        } else {
            candidates.reserve(limit)
            for document in 0..<UInt32(limit) { candidates.append(document) }
        }
        removeHidden(&candidates)
        for slot in unions {
            try add(slot, searcher, candidates, isRestricted: true)
            searcher.workspace.pointee.union.restrict(&candidates, slot: slot, norms, keepsOthers: false)
        }
        for other in others where candidates.count > 0 { try filter(other, searcher, &candidates) }
        for slot in phrases { try filterPhrase(slot, searcher, &candidates) }
        if let slot = lists.first?.slot, let lead = lists.first?.list {
            try searcher.workspace.pointee.reader.intersect(
                lead, in: segment, with: &candidates, slot: slot, norms: norms)
        }
    }

    private func removeHidden(_ candidates: inout Candidates) {
        if hidden.isEmpty { return }
        var kept = 0
        for index in 0..<candidates.count where !hidden.contains(candidates.documents[index]) {
            candidates.keep(index, as: kept)
            kept += 1
        }
        candidates.cut(to: kept)
    }

    /// Adds up the lists of a union.
    private mutating func add(
        _ slot: Int, _ searcher: Searcher, _ candidates: borrowing Candidates, isRestricted: Bool
    ) throws(IndexDamage) {
        guard case .union(let terms) = resolved[slot] else { return }
        searcher.workspace.pointee.union.begin(
            limit: limit, isRestricted: isRestricted, to: candidates, isCounted: terms.documentCount == nil)
        try searcher.addUnion(terms, candidates, in: segment)
        counts[slot] = terms.documentCount ?? searcher.workspace.pointee.union.documentCount
    }

    // MARK: Phrases

    private mutating func filterPhrase(
        _ slot: Int, _ searcher: Searcher, _ candidates: inout Candidates
    ) throws(IndexDamage) {
        switch resolved[slot] {
        case .phrase(let lists):
            searcher.workspace.pointee.phrase.begin(lists)
            var kept = 0
            for index in 0..<candidates.count {
                let document = candidates.documents[index]
                let found = try searcher.workspace.pointee.phrase.frequencies(document, in: segment)
                if found.text | found.title | found.tags == 0 { continue }
                candidates.keep(index, as: kept)
                candidates.values(slot)[kept] = norms.value(found, document)
                kept += 1
            }
            candidates.cut(to: kept)
            candidates.setFilled(slot)
            counts[slot] = kept
        case .phrasePrefix(let lists, let union, let places):
            try filterPhrasePrefix(slot, lists, union, places, searcher, &candidates)
        case .absent, .list, .union: break
        }
    }

    /// - Parameter isTextOnly: whether to ignore title and tags.
    mutating func filterPhrasePrefix(
        _ slot: Int, _ lists: [PostingList], _ union: TermUnion, _ offsets: [UInt32], _ searcher: Searcher,
        _ candidates: inout Candidates, isTextOnly: Bool = false
    ) throws(IndexDamage) {
        let total = candidates.count
        if total == 0 { return }
        searcher.workspace.pointee.phrase.begin(lists, places: offsets)
        // The required positions of the last word, by candidate and field. Positions in a damaged list may be any
        // numbers.
        var ends: [[[UInt32]]] = []
        for index in 0..<total {
            ends.append(
                try searcher.workspace.pointee.phrase.starts(candidates.documents[index], in: segment)
                    .map { $0.map { $0 &+ offsets[lists.count] } })
        }
        var places: [UInt32: Int] = [:]
        for index in 0..<total where ends[index].contains(where: { !$0.isEmpty }) {
            places[candidates.documents[index]] = index
        }
        var found = [Float](repeating: 0, count: total)
        if !places.isEmpty {
            let norms = norms
            let segment = segment
            try union.forEachTokenList(in: segment) { (list, quarters) throws(IndexDamage) in
                var word = PhraseMatch.Word(list)
                var block = PostingBlock()
                for number in 0..<list.blockCount {
                    guard block.readDocuments(list, number, limit: UInt32(segment.documentCount)) else {
                        throw segment.damage("a posting list cannot be read")
                    }
                    for place in 0..<block.count {
                        let document = block.documents[place]
                        guard let index = places[document] else { continue }
                        if try !word.load(document, in: segment) { continue }
                        var hits = [0, 0, 0]
                        var restHits = 0
                        let rest = word.positions.count - word.restCount
                        for field in 0..<3 {
                            let wanted = Set(ends[index][field])
                            if wanted.isEmpty { continue }
                            for position in word.range(field) where wanted.contains(word.positions.base[position]) {
                                hits[field] += 1
                                if position >= rest { restHits += 1 }
                            }
                        }
                        if isTextOnly ? hits[2] == 0 : hits == [0, 0, 0] { continue }
                        let weight = Float(quarters) * 0.25
                        var x = norms.text(
                            weight * (Float(hits[2]) - LengthNorms.restDiscount * Float(restHits)), document)
                        x += norms.fields(weight * Float(hits[0]), weight * Float(hits[1]), document)
                        found[index] += x
                    }
                }
            }
        }
        var kept = 0
        for index in 0..<total where found[index] > 0 {
            candidates.keep(index, as: kept)
            candidates.values(slot)[kept] = found[index]
            kept += 1
        }
        candidates.cut(to: kept)
        candidates.setFilled(slot)
        counts[slot] = kept
    }

    // MARK: Conditions that are sets

    private mutating func filter(
        _ condition: Condition, _ searcher: Searcher, _ candidates: inout Candidates
    ) throws(IndexDamage) {
        var kept = 0
        func keep(_ candidates: inout Candidates, _ isWanted: (UInt32) -> Bool) {
            for index in 0..<candidates.count where isWanted(candidates.documents[index]) {
                candidates.keep(index, as: kept)
                kept += 1
            }
            candidates.cut(to: kept)
        }
        switch condition {
        case .created(let span), .updated(let span):
            let isCreated = if case .created = condition { true } else { false }
            let times = try segment.times(isCreated ? .created : .updated)
            keep(&candidates) { span.contains(times[Int($0)]) }
        case .not(let inner):
            let set = try set(inner, searcher)
            keep(&candidates) { !set.bits.contains($0) }
        default:
            let set = try set(condition, searcher)
            keep(&candidates) { set.bits.contains($0) }
        }
    }

    /// Carries a noncopyable set through closures and functions that cannot return one.
    final class SetBox {
        let bits: BitSet
        init(limit: Int) { bits = BitSet(limit: limit) }
    }

    private mutating func set(_ condition: Condition, _ searcher: Searcher) throws(IndexDamage) -> SetBox {
        let box = SetBox(limit: limit)
        switch condition {
        case .everything: box.bits.fill(limit: limit)
        case .nothing: break
        case .exact(let term):
            if let list = try segment.list(term.bytes) {
                try searcher.workspace.pointee.reader.mark(list, in: segment, into: box.bits)
            }
        case .created(let span), .updated(let span):
            let isCreated = if case .created = condition { true } else { false }
            let times = try segment.times(isCreated ? .created : .updated)
            for document in 0..<limit where span.contains(times[document]) { box.bits.insert(UInt32(document)) }
        case .values(let test): try mark(test, searcher, box)
        case .inTexts(let slot): try markTexts(slot, searcher, box)
        case .scored(let slot):
            switch resolved[slot] {
            case .absent: break
            case .list(let list): try searcher.workspace.pointee.reader.mark(list, in: segment, into: box.bits)
            case .union(let terms):
                let nothing = CandidateBox()
                searcher.workspace.pointee.union.begin(
                    limit: limit, isRestricted: true, to: nothing.candidates, isCounted: true)
                try searcher.addUnion(terms, nothing.candidates, in: segment)
                counts[slot] = terms.documentCount ?? searcher.workspace.pointee.union.documentCount
                searcher.workspace.pointee.union.mark(into: box.bits)
            case .phrase, .phrasePrefix: try mark([condition], searcher, box)
            }
        case .and(let parts): try mark(parts.flatMap(Self.flattened), searcher, box)
        case .or(let parts):
            for part in parts { box.bits.formUnion(try set(part, searcher).bits) }
        case .not(let part):
            box.bits.fill(limit: limit)
            box.bits.subtract(try set(part, searcher).bits)
        }
        return box
    }

    private mutating func mark(
        _ parts: [Condition], _ searcher: Searcher, _ box: SetBox
    ) throws(IndexDamage) {
        let inner = CandidateBox()
        inner.candidates.resetWithOneRow()
        try all(parts, searcher, &inner.candidates)
        for index in 0..<inner.candidates.count { box.bits.insert(inner.candidates.documents[index]) }
    }

    // MARK: Terms of alternatives

    /// Computes x of terms that only some candidates contain: those below an OR.
    private mutating func fillMissing(
        _ root: Condition, _ searcher: Searcher, _ candidates: inout Candidates
    ) throws(IndexDamage) {
        if candidates.count == 0 { return }
        for slot in Self.scoring(root) where !candidates.isFilled[slot] {
            switch resolved[slot] {
            case .absent: break
            case .list(let list):
                try searcher.workspace.pointee.reader.intersect(
                    list, in: segment, with: &candidates, slot: slot, norms: norms, keepsOthers: true)
            case .union:
                try add(slot, searcher, candidates, isRestricted: true)
                searcher.workspace.pointee.union.restrict(&candidates, slot: slot, norms, keepsOthers: true)
            case .phrase, .phrasePrefix:
                let inner = CandidateBox()
                inner.candidates.resetWithOneRow()
                try all([.scored(slot)], searcher, &inner.candidates)
                var values: [UInt32: Float] = [:]
                for index in 0..<inner.candidates.count {
                    values[inner.candidates.documents[index]] = inner.candidates.values(slot)[index]
                }
                for index in 0..<candidates.count {
                    candidates.values(slot)[index] = values[candidates.documents[index]] ?? 0
                }
                candidates.setFilled(slot)
            }
        }
    }

    /// Scored terms that add to the score, without excluded ones.
    static func scoring(_ condition: Condition) -> [Int] {
        switch condition {
        case .scored(let slot): [slot]
        case .and(let parts), .or(let parts): parts.flatMap(scoring)
        case .everything, .nothing, .exact, .values, .inTexts, .created, .updated, .not: []
        }
    }
}

extension Searcher {
    func addUnion(
        _ terms: TermUnion, _ candidates: borrowing Candidates, in segment: Segment
    ) throws(IndexDamage) {
        let (documents, count) = (candidates.documents, candidates.count)
        try terms.forEachPlainList(in: segment) { (list, quarters) throws(IndexDamage) in
            try workspace.pointee.union.add(
                list, quarters: quarters, documents, count, &workspace.pointee.reader, in: segment)
        }
        if terms.documentCount == nil { workspace.pointee.union.countDocuments() }
        try terms.forEachPartList(in: segment) { (list, quarters) throws(IndexDamage) in
            try workspace.pointee.union.add(
                list, quarters: quarters, documents, count, &workspace.pointee.reader, in: segment)
        }
    }
}

extension Searcher {
    /// Adds parts of tokens only.
    func addParts(_ terms: TermUnion, in segment: Segment) throws(IndexDamage) {
        let nothing = CandidateBox()
        let documents = nothing.candidates.documents
        try terms.forEachPartList(in: segment) { (list, quarters) throws(IndexDamage) in
            try workspace.pointee.union.add(
                list, quarters: quarters, documents, 0, &workspace.pointee.reader, in: segment)
        }
    }
}

extension QueryPlan {
    /// Whether each term adds to the score.
    var scoring: [Bool] {
        let wanted = Set(SegmentEvaluation.scoring(root))
        return terms.indices.map(wanted.contains)
    }
}
