/// Makes bigrams of runs in scripts without spaces, and parts of the text between such runs in one token:
/// SearchIndex.md § I1.4.
struct UnspacedRuns: ~Copyable {
    /// The offset in the token of each character of the current run.
    private let offsets: UnsafeMutablePointer<UInt16>
    private var characterCount = 0
    /// The index of the current run's first character.
    private var index = 0

    init() {
        // Every character has at least two bytes. One more entry for the scalar before which a token was cut, and one
        // for the end.
        let capacity = Tokenizer.byteLimit / 2 + 3
        offsets = .allocate(capacity: capacity)
        offsets.initialize(repeating: 0, count: capacity)
    }

    deinit { offsets.deallocate() }

    mutating func begin() { index = 0 }

    /// Passes on parts and bigrams of a token. `buffer` holds the passed bytes and needs at least 264 bytes.
    mutating func add<Sink: TokenSink>(
        _ token: UnsafeMutablePointer<UInt8>, _ place: TokenPlace, _ buffer: UnsafeMutablePointer<UInt8>,
        _ sink: inout Sink
    ) {
        // A cut run continues: its last bigram contains the scalar that did not fit.
        let isCut = place.following.count > 0
        if isCut {
            UnsafeMutableRawPointer(token).storeBytes(
                of: place.following.bytes, toByteOffset: place.count, as: UInt32.self)
        }
        let count = place.count + place.following.count
        var at = 0
        var pieceStart = 0
        var previous: UInt32 = 0
        characterCount = 0
        while at < count {
            let scalar = UTF8Scalar(token, at: at, end: count)
            if scalar.entry.isUnspaced {
                if characterCount == 0, at > pieceStart { add(piece: pieceStart..<at, token, place, buffer, &sink) }
                if characterCount == 0 || !HangulSyllable.continues(scalar.value, after: previous) {
                    offsets[characterCount] = UInt16(truncatingIfNeeded: at)
                    characterCount += 1
                }
                previous = scalar.value
            } else if characterCount > 0 {
                addBigrams(token, end: at, isCut: false, buffer, &sink)
                pieceStart = at
            }
            at += scalar.count
        }
        if characterCount > 0 {
            addBigrams(token, end: count, isCut: isCut, buffer, &sink)
        } else if pieceStart < count {
            add(piece: pieceStart..<count, token, place, buffer, &sink)
        }
    }

    private mutating func addBigrams<Sink: TokenSink>(
        _ token: UnsafePointer<UInt8>, end: Int, isCut: Bool, _ buffer: UnsafeMutablePointer<UInt8>,
        _ sink: inout Sink
    ) {
        offsets[characterCount] = UInt16(truncatingIfNeeded: end)
        let last = characterCount - 1
        for number in 0..<(isCut ? last : characterCount) where Sink.takesBigrams {
            let start = Int(offsets[number])
            let count = Int(offsets[min(number + 2, characterCount)]) - start
            // At most 18 bytes: two characters of three jamo of three bytes.
            TokenBytes.copy(token + start, count, to: buffer)
            sink.bigram(buffer, count, index: index + number)
        }
        index += isCut ? last : characterCount + 1
        characterCount = 0
    }

    private func add<Sink: TokenSink>(
        piece: Range<Int>, _ token: UnsafePointer<UInt8>, _ place: TokenPlace, _ buffer: UnsafeMutablePointer<UInt8>,
        _ sink: inout Sink
    ) {
        TokenBytes.copy(token + piece.lowerBound, piece.count, to: buffer)
        if Sink.takesLocations { sink.locate(place.source(of: piece)) }
        sink.part(buffer, piece.count)
    }
}
