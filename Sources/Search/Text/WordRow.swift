internal import Characters

/// The folded words of a text in sequence: ` word word word `, each plain token one word.
///
/// Since every word has a space before and after it, a plain byte search finds a whole word as ` word `, a prefix as
/// ` word`, and a phrase as ` one two three `.
package struct WordRow: Sendable {
    package private(set) var bytes: [UInt8] = [0x20]

    package init() {}

    package init(_ text: some Collection<UInt8>) { append(text) }

    package var isEmpty: Bool { bytes.count == 1 }

    /// Adds the words of a text; no phrase spans words of two texts.
    package mutating func append(_ text: some Collection<UInt8>) {
        if !isEmpty { bytes.append(0x20) }
        var tokenizer = Tokenizer()
        if text.withContiguousStorageIfAvailable({ tokenizer.scan($0, into: &self) }) == nil {
            Array(text).withUnsafeBufferPointer { tokenizer.scan($0, into: &self) }
        }
        if bytes.last != 0x20 { bytes.append(0x20) }
    }

    /// The words one by one.
    package var words: [[UInt8]] { bytes.split(separator: 0x20).map(Array.init) }

    /// Whether the bytes occur in the words.
    package func contains(_ pattern: [UInt8]) -> Bool { bytes.firstRange(ofBytes: pattern) != nil }
}

extension WordRow: TokenSink {
    static var takesExtraTokens: Bool { false }

    mutating func plain(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        self.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        self.bytes.append(0x20)
    }
}
