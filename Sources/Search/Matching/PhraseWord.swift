extension PhraseMatch {
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
            if try !reach(document, in: segment) { return false }
            place = block.place(of: document)
            return place < block.count && block.documents[place] == document
        }

        /// Opens the block that would hold a document.
        ///
        /// - Returns: false if the document is behind the list.
        @inline(__always)
        mutating func reach(_ document: UInt32, in segment: Segment) throws(IndexDamage) -> Bool {
            if loaded < 0 || document > lastOfBlock || document < firstOfBlock {
                let number = list.block(holding: document, from: loaded >= 0 && document > lastOfBlock ? loaded : 0)
                if number >= list.blockCount { return false }
                if number != loaded { try open(number, in: segment) }
            }
            return true
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
            try readFrequencies(in: segment)
            return block.frequencies(place)
        }

        /// Reads the frequencies of the open block.
        @inline(__always)
        mutating func readFrequencies(in segment: Segment) throws(IndexDamage) {
            if !block.readFrequencies(list) { throw segment.damage("a posting list cannot be read") }
        }

        /// x of all postings of the open block.
        mutating func computeValues(
            _ norms: LengthNorms, into values: UnsafeMutablePointer<Float>, in segment: Segment
        ) throws(IndexDamage) {
            try readFrequencies(in: segment)
            block.computeValues(norms, into: values)
        }

        /// Where the distances between the found posting's text positions are in the block, if they are packed.
        @inline(__always)
        mutating func textRun(in segment: Segment) throws(IndexDamage) -> Range<Int>? {
            if !isVerified { try verifyPositions(in: segment) }
            if !block.readFrequencies(list) { return nil }
            return block.textRun(list, loaded, place)
        }

        /// Has the beginning of the open block's positions fetched from memory, which is read soon.
        @inline(__always)
        func fetchPositions() { list.fetchPositions(loaded) }

        /// Finds the packed positions of the open block.
        @inline(__always)
        mutating func openText(in segment: Segment) throws(IndexDamage) -> Bool {
            if !isVerified { try verifyPositions(in: segment) }
            return block.readFrequencies(list) && block.openText(list, loaded)
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
        private(set) var lastOfBlock: UInt32 = 0

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
}
