/// The passage of a text with the best matches.
struct SnippetWindow {
    /// The bytes of the passage, at most the wanted number of scalars.
    let range: Range<Int>

    private let text: UnsafeBufferPointer<UInt8>
    private let length: Int

    /// - Parameter finds: the matches, in rising order of their start.
    init(_ text: UnsafeBufferPointer<UInt8>, _ finds: [HighlightSink.Find], length: Int, termLimit: Int) {
        self.text = text
        self.length = length
        let core = Self.best(text, finds, length, termLimit)
        range = Self.widened(core, text, length)
    }

    /// From the first match to the end of the last one in the best window.
    private static func best(
        _ text: UnsafeBufferPointer<UInt8>, _ finds: [HighlightSink.Find], _ length: Int, _ termLimit: Int
    ) -> Range<Int> {
        guard let first = finds.first else { return 0..<0 }
        // The number of scalars before the start and end of each match.
        var starts: [Int] = []
        var ends: [Int] = []
        var counted = (offset: 0, scalars: 0)
        for find in finds {
            counted.scalars += scalarCount(text, counted.offset..<find.source.lowerBound)
            counted.offset = find.source.lowerBound
            starts.append(counted.scalars)
            ends.append(counted.scalars + scalarCount(text, find.source))
        }
        var numbers = [Int](repeating: 0, count: termLimit)
        var kinds = 0
        var end = 0
        var best = (kinds: -1, finds: 0, range: first.source)
        for start in finds.indices {
            while end < finds.count, end == start || ends[end] - starts[start] <= length {
                let term = finds[end].term
                if term < termLimit {
                    if numbers[term] == 0 { kinds += 1 }
                    numbers[term] += 1
                }
                end += 1
            }
            if kinds > best.kinds || kinds == best.kinds && end - start > best.finds {
                let stop = finds[start..<end].reduce(0) { max($0, $1.source.upperBound) }
                best = (kinds, end - start, finds[start].source.lowerBound..<stop)
            }
            let term = finds[start].term
            if term < termLimit {
                numbers[term] -= 1
                if numbers[term] == 0 { kinds -= 1 }
            }
        }
        return best.range
    }

    /// Counts the bytes that start a scalar.
    private static func scalarCount(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        var count = 0
        for offset in range where text[offset] & 0xC0 != 0x80 { count &+= 1 }
        return count
    }

    /// Adds text on both sides, as far as the length allows, to the start or end of a word.
    private static func widened(_ core: Range<Int>, _ text: UnsafeBufferPointer<UInt8>, _ length: Int) -> Range<Int> {
        let coreCount = scalarCount(text, core)
        if coreCount >= length { return core.lowerBound..<forward(text, core.lowerBound, length).offset }
        // A third before, the rest after. Room that one side does not need goes to the other.
        let room = length - coreCount
        var before = backward(text, core.lowerBound, room / 3)
        let after = forward(text, core.upperBound, room - before.count)
        if before.count + after.count < room { before = backward(text, core.lowerBound, room - after.count) }
        return wordStart(text, before.offset, core.lowerBound)..<wordEnd(text, after.offset, core.upperBound)
    }

    private static func backward(
        _ text: UnsafeBufferPointer<UInt8>, _ offset: Int, _ limit: Int
    ) -> (offset: Int, count: Int) {
        var offset = offset
        var count = 0
        while offset > 0, count < limit {
            offset -= 1
            while offset > 0, text[offset] & 0xC0 == 0x80 { offset -= 1 }
            count += 1
        }
        return (offset, count)
    }

    private static func forward(
        _ text: UnsafeBufferPointer<UInt8>, _ offset: Int, _ limit: Int
    ) -> (offset: Int, count: Int) {
        var offset = offset
        var count = 0
        while offset < text.count, count < limit {
            offset += 1
            while offset < text.count, text[offset] & 0xC0 == 0x80 { offset += 1 }
            count += 1
        }
        return (offset, count)
    }

    /// The first place from `offset` to `limit` at which no word continues, or `offset` if there is none.
    private static func wordStart(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int, _ limit: Int) -> Int {
        if offset == 0 { return 0 }
        var at = offset
        while at < limit, splitsWord(text, at) { at = forward(text, at, 1).offset }
        if at == limit, splitsWord(text, limit) { return pastMarks(text, offset, limit) }
        // Skips the punctuation that ended the omitted text.
        var sign = at
        while sign < limit, text[sign] > 0x20, !UTF8Scalar(text, at: sign).entry.isPartOfWord {
            sign = forward(text, sign, 1).offset
        }
        return sign < limit && text[sign] <= 0x20 ? sign : at
    }

    /// The last place from `offset` back to `limit` at which no word continues, or `offset` if there is none.
    private static func wordEnd(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int, _ limit: Int) -> Int {
        var at = offset
        while at > limit, splitsWord(text, at) { at = backward(text, at, 1).offset }
        if at > limit || limit > 0 && !splitsWord(text, limit) { return at }
        at = offset
        while at > limit, at < text.count, isMark(text, at) { at = backward(text, at, 1).offset }
        return at
    }

    private static func pastMarks(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int, _ limit: Int) -> Int {
        var at = offset
        while at < limit, isMark(text, at) { at = forward(text, at, 1).offset }
        return at
    }

    private static func isMark(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
        let entry = UTF8Scalar(text, at: offset).entry
        return entry.isPartOfWord && !entry.beginsWord
    }

    /// Whether the offset is inside a word of a script with spaces.
    private static func splitsWord(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
        guard offset > 0, offset < text.count else { return false }
        let next = UTF8Scalar(text, at: offset).entry
        guard next.isPartOfWord else { return false }
        if isMark(text, offset) { return true }
        let previous = UTF8Scalar(text, at: backward(text, offset, 1).offset).entry
        // Hangul is written with spaces.
        return previous.isPartOfWord && !(next.isUnspaced && next.isWord) && !(previous.isUnspaced && previous.isWord)
    }
}
