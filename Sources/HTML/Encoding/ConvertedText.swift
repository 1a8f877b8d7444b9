internal import Glibc

/// The multi-byte encodings that glibc's iconv decodes: Chinese, Japanese and Korean.
///
/// These tables are the closest to the standard's. Shift_JIS and EUC-KR are equal. GBK differs in 7 two-byte
/// characters, Big5 in 146 (duplicates, and letters with two marks), EUC-JP in texts with JIS X 0212.
enum ConvertedText {
    /// glibc's names, the best first.
    private static func converters(_ encoding: CharacterEncoding) -> [String] {
        switch encoding {
        case .gbk, .gb18030: ["GB18030"]
        case .big5: ["BIG5-HKSCS", "BIG5"]
        case .eucJP: ["EUC-JP-MS", "EUC-JP"]
        case .shiftJIS: ["CP932", "IBM943", "SHIFT_JIS"]
        case .eucKR: ["CP949", "EUC-KR"]
        default: []
        }
    }

    /// Keeps one converter of each encoding open, so that its code stays in memory.
    static func load() {
        for encoding in [CharacterEncoding.gbk, .big5, .eucJP, .shiftJIS, .eucKR] {
            for name in converters(encoding) {
                if let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 { break }
            }
        }
    }

    static func decoded(_ bytes: [UInt8], _ encoding: CharacterEncoding) -> DecodedText {
        if encoding != .iso2022JP, bytes.allSatisfy({ $0 < 0x80 }) { return DecodedText(utf8: bytes) }
        if encoding == .iso2022JP { return decoded(JapaneseText.shiftJIS(fromISO2022: bytes), .shiftJIS) }
        if encoding == .eucJP, let bytes = JapaneseText.shiftJIS(fromEUC: bytes) { return decoded(bytes, .shiftJIS) }
        for name in converters(encoding) {
            guard let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else { continue }
            defer { iconv_close(converter) }
            return run(converter, bytes, encoding)
        }
        if UTF8Text.isWellFormed(bytes) { return DecodedText(utf8: bytes, isConverterMissing: true) }
        return DecodedText(utf8: SingleByteText.asciiOnly(bytes), hasReplacements: true, isConverterMissing: true)
    }

    private static func run(_ converter: iconv_t, _ bytes: [UInt8], _ encoding: CharacterEncoding) -> DecodedText {
        var text = DecodedText(utf8: [])
        text.utf8.reserveCapacity(bytes.count + bytes.count / 2)
        var input = bytes
        input.withUnsafeMutableBytes { raw in
            withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) { piece in
                var from = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
                let end = raw.count
                var left = end
                while left > 0 {
                    var to = piece.baseAddress?.assumingMemoryBound(to: CChar.self)
                    var room = piece.count
                    let result = iconv(converter, &from, &left, &to, &room)
                    let code = errno
                    text.utf8.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<(piece.count - room)]))
                    if result != -1 { continue }
                    if code == E2BIG { continue }
                    let at = end - left
                    let skipped = code == EINVAL ? left : faultLength(raw, at, encoding)
                    if let scalar = replacement(raw[at], encoding), code != EINVAL || left == 1 {
                        UTF8Text.append(scalar, to: &text.utf8)
                    } else {
                        text.utf8 += UTF8Text.replacement
                        text.hasReplacements = true
                    }
                    from = from.map { $0 + skipped }
                    left -= skipped
                }
                // A converter may hold a character back until it knows the next one.
                var to = piece.baseAddress?.assumingMemoryBound(to: CChar.self)
                var room = piece.count
                _ = iconv(converter, nil, nil, &to, &room)
                text.utf8.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<(piece.count - room)]))
            }
        }
        // The output of a converter is checked before it is used.
        if !UTF8Text.isWellFormed(text.utf8) { return UTF8Text.decoded(text.utf8, from: 0) }
        return text
    }

    /// The number of bytes that one U+FFFD replaces: the lead byte and the next byte, unless that is ASCII. An ASCII
    /// byte is never replaced: it could be a quote or a `<` that ends something.
    private static func faultLength(_ bytes: UnsafeMutableRawBufferPointer, _ at: Int, _ encoding: CharacterEncoding)
        -> Int
    {
        guard bytes[at] > 0x80, bytes[at] < 0xFF, at + 1 < bytes.count, bytes[at + 1] >= 0x80
        else {
            return 1
        }
        return encoding == .eucJP && bytes[at] == 0x8F && at + 2 < bytes.count && bytes[at + 2] >= 0x80 ? 3 : 2
    }

    /// Bytes that glibc rejects and the standard defines.
    private static func replacement(_ byte: UInt8, _ encoding: CharacterEncoding) -> UInt32? {
        switch encoding {
        case .gbk, .gb18030: byte == 0x80 ? 0x20AC : nil
        case .shiftJIS: byte == 0x80 ? 0x80 : nil
        default: nil
        }
    }
}
