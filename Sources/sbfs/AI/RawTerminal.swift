import Glibc
import StuffBucket

/// The person's terminal, which passes on each key at once and shows none. It is as before when this object is released.
final class RawTerminal {
    private let number: Int32
    private var former = termios()
    private var pushedBack: UInt8?

    /// - Returns: `nil` if there is no terminal.
    init?() {
        number = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard number >= 0 else { return nil }
        guard tcgetattr(number, &former) == 0 else {
            close(number)
            return nil
        }
        var raw = former
        // Ctrl-C is a key, too: otherwise it would end this program and leave the terminal so.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        withUnsafeMutableBytes(of: &raw.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
        }
        tcsetattr(number, TCSADRAIN, &raw)
    }

    deinit {
        var former = former
        tcsetattr(number, TCSADRAIN, &former)
        close(number)
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
    }

    enum Key: Equatable {
        case byte(UInt8)
        case up, down, escape, enter, interrupt, end
    }

    func key() -> Key {
        guard let byte = byte() else { return .end }
        switch byte {
        case 0x03: return .interrupt
        case 0x04: return .end
        case 0x0A, 0x0D: return .enter
        case 0x1B:
            // An arrow is ESC [ A or ESC O A, at once.
            guard isReady(), let second = self.byte() else { return .escape }
            guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else {
                pushedBack = second
                return .escape
            }
            switch isReady() ? self.byte() : nil {
            case UInt8(ascii: "A"): return .up
            case UInt8(ascii: "B"): return .down
            default: return .byte(0)
            }
        default: return .byte(byte)
        }
    }

    private func byte() -> UInt8? {
        if let byte = pushedBack {
            pushedBack = nil
            return byte
        }
        var byte: UInt8 = 0
        while true {
            let count = read(number, &byte, 1)
            if count == 1 { return byte }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    private func isReady() -> Bool {
        var wanted = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, 50) > 0
    }
}

extension Prompt {
    /// Asks for a line that is not shown, such as a key.
    ///
    /// - Returns: `nil` if there is no terminal, or the person ended the question.
    static func secret(_ question: String) -> [UInt8]? {
        guard let terminal = RawTerminal() else { return nil }
        // Before the first key is pressed.
        RunningProgram.keepMemoryPrivate()
        terminal.write(Printable.text(question))
        defer { terminal.write("\n") }
        var bytes: [UInt8] = []
        while true {
            switch terminal.key() {
            case .enter: return bytes
            case .interrupt, .end, .escape: return nil
            case .byte(0x08), .byte(0x7F): _ = bytes.popLast()
            case .byte(0x15): bytes = []
            case .byte(let byte): bytes.append(byte)
            case .up, .down: break
            }
            if bytes.count > 8192 { return nil }
        }
    }

    /// Asks for a line.
    ///
    /// - Returns: the default for an empty line; `nil` if there is no terminal.
    static func line(_ question: String, default standard: String?) -> String? {
        guard let terminal = fopen("/dev/tty", "r+") else { return nil }
        defer { fclose(terminal) }
        fputs(Printable.text(question) + (standard.map { " [" + Printable.line($0) + "] " } ?? " "), terminal)
        fflush(terminal)
        var buffer = [CChar](repeating: 0, count: 4096)
        guard fgets(&buffer, Int32(buffer.count), terminal) != nil else { return nil }
        let line = String(decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let typed = line.trimmingSpace
        return typed.isEmpty ? standard ?? "" : typed
    }
}
