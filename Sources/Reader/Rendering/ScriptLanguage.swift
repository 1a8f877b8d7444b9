/// The language that the script of a text tells, for a page that does not say its language: nearly all text in kana is
/// Japanese, and so on for the letters of Thai, Hebrew, Greek and Korean.
enum ScriptLanguage {
    /// Bytes of the text that are looked at.
    private static let byteLimit = 4000

    /// The language of most letters; `nil` if that is none of these. Ideographs are part of Japanese, if at least a tenth
    /// as many kana stand among them.
    static func of(_ text: some Collection<UInt8>) -> String? {
        var counts: [String: Int] = [:]
        var others = 0
        var ideographs = 0
        for scalar in String(decoding: text.prefix(byteLimit), as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x3041...0x30FF: counts["ja", default: 0] += 1
            case 0x3400...0x9FFF: ideographs += 1
            case 0x0E01...0x0E5B: counts["th", default: 0] += 1
            case 0x05D0...0x05EA: counts["he", default: 0] += 1
            case 0x0370...0x03FF, 0x1F00...0x1FFF: counts["el", default: 0] += 1
            case 0xAC00...0xD7A3: counts["ko", default: 0] += 1
            default: others += scalar.properties.isAlphabetic ? 1 : 0
            }
        }
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
        if most.key == "ja", most.value * 10 < ideographs { return nil }
        let rest = counts.values.reduce(others, +) - most.value
        return most.value > rest ? most.key : nil
    }
}
