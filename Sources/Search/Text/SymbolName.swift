/// Signs that make another name of a token: `c++`, `c#`, `.net`. SearchIndex.md § I1.3.
struct SymbolName {
    /// The number of bytes of the `++` or `#` after the token.
    private(set) var signCount = 0
    /// Whether a full stop belongs to the name.
    private(set) var hasDot = false

    var isAny: Bool { signCount > 0 || hasDot }

    /// Longer tokens have no such names.
    private static let byteLimit = 40

    @inline(__always)
    init(_ token: UnsafePointer<UInt8>, _ place: TokenPlace) {
        guard place.isWhole, place.count < Self.byteLimit, !place.hasUnspaced else { return }
        let text = place.text
        if place.stop < place.end {
            if text[place.stop] == UInt8(ascii: "#") {
                signCount = 1
            } else if text[place.stop] == UInt8(ascii: "+"), place.stop + 1 < place.end,
                text[place.stop + 1] == UInt8(ascii: "+")
            {
                signCount = 2
            }
            if signCount > 0 {
                let behind = place.stop + signCount
                let isWord = behind < place.end && UTF8Scalar(text, at: behind, end: place.end).entry.isPartOfWord
                // No name is a number: "5#" is something else.
                if isWord || ASCIIDigit.contains(token[0]) { signCount = 0 }
            }
        }
        if place.start > 0, text[place.start - 1] == UInt8(ascii: "."), !ASCIIDigit.contains(token[0]) {
            hasDot = Self.opens(text, place.start - 1)
        }
    }

    /// Whether the bytes before a full stop show that it does not end another name.
    private static func opens(_ text: UnsafePointer<UInt8>, _ dot: Int) -> Bool {
        guard dot > 0 else { return true }
        let last = text[dot - 1]
        if last < 0x80 { return last != UInt8(ascii: ".") && !CharacterEntry(low: Int(last)).isWord }
        var start = dot - 1
        while start > 0, start > dot - 4, text[start] & 0xC0 == 0x80 { start -= 1 }
        return !UTF8Scalar(text, at: start, end: dot).entry.isPartOfWord
    }
}
