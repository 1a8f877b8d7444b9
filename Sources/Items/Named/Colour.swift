/// The colour of a collection or a tag, from `colour` in its file: FORMAT.md § 9.
public enum Colour: Equatable, Sendable {
    case named(Name)
    /// `#rrggbb`.
    case rgb(red: UInt8, green: UInt8, blue: UInt8)

    /// The known colour names, which bookmark programs use too.
    public enum Name: String, CaseIterable, Sendable {
        case red, orange, yellow, green, mint, teal, cyan, blue, indigo, purple, pink, brown, gray, black, white
    }

    /// - Returns: `nil` for text that is no colour. Names are compared without case; "grey" is "gray"; `#rgb` is
    ///   short for `#rrggbb`.
    public init?(_ text: String) {
        let text = text.lowercased()
        if let name = Name(rawValue: text == "grey" ? "gray" : text) {
            self = .named(name)
            return
        }
        guard text.utf8.first == UInt8(ascii: "#"), [4, 7].contains(text.utf8.count) else { return nil }
        let digits = text.utf8.dropFirst().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        switch digits.count {
        case 3:
            self = .rgb(red: UInt8(digits[0] * 17), green: UInt8(digits[1] * 17), blue: UInt8(digits[2] * 17))
        case 6:
            self = .rgb(
                red: UInt8(digits[0] * 16 + digits[1]), green: UInt8(digits[2] * 16 + digits[3]),
                blue: UInt8(digits[4] * 16 + digits[5]))
        default: return nil
        }
    }

    /// The colour as written into a file.
    public var text: String {
        switch self {
        case .named(let name): name.rawValue
        case .rgb(let red, let green, let blue):
            "#"
                + [red, green, blue].map { byte in
                    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
                }.joined()
        }
    }

    /// Red, green and blue, 0–255.
    public var components: (red: Int, green: Int, blue: Int) {
        switch self {
        case .rgb(let red, let green, let blue): (Int(red), Int(green), Int(blue))
        case .named(let name):
            switch name {
            case .red: (235, 77, 61)
            case .orange: (240, 148, 46)
            case .yellow: (226, 190, 40)
            case .green: (80, 180, 90)
            case .mint: (90, 200, 180)
            case .teal: (70, 165, 175)
            case .cyan: (80, 190, 225)
            case .blue: (70, 130, 240)
            case .indigo: (105, 100, 220)
            case .purple: (165, 90, 220)
            case .pink: (235, 85, 135)
            case .brown: (160, 125, 90)
            case .gray: (140, 140, 145)
            case .black: (30, 30, 30)
            case .white: (250, 250, 250)
            }
        }
    }
}
