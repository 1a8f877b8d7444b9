/// Gathers, while terms are written in their order, the union of all terms that begin with the same one or two
/// characters; where it is large it becomes a list of its own, so that short prefixes need not be put together from
/// thousands of lists. Of large unions of longer beginnings, up to `countedLength` characters, the number of documents is
/// kept.
struct PrefixLists: ~Copyable {
    /// Unions of fewer postings than this are put together when they are asked for.
    static let postingThreshold = 16_384

    /// Beginnings of three to this many characters are counted.
    static let countedLength = 6
    static let countedLengths = 3...countedLength

    private let documentCount: Int
    /// Documents of the beginnings of three and more characters of the present term; the last element is that of
    /// `countedLength`.
    private let counted: UnsafeMutablePointer<CountedPrefix>
    /// Frequencies by document: of the two characters now being gathered, and of the first one.
    private var pair: Union
    private var single: Union
    private var pairPrefix: [UInt8] = []
    private var singlePrefix: [UInt8] = []
    /// Finished lists.
    private(set) var lists: [List] = []

    struct List {
        let prefix: [UInt8]
        let count: Int
        let bytes: [UInt8]
    }

    init(documentCount: Int) {
        self.documentCount = documentCount
        pair = Union(documentCount)
        single = Union(documentCount)
        counted = .allocate(capacity: Self.countedLengths.count)
        for level in 0..<Self.countedLengths.count {
            (counted + level).initialize(to: CountedPrefix(documentCount))
        }
    }

    deinit {
        counted.deinitialize(count: Self.countedLengths.count)
        counted.deallocate()
    }

    /// Told before the postings of each plain term.
    mutating func begin(
        _ term: UnsafePointer<UInt8>, _ length: Int, _ encoder: inout PostingsEncoder
    ) {
        var end = 0
        for characters in 1...Self.countedLength {
            if end < length { end = min(length, end + Self.characterLength(term[end])) } else { end = length + 1 }
            if characters < Self.countedLengths.lowerBound { continue }
            let level = counted + (characters - Self.countedLengths.lowerBound)
            // A term that is too short has no beginning of this length.
            let wanted = end <= length ? end : 0
            if !Self.matches(level.pointee.prefix, term, wanted) {
                if let list = level.pointee.end() { lists.append(list) }
                level.pointee.prefix = Array(UnsafeBufferPointer(start: term, count: wanted))
            }
        }
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
    mutating func add(_ document: UInt32, text: UInt32, title: UInt32, tags: UInt32) {
        pair.add(Int(document), text, title, tags)
        for level in 0..<Self.countedLengths.count { counted[level].add(document) }
    }

    mutating func finish(_ encoder: inout PostingsEncoder) {
        endPair(&encoder)
        endSingle(&encoder)
        for level in 0..<Self.countedLengths.count {
            if let list = counted[level].end() { lists.append(list) }
        }
    }

    private static func matches(_ prefix: [UInt8], _ term: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        if prefix.count != length { return false }
        for index in 0..<length where prefix[index] != term[index] { return false }
        return true
    }

    /// Bytes of a UTF-8 sequence by its first one.
    static func characterLength(_ byte: UInt8) -> Int { byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4 }

    private mutating func endPair(_ encoder: inout PostingsEncoder) {
        if pair.postings == 0 { return }
        // A term of one character is its own pair; it has no list beside that of the character.
        let isPair = !pairPrefix.isEmpty && pairPrefix.count > Self.characterLength(pairPrefix[0])
        if isPair, pair.postings >= Self.postingThreshold { lists.append(pair.list(pairPrefix, &encoder)) }
        pair.move(to: &single)
    }

    private mutating func endSingle(_ encoder: inout PostingsEncoder) {
        if single.postings >= Self.postingThreshold { lists.append(single.list(singlePrefix, &encoder)) }
        single.clear()
    }

    /// Documents of all terms that begin with a prefix.
    struct CountedPrefix: ~Copyable {
        var prefix: [UInt8] = []
        private var documents: BitSet
        private let documentCount: Int
        private var postings = 0

        init(_ documentCount: Int) {
            self.documentCount = documentCount
            documents = BitSet(limit: documentCount)
        }

        @inline(__always)
        mutating func add(_ document: UInt32) {
            documents.insert(document)
            postings &+= 1
        }

        /// Ends the prefix; its count, if it is large, as a list without bytes.
        mutating func end() -> List? {
            if postings == 0 { return nil }
            let isLarge = postings >= PrefixLists.postingThreshold && !prefix.isEmpty
            let list = isLarge ? List(prefix: prefix, count: documents.count, bytes: []) : nil
            documents.reset(limit: documentCount)
            postings = 0
            return list
        }
    }

    /// Frequencies by document, with those that are not zero marked.
    struct Union: ~Copyable {
        private let documentCount: Int
        private let texts: UnsafeMutablePointer<UInt32>
        private let fields: UnsafeMutablePointer<UInt32>
        private let marks: UnsafeMutablePointer<UInt64>
        private(set) var postings = 0

        init(_ documentCount: Int) {
            self.documentCount = documentCount
            texts = .allocate(capacity: documentCount)
            fields = .allocate(capacity: documentCount)
            marks = .allocate(capacity: documentCount / 64 + 1)
            texts.initialize(repeating: 0, count: documentCount)
            fields.initialize(repeating: 0, count: documentCount)
            marks.initialize(repeating: 0, count: documentCount / 64 + 1)
        }

        deinit {
            texts.deallocate()
            fields.deallocate()
            marks.deallocate()
        }

        @inline(__always)
        mutating func add(_ document: Int, _ text: UInt32, _ title: UInt32, _ tags: UInt32) {
            texts[document] &+= text
            fields[document] &+= title | tags << 16
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

        func list(_ prefix: [UInt8], _ encoder: inout PostingsEncoder) -> List {
            encoder.begin(.frequencies)
            forEach { document in
                encoder.add(
                    UInt32(document), text: texts[document], title: fields[document] & 0xFFFF,
                    tags: fields[document] >> 16)
            }
            encoder.finish()
            return List(prefix: prefix, count: encoder.count, bytes: encoder.documentBytes.bytes)
        }

        mutating func move(to other: inout Union) {
            forEach { document in
                other.texts[document] &+= texts[document]
                other.fields[document] &+= fields[document]
                other.marks[document >> 6] |= 1 << UInt64(document & 63)
                texts[document] = 0
                fields[document] = 0
            }
            other.postings += postings
            clearMarks()
        }

        mutating func clear() {
            if postings == 0 { return }
            forEach { document in
                texts[document] = 0
                fields[document] = 0
            }
            clearMarks()
        }

        private mutating func clearMarks() {
            marks.update(repeating: 0, count: documentCount / 64 + 1)
            postings = 0
        }
    }
}
