import Glibc

/// A terminal that a test types into and reads.
final class PseudoTerminal {
    /// The path of the program's end.
    let name: String
    private let master: Int32
    private var slave: Int32
    /// What `type` has read.
    private var seen: [UInt8] = []

    init() throws {
        // Swift does not see posix_openpt(3) and the related calls; these are their system calls (pts(4),
        // ioctl_tty(2)).
        let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
        let number: UInt = 0x8004_5430  // TIOCGPTN
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var index: UInt32 = 0
        guard master >= 0, ioctl(master, unlock, &locked) == 0, ioctl(master, number, &index) == 0 else {
            throw LaunchError(call: "open /dev/ptmx", number: errno)
        }
        name = "/dev/pts/\(index)"
        // Held open until the program has it, so that typed text is not lost.
        slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    }

    deinit {
        close(master)
        if slave >= 0 { close(slave) }
    }

    /// Types, and reads the output until a condition holds.
    ///
    /// - Returns: whether it held within this time.
    func type(_ text: String, within seconds: Int, until isDone: () -> Bool) -> Bool {
        let bytes = Array(text.utf8)
        if write(master, bytes, bytes.count) != bytes.count { return false }
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            var question = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            if poll(&question, 1, 5) > 0 {
                var chunk = [UInt8](repeating: 0, count: 4096)
                let count = read(master, &chunk, chunk.count)
                if count <= 0 { return isDone() }
                seen += chunk[..<count]
            }
            if isDone() { return true }
        }
        return false
    }

    /// Types, and reads until every program has closed the terminal.
    func converse(_ typed: String) throws -> String {
        let bytes = Array(typed.utf8)
        if !bytes.isEmpty, write(master, bytes, bytes.count) != bytes.count {
            throw LaunchError(call: "write to the terminal", number: errno)
        }
        close(slave)
        slave = -1
        var output = seen
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(master, &chunk, chunk.count)
            if count > 0 { output += chunk[..<count] }
            // EIO: the last program has closed its end.
            if count == 0 || (count < 0 && errno != EINTR) { break }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
