@_spi(_Unicode) import Swift

/// Unicode Normalization Form C (UAX #15), with the standard library's tables.
package enum CanonicalComposition {
    package static func nfc(_ text: String) -> String {
        isComposed(text) ? text : String(String.UnicodeScalarView(text._nfc))
    }

    /// The text in UTF-8.
    package static func nfcBytes(_ text: String) -> [UInt8] {
        if isComposed(text) { return Array(text.utf8) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text._nfc {
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { bytes.append(byte) }
        }
        return bytes
    }

    /// Whether all scalars are below U+0300, the first one that normalisation may change.
    private static func isComposed(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0xCC } }
}
