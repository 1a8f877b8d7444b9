/// Counts the tokens of texts, for benchmarks.
package struct TokenCount: Sendable {
    package private(set) var plain = 0
    package private(set) var parts = 0
    package private(set) var bigrams = 0
    /// Depends on the first bytes of every token, so that the compiler cannot omit any work.
    package private(set) var checksum: UInt64 = 0

    package init() {}

    package mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        var tokenizer = Tokenizer()
        tokenizer.scan(text, into: &self)
    }

    /// Counts plain tokens only, to measure the cost of the others.
    package mutating func addPlain(_ text: UnsafeBufferPointer<UInt8>) {
        var tokenizer = Tokenizer()
        var sink = PlainSink(count: self)
        tokenizer.scan(text, into: &sink)
        self = sink.count
    }

    private struct PlainSink: TokenSink {
        var count: TokenCount
        static var takesExtraTokens: Bool { false }
        @inline(__always)
        mutating func plain(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) { count.plain(bytes, byteCount) }
    }
}

extension TokenCount: TokenSink {
    @inline(__always)
    private mutating func mix(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        let first = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
        checksum = (checksum &+ first &+ UInt64(count)) &* 0x9E37_79B9_7F4A_7C15
    }

    @inline(__always)
    mutating func plain(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        plain &+= 1
        mix(bytes, count)
    }

    @inline(__always)
    mutating func part(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        parts &+= 1
        mix(bytes, count)
    }

    @inline(__always)
    mutating func bigram(_ bytes: UnsafePointer<UInt8>, _ count: Int, index: Int) {
        bigrams &+= 1
        mix(bytes, count)
    }
}
