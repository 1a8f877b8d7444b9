internal import Files
internal import Glibc

/// Copies bytes between two sockets in both directions until both directions have ended or one of them fails.
struct Relay {
    /// One direction: bytes that were read and are not yet written, at most one buffer.
    private struct Flow {
        let from: Int32
        let to: Int32
        var buffer: [UInt8]
        var start = 0
        var end = 0
        var isOver = false

        init(from: Int32, to: Int32) {
            self.from = from
            self.to = to
            buffer = [UInt8](repeating: 0, count: 1 << 16)
        }

        var isEmpty: Bool { start == end }

        /// - Returns: false if the connection failed.
        mutating func move() -> Bool {
            while !isOver {
                if isEmpty {
                    let count = uninterrupted { recv(from, &buffer, buffer.count, 0) }
                    if count < 0 { return errno == EAGAIN }
                    if count == 0 {
                        isOver = true
                        shutdown(to, Int32(SHUT_WR))
                        return true
                    }
                    (start, end) = (0, count)
                }
                let count = buffer.withUnsafeBytes { bytes in
                    uninterrupted { send(to, bytes.baseAddress?.advanced(by: start), end - start, Socket.noSignal) }
                }
                if count < 0 { return errno == EAGAIN }
                start += count
            }
            return true
        }
    }

    /// Both sockets must be non-blocking. They stay open.
    static func run(_ a: Int32, _ b: Int32) {
        var there = Flow(from: a, to: b)
        var back = Flow(from: b, to: a)
        while !(there.isOver && back.isOver) {
            var polled = [
                pollfd(fd: a, events: events(there, back), revents: 0),
                pollfd(fd: b, events: events(back, there), revents: 0),
            ]
            // A finished, empty direction waits for nothing: poll ignores a negative number.
            for index in 0..<2 where polled[index].events == 0 { polled[index].fd = -1 }
            if uninterrupted({ poll(&polled, 2, -1) }) < 0 { return }
            if !there.move() || !back.move() { return }
        }
    }

    /// The events to wait for at the socket that `own` reads from and `other` writes to.
    private static func events(_ own: Flow, _ other: Flow) -> Int16 {
        (own.isEmpty && !own.isOver ? Int16(POLLIN) : 0) | (other.isEmpty ? 0 : Int16(POLLOUT))
    }
}
