/// Takes the tokens of one text in their order.
///
/// The bytes are folded UTF-8, lie in a buffer of the tokenizer's until the call returns, and are followed by at least
/// eight readable bytes that are zero.
protocol TokenSink {
    /// A maximal run of letters and digits: what phrases, prefixes and lengths count.
    mutating func plain(_ bytes: UnsafePointer<UInt8>, _ count: Int)
    /// A part or another spelling of the plain token before it, reached by bare words only.
    mutating func part(_ bytes: UnsafePointer<UInt8>, _ count: Int)
    /// Two neighbours of a run in a script without spaces, or its last character alone. `index` counts the characters
    /// of such runs from the text's first one, with one left out between runs.
    mutating func bigram(_ bytes: UnsafePointer<UInt8>, _ count: Int, index: Int)
}
