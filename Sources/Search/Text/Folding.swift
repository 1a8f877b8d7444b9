/// Makes texts comparable: without case, diacritics and compatibility forms.
///
/// A scalar becomes its NFKD decomposition without combining marks, lower-cased, with letters that have strokes or are
/// ligatures replaced (ł l, ø o, đ d, ı i, ß ss, æ ae, œ oe, þ th …), so that "Łódź" is found by "lodz".
package enum Folding {
    /// The folded text in UTF-8.
    package static func fold(_ text: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.map(lowerASCII) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { append(scalar, to: &output) }
        return output
    }

    /// The folded text as a string, for comparing whole names.
    package static func fold(_ text: String) -> String { String(decoding: fold(text.utf8), as: UTF8.self) }

    @inline(__always)
    static func lowerASCII(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

    static func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
        let value = scalar.value
        if value < 0x80 {
            output.append(lowerASCII(UInt8(value)))
        } else if value >= 0xAC00, value <= 0xD7A3 {
            hangul(value).forEach { output += UTF8.encode($0).map(Array.init) ?? [] }
        } else if let folded = map[value] {
            output += folded
        } else {
            output += UTF8.encode(scalar).map(Array.init) ?? []
        }
    }

    /// The jamo of a Hangul syllable: Unicode Standard, section 3.12.
    private static func hangul(_ value: UInt32) -> [Unicode.Scalar] {
        let index = value - 0xAC00
        let tail = index % 28
        let jamo = [0x1100 + index / 588, 0x1161 + index % 588 / 28] + (tail == 0 ? [] : [0x11A7 + tail])
        return jamo.compactMap(Unicode.Scalar.init)
    }

    /// Built when the first text outside ASCII is folded.
    private static let map: [UInt32: [UInt8]] = {
        var map: [UInt32: [UInt8]] = Dictionary(minimumCapacity: FoldingTable.count)
        for row in FoldingTable.rows.description.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: true)
        {
            guard let scalar = row.first else { continue }
            map[scalar.value] = Array(String(Substring(row.dropFirst())).utf8)
        }
        return map
    }()
}
