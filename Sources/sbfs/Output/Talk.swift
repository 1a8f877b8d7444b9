import Glibc

/// Standard error: messages to the person.
struct Talk: Sendable {
    let isQuiet: Bool
    let isTerminal = isatty(2) == 1

    func say(_ text: String) {
        if !isQuiet { Self.write("sbfs: " + Printable.line(text) + "\n") }
    }

    /// Prints even with `--quiet`.
    func warn(_ text: String) { Self.write("sbfs: " + Self.lines(text) + "\n") }

    /// A message of several lines, indented from the second one on, so that a line end within a name cannot imitate a
    /// message.
    static func lines(_ text: String) -> String {
        // By bytes: comparing a Character of many combining marks takes quadratic time.
        Printable.text(text).utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
            .joined(separator: "\n  ")
    }

    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }
}

/// A counter on standard error for long work; only on a terminal.
final class Progress {
    private let isShown: Bool
    private let what: String
    private let total: Int?
    private var last = ContinuousClock.now
    private var isDrawn = false

    /// - Parameter total: the number at which the work is done, if known.
    init(_ what: String, total: Int? = nil, talk: Talk) {
        self.what = Printable.line(what)
        self.total = total
        isShown = talk.isTerminal && !talk.isQuiet
    }

    func show(_ count: Int) {
        guard isShown, ContinuousClock.now - last > .milliseconds(100) else { return }
        last = .now
        isDrawn = true
        var bar = ""
        if let total, total > 0 {
            let filled = min(20, count * 20 / total)
            bar = " [" + String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled) + "]"
        }
        Talk.write("\r\(what)\(bar) \(count)\(total.map { " of \($0)" } ?? "")")
    }

    func clear() {
        if isDrawn { Talk.write("\r\u{1B}[K") }
        isDrawn = false
    }
}
