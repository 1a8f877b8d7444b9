/// Makes the extra tokens of a plain one: SearchIndex.md § I1.3–I1.4.
///
/// They are searched only if the plain token or the bytes around it make one possible, so a text without any costs
/// almost nothing. Each is copied to a separate buffer, which has zeros after it.
struct ExtraTokens: ~Copyable {
    /// The token that is being passed on.
    private let buffer: UnsafeMutablePointer<UInt8>
    private var joined: JoinedToken
    private var runs: UnspacedRuns

    init() {
        buffer = .allocate(capacity: 320)
        buffer.initialize(repeating: 0, count: 320)
        joined = JoinedToken()
        runs = UnspacedRuns()
    }

    deinit { buffer.deallocate() }

    /// Whether a chain that an earlier token began may end at the next one.
    @inline(__always)
    var isJoining: Bool { joined.isBegun }

    /// Prepares for another text.
    mutating func begin() {
        joined.end()
        runs.begin()
    }

    /// Whether the bytes around a token may make an extra one. A quick test that may say yes wrongly, but never no.
    @inline(__always)
    static func mayFollow(_ text: UnsafePointer<UInt8>, _ start: Int, _ stop: Int, _ end: Int) -> Bool {
        if start > 0, text[start &- 1] == UInt8(ascii: ".") {
            if start == 1 || !CharacterEntry(low: Int(text[start &- 2])).isWord { return true }
        }
        guard stop < end else { return false }
        // Signs from # to /, and lead bytes of scalars from U+0080 on.
        let next = text[stop]
        if next &- 0x23 > 0x0C, next < 0xC2 { return false }
        if next == UInt8(ascii: "#") { return true }
        guard stop &+ 1 < end else { return false }
        let second = text[stop &+ 1]
        // Most tokens are followed by a space.
        if second <= 0x22 { return false }
        switch next {
        case UInt8(ascii: "-"): return second > 0x2F
        case UInt8(ascii: "+"): return second == UInt8(ascii: "+")
        case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "'"): return ASCIIDigit.contains(second)
        case 0xC2: return second == 0xA0 || second == 0xAD
        case 0xE2: return second == 0x80 && stop &+ 3 < end && text[stop &+ 3] > 0x2F
        default: return false
        }
    }

    /// Passes on the extra tokens of a plain one; `bytes` are its folded bytes.
    @inline(never)
    mutating func add<Sink: TokenSink>(
        to token: UnsafeMutablePointer<UInt8>, _ place: TokenPlace, _ sink: inout Sink
    ) {
        if place.isCamel, place.isWhole { addParts(of: token, place, &sink) }
        if place.hasUnspaced { runs.add(token, place, buffer, &sink) }
        if let whole = joined.add(token, place, buffer) { hand(whole.count, whole.source, &sink) }
        addSymbol(token, place, &sink)
    }

    /// `user`, `name` of `getUserName`: the first part is a prefix of the token and found as such.
    private func addParts<Sink: TokenSink>(
        of token: UnsafeMutablePointer<UInt8>, _ place: TokenPlace, _ sink: inout Sink
    ) {
        guard place.count <= CamelParts.byteLimit else { return }
        if place.isASCII {
            // Offsets in token and text are the same.
            var starts = CamelParts.starts(ofASCII: place)
            guard starts != 0 else { return }
            var start = 0
            while start < place.count {
                let end = min(starts.trailingZeroBitCount, place.count)
                if start > 0, end &- start > 1 {
                    TokenBytes.copy(token + start, end &- start, to: buffer)
                    hand(end &- start, place.start &+ start..<place.start &+ end, &sink)
                }
                starts &= starts &- 1
                start = end
            }
            return
        }
        var parts = CamelParts(place)
        while let part = parts.next() {
            // Excludes a single character; its first byte gives its length.
            let isLong = part.count > 4 || part.count > UTF8Scalar(token, at: part.offset, end: place.count).count
            guard part.offset > 0, isLong else { continue }
            TokenBytes.copy(token + part.offset, part.count, to: buffer)
            hand(part.count, part.source, &sink)
        }
    }

    /// `c++`, `c#`, `.net`.
    private func addSymbol<Sink: TokenSink>(
        _ token: UnsafeMutablePointer<UInt8>, _ place: TokenPlace, _ sink: inout Sink
    ) {
        let symbol = SymbolName(token, place)
        guard symbol.isAny else { return }
        if symbol.hasDot {
            buffer[0] = UInt8(ascii: ".")
            TokenBytes.copy(token, place.count, to: buffer + 1)
            hand(place.count + 1, place.start - 1..<place.stop, &sink)
        }
        if symbol.signCount > 0 {
            TokenBytes.copy(token, place.count, to: buffer)
            for index in 0..<symbol.signCount { buffer[place.count + index] = place.text[place.stop + index] }
            // Eight bytes after the token are zero, and two more.
            hand(place.count + symbol.signCount, place.start..<place.stop + symbol.signCount, &sink)
        }
    }

    @inline(__always)
    private func hand<Sink: TokenSink>(_ count: Int, _ source: Range<Int>, _ sink: inout Sink) {
        sink.locate(source)
        sink.part(buffer, count)
    }
}
