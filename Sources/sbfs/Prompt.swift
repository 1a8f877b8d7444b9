import Glibc

/// Questions to the person, always on the terminal itself, so that standard input may be data.
enum Prompt {
    /// Asks a question with the answers yes and no.
    ///
    /// - Returns: `nil` if there is no terminal.
    static func confirm(_ question: String, isYesDefault: Bool = false) -> Bool? {
        guard let terminal = fopen("/dev/tty", "r+") else { return nil }
        defer { fclose(terminal) }
        let text = Printable.text(question) + (isYesDefault ? " [Y/n] " : " [y/N] ")
        fputs(text, terminal)
        fflush(terminal)
        var buffer = [CChar](repeating: 0, count: 256)
        guard fgets(&buffer, Int32(buffer.count), terminal) != nil else { return false }
        let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
        let answer = String(decoding: bytes, as: UTF8.self).lowercased()
        if answer.isEmpty { return isYesDefault }
        return answer == "y" || answer == "yes"
    }
}

extension Invocation {
    /// Asks before something is destroyed.
    ///
    /// - Throws: `CommandFailure` if the answer is no, or there is no terminal and no `--yes`.
    func confirm(_ question: String) throws {
        if has("yes") { return }
        switch Prompt.confirm(question) {
        case true?: return
        case false?: throw CommandFailure(.failed, "nothing was changed")
        case nil:
            throw CommandFailure(
                .failed, "\(question)\nThere is no terminal to ask on; --yes answers yes. Nothing was changed")
        }
    }
}
