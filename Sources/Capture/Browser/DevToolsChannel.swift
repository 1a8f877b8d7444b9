internal import Characters
internal import Files
internal import Glibc

/// Messages to and from the browser: JSON, each ended by one NUL byte.
///
/// Only `receive` blocks, and only until its deadline: bytes that cannot be written at once are written while it
/// waits for messages. It also reads the browser's standard error, so that a full pipe never blocks the browser.
final class DevToolsChannel {
    private let socket: Int32
    private let errors: Int32
    private var outgoing: [UInt8] = []
    private var written = 0
    private var incoming: [UInt8] = []
    /// The start of the current message, and how far the search for its end has come.
    private var start = 0
    private var scanned = 0
    private var isErrorOpen = true
    private var hasEnded = false
    /// The last bytes of standard error, at most 4 KiB.
    private var said: [UInt8] = []

    private static let chunk = 1 << 18

    /// Takes ownership of both descriptors; they must not block.
    init(socket: Int32, errors: Int32) {
        self.socket = socket
        self.errors = errors
    }

    deinit {
        close(socket)
        close(errors)
    }

    func send(_ message: [UInt8]) {
        outgoing += message
        outgoing.append(0)
        write()
    }

    /// The next message; `nil` at the deadline.
    ///
    /// - Throws: `.died` if the browser closed its end, `.wrongProtocol` for bytes that are no message.
    func receive(until deadline: ContinuousClock.Instant) throws(BrowserFailure) -> DevToolsMessage? {
        while true {
            if let bytes = try nextBytes() {
                guard let message = DevToolsMessage(bytes) else {
                    throw .wrongProtocol("a message that is not a JSON object: \(Printed.line(bytes.prefix(80)))")
                }
                return message
            }
            if hasEnded {
                readErrors()
                throw .died(said: lastLine)
            }
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return nil }
            wait(left)
        }
    }

    /// Whether no message is incomplete in either direction.
    var isBetweenMessages: Bool { start == incoming.count && written == outgoing.count && !hasEnded }

    /// Whether the last bytes of the browser's standard error contain a word.
    func hasSaid(_ word: String) -> Bool {
        readErrors()
        return String(decoding: said, as: UTF8.self).contains(text: word)
    }

    /// The last line of the browser's standard error that is not blank.
    var lastLine: String {
        readErrors()
        let lines = said.split(separator: 0x0A).filter { $0.contains { $0 > 0x20 } }
        return lines.last.map { Printed.line($0.prefix(300)) } ?? ""
    }

    // MARK: Descriptors

    private func wait(_ left: Duration) {
        var polled = [
            pollfd(fd: socket, events: Int16(POLLIN) | (written < outgoing.count ? Int16(POLLOUT) : 0), revents: 0),
            pollfd(fd: isErrorOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
        ]
        if poll(&polled, 2, Int32(min(3_600_000, left.wholeMilliseconds + 1))) <= 0 { return }
        if polled[1].revents != 0 { readErrors() }
        if polled[0].revents & Int16(POLLOUT) != 0 { write() }
        if polled[0].revents & ~Int16(POLLOUT) != 0 { read() }
    }

    private func write() {
        while written < outgoing.count {
            let count = outgoing.withUnsafeBytes { bytes in
                // No SIGPIPE: the next read reports that the browser is gone.
                uninterrupted {
                    Glibc.send(
                        socket, bytes.baseAddress?.advanced(by: written), bytes.count - written, Socket.noSignal)
                }
            }
            if count < 0 {
                if errno != EAGAIN { outgoing.removeAll() }
                break
            }
            written += count
        }
        if written >= outgoing.count {
            outgoing.removeAll(keepingCapacity: outgoing.count < 1 << 16)
            written = 0
        }
    }

    private func read() {
        withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 16) { buffer in
            let count = uninterrupted { recv(socket, buffer.baseAddress, buffer.count, 0) }
            if count > 0 {
                incoming += UnsafeRawBufferPointer(rebasing: buffer[..<count])
            } else if count == 0 || errno != EAGAIN {
                hasEnded = true
            }
        }
    }

    private func nextBytes() throws(BrowserFailure) -> [UInt8]? {
        let end = incoming.withUnsafeBytes { bytes -> Int? in
            guard scanned < bytes.count, let base = bytes.baseAddress else { return nil }
            return memchr(base + scanned, 0, bytes.count - scanned).map { UnsafeRawPointer($0) - base }
        }
        guard let end else {
            scanned = incoming.count
            if scanned - start > DevToolsMessage.byteLimit { throw .wrongProtocol("a message that does not end") }
            return nil
        }
        let message: [UInt8]
        if start == 0, end == incoming.count - 1 {
            // The usual case for large messages: nothing follows, so nothing is copied.
            incoming.removeLast()
            message = incoming
            incoming = []
            scanned = 0
            return message
        }
        message = Array(incoming[start..<end])
        start = end + 1
        scanned = start
        if start > 1 << 20 || start == incoming.count {
            incoming.removeSubrange(..<start)
            start = 0
            scanned = 0
        }
        return message
    }

    private func readErrors() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { buffer in
            // Bounded, because a browser may write without end.
            for _ in 0..<64 where isErrorOpen {
                let count = recv(errors, buffer.baseAddress, buffer.count, 0)
                if count > 0 {
                    said += UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    if said.count > 4096 { said.removeFirst(said.count - 4096) }
                } else {
                    if count == 0 { isErrorOpen = false }
                    return
                }
            }
        }
    }
}
