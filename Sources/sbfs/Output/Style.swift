import Glibc

/// Colours of the terminal, or none.
struct Style: Sendable {
    let isColored: Bool

    /// - Parameter choice: `always`, `never`, or `auto` for a terminal that knows colours and no NO_COLOR
    ///   (no-color.org).
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
    /// What was looked for.
    func found(_ text: String) -> String { wrap(text, "1;33") }
    func tag(_ text: String) -> String { wrap(text, "36") }
    func error(_ text: String) -> String { wrap(text, "31") }
    func added(_ text: String) -> String { wrap(text, "32") }
    func removed(_ text: String) -> String { wrap(text, "31") }
    func warning(_ text: String) -> String { wrap(text, "33") }

    private func wrap(_ text: String, _ code: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
