/// Characters that a reader cannot see, or that change how the text around them is shown.
///
/// Controls (C0, DEL, C1), U+2028 and U+2029, the annotation characters U+FFF9 to U+FFFB, and all of
/// Default_Ignorable_Code_Point (DerivedCoreProperties.txt of Unicode 16.0): bidirectional controls, zero-width
/// characters, variation selectors, tag characters, fillers.
///
/// Some of them are correct in certain places: joiners in Persian, Hindi and related languages and in emoji, one
/// variation selector after a character that has variants, the tags of the three flags that Unicode recommends
/// (England, Scotland, Wales). `Reading` knows these places.
package enum Invisible {
    package static func contains(_ value: UInt32) -> Bool {
        switch value {
        case 0x00..<0x20, 0x7F..<0xA0, 0xAD: true
        case 0xAE..<0x34F: false
        case 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3,
            0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    /// Whether a sequence with this first byte may be one of them; in ASCII, only controls.
    static func mayBegin(_ byte: UInt8) -> Bool {
        if byte < 0x80 { return byte < 0x20 || byte == 0x7F }
        switch byte {
        case 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3: return true
        // Bytes that start no well-formed sequence.
        case 0x80..<0xC2, 0xF5...: return true
        default: return false
        }
    }

    /// Reads a text from its start and decides which invisible characters are in a correct place.
    struct Reading {
        /// The previous character, kept or not; 0 at the start.
        private var previous: UInt32 = 0
        /// The last visible character; joiners and selectors may follow it.
        private var base: UInt32 = 0
        /// The remaining characters of a flag that has begun.
        private var flag: ArraySlice<UInt32> = []

        /// - Parameters:
        ///   - value: an invisible character.
        ///   - following: returns the character at a distance after it.
        mutating func keeps(_ value: UInt32, _ following: (Int) -> UInt32) -> Bool {
            if flag.first == value {
                flag = flag.dropFirst()
                return true
            }
            switch value {
            case 0x200C, 0x200D: return keepsJoiner(value, following(0))
            // Only one selector, directly after the character whose variant it selects.
            case 0xFE0E, 0xFE0F:
                // Digits too, in keycaps.
                return previous == base && (Self.isEmoji(base) || base < 0x80 && base > 0 && following(0) == 0x20E3)
            case 0xFE00...0xFE02:
                return previous == base && (Self.isIdeograph(base) || (0x2200...0x2AFF).contains(base))
            case 0x180B...0x180D, 0x180F: return previous == base && (0x1820...0x18AA).contains(base)
            case 0xE0100...0xE01EF: return previous == base && Self.isIdeograph(base)
            case 0xE0067 where previous == 0x1F3F4:
                let rest = (0..<5).map(following)
                guard Self.flags.contains(rest) else { return false }
                flag = rest[...]
                return true
            default: return false
            }
        }

        /// RFC 5892, appendix A, requires a virama or joining letters; here any letters of such scripts are enough.
        private func keepsJoiner(_ value: UInt32, _ next: UInt32) -> Bool {
            if previous != base, !(0xFE0E...0xFE0F).contains(previous) { return false }
            if value == 0x200D, Self.isEmoji(base), Self.isEmoji(next) { return true }
            guard previous == base, Self.isJoining(base) else { return false }
            return Self.isJoining(next) || Self.isVirama(base)
        }

        /// - Parameter isKept: whether the character is shown unchanged.
        mutating func note(_ value: UInt32, isKept: Bool) {
            let isInvisible = Invisible.contains(value)
            // An escaped character separates its neighbours.
            if !isKept { base = 0 } else if !isInvisible { base = value }
            if !isInvisible { flag = [] }
            previous = value
        }

        /// The tags of "gbeng", "gbsct" and "gbwls" after the first one, and the tag that ends them.
        private static let flags = ["beng", "bsct", "bwls"].map { name in
            name.unicodeScalars.map { 0xE0000 + $0.value } + [0xE007F]
        }

        /// Without the ASCII digits and signs, which Unicode counts as emoji.
        private static func isEmoji(_ value: UInt32) -> Bool {
            value > 0x7F && Unicode.Scalar(value)?.properties.isEmoji ?? false
        }

        private static func isIdeograph(_ value: UInt32) -> Bool {
            Unicode.Scalar(value)?.properties.isIdeographic ?? false
        }

        private static func isVirama(_ value: UInt32) -> Bool {
            Unicode.Scalar(value)?.properties.canonicalCombiningClass == .virama
        }

        /// Letters and combining marks of Arabic, Syriac, N'Ko, Mandaic, the scripts of India, Myanmar, Khmer,
        /// Mongolian, Balinese and Javanese.
        private static func isJoining(_ value: UInt32) -> Bool {
            switch value {
            case 0x620...0x65F, 0x66E...0x6FF, 0x710...0x77F, 0x7CA...0x7EA, 0x840...0x85B, 0x870...0x8FF,
                0x900...0xDFF, 0x1000...0x109F, 0x1780...0x17D3, 0x1820...0x18AA, 0x1B00...0x1B4C, 0xA980...0xA9C0,
                0xFB50...0xFDFB, 0xFE70...0xFEFC:
                Unicode.Scalar(value)?.properties.isAlphabetic == true || isMark(value)
            default: false
            }
        }

        private static func isMark(_ value: UInt32) -> Bool {
            switch Unicode.Scalar(value)?.properties.generalCategory {
            case .nonspacingMark, .spacingMark: true
            default: false
            }
        }
    }
}
