/// Receives the tokens of one text in order.
///
/// The bytes are folded UTF-8 in the tokenizer's buffer, valid until the call returns. At least eight readable zero
/// bytes follow them.
protocol TokenSink {
    /// Whether to call `part` and `bigram`. Reading is faster without them.
    static var takesExtraTokens: Bool { get }
    /// Whether to call `bigram`, if extra tokens are taken.
    static var takesBigrams: Bool { get }
    /// Whether to call `locate` for every part; for some parts that takes time.
    static var takesLocations: Bool { get }
    /// A maximal run of letters and digits, the unit of phrases, prefixes and lengths. 1–255 bytes.
    mutating func plain(_ bytes: UnsafePointer<UInt8>, _ count: Int)
    /// A part or another spelling of the previous plain token, matched by bare words only. 1–255 bytes.
    mutating func part(_ bytes: UnsafePointer<UInt8>, _ count: Int)
    /// Two neighbouring characters of a run in a script without spaces, or its last character alone. `index` counts
    /// the characters of such runs from the text's first one; one index is skipped between runs.
    mutating func bigram(_ bytes: UnsafePointer<UInt8>, _ count: Int, index: Int)
    /// Called before `plain` and `part` with the place of the token in the text, as offsets of bytes.
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
