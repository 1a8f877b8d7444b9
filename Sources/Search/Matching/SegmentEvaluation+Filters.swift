/// Filters that need more than one list.
extension SegmentEvaluation {
    /// Adds the documents with a value that passes a test to a set; reads the dictionary's terms of that kind.
    func mark(_ test: ValueTest, _ searcher: Searcher, _ box: SetBox) throws(IndexDamage) {
        var cursor = TermCursor(segment)
        let wanted = [test.kind.rawValue] + test.beginning
        try cursor.seek(wanted)
        while !cursor.isAtEnd, cursor.hasPrefix(wanted) {
            if test.holds(UnsafeBufferPointer(start: cursor.term + 1, count: cursor.length - 1)) {
                try searcher.workspace.pointee.reader.mark(cursor.list(), in: segment, into: box.bits)
            }
            try cursor.next()
        }
    }

    /// Adds the documents whose texts contain a term to a set; title and tags do not count.
    mutating func markTexts(_ slot: Int, _ searcher: Searcher, _ box: SetBox) throws(IndexDamage) {
        switch resolved[slot] {
        case .absent: break
        case .list(let list): try markTexts(list, searcher, box)
        case .union(let terms):
            try terms.forEachList(in: segment) { (list, _) throws(IndexDamage) in
                try markTexts(list, searcher, box)
            }
        case .phrase(let lists):
            let found = CandidateBox()
            try collect(lists, searcher, &found.candidates)
            searcher.workspace.pointee.phrase.begin(lists)
            for index in 0..<found.candidates.count {
                let document = found.candidates.documents[index]
                if try searcher.workspace.pointee.phrase.frequencies(document, in: segment).text > 0 {
                    box.bits.insert(document)
                }
            }
        case .phrasePrefix(let lists, let union, let places):
            let found = CandidateBox()
            try collect(lists, searcher, &found.candidates)
            try filterPhrasePrefix(slot, lists, union, places, searcher, &found.candidates, isTextOnly: true)
            for index in 0..<found.candidates.count { box.bits.insert(found.candidates.documents[index]) }
        }
    }

    private func markTexts(_ list: PostingList, _ searcher: Searcher, _ box: SetBox) throws(IndexDamage) {
        for number in 0..<list.blockCount {
            try searcher.workspace.pointee.reader.read(list, number, in: segment)
            try searcher.workspace.pointee.reader.readFrequencies(list, in: segment)
            for place in 0..<searcher.workspace.pointee.reader.block.count
            where searcher.workspace.pointee.reader.block.frequencies(place).text > 0 {
                box.bits.insert(searcher.workspace.pointee.reader.block.documents[place])
            }
        }
    }

    /// Makes the documents that are in all lists the candidates.
    private func collect(
        _ lists: [PostingList], _ searcher: Searcher, _ candidates: inout Candidates
    ) throws(IndexDamage) {
        candidates.resetWithOneRow()
        for (place, list) in lists.enumerated() {
            if place == 0 {
                try searcher.workspace.pointee.reader.collect(list, in: segment, into: &candidates)
            } else {
                try searcher.workspace.pointee.reader.intersect(
                    list, in: segment, with: &candidates, slot: nil, norms: norms)
            }
        }
    }
}
