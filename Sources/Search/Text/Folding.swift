import Characters

/// Makes texts comparable: without case, diacritics and compatibility forms.
///
/// A scalar becomes its NFKD decomposition (UAX #15) without combining marks, in lower case. Letters with strokes and
/// ligatures are replaced (ł l, ø o, đ d, ı i, ß ss, æ ae, œ oe, þ th …), so "lodz" finds "Łódź".
public enum Folding: Sendable {
    /// The folded text in UTF-8; each maximal ill-formed part becomes one U+FFFD.
    package static func fold(_ text: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.map(\.lowercased) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        bytes.withUnsafeBufferPointer { bytes in
            var at = 0
            while at < bytes.count {
                let scalar = UTF8Scalar(bytes, at: at)
                append(scalar, to: &output)
                at += scalar.count
            }
        }
        return output
    }

    /// The folded text as a string, for comparing whole names.
    public static func fold(_ text: String) -> String { String(decoding: fold(text.utf8), as: UTF8.self) }

    private static func append(_ scalar: UTF8Scalar, to output: inout [UInt8]) {
        let entry = scalar.entry
        if entry.isPlainSeparator || entry.isWord && entry.foldedCount == 0 {
            append(scalar.bytes, scalar.byteCount, to: &output)
        } else if entry.isWord {
            append(entry.foldedBytes, entry.foldedCount, to: &output)
        } else {
            switch entry.rarity {
            case .dropped: break
            case .expansion, .separating: output += entry.expansion
            case .hangul:
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 9) { jamo in
                    guard let base = jamo.baseAddress else { return }
                    let count = HangulSyllable.write(scalar.value, to: base)
                    output += jamo[..<count]
                }
            }
        }
    }

    private static func append(_ bytes: UInt32, _ count: Int, to output: inout [UInt8]) {
        for index in 0..<count { output.append(UInt8(truncatingIfNeeded: bytes >> (8 * UInt32(index)))) }
    }
}
