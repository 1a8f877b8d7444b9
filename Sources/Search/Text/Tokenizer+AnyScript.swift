extension Tokenizer {
    /// Skips separators and reads a token of any script.
    ///
    /// - Returns: where to continue: after the token, or at an ASCII byte if no token came before it.
    mutating func scanAnyScript<Sink: TokenSink>(
        _ base: UnsafePointer<UInt8>, from: Int, end: Int, _ sink: inout Sink
    ) -> Int {
        var at = from
        var place = TokenPlace(text: base, end: end, from: from)
        while at < end {
            let scalar = UTF8Scalar(base, at: at, end: end)
            let entry = scalar.value < 0x800 ? CharacterEntry(low: Int(scalar.value)) : scalar.entry
            if entry.isWord {
                let isSame = entry.foldedCount == 0
                let bytes = isSame ? scalar.bytes : entry.foldedBytes
                let count = isSame ? scalar.count : entry.foldedCount
                append(bytes, count, entry, at, &place, &sink)
                at &+= scalar.count
            } else if entry.isPlainSeparator {
                if place.count > 0 {
                    place.stop = at
                    finish(place, &sink)
                    return at
                }
                if scalar.value < 0x80 { return at }
                at &+= scalar.count
            } else {
                appendRare(scalar, entry, at, &place, &sink)
                at &+= scalar.count
            }
        }
        if place.count > 0 {
            place.stop = at
            finish(place, &sink)
        }
        return at
    }

    /// Adds one folded scalar of a word; ends the current token first if it does not fit.
    @inline(__always)
    private mutating func append<Sink: TokenSink>(
        _ bytes: UInt32, _ count: Int, _ entry: CharacterEntry, _ at: Int, _ place: inout TokenPlace,
        _ sink: inout Sink
    ) {
        if place.count &+ count > Self.byteLimit { cut(before: bytes, count, entry, at, &place, &sink) }
        if place.count == 0 { place.start = at } else { place.later |= entry.bits }
        place.seen |= entry.bits
        store(bytes, at: place.count)
        place.count &+= count
    }

    private mutating func cut<Sink: TokenSink>(
        before bytes: UInt32, _ count: Int, _ entry: CharacterEntry, _ at: Int, _ place: inout TokenPlace,
        _ sink: inout Sink
    ) {
        place.stop = at
        place.isWhole = false
        if entry.isUnspaced { place.following = (bytes, count) }
        finish(place, &sink)
        place.reset()
        place.isWhole = false
    }

    /// Adds a scalar that is neither a plain separator nor folded within its entry.
    private mutating func appendRare<Sink: TokenSink>(
        _ scalar: UTF8Scalar, _ entry: CharacterEntry, _ at: Int, _ place: inout TokenPlace, _ sink: inout Sink
    ) {
        switch entry.rarity {
        case .dropped: break
        case .hangul:
            if place.count <= Self.byteLimit &- 9 {
                if place.count == 0 { place.start = at }
                place.seen |= CharacterEntry.unspaced
                place.count &+= HangulSyllable.write(scalar.value, to: token + place.count)
            } else {
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 9) { jamo in
                    guard let start = jamo.baseAddress else { return }
                    let count = HangulSyllable.write(scalar.value, to: start)
                    append(UnsafeBufferPointer(start: start, count: count), 0, at, scalar.count, &place, &sink)
                }
            }
        case .expansion, .separating: append(entry.expansion, entry.bits, at, scalar.count, &place, &sink)
        }
    }

    /// Adds the folded scalars of one scalar at `at`.
    private mutating func append<Sink: TokenSink>(
        _ folded: UnsafeBufferPointer<UInt8>, _ bits: UInt32, _ at: Int, _ sourceCount: Int,
        _ place: inout TokenPlace, _ sink: inout Sink
    ) {
        var offset = 0
        while offset < folded.count {
            let scalar = UTF8Scalar(folded, at: offset)
            let entry = CharacterEntry(bits: scalar.entry.bits | bits & (CharacterEntry.upper | CharacterEntry.lower))
            if entry.isWord {
                if place.count == 0, offset > 0 {
                    place.lead = offset
                    place.isWhole = false
                }
                append(scalar.bytes, scalar.count, entry, at, &place, &sink)
            } else if place.count > 0 {
                if offset > 0 { place.isWhole = false }
                place.stop = offset > 0 ? at &+ sourceCount : at
                finish(place, &sink)
                place.reset()
            }
            offset &+= scalar.count
        }
    }

    @inline(__always)
    private mutating func finish<Sink: TokenSink>(_ place: TokenPlace, _ sink: inout Sink) {
        UnsafeMutableRawPointer(token).storeBytes(of: 0, toByteOffset: place.count, as: UInt64.self)
        sink.locate(place.start..<place.stop)
        sink.plain(token, place.count)
        if Sink.takesExtraTokens,
            place.isCamelOrUnspaced || extra.isJoining
                || ExtraTokens.mayFollow(place.text, place.start, place.stop, place.end)
        {
            extra.add(to: token, place, &sink)
        }
    }

    @inline(__always)
    private func store(_ bytes: UInt32, at offset: Int) {
        UnsafeMutableRawPointer(token).storeBytes(of: bytes, toByteOffset: offset, as: UInt32.self)
    }
}
