import Characters

/// What a `style` attribute says about whether its element is shown.
package enum InlineStyle {
    /// Bytes of the attribute that are read.
    private static let limit = 256

    /// Whether the style contains `display: none` or `visibility: hidden`.
    ///
    /// - Parameter style: the decoded value.
    package static func hides(_ style: ArraySlice<UInt8>) -> Bool {
        var squeezed: [UInt8] = []
        for byte in style.prefix(limit) where !byte.isHTMLSpace { squeezed.append(byte) }
        return squeezed.withUnsafeBufferPointer { bytes in
            bytes.indices.contains {
                bytes.matches("display:none", at: $0) || bytes.matches("visibility:hidden", at: $0)
            }
        }
    }
}
