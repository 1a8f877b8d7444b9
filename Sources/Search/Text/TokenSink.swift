/// Takes the tokens of one text in their order.
///
/// The bytes are folded UTF-8, are in a buffer of the tokenizer's until the call returns, and are followed by at least
/// eight readable bytes that are zero.
protocol TokenSink {
    /// Whether to call `part` and `bigram`. Reading is faster without them.
    static var takesExtraTokens: Bool { get }
    /// Whether to call `bigram`, if extra tokens are taken.
    static var takesBigrams: Bool { get }
    /// Whether to call `locate` for every part. For some parts, that takes time.
    static var takesLocations: Bool { get }
    /// A maximal run of letters and digits: what phrases, prefixes and lengths count. 1–255 bytes.
    mutating func plain(_ bytes: UnsafePointer<UInt8>, _ count: Int)
    /// A part or another spelling of the plain token before it, reached by bare words only. 1–255 bytes.
    mutating func part(_ bytes: UnsafePointer<UInt8>, _ count: Int)
    /// Two neighbours of a run in a script without spaces, or its last character alone. `index` counts the characters
    /// of such runs from the text's first one, with one left out between runs.
    mutating func bigram(_ bytes: UnsafePointer<UInt8>, _ count: Int, index: Int)
    /// Tells before `plain` and `part` where in the text the token is spelt, as offsets of bytes.
    mutating func locate(_ source: Range<Int>)
}

extension TokenSink {
    static var takesExtraTokens: Bool { true }
    static var takesBigrams: Bool { true }
    static var takesLocations: Bool { false }
    @inline(__always)
    mutating func part(_ bytes: UnsafePointer<UInt8>, _ count: Int) {}
    @inline(__always)
    mutating func bigram(_ bytes: UnsafePointer<UInt8>, _ count: Int, index: Int) {}
    @inline(__always)
    mutating func locate(_ source: Range<Int>) {}
}
