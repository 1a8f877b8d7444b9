/// Records the places of patterns in a text while it is tokenized.
///
/// A table of the words' first bytes excludes nearly every token at once.
struct HighlightSink: TokenSink {
    static var takesBigrams: Bool { false }
    static var takesLocations: Bool { true }

    struct Find {
        /// The term's number, from 0.
        var term: Int
        /// The bytes in the text.
        var source: Range<Int>
    }

    /// A word of a pattern.
    private struct Word {
        let bytes: [UInt8]
        let term: Int
        let extent: HighlightPattern.Extent
        /// The index of the word in its pattern; `isLast` marks the pattern's last word.
        let place: Int
        let isLast: Bool
        /// The index in `rows` of the pattern that contains the word.
        let row: Int
    }

    /// The progress of a pattern of several words: the starts of tokens that matched its first words.
    private struct Row {
        /// For each number of matched words, the start of the first one in the text, or -1. Index 0 is not used.
        var starts: [Int]
    }

    private let text: UnsafeBufferPointer<UInt8>
    private var words: [Word] = []
    private var rows: [Row] = []
    /// Whether the next token may continue a pattern.
    private var isInRow = false
    private var anywhere: [Word] = []
    private var isFirst = [Bool](repeating: false, count: 256)
    private var isFirstOfPart = [Bool](repeating: false, count: 256)
    private var place = 0..<0
    private(set) var finds: [Find] = []

    init(_ terms: [HighlightTerm], _ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
        for (number, term) in terms.enumerated() {
            for pattern in term.patterns where !pattern.words.isEmpty {
                add(pattern, number)
            }
        }
    }

    private mutating func add(_ pattern: HighlightPattern, _ term: Int) {
        let row = rows.count
        rows.append(Row(starts: Array(repeating: -1, count: pattern.words.count + 1)))
        for (place, bytes) in pattern.words.enumerated() {
            guard let first = bytes.first else { continue }
            let isLast = place == pattern.words.count - 1
            let word = Word(
                bytes: bytes, term: term, extent: isLast ? pattern.extent : .whole, place: place, isLast: isLast,
                row: row)
            switch word.extent {
            case .anywhere: anywhere.append(word)
            case .part:
                isFirstOfPart[Int(first)] = true
                words.append(word)
            case .whole, .beginning:
                isFirst[Int(first)] = true
                words.append(word)
            }
        }
    }

    @inline(__always)
    mutating func locate(_ source: Range<Int>) { place = source }

    @inline(__always)
    mutating func plain(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        if isFirst[Int(bytes[0])] || isInRow || !anywhere.isEmpty { look(bytes, count) }
    }

    @inline(__always)
    mutating func part(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        if isFirstOfPart[Int(bytes[0])] { lookPart(bytes, count) }
    }

    private mutating func look(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        isInRow = false
        // From the last word to the first, so that a token does not continue the sequence that it has just begun.
        for index in words.indices.reversed() {
            let isLast = words[index].isLast
            let place = words[index].place
            let row = words[index].row
            guard words[index].extent != .part else { continue }
            let isFound = Self.matches(words[index], bytes, count)
            if isLast, place == 0 {
                if isFound { finds.append(Find(term: words[index].term, source: self.place)) }
                continue
            }
            let start = place == 0 ? self.place.lowerBound : rows[row].starts[place]
            let goesOn = isFound && start >= 0
            if isLast {
                if goesOn { finds.append(Find(term: words[index].term, source: start..<self.place.upperBound)) }
            } else {
                rows[row].starts[place + 1] = goesOn ? start : -1
                if goesOn { isInRow = true }
            }
        }
        for index in anywhere.indices where anywhere[index].bytes.count <= count {
            findAnywhere(anywhere[index], bytes, count)
        }
    }

    private mutating func lookPart(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        for index in words.indices where words[index].extent == .part {
            if Self.matches(words[index], bytes, count) {
                finds.append(Find(term: words[index].term, source: place))
            }
        }
    }

    private static func matches(_ word: Word, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let wanted = word.bytes.count
        guard word.extent == .whole ? count == wanted : count >= wanted else { return false }
        for index in 0..<wanted where word.bytes[index] != bytes[index] { return false }
        return true
    }

    private mutating func findAnywhere(_ word: Word, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
        var at = 0
        while at + word.bytes.count <= count {
            if bytes[at] == word.bytes[0], Self.matches(word, bytes + at, count - at) {
                var token = TokenPlace(
                    text: text.baseAddress.unsafelyUnwrapped, end: text.count, from: place.lowerBound)
                token.stop = place.upperBound
                let found = at..<at + word.bytes.count
                finds.append(Find(term: word.term, source: token.source(of: found)))
                at = found.upperBound
            } else {
                at += 1
            }
        }
    }
}
