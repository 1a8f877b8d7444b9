/// What a saved page shows besides its article.
enum RestOfPage {
    /// The passages of a page's text that are not in its article, each one a text of its own.
    ///
    /// A word is in the article if it belongs to five words in sequence that the article has in the same sequence. So a
    /// word of the menu is not taken for the same word of the article, and it does not matter where lines end. A character
    /// of a script without spaces counts as a word. Time and memory are linear in the bytes.
    ///
    /// - Parameters:
    ///   - page: the visible text of the page, UTF-8.
    ///   - article: the visible text of the article, UTF-8.
    static func passages(of page: [UInt8], without article: [UInt8]) -> [[UInt8]] {
        var known: Set<UInt64> = []
        article.withUnsafeBufferPointer { bytes in
            var words = WordSequences(bytes)
            while words.next() { if let hash = words.hash { known.insert(hash) } }
        }
        var passages: [[UInt8]] = []
        page.withUnsafeBufferPointer { bytes in
            var words = WordSequences(bytes)
            // The end of the last word that is in the article.
            var knownEnd = 0
            func add(to end: Int) {
                let passage = bytes[min(knownEnd, end)..<end]
                if passage.contains(where: { $0 > 0x20 }) { passages.append(Array(passage)) }
            }
            while words.next() {
                guard let hash = words.hash, known.contains(hash) else { continue }
                add(to: words.firstStart)
                knownEnd = words.end
            }
            add(to: bytes.count)
        }
        return passages
    }
}

/// The words of a text one by one, with a hash of the last five of them.
private struct WordSequences {
    /// The number of words in a sequence.
    private static let length = 5

    private let bytes: UnsafeBufferPointer<UInt8>
    /// The end of the current word.
    private(set) var end = 0
    /// The number of words so far.
    private var count = 0
    /// Hashes and starts of the last words; word n is at place n modulo the length.
    private var hashes = [UInt64](repeating: 0, count: length)
    private var starts = [Int](repeating: 0, count: length)

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The hash of the last five words; `nil` if there are fewer.
    var hash: UInt64? {
        if count < Self.length { return nil }
        var hash: UInt64 = 0
        for number in count..<count + Self.length { hash = (hash ^ hashes[number % Self.length]) &* Self.factor }
        return hash ^ hash >> 32
    }

    /// Where the first of the last five words starts.
    var firstStart: Int { starts[count % Self.length] }

    /// Moves to the next word.
    ///
    /// - Returns: false at the end of the text.
    mutating func next() -> Bool {
        while end < bytes.count, bytes[end] <= 0x20 { end += 1 }
        if end == bytes.count { return false }
        let start = end
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        repeat {
            hash = (hash ^ UInt64(bytes[end])) &* 0x100_0000_01B3
            end += 1
        } while end < bytes.count && bytes[end] > 0x20 && !Self.isUnspaced(bytes[end])
            && !(Self.isUnspaced(bytes[start]) && bytes[end] & 0xC0 != 0x80)
        hashes[count % Self.length] = hash
        starts[count % Self.length] = start
        count += 1
        return true
    }

    /// Whether a byte begins a character at or above U+3000: most scripts without spaces are there.
    private static func isUnspaced(_ byte: UInt8) -> Bool { byte >= 0xE3 }

    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
}
