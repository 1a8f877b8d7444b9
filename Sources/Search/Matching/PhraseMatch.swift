/// Finds phrases in one document after another.
struct PhraseMatch: ~Copyable {
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
    private var textStarts = TextStarts()
    private var pairs = PhrasePairs()

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
        let (first, second) = (order[0], order[1])
        try words[first].open(number, in: segment)
        words[first].fetchPositions()
        try words[first].computeValues(norms, into: values, in: segment)
        pairs.pick(words[first].block.count, values, least: threshold())
        while try pairs.findNext(&words[first], &words[second], in: segment) {
            pairs.keep(&words[first], &words[second], norms, least: threshold())
            if pairs.count > 0, try words[first].openText(in: segment), try words[second].openText(in: segment) {
                pairs.fetch(&words[first], &words[second])
            }
            for pair in 0..<pairs.count {
                (words[first].place, words[second].place) = pairs.places(pair)
                let document = words[first].block.documents[words[first].place]
                if isHidden.contains(document) { continue }
                try match(document, threshold(), segment, norms, body)
            }
        }
    }

    /// Calls `body` with x of the phrase in a document that the two rarest words have found, unless it is below `least`.
    @inline(__always)
    private mutating func match(
        _ document: UInt32, _ least: Float, _ segment: Segment, _ norms: LengthNorms,
        _ body: (UInt32, Float) throws(IndexDamage) -> Void
    ) throws(IndexDamage) {
        // A phrase is at most as frequent as its rarest word.
        var most = try words[order[0]].foundFrequencies(in: segment)
        try lower(&most, order[1], segment)
        if Self.leastText(most, least, norms, document) > Int(most.text) { return }
        if count > 2, most.text > Self.fewPositions {
            for at in 2..<count {
                if try !words[order[at]].find(document, in: segment) { return }
                try lower(&most, order[at], segment)
            }
        }
        let needed = Self.leastText(most, least, norms, document)
        if needed > Int(most.text) { return }
        if let found = try matchText(atLeast: needed, document, segment) {
            if found < needed { return }
            if most.title | most.tags | most.rest == 0 {
                if found == 0 { return }
                try body(document, norms.value(Frequencies(text: UInt32(found), title: 0, tags: 0), document))
                return
            }
            if found == 0 && most.title | most.tags == 0 { return }
        }
        try evaluate(document, segment, norms, body)
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
        let exact = wanted * norms.textDivisor(document) * 0.9999
        // Rounding up is a call where the processor need not have SSE 4.1.
        let whole = Int(exact)
        return Float(whole) < exact ? whole + 1 : whole
    }

    /// The rarest word.
    var lead: PostingList { words[order[0]].list }

    /// Counts the positions in the text at which the phrase starts, in a document that the two rarest words have found.
    ///
    /// - Parameter needed: it ends when so many can no longer be found.
    /// - Returns: `nil` if the positions have to be read in another way.
    @inline(__always)
    private mutating func matchText(
        atLeast needed: Int, _ document: UInt32, _ segment: Segment
    ) throws(IndexDamage) -> Int? {
        var (a, b) = (order[0], order[1])
        guard var run = try words[a].textRun(in: segment), var other = try words[b].textRun(in: segment) else {
            return nil
        }
        // The word with fewer positions in this document begins.
        if other.count < run.count {
            swap(&a, &b)
            swap(&run, &other)
        }
        if run.isEmpty { return 0 }
        textStarts.read(run, of: &words[a].block, distance: distance(a))
        textStarts.keep(followedBy: &words[b].block, other, distance: distance(b), atLeast: needed)
        for at in 2..<max(2, count) where textStarts.count >= max(1, needed) {
            let index = order[at]
            if try !words[index].find(document, in: segment) { return 0 }
            guard let run = try words[index].textRun(in: segment) else { return nil }
            textStarts.keep(followedBy: &words[index].block, run, distance: distance(index), atLeast: needed)
        }
        return textStarts.count
    }

    /// The distance of a word from the first.
    @inline(__always)
    private func distance(_ word: Int) -> UInt32 { places?[word] ?? UInt32(truncatingIfNeeded: word) }

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
        let anchorPlace = distance(anchor)
        var place = count
        while place > 0, starts.base[place - 1] &+ anchorPlace >= first { place -= 1 }
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
        let anchorPlace = distance(anchor)
        for place in range where base[place] >= anchorPlace {
            starts.base[found] = base[place] &- anchorPlace
            found &+= 1
        }
        for at in 1..<max(1, count) where found > 0 {
            let index = order[at]
            if try !words[index].load(document, in: segment) { return 0 }
            let otherRange = words[index].range(field)
            let positions = words[index].positions.base
            let offset = distance(index)
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
