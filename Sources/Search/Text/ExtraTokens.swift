/// Makes the extra tokens that belong to a plain one: SearchIndex.md § I1.3–I1.4.
///
/// They are looked for only where the plain token or the bytes around it make one possible, so that reading a text that
/// has none costs next to nothing. Each is copied to a buffer of its own, for the zeros behind it.
struct ExtraTokens: ~Copyable {
    /// The token that is being handed out.
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

    /// Whether something that was begun at an earlier token may end at the next one.
    @inline(__always)
    var isJoining: Bool { joined.isBegun }

    /// Makes ready for another text.
    mutating func begin() {
        joined.end()
        runs.begin()
    }

    /// Whether what stands around a token may give rise to an extra one: a quick look that errs on the safe side.
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
        // A space follows most of them.
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

    /// Hands out the extra tokens of a plain one, with its folded bytes.
    @inline(never)
    mutating func add<Sink: TokenSink>(
        to token: UnsafeMutablePointer<UInt8>, _ place: TokenPlace, _ sink: inout Sink
    ) {
        if place.isCamel, place.isWhole { addParts(of: token, place, &sink) }
        if place.hasUnspaced { runs.add(token, place, buffer, &sink) }
        if let whole = joined.add(token, place, buffer) { hand(whole.count, whole.source, &sink) }
        addSymbol(token, place, &sink)
    }

    /// `user`, `name` of `getUserName`: the first part is the beginning of the token and is found as such.
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
            // One character: the first byte tells the number of the others.
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
            // What lies behind is zero for eight bytes and two more.
            hand(place.count + symbol.signCount, place.start..<place.stop + symbol.signCount, &sink)
        }
    }

    @inline(__always)
    private func hand<Sink: TokenSink>(_ count: Int, _ source: Range<Int>, _ sink: inout Sink) {
        sink.locate(source)
        sink.part(buffer, count)
    }
}
