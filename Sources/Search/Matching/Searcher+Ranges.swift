/// The best documents of a prefix: evaluates the most promising ranges of documents first, and most others never.
extension Searcher {
    /// Ranks the documents of a union by x. The segment keeps bounds for it.
    func scanRanges(
        _ union: TermUnion, _ kept: RangeBounds, _ part: Int, _ isHidden: HiddenDocuments.Filter, _ top: inout TopHits
    ) throws(IndexDamage) {
        let segment = snapshot.parts[part].segment
        let norms = try segment.norms(snapshot.means)
        let count = RangeBounds.rangeCount(documentCount: segment.documentCount, shift: kept.shift)
        var batchCount = max(firstRangeCount, min(top.limit, count) * 3 / 2)
        if batchCount * 2 > count {
            _ = try scanAll(union, part, isHidden, &top)
            return
        }
        var bounds = try bounds(union, kept, count, segment)
        if union.reachesParts {
            workspace.pointee.union.begin(
                limit: segment.documentCount, isRestricted: false, to: boxes[part].candidates, isCounted: false)
            try addParts(union, in: segment)
            workspace.pointee.union.raise(&bounds, shift: kept.shift, norms)
        }
        var isDone = [Bool](repeating: false, count: count)
        try withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { order throws(IndexDamage) in
            BlockOrder.fill(order, count) { bounds[$0] }
            var next = 0
            while next < count {
                var batch: [Int] = []
                while next < count, batch.count < batchCount {
                    let range = Int(order[next])
                    if bounds[range] > 0, Double(bounds[range]) >= top.threshold {
                        batch.append(range)
                        isDone[range] = true
                    }
                    next += 1
                }
                if batch.isEmpty { return }
                try scanBatch(batch, union, kept.shift, part, isHidden, &top)
                // Each batch walks over all terms, so one walk is cheaper if many ranges remain.
                let left = order[next...].reduce(0) { $0 + (Double(bounds[Int($1)]) >= top.threshold ? 1 : 0) }
                batchCount = rangeCount
                if left > batchCount * 2 {
                    _ = try scanAll(union, part, isHidden, &top) { isDone[Int($0) >> kept.shift] }
                    return
                }
            }
        }
    }

    private func scanBatch(
        _ batch: [Int], _ union: TermUnion, _ shift: Int, _ part: Int, _ isHidden: HiddenDocuments.Filter,
        _ top: inout TopHits
    ) throws(IndexDamage) {
        let segment = snapshot.parts[part].segment
        let norms = try segment.norms(snapshot.means)
        workspace.pointee.batch.begin(batch, shift: shift, documentCount: segment.documentCount)
        defer { workspace.pointee.batch.end() }
        try union.forEachList(in: segment) { (list, quarters) throws(IndexDamage) in
            try workspace.pointee.batch.add(list, quarters: quarters, &workspace.pointee.reader, in: segment)
        }
        var threshold = Float(max(top.threshold, -1))
        try workspace.pointee.batch.forEach { (document, sum) throws(IndexDamage) in
            let x = QuarterSums.value(sum, document, norms)
            if x < threshold || isHidden.contains(document) { return }
            try top.insert(Double(x), part: part, document: document)
            threshold = Float(max(top.threshold, -1))
        }
    }

    /// For each range, an upper bound of x of the plain tokens.
    private func bounds(
        _ union: TermUnion, _ kept: RangeBounds, _ count: Int, _ segment: Segment
    ) throws(IndexDamage) -> [Float] {
        let growth = segment.means.growth(to: snapshot.means)
        let longer = Float(union.longerQuarters) * 0.25
        let more = Float(union.exactQuarters) * 0.25 - longer
        if more == 0 { return (0..<count).map { kept[$0] * longer * growth } }
        // The additional weight of the word itself over longer ones.
        var own = [Float](repeating: 0, count: count)
        if let list = try segment.list(union.word) {
            if list.fullBlocks == 0 {
                try workspace.pointee.reader.read(list, 0, in: segment)
                try workspace.pointee.reader.readFrequencies(list, in: segment)
                workspace.pointee.reader.computeValues(try segment.norms(segment.means))
                for place in 0..<workspace.pointee.reader.block.count {
                    let range = Int(workspace.pointee.reader.block.documents[place]) >> kept.shift
                    own[range] = max(own[range], workspace.pointee.reader.values[place] * 1.00001)
                }
            } else {
                for block in 0..<list.blockCount {
                    let first = block == 0 ? 0 : Int(list.lastDocument(block - 1)) >> kept.shift
                    let last = block < list.fullBlocks ? Int(list.lastDocument(block)) >> kept.shift : count - 1
                    if first > last || last >= count { throw segment.damage("a list's blocks are not in order") }
                    let bound = list.bound(block)
                    for range in first...last where !(own[range] >= bound) { own[range] = bound }
                }
            }
        }
        return (0..<count).map { range in min(kept[range], kept[range] * longer + own[range] * more) * growth }
    }

    /// Ranks all remaining documents of a union by x.
    ///
    /// - Returns: the number of documents that ranking uses for the union.
    func scanAll(
        _ union: TermUnion, _ part: Int, _ isHidden: HiddenDocuments.Filter, _ top: inout TopHits,
        isDone: (UInt32) -> Bool = { _ in false }
    ) throws(IndexDamage) -> Int {
        let segment = snapshot.parts[part].segment
        let norms = try segment.norms(snapshot.means)
        let box = boxes[part]
        box.candidates.reset(slots: 1)
        workspace.pointee.union.begin(
            limit: segment.documentCount, isRestricted: false, to: box.candidates, isCounted: true)
        try addUnion(union, box.candidates, in: segment)
        workspace.pointee.union.collect(into: &box.candidates, slot: 0, norms)
        let (documents, values) = (box.candidates.documents, box.candidates.values(0))
        var threshold = Float(max(top.threshold, -1))
        for index in 0..<box.candidates.count where values[index] >= threshold {
            if isHidden.contains(documents[index]) || isDone(documents[index]) { continue }
            try top.insert(Double(values[index]), part: part, document: documents[index])
            threshold = Float(max(top.threshold, -1))
        }
        return union.documentCount ?? workspace.pointee.union.documentCount
    }
}
