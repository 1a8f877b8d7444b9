package struct DecodedText: Sendable, Equatable {
    /// Well-formed UTF-8 without the byte order mark.
    package var utf8: [UInt8]
    /// Whether something could not be decoded and was replaced by U+FFFD.
    package var hasReplacements = false
    /// Whether the system has no converter for the encoding (glibc's gconv modules are not installed): then every run of bytes
    /// that are not ASCII is one U+FFFD, or the text is left as it is if it is well-formed UTF-8.
    package var isConverterMissing = false
}

extension CharacterEncoding {
    /// Decodes a whole text. A byte order mark overrides the encoding (section 6 of the standard, "decode").
    package func decode(_ bytes: [UInt8]) -> DecodedText {
        if let mark = ByteOrderMark.of(bytes) { return mark.encoding.decode(bytes, from: mark.byteCount) }
        return decode(bytes, from: 0)
    }

    private func decode(_ bytes: [UInt8], from start: Int) -> DecodedText {
        switch self {
        case .utf8: return UTF8Text.decoded(bytes, from: start)
        case .utf16LittleEndian: return UTF16Text.decoded(bytes, from: start, isBigEndian: false)
        case .utf16BigEndian: return UTF16Text.decoded(bytes, from: start, isBigEndian: true)
        case .replacement:
            return bytes.count > start
                ? DecodedText(utf8: UTF8Text.replacement, hasReplacements: true) : DecodedText(utf8: [])
        case .userDefined: return SingleByteText.decodedUserDefined(bytes)
        default:
            if let index = EncodingTables.index(number) { return SingleByteText.decoded(bytes, index) }
            return ConvertedText.decoded(bytes, self)
        }
    }
}

extension CharacterEncoding {
    /// Loads what the C library needs for Chinese, Japanese and Korean, which is in files of its own. A process that gives
    /// up the right to open files calls this before.
    package static func loadConverters() { ConvertedText.load() }
}

/// The bytes at the beginning of a text that tell its encoding.
enum ByteOrderMark {
    static func of(_ bytes: [UInt8]) -> (encoding: CharacterEncoding, byteCount: Int)? {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { return (.utf8, 3) }
        if bytes.count < 2 { return nil }
        if bytes[0] == 0xFE, bytes[1] == 0xFF { return (.utf16BigEndian, 2) }
        if bytes[0] == 0xFF, bytes[1] == 0xFE { return (.utf16LittleEndian, 2) }
        return nil
    }
}
