/// Finds where words stand in a row, in one document after another.
struct PhraseMatch: ~Copyable {
    /// One word of the phrase and the block of its list that was read last.
    final class Word {
        var list: PostingList
        var block = PostingBlock()
        var positions = PositionBuffer()
        private var loaded = -1
        var frequencies = Frequencies(text: 0, title: 0, tags: 0)

        init(_ list: PostingList) { self.list = list }

        func reset(_ list: PostingList) {
            self.list = list
            loaded = -1
        }

        /// Reads where the word stands in a document that has it.
        func load(_ document: UInt32, in segment: Segment) throws(IndexDamage) {
            let number = list.block(holding: document, from: loaded >= 0 && isBehind(document) ? loaded : 0)
            if number != loaded {
                guard block.readDocuments(list, number, limit: UInt32(segment.documentCount)),
                    block.readFrequencies(list)
                else { throw segment.damage("a posting list cannot be read") }
                loaded = number
                try segment.verify(
                    from: list.positionStart(number) ?? list.positions,
                    to: number < list.fullBlocks
                        ? list.positionStart(number + 1) ?? list.positionsEnd : list.positionsEnd)
            }
            var low = 0
            var high = block.count
            while low < high {
                let middle = (low + high) >> 1
                if block.documents[middle] < document { low = middle + 1 } else { high = middle }
            }
            guard low < block.count, block.documents[low] == document,
                let frequencies = block.readPositions(list, number, low, into: &positions)
            else { throw segment.damage("a posting list's positions cannot be read") }
            self.frequencies = frequencies
        }

        private func isBehind(_ document: UInt32) -> Bool {
            loaded == 0 || list.lastDocument(loaded - 1) < document
        }

        /// Positions in title, tags or text.
        func range(_ field: Int) -> Range<Int> {
            let title = Int(frequencies.title)
            let tags = title + Int(frequencies.tags)
            switch field {
            case 0: return 0..<title
            case 1: return title..<tags
            default: return tags..<positions.count
            }
        }
    }

    private var pool: [Word] = []
    private var count = 0
    /// Positions at which the phrase may begin.
    private var starts = PositionBuffer()

    init() {}

    mutating func begin(_ lists: [PostingList]) {
        count = lists.count
        for (index, list) in lists.enumerated() {
            if index < pool.count { pool[index].reset(list) } else { pool.append(Word(list)) }
        }
    }

    /// How often the phrase stands in a document that has all its words, by field.
    mutating func frequencies(_ document: UInt32, in segment: Segment) throws(IndexDamage) -> Frequencies {
        for index in 0..<count { try pool[index].load(document, in: segment) }
        return Frequencies(text: UInt32(match(2)), title: UInt32(match(0)), tags: UInt32(match(1)))
    }

    /// Ends of the phrase in each field, as positions of the next word.
    mutating func ends(_ document: UInt32, in segment: Segment) throws(IndexDamage) -> [[UInt32]] {
        for index in 0..<count { try pool[index].load(document, in: segment) }
        return (0..<3).map { field in
            let found = match(field)
            return (0..<found).map { starts.base[$0] + UInt32(count) }
        }
    }

    /// Leaves the positions where the phrase begins in `starts`, and returns how many there are.
    private mutating func match(_ field: Int) -> Int {
        var anchor = 0
        for index in 0..<count {
            let length = pool[index].range(field).count
            if length == 0 { return 0 }
            if length < pool[anchor].range(field).count { anchor = index }
        }
        let range = pool[anchor].range(field)
        starts.resize(range.count)
        var found = 0
        let base = pool[anchor].positions.base
        for place in range where base[place] >= UInt32(anchor) {
            starts.base[found] = base[place] - UInt32(anchor)
            found += 1
        }
        for index in 0..<count where index != anchor && found > 0 {
            let other = pool[index]
            let otherRange = other.range(field)
            let positions = other.positions.base
            var at = otherRange.lowerBound
            let end = otherRange.upperBound
            let offset = UInt32(index)
            var kept = 0
            for place in 0..<found {
                let wanted = starts.base[place] + offset
                while at < end, positions[at] < wanted { at += 1 }
                if at == end { break }
                if positions[at] == wanted {
                    starts.base[kept] = starts.base[place]
                    kept += 1
                }
            }
            found = kept
        }
        return found
    }
}
