/// Splits texts into tokens: SearchIndex.md § I1.
///
/// A plain token is a maximal run of letters and digits (general categories L and N) of the folded text, at most 255
/// bytes: a longer run is cut before the scalar that does not fit. Bytes that are not UTF-8 separate tokens.
///
/// Reads ASCII eight bytes at a time and everything else by `CharacterTable`. Allocates nothing for a text. The
/// tokenizer owns the buffer of the tokens, so it serves one text at a time.
struct Tokenizer: ~Copyable {
    /// The largest number of bytes of a token.
    static let byteLimit = 255

    /// Folded bytes of the current token, with room for stores of eight bytes.
    let token: UnsafeMutablePointer<UInt8>
    var extra: ExtraTokens

    init() {
        token = .allocate(capacity: 336)
        token.initialize(repeating: 0, count: 336)
        extra = ExtraTokens()
    }

    deinit { token.deallocate() }

    /// Passes the text's tokens to the sink, each plain one followed by its extra ones.
    mutating func scan<Sink: TokenSink>(_ text: UnsafeBufferPointer<UInt8>, into sink: inout Sink) {
        guard let base = text.baseAddress else { return }
        extra.begin()
        let end = text.count
        var at = 0
        while at < end {
            let eight = EightBytes(base, at: at, end: end)
            let gap = eight.separatorCount
            if gap > 0 {
                at &+= gap
            } else if eight.beginsOutsideASCII {
                at = scanAnyScript(base, from: at, end: end, &sink)
            } else {
                at = scanASCII(eight, base, from: at, end: end, &sink)
            }
        }
    }

    /// Reads a token that starts with an ASCII letter or digit.
    ///
    /// - Returns: where to continue.
    @inline(__always)
    private mutating func scanASCII<Sink: TokenSink>(
        _ first: EightBytes, _ base: UnsafePointer<UInt8>, from start: Int, end: Int, _ sink: inout Sink
    ) -> Int {
        var eight = first
        var run = eight.wordCount
        store(eight.folded(run), at: 0)
        // Zeros are written apart from the bytes that a sink reads first, so it waits for only one store.
        store(0, at: 8)
        // The first letter's case means nothing: most sentences start with an upper-case letter.
        var upper = eight.upper(run) & ~0xFF
        var lower = eight.lower(run)
        var count = run
        while run == 8, count <= Self.byteLimit &- 8 {
            eight = EightBytes(base, at: start &+ count, end: end)
            run = eight.wordCount
            if run == 0 { break }
            store(eight.folded(run), at: count)
            store(0, at: count &+ 8)
            upper |= eight.upper(run)
            lower |= eight.lower(run)
            count &+= run
        }
        let stop = start &+ count
        if run == 8 || stop < end && base[stop] >= 0x80 {
            return scanAnyScript(base, from: start, end: end, &sink)
        }
        sink.locate(start..<stop)
        sink.plain(token, count)
        if Sink.takesExtraTokens {
            let isCamel = upper != 0 && lower != 0
            if isCamel || extra.isJoining || ExtraTokens.mayFollow(base, start, stop, end) {
                let place = TokenPlace(ascii: base, end: end, start..<stop, isCamel: isCamel)
                extra.add(to: token, place, &sink)
            }
        }
        return stop &+ (run == 0 ? eight.separatorCount : eight.separatorCount(behind: run))
    }

    @inline(__always)
    private func store(_ bytes: UInt64, at offset: Int) {
        UnsafeMutableRawPointer(token).storeBytes(of: bytes, toByteOffset: offset, as: UInt64.self)
    }
}
