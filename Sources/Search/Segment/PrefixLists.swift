/// Collects the unions of all terms that start with the same one or two characters, while terms are written in order.
/// A large union becomes a separate list, so that short prefixes need not be merged from thousands of lists.
struct PrefixLists: ~Copyable {
    /// Unions of fewer postings are merged when requested.
    static let postingThreshold = 16_384
    /// From this number of documents on, lists of single characters would be a sixteenth of all bytes. Bounds replace
    /// them.
    static let singleListLimit = 1 << 19

    private let norms: LengthNorms
    private let keepsSingleLists: Bool

    /// Frequencies by document: of the current two characters, and of the first one.
    private var pair: Union
    private var single: Union
    private var pairPrefix: [UInt8] = []
    private var singlePrefix: [UInt8] = []
    /// Finished lists.
    private(set) var lists: [List] = []

    /// The stored data about a prefix.
    struct List {
        let prefix: [UInt8]
        let count: Int
        /// A posting list, or bounds.
        let bytes: [UInt8]
    }

    init(norms: LengthNorms, documentCount: Int) {
        self.norms = norms
        keepsSingleLists = documentCount < Self.singleListLimit
        pair = Union(documentCount)
        single = Union(documentCount)
    }

    /// Called before the postings of each plain term.
    mutating func begin(
        _ term: UnsafePointer<UInt8>, _ length: Int, _ encoder: inout PostingsEncoder
    ) {
        let first = Self.characterLength(term[0])
        let second = first < length ? first + Self.characterLength(term[first]) : first
        if !Self.matches(pairPrefix, term, min(second, length)) {
            endPair(&encoder)
            pairPrefix = Array(UnsafeBufferPointer(start: term, count: min(second, length)))
        }
        if !Self.matches(singlePrefix, term, min(first, length)) {
            endSingle(&encoder)
            singlePrefix = Array(UnsafeBufferPointer(start: term, count: min(first, length)))
        }
    }

    @inline(__always)
    mutating func add(_ document: UInt32, text: UInt32, title: UInt32, tags: UInt32, rest: UInt32 = 0) {
        pair.add(Int(document), text, title | tags << 16, rest)
    }

    mutating func finish(_ encoder: inout PostingsEncoder) {
        endPair(&encoder)
        endSingle(&encoder)
    }

    private static func matches(_ prefix: [UInt8], _ term: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        if prefix.count != length { return false }
        for index in 0..<length where prefix[index] != term[index] { return false }
        return true
    }

    /// The length in bytes of a UTF-8 sequence, from its first byte.
    static func characterLength(_ byte: UInt8) -> Int { byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4 }

    private mutating func endPair(_ encoder: inout PostingsEncoder) {
        if pair.postings == 0 { return }
        // A term of one character is its own pair. It gets no list besides that of the character.
        let isPair = !pairPrefix.isEmpty && pairPrefix.count > Self.characterLength(pairPrefix[0])
        if isPair, pair.postings >= Self.postingThreshold { lists.append(pair.list(pairPrefix, &encoder)) }
        pair.move(to: &single)
    }

    private mutating func endSingle(_ encoder: inout PostingsEncoder) {
        if single.postings >= Self.postingThreshold {
            lists.append(keepsSingleLists ? single.list(singlePrefix, &encoder) : single.bounds(singlePrefix, norms))
        }
        single.clear()
    }

    /// Frequencies by document, and which of them are not zero.
    struct Union: ~Copyable {
        private let documentCount: Int
        private let texts: UnsafeMutablePointer<UInt32>
        private let fields: UnsafeMutablePointer<UInt32>
        private let rests: UnsafeMutablePointer<UInt32>
        /// Whether any of `rests` is not zero.
        private var hasRests = false
        private let marks: UnsafeMutablePointer<UInt64>
        private(set) var postings = 0

        init(_ documentCount: Int) {
            self.documentCount = documentCount
            texts = .allocate(capacity: documentCount)
            fields = .allocate(capacity: documentCount)
            rests = .allocate(capacity: documentCount)
            marks = .allocate(capacity: documentCount / 64 + 1)
            texts.initialize(repeating: 0, count: documentCount)
            fields.initialize(repeating: 0, count: documentCount)
            rests.initialize(repeating: 0, count: documentCount)
            marks.initialize(repeating: 0, count: documentCount / 64 + 1)
        }

        deinit {
            texts.deallocate()
            fields.deallocate()
            rests.deallocate()
            marks.deallocate()
        }

        @inline(__always)
        mutating func add(_ document: Int, _ text: UInt32, _ more: UInt32, _ rest: UInt32) {
            texts[document] &+= text
            fields[document] &+= more
            if rest > 0 {
                rests[document] &+= rest
                hasRests = true
            }
            marks[document >> 6] |= 1 << UInt64(document & 63)
            postings &+= 1
        }

        private func forEach(_ body: (Int) -> Void) {
            for word in 0...(documentCount / 64) {
                var bits = marks[word]
                while bits != 0 {
                    body(word << 6 + bits.trailingZeroBitCount)
                    bits &= bits &- 1
                }
            }
        }

        private func frequencies(_ document: Int) -> Frequencies {
            Frequencies(
                text: texts[document], title: fields[document] & 0xFFFF, tags: fields[document] >> 16,
                rest: rests[document])
        }

        func list(_ prefix: [UInt8], _ encoder: inout PostingsEncoder) -> List {
            encoder.begin(.frequencies)
            forEach { document in
                let found = frequencies(document)
                encoder.add(
                    UInt32(document), text: found.text, title: found.title, tags: found.tags, rest: found.rest)
            }
            encoder.finish()
            return List(prefix: prefix, count: encoder.count, bytes: encoder.documentBytes.bytes)
        }

        /// The number of documents, and bounds of their x by ranges of documents.
        func bounds(_ prefix: [UInt8], _ norms: LengthNorms) -> List {
            var count = 0
            for word in 0...(documentCount / 64) { count += marks[word].nonzeroBitCount }
            let shift = RangeBounds.shift(documentCount: documentCount, beginningCount: count)
            var largest = [Float](
                repeating: 0, count: RangeBounds.rangeCount(documentCount: documentCount, shift: shift))
            forEach { document in
                largest[document >> shift] = max(
                    largest[document >> shift], norms.value(frequencies(document), UInt32(document)))
            }
            return List(prefix: prefix, count: count, bytes: RangeBounds.bytes(largest, shift: shift))
        }

        mutating func move(to other: inout Union) {
            forEach { document in
                other.texts[document] &+= texts[document]
                other.fields[document] &+= fields[document]
                other.marks[document >> 6] |= 1 << UInt64(document & 63)
                texts[document] = 0
                fields[document] = 0
                if hasRests {
                    other.rests[document] &+= rests[document]
                    rests[document] = 0
                }
            }
            if hasRests { other.hasRests = true }
            other.postings += postings
            clearMarks()
        }

        mutating func clear() {
            if postings == 0 { return }
            forEach { document in
                texts[document] = 0
                fields[document] = 0
                if hasRests { rests[document] = 0 }
            }
            clearMarks()
        }

        private mutating func clearMarks() {
            marks.update(repeating: 0, count: documentCount / 64 + 1)
            postings = 0
            hasRests = false
        }
    }
}
