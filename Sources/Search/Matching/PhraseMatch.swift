/// Finds where words stand in a row, in one document after another.
struct PhraseMatch: ~Copyable {
    /// One word of the phrase and the block of its list that was read last.
    struct Word: ~Copyable {
        var list: PostingList
        var block = PostingBlock()
        var positions = PositionBuffer()
        private var loaded = -1
        var frequencies = Frequencies(text: 0, title: 0, tags: 0)

        init(_ list: PostingList) { self.list = list }

        mutating func reset(_ list: PostingList) {
            self.list = list
            loaded = -1
        }

        /// Reads where the word stands in a document that has it.
        mutating func load(_ document: UInt32, in segment: Segment) throws(IndexDamage) {
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
            let low = block.place(of: document)
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

    /// The words; room for more is kept from one phrase to the next.
    private var words = UnsafeMutablePointer<Word>.allocate(capacity: 8)
    private var wordCapacity = 8
    private var wordCount = 0
    private var count = 0
    /// Positions at which the phrase may begin.
    private var starts = PositionBuffer()

    init() {}

    deinit {
        words.deinitialize(count: wordCount)
        words.deallocate()
    }

    mutating func begin(_ lists: [PostingList]) {
        count = lists.count
        if count > wordCapacity {
            let larger = UnsafeMutablePointer<Word>.allocate(capacity: count)
            larger.moveInitialize(from: words, count: wordCount)
            words.deallocate()
            words = larger
            wordCapacity = count
        }
        for (index, list) in lists.enumerated() {
            if index < wordCount {
                words[index].reset(list)
            } else {
                (words + index).initialize(to: Word(list))
                wordCount += 1
            }
        }
    }

    /// How often the phrase stands in a document that has all its words, by field.
    mutating func frequencies(_ document: UInt32, in segment: Segment) throws(IndexDamage) -> Frequencies {
        var inTitle = true
        var inTags = true
        for index in 0..<count {
            try words[index].load(document, in: segment)
            inTitle = inTitle && words[index].frequencies.title > 0
            inTags = inTags && words[index].frequencies.tags > 0
        }
        return Frequencies(
            text: UInt32(match(2)), title: inTitle ? UInt32(match(0)) : 0, tags: inTags ? UInt32(match(1)) : 0)
    }

    /// Ends of the phrase in each field, as positions of the next word.
    mutating func ends(_ document: UInt32, in segment: Segment) throws(IndexDamage) -> [[UInt32]] {
        for index in 0..<count { try words[index].load(document, in: segment) }
        return (0..<3).map { field in
            let found = match(field)
            return (0..<found).map { starts.base[$0] + UInt32(count) }
        }
    }

    /// Leaves the positions where the phrase begins in `starts`, and returns how many there are.
    private mutating func match(_ field: Int) -> Int {
        var anchor = 0
        for index in 0..<count {
            let length = words[index].range(field).count
            if length == 0 { return 0 }
            if length < words[anchor].range(field).count { anchor = index }
        }
        let range = words[anchor].range(field)
        starts.resize(range.count)
        var found = 0
        let base = words[anchor].positions.base
        for place in range where base[place] >= UInt32(anchor) {
            starts.base[found] = base[place] - UInt32(anchor)
            found += 1
        }
        for index in 0..<count where index != anchor && found > 0 {
            let otherRange = words[index].range(field)
            let positions = words[index].positions.base
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
