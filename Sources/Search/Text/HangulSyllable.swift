/// The jamo of a Hangul syllable (Unicode Standard, section 3.12), as UTF-8.
enum HangulSyllable {
    /// The number of bytes of a syllable's jamo.
    static func count(_ value: UInt32) -> Int { (value &- 0xAC00) % 28 == 0 ? 6 : 9 }

    /// Writes the jamo of a syllable, U+AC00–U+D7A3, six or nine bytes.
    ///
    /// - Returns: the number of bytes.
    @inline(__always)
    static func write(_ value: UInt32, to target: UnsafeMutablePointer<UInt8>) -> Int {
        let index = value &- 0xAC00
        let tail = index % 28
        put(0x1100 &+ index / 588, target)
        put(0x1161 &+ index % 588 / 28, target + 3)
        if tail == 0 { return 6 }
        put(0x11A7 &+ tail, target + 6)
        return 9
    }

    @inline(__always)
    private static func put(_ value: UInt32, _ target: UnsafeMutablePointer<UInt8>) {
        target[0] = 0xE1
        target[1] = 0x80 | UInt8(truncatingIfNeeded: value >> 6) & 0x3F
        target[2] = 0x80 | UInt8(truncatingIfNeeded: value) & 0x3F
    }

    /// Whether a jamo belongs to the same syllable as the one before it: a vowel after a leading consonant, a final
    /// consonant after a vowel.
    @inline(__always)
    static func continues(_ jamo: UInt32, after previous: UInt32) -> Bool {
        switch jamo {
        case 0x1160...0x11A7: (0x1100...0x115F).contains(previous)
        case 0x11A8...0x11FF: (0x1160...0x11A7).contains(previous)
        default: false
        }
    }
}
