/// Finds phrases in one document after another.
struct PhraseMatch: ~Copyable {
    /// One word of the phrase, and the block of its list that was read last.
    struct Word: ~Copyable {
        var list: PostingList
        var block = PostingBlock()
        var positions = PositionBuffer()
        private var loaded = -1
        private var loadedDocument = UInt32.max
        var frequencies = Frequencies(text: 0, title: 0, tags: 0)

        init(_ list: PostingList) { self.list = list }

        mutating func reset(_ list: PostingList) {
            self.list = list
            loaded = -1
            loadedDocument = .max
        }

        /// Checks whether a document has the word.
        @inline(__always)
        mutating func find(_ document: UInt32, in segment: Segment) throws(IndexDamage) -> Bool {
            if loaded < 0 || document > lastOfBlock || document < firstOfBlock {
                let number = list.block(holding: document, from: loaded >= 0 && document > lastOfBlock ? loaded : 0)
                if number >= list.blockCount { return false }
                if number != loaded { try open(number, in: segment) }
            }
            place = block.place(of: document)
            return place < block.count && block.documents[place] == document
        }

        /// Reads a block's documents.
        mutating func open(_ number: Int, in segment: Segment) throws(IndexDamage) {
            guard block.readDocuments(list, number, limit: UInt32(segment.documentCount)) else {
                throw segment.damage("a posting list cannot be read")
            }
            block.pad()
            loaded = number
            isVerified = false
            loadedDocument = .max
            firstOfBlock = list.base(number) &+ 1
            lastOfBlock = block.documents[block.count - 1]
            if number >= list.fullBlocks { lastOfBlock = .max }
        }

        /// Frequencies of the found posting.
        @inline(__always)
        mutating func foundFrequencies(in segment: Segment) throws(IndexDamage) -> Frequencies {
            if !block.readFrequencies(list) { throw segment.damage("a posting list cannot be read") }
            return block.frequencies(place)
        }

        /// x of all postings of the open block.
        mutating func computeValues(
            _ norms: LengthNorms, into values: UnsafeMutablePointer<Float>, in segment: Segment
        ) throws(IndexDamage) {
            if !block.readFrequencies(list) { throw segment.damage("a posting list cannot be read") }
            block.computeValues(norms, into: values)
        }

        /// The distances between the found posting's text positions, one by one, if they are packed.
        @inline(__always)
        mutating func textRun(in segment: Segment) throws(IndexDamage) -> (run: PackedRun, count: Int)? {
            try verifyPositions(in: segment)
            if !block.readFrequencies(list) { return nil }
            return block.textRun(list, loaded, place)
        }

        private mutating func verifyPositions(in segment: Segment) throws(IndexDamage) {
            if isVerified { return }
            try segment.verify(
                from: list.positionStart(loaded) ?? list.positions,
                to: loaded < list.fullBlocks
                    ? list.positionStart(loaded + 1) ?? list.positionsEnd : list.positionsEnd)
            isVerified = true
        }

        /// Reads the positions of the word in the document.
        ///
        /// - Returns: false if the document lacks the word.
        mutating func load(_ document: UInt32, in segment: Segment) throws(IndexDamage) -> Bool {
            if document == loadedDocument { return true }
            if try !find(document, in: segment) { return false }
            try verifyPositions(in: segment)
            guard block.readFrequencies(list),
                let frequencies = block.readPositions(list, loaded, place, into: &positions)
            else { throw segment.damage("a posting list's positions cannot be read") }
            self.frequencies = frequencies
            loadedDocument = document
            return true
        }

        /// The index of the found posting within its block.
        var place = 0
        private var isVerified = false
        private var firstOfBlock = UInt32.max
        private var lastOfBlock: UInt32 = 0

        /// How many of the positions in the text are in the rest of the page: the last ones.
        var restCount: Int { Int(frequencies.rest) }

        /// The positions in one field: title, tags or text.
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

    /// The words; memory for more of them is kept for later phrases.
    private var words = UnsafeMutablePointer<Word>.allocate(capacity: 8)
    private var wordCapacity = 8
    private var wordCount = 0
    private var count = 0
    /// x of each posting of the rarest word's block.
    private let values = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    /// The distance of each word from the first; `nil` if the words are adjacent.
    private var places: [UInt32]?
    /// Positions at which the phrase may start.
    private var starts = PositionBuffer()

    init() {}

    deinit {
        words.deinitialize(count: wordCount)
        words.deallocate()
        values.deallocate()
    }

