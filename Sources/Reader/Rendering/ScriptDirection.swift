/// The direction in which a text runs, by its letters, for a page that does not say it at its root.
enum ScriptDirection {
    /// Bytes of the text that are looked at.
    private static let byteLimit = 4000

    /// `rtl` if most letters are Hebrew, Arabic, Syriac, Thaana or N'Ko; `nil` otherwise.
    static func of(_ text: some Collection<UInt8>) -> String? {
        var toLeft = 0
        var others = 0
        for scalar in String(decoding: text.prefix(byteLimit), as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x05D0...0x05F4, 0x0620...0x07FF, 0x0860...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC:
                toLeft += scalar.properties.isAlphabetic ? 1 : 0
            default: others += scalar.properties.isAlphabetic ? 1 : 0
            }
        }
        return toLeft > others ? "rtl" : nil
    }
}
