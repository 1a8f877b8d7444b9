import Glibc
import StuffBucket

/// Colours of the terminal, or none.
struct Style: Sendable {
    let isColored: Bool
    /// Whether the terminal shows all colours, and not only 256.
    private let hasTrueColour = ["truecolor", "24bit"].contains(Environment["COLORTERM"] ?? "")

    /// - Parameter choice: `always`, `never`, or `auto` for colours on a terminal that supports them, unless NO_COLOR
    ///   is set (no-color.org).
    init(_ choice: String) {
        switch choice {
        case "always": isColored = true
        case "never": isColored = false
        default:
            isColored = isatty(1) == 1 && (Environment["NO_COLOR"] ?? "").isEmpty && Environment["TERM"] != "dumb"
        }
    }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func dim(_ text: String) -> String { wrap(text, "2") }
    /// A match.
    func found(_ text: String) -> String { wrap(text, "1;33") }
    func tag(_ text: String) -> String { wrap(text, "36") }
    /// A tag or a collection, in its own colour if it has one.
    func tag(_ text: String, _ colour: Colour?) -> String { colour.map { wrap(text, code(of: $0)) } ?? tag(text) }
    func error(_ text: String) -> String { wrap(text, "31") }
    func added(_ text: String) -> String { wrap(text, "32") }
    func removed(_ text: String) -> String { wrap(text, "31") }
    func warning(_ text: String) -> String { wrap(text, "33") }

    /// ECMA-48's select graphic rendition, with xterm's colours: a cube of 6 × 6 × 6, or red, green and blue.
    private func code(of colour: Colour) -> String {
        let (red, green, blue) = colour.components
        if hasTrueColour { return "38;2;\(red);\(green);\(blue)" }
        // The cube's levels are 0, 95, 135, 175, 215, 255.
        func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : min(5, (value - 35) / 40) }
        return "38;5;\(16 + 36 * level(red) + 6 * level(green) + level(blue))"
    }

    private func wrap(_ text: String, _ code: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
