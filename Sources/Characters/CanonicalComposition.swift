@_spi(_Unicode) import Swift

/// Unicode Normalization Form C (UAX #15), from the standard library's own tables.
package enum CanonicalComposition {
    package static func nfc(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return String(String.UnicodeScalarView(text._nfc))
    }
}
