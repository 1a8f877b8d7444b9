/// The meaning of one scalar in words, from `CharacterTable`: a separator, part of a word, or a rarer case.
///
/// Bits of a word's scalar: 0–23 the folded UTF-8 without the bytes' high bits, 24–25 their number (0: the scalar
/// stays unchanged), 26 set, 27 upper-case or title-case letter, 28 lower-case letter, 29 unspaced script or Hangul,
/// 30 the folded bytes have their high bits. Without bit 26: 0 is a separator that stays unchanged; else bits 24–25
/// are the `Rarity`, 16–21 a number of bytes and 0–14 (without 7) their offset in the expansions; 27–29 are as above.
struct CharacterEntry {
    let bits: UInt32

    static let word: UInt32 = 1 << 26
    static let upper: UInt32 = 1 << 27
    static let lower: UInt32 = 1 << 28
    static let unspaced: UInt32 = 1 << 29

    enum Rarity: UInt32 {
        /// More scalars of words than fit into an entry.
        case expansion
        /// A separator that becomes something else, or scalars with a separator among them.
        case separating
        /// A combining mark: it is dropped and does not end a word.
        case dropped
        /// A Hangul syllable: its jamo are calculated.
        case hangul
    }

    @inline(__always)
    init(bits: UInt32) { self.bits = bits }

    /// The entry of a scalar value below U+0800, which is the entry's index.
    @inline(__always)
    init(low value: Int) {
        bits = UnsafeRawPointer(CharacterTable.entries.utf8Start).loadUnaligned(
            fromByteOffset: value &* 4, as: UInt32.self)
    }

    @inline(__always)
    init(_ value: UInt32) {
        if value < 0x40000 {
            let blocks = UnsafeRawPointer(CharacterTable.blocks.utf8Start)
            let block = Int(blocks.loadUnaligned(fromByteOffset: Int(value >> 6) &* 2, as: UInt16.self))
            self.init(low: (block & 0x7F) << 6 | (block >> 8) << 13 | Int(value & 63))
        } else {
            self.init(bits: value >= 0xE0100 && value <= 0xE01EF ? Rarity.dropped.rawValue << 24 : 0)
        }
    }

    @inline(__always)
    var isWord: Bool { bits & Self.word != 0 }
    @inline(__always)
    var isPlainSeparator: Bool { bits == 0 }
    @inline(__always)
    var isUnspaced: Bool { bits & Self.unspaced != 0 }

    /// The number of folded bytes of a word's scalar, 1–3; 0 if folding leaves it unchanged.
    @inline(__always)
    var foldedCount: Int { Int((bits >> 24) & 3) }

    /// The folded bytes of a word's scalar, the first one lowest; the bits above them have no meaning.
    @inline(__always)
    var foldedBytes: UInt32 { bits & 0x7F7F7F | (bits >> 30) &* 0x808080 }

    /// The rarity of an entry that is neither a word's nor a plain separator.
    @inline(__always)
    var rarity: Rarity { Rarity(rawValue: (bits >> 24) & 3) ?? .separating }

    /// The bytes of an expansion; they live as long as the program.
    @inline(__always)
    var expansion: UnsafeBufferPointer<UInt8> {
        let offset = Int(bits & 0x7F | (bits & 0x7F00) >> 1)
        return UnsafeBufferPointer(start: CharacterTable.expansions.utf8Start + offset, count: Int((bits >> 16) & 63))
    }

    /// Whether the folded scalar starts with a letter or digit.
    var beginsWord: Bool {
        if isWord { return true }
        if isPlainSeparator { return false }
        switch rarity {
        case .dropped: return false
        case .expansion, .hangul: return true
        case .separating: return UTF8Scalar(expansion, at: 0).entry.isWord
        }
    }

    /// Whether the folded scalar starts with a letter or digit, or is a combining mark.
    var isPartOfWord: Bool { beginsWord || !isWord && !isPlainSeparator && rarity == .dropped }

    /// The number of bytes of the folded scalar.
    func foldedCount(of scalar: UTF8Scalar) -> Int {
        if isWord { return foldedCount == 0 ? scalar.count : foldedCount }
        if isPlainSeparator { return scalar.byteCount }
        switch rarity {
        case .dropped: return 0
        case .expansion, .separating: return expansion.count
        case .hangul: return HangulSyllable.count(scalar.value)
        }
    }

    /// Whether the scalar folds to one of 0–9.
    func isDigit(_ scalar: UTF8Scalar) -> Bool {
        guard isWord else { return false }
        if foldedCount == 0 { return scalar.count == 1 && ASCIIDigit.contains(UInt8(truncatingIfNeeded: scalar.bytes)) }
        return foldedCount == 1 && ASCIIDigit.contains(UInt8(truncatingIfNeeded: foldedBytes))
    }
}
