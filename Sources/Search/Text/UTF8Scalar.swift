/// One scalar of a text in UTF-8, or a maximal part of one that is cut or ill-formed (Unicode Standard, table 3-7 and
/// section 3.9, "U+FFFD substitution of maximal subparts").
struct UTF8Scalar {
    /// U+FFFD if the bytes are ill-formed.
    let value: UInt32
    /// Number of bytes, 1–4.
    let count: Int
    /// The bytes, the first one lowest; those of U+FFFD if they are ill-formed.
    let bytes: UInt32

    private static let replacement: UInt32 = 0xBDBFEF

    @inline(__always)
    private init(_ value: UInt32, _ count: Int, _ bytes: UInt32) {
        self.value = value
        self.count = count
        self.bytes = bytes
    }

    @inline(__always)
    private static func illFormed(_ count: Int) -> Self { Self(0xFFFD, count, replacement) }

    @inline(__always)
    var entry: CharacterEntry { CharacterEntry(value) }

    /// The number of bytes in `bytes`: `count`, but 3 if they are ill-formed.
    @inline(__always)
    var byteCount: Int { bytes == Self.replacement ? 3 : count }

    /// The scalar at an offset below the text's count.
    @inline(__always)
    init(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) {
        // An offset below the count means that there is a base address.
        self.init(text.baseAddress.unsafelyUnwrapped, at: offset, end: text.count)
    }

    @inline(__always)
    init(_ text: UnsafePointer<UInt8>, at offset: Int, end: Int) { self = Self.read(text, offset, end) }

    @inline(__always)
    private static func read(_ text: UnsafePointer<UInt8>, _ offset: Int, _ end: Int) -> Self {
        let lead = UInt32(text[offset])
        if lead < 0x80 {
            return Self(lead, 1, lead)
        } else if lead < 0xE0 {
            guard lead >= 0xC2, offset &+ 1 < end else { return illFormed(1) }
            let second = UInt32(text[offset &+ 1])
            guard second & 0xC0 == 0x80 else { return illFormed(1) }
            return Self((lead & 0x1F) << 6 | second & 0x3F, 2, lead | second << 8)
        } else {
            return readLong(text, offset, end, lead)
        }
    }

    /// Three or four bytes.
    @inline(__always)
    private static func readLong(_ text: UnsafePointer<UInt8>, _ offset: Int, _ end: Int, _ lead: UInt32) -> Self {
        guard offset &+ 1 < end, lead < 0xF5 else { return illFormed(1) }
        let second = UInt32(text[offset &+ 1])
        guard second & 0xC0 == 0x80 else { return illFormed(1) }
        // Forbidden second bytes: overlong forms, surrogates, values above U+10FFFF.
        switch lead {
        case 0xE0: guard second >= 0xA0 else { return illFormed(1) }
        case 0xED: guard second < 0xA0 else { return illFormed(1) }
        case 0xF0: guard second >= 0x90 else { return illFormed(1) }
        case 0xF4: guard second < 0x90 else { return illFormed(1) }
        default: break
        }
        guard offset &+ 2 < end else { return illFormed(2) }
        let third = UInt32(text[offset &+ 2])
        guard third & 0xC0 == 0x80 else { return illFormed(2) }
        if lead < 0xF0 {
            return Self(
                (lead & 0x0F) << 12 | (second & 0x3F) << 6 | third & 0x3F, 3, lead | second << 8 | third << 16)
        }
        guard offset &+ 3 < end else { return illFormed(3) }
        let fourth = UInt32(text[offset &+ 3])
        guard fourth & 0xC0 == 0x80 else { return illFormed(3) }
        return Self(
            (lead & 0x07) << 18 | (second & 0x3F) << 12 | (third & 0x3F) << 6 | fourth & 0x3F, 4,
            lead | second << 8 | third << 16 | fourth << 24)
    }
}