    mutating func begin(_ lists: [PostingList], places: [UInt32]? = nil) {
        count = lists.count
        self.places = places
        order = Array(lists.indices)
        order.sort { lists[$0].count < lists[$1].count }
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

    /// Numbers of the words, rarest first.
    private var order: [Int] = []

    /// Calls `body` with x of the phrase in each document of a block of the rarest word, unless an upper bound of x
    /// is below the current `threshold`.
    mutating func forEachMatch(
        inBlock number: Int, _ segment: Segment, _ norms: LengthNorms, _ isHidden: HiddenDocuments.Filter,
        threshold: () -> Float, _ body: (UInt32, Float) throws(IndexDamage) -> Void
    ) throws(IndexDamage) {
        let lead = order[0]
        try words[lead].open(number, in: segment)
        try words[lead].computeValues(norms, into: values, in: segment)
        for place in 0..<words[lead].block.count {
            let least = threshold()
            if values[place] < least { continue }
            let document = words[lead].block.documents[place]
            if try !words[order[1]].find(document, in: segment) || isHidden.contains(document) { continue }
            words[lead].place = place
            // A phrase is at most as frequent as its rarest word.
            var most = try words[lead].foundFrequencies(in: segment)
            try lower(&most, order[1], segment)
            if norms.value(most, document) < least { continue }
            if count > 2, most.text > Self.fewPositions {
                var isInAll = true
                for at in 2..<count where isInAll {
                    isInAll = try words[order[at]].find(document, in: segment)
                    if isInAll { try lower(&most, order[at], segment) }
                }
                if !isInAll || norms.value(most, document) < least { continue }
            }
            let needed = Self.leastText(most, least, norms, document)
            if let pairs = try matchPair(atLeast: needed, in: segment) {
                if pairs < needed { continue }
                if most.title | most.tags | most.rest == 0 {
                    guard let found = try matchOthers(pairs, atLeast: needed, document, segment) else {
                        try evaluate(document, segment, norms, body)
                        continue
                    }
                    if found == 0 || found < needed { continue }
                    try body(document, norms.value(Frequencies(text: UInt32(found), title: 0, tags: 0), document))
                    continue
                }
                if pairs == 0 && most.title | most.tags == 0 { continue }
            }
            try evaluate(document, segment, norms, body)
        }
    }

    /// Above this frequency in the text, the documents of all words are compared before positions.
    private static let fewPositions = 4

    /// Reads all positions of a document's words.
    private mutating func evaluate(
        _ document: UInt32, _ segment: Segment, _ norms: LengthNorms,
        _ body: (UInt32, Float) throws(IndexDamage) -> Void
    ) throws(IndexDamage) {
        let found = try frequencies(document, in: segment)
        if found.text | found.title | found.tags == 0 { return }
        try body(document, norms.value(found, document))
    }

    /// Lowers the largest possible frequencies of the phrase to those of a word in the document that it has found.
    @inline(__always)
    private mutating func lower(_ most: inout Frequencies, _ index: Int, _ segment: Segment) throws(IndexDamage) {
        let found = try words[index].foundFrequencies(in: segment)
        let rest = min(most.rest, found.rest)
        most.text = min(most.text &- most.rest, found.text &- found.rest) &+ rest
        most.rest = rest
        most.title = min(most.title, found.title)
        most.tags = min(most.tags, found.tags)
    }

    /// The least frequency of the phrase in the text with which x is not below `least`.
    @inline(__always)
    private static func leastText(
        _ most: Frequencies, _ least: Float, _ norms: LengthNorms, _ document: UInt32
    ) -> Int {
        var wanted = least
        if most.title | most.tags != 0 { wanted -= norms.fields(Float(most.title), Float(most.tags), document) }
        if wanted <= 0 { return 0 }
        return Int((wanted * norms.textDivisor(document) * 0.9999).rounded(.up))
    }

    /// The rarest word.
    var lead: PostingList { words[order[0]].list }

    /// Finds the positions in the text at which the two rarest words have the right distance, and stores them in
    /// `starts`. The document must contain both words.
    ///
    /// - Parameter needed: it ends when so many can no longer be found.
    /// - Returns: their number; `nil` if the positions have to be read in another way.
    @inline(__always)
    private mutating func matchPair(atLeast needed: Int, in segment: Segment) throws(IndexDamage) -> Int? {
        let (a, b) = (order[0], order[1])
        guard var first = try words[a].textRun(in: segment), var second = try words[b].textRun(in: segment) else {
            return nil
        }
        if first.count == 0 || second.count == 0 { return 0 }
        starts.resize(first.count)
        let out = starts.base
        // Positions of both words minus their distance from the start of the phrase; below zero they wrap around and
        // match nothing.
        var x = first.run.next() &- (places?[a] ?? UInt32(a)) &+ Self.moved
        var y = second.run.next() &- (places?[b] ?? UInt32(b)) &+ Self.moved
        var found = 0
        while true {
            if x <= y {
                out[found] = x &- Self.moved
                found &+= x == y ? 1 : 0
                first.count &-= 1
                if first.count == 0 || found &+ first.count < needed { return found }
                x &+= first.run.next()
            } else {
                second.count &-= 1
                // The position that was passed may have been counted.
                if second.count == 0 || found &+ second.count &+ 1 < needed { return found }
                y &+= second.run.next()
            }
        }
    }

    /// Keeps those of `found` starts in the text that all but the two rarest words follow. A document with the phrase must
    /// have no word of it in the rest of its page.
    ///
    /// - Returns: their number; `nil` if the positions have to be read in another way.
    private mutating func matchOthers(
        _ found: Int, atLeast needed: Int, _ document: UInt32, _ segment: Segment
    ) throws(IndexDamage) -> Int? {
        var found = found
        for at in 2..<max(2, count) where found >= max(1, needed) {
            let index = order[at]
            if try !words[index].find(document, in: segment) { return 0 }
            guard var other = try words[index].textRun(in: segment) else { return nil }
            if other.count == 0 { return 0 }
            let distance = Self.moved &- (places?[index] ?? UInt32(index))
            var position = other.run.next() &+ distance
            var kept = 0
            search: for place in 0..<found {
                let wanted = starts.base[place] &+ Self.moved
                while position < wanted {
                    other.count &-= 1
                    if other.count == 0 { break search }
                    position &+= other.run.next()
                }
                if position == wanted {
                    starts.base[kept] = starts.base[place]
                    kept &+= 1
                }
            }
            found = kept
        }
        return found
    }

    /// Added to positions before comparing them, so that a start before the text keeps its order.
    private static let moved: UInt32 = 1 << 16

    /// The frequency of the phrase in a document with all its words, by field.
    mutating func frequencies(_ document: UInt32, in segment: Segment) throws(IndexDamage) -> Frequencies {
        let text = try match(2, document, segment)
        var found = Frequencies(text: UInt32(text), title: 0, tags: 0)
        if text > 0, words[order[0]].restCount > 0 { found.rest = UInt32(restStarts(text)) }
        if words[order[0]].frequencies.title > 0 { found.title = UInt32(try match(0, document, segment)) }
        if words[order[0]].frequencies.tags > 0 { found.tags = UInt32(try match(1, document, segment)) }
        return found
    }

    /// How many of the first `count` starts in the text are in the rest of the page.
    private func restStarts(_ count: Int) -> Int {
        let anchor = order[0]
        let first = words[anchor].positions.base[words[anchor].positions.count - words[anchor].restCount]
        let distance = places?[anchor] ?? UInt32(anchor)
        var place = count
        while place > 0, starts.base[place - 1] &+ distance >= first { place -= 1 }
        return count - place
    }

    /// The positions in each field at which the phrase starts.
    mutating func starts(_ document: UInt32, in segment: Segment) throws(IndexDamage) -> [[UInt32]] {
        var all: [[UInt32]] = []
        for field in 0..<3 {
            let found = try match(field, document, segment)
            all.append((0..<found).map { starts.base[$0] })
        }
        return all
    }

    /// Stores the positions at which the phrase starts in `starts`, and returns their number.
    ///
    /// Begins with the rarest word, and reads the others only while positions remain.
    @inline(__always)
    private mutating func match(_ field: Int, _ document: UInt32, _ segment: Segment) throws(IndexDamage) -> Int {
        let anchor = order[0]
        if try !words[anchor].load(document, in: segment) { return 0 }
        let range = words[anchor].range(field)
        if range.isEmpty { return 0 }
        starts.resize(range.count)
        var found = 0
        let base = words[anchor].positions.base
        let anchorPlace = places?[anchor] ?? UInt32(anchor)
        for place in range where base[place] >= anchorPlace {
            starts.base[found] = base[place] &- anchorPlace
            found &+= 1
        }
        for at in 1..<max(1, count) where found > 0 {
            let index = order[at]
            if try !words[index].load(document, in: segment) { return 0 }
            let otherRange = words[index].range(field)
            let positions = words[index].positions.base
            let offset = places?[index] ?? UInt32(index)
            var at = otherRange.lowerBound
            let end = otherRange.upperBound
            var kept = 0
            for place in 0..<found {
                let wanted = starts.base[place] &+ offset
                while at < end, positions[at] < wanted { at &+= 1 }
                if at == end { break }
                if positions[at] == wanted {
                    starts.base[kept] = starts.base[place]
                    kept &+= 1
                }
            }
            found = kept
        }
        return found
    }
}
