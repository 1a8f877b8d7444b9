/// Letters of alphabets that are written without spaces between the words.
enum SpacelessLetters {
    /// As many letters make a word: at 863 letters a minute, people read 230 words.
    static let ofWord = 4

    /// Whether a character in UTF-8 is Thai or Lao (U+0E00–0EFF), Burmese (U+1000–109F) or Khmer (U+1780–17FF).
    static func contain(_ character: ArraySlice<UInt8>) -> Bool {
        let value = character.reduce(0) { $0 << 6 | UInt32($1 & 0x3F) } & 0xFFFF
        return (0x0E00...0x0EFF).contains(value) || (0x1000...0x109F).contains(value)
            || (0x1780...0x17FF).contains(value)
    }
}
