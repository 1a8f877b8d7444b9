/// The tokens of one text as values, for tests, queries and benchmarks; the index uses a `TokenSink`.
package struct TokenList: Equatable, Sendable {
    package struct Bigram: Equatable, Sendable {
        package var bytes: [UInt8]
        /// See `TokenSink.bigram`.
        package var index: Int
    }

    package private(set) var plain: [[UInt8]] = []
    package private(set) var parts: [[UInt8]] = []
    package private(set) var bigrams: [Bigram] = []
    /// For each part, the number of plain tokens up to and including its own.
    package private(set) var partPlaces: [Int] = []

    package init(_ text: some Sequence<UInt8>) {
        let tokenizer = Tokenizer()
        self.init(text, tokenizer)
    }

    init(_ text: some Sequence<UInt8>, _ tokenizer: consuming Tokenizer) {
        Array(text).withUnsafeBufferPointer { tokenizer.scan($0, into: &self) }
    }
}

extension TokenList: TokenSink {
    mutating func plain(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        plain.append(Array(UnsafeBufferPointer(start: bytes, count: count)))
    }

    mutating func part(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        parts.append(Array(UnsafeBufferPointer(start: bytes, count: count)))
        partPlaces.append(plain.count)
    }

    mutating func bigram(_ bytes: UnsafePointer<UInt8>, _ count: Int, index: Int) {
        bigrams.append(Bigram(bytes: Array(UnsafeBufferPointer(start: bytes, count: count)), index: index))
    }
}
