internal import Files
internal import Glibc
package import JSONFormat
package import WorkerProtocol

/// Messages between two processes of one worker: a JSON object, optionally with bytes.
///
/// On the wire: the length of the JSON in 4 bytes and of the bytes in 8, little-endian, then both. Lengths above the
/// limits end the connection, since the other side must be faulty.
package final class MessageSocket {
    package let descriptor: Int32
    private var incoming: [UInt8] = []
    private var start = 0
    private var outgoing: [UInt8] = []
    private var written = 0
    private(set) var hasEnded = false

    private static let headLimit = 8 << 20
    private static let bytesLimit = 256 << 20

    /// Takes ownership of the descriptor.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        Socket.stopBlocking(descriptor)
    }

    deinit { close(descriptor) }

    /// Two connected sockets that exec closes.
    package static func pair() throws(BrowserFailure) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        if socketpair(AF_UNIX, Socket.stream | Socket.closedAtExec, 0, &ends) != 0 {
            throw .system(call: "socketpair", number: errno)
        }
        return (ends[0], ends[1])
    }

    var hasOutgoing: Bool { written < outgoing.count }

    /// Queues a message and writes as much as possible at once.
    package func queue(_ json: JSON, _ bytes: [UInt8] = []) {
        var writer = JSONWriter(.oneLine)
        writer.write(json)
        for shift in [0, 8, 16, 24] { outgoing.append(UInt8(truncatingIfNeeded: writer.bytes.count >> shift)) }
        for shift in 0..<8 { outgoing.append(UInt8(truncatingIfNeeded: bytes.count >> (8 * shift))) }
        outgoing += writer.bytes
        outgoing += bytes
        write()
    }

    /// Queues a message and waits until it is written.
    ///
    /// - Returns: false if the other side is gone.
    @discardableResult
    package func send(_ json: JSON, _ bytes: [UInt8] = []) -> Bool {
        queue(json, bytes)
        while hasOutgoing, !hasEnded {
            var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if uninterrupted({ poll(&polled, 1, -1) }) < 0 { return false }
            write()
        }
        return !hasEnded
    }

    /// Waits for a message; `nil` at the deadline, and when the other side is gone (`hasEnded`).
    package func receive(until deadline: ContinuousClock.Instant) -> (Message, [UInt8])? {
        while true {
            if let message = take() { return message }
            if hasEnded { return nil }
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return nil }
            let events = Int16(POLLIN) | (hasOutgoing ? Int16(POLLOUT) : 0)
            var polled = pollfd(fd: descriptor, events: events, revents: 0)
            let count = uninterrupted { poll(&polled, 1, Int32(min(3_600_000, left.wholeMilliseconds + 1))) }
            if count < 0 { return nil }
            if count > 0 {
                if polled.revents & Int16(POLLOUT) != 0 { write() }
                if polled.revents & ~Int16(POLLOUT) != 0 { read() }
            }
        }
    }

    /// The next message, if it is complete.
    func take() -> (Message, [UInt8])? {
        let there = incoming.count - start
        guard there >= 12 else { return nil }
        let head = number(at: start, byteCount: 4)
        let body = number(at: start + 4, byteCount: 8)
        guard head <= Self.headLimit, body >= 0, body <= Self.bytesLimit else {
            hasEnded = true
            return nil
        }
        guard there >= 12 + head + body else { return nil }
        let first = start + 12
        guard let message = Message(Array(incoming[first..<first + head])) else {
            hasEnded = true
            return nil
        }
        let bytes = Array(incoming[first + head..<first + head + body])
        start = first + head + body
        if start == incoming.count {
            incoming.removeAll(keepingCapacity: incoming.count < 1 << 20)
            start = 0
        } else if start > 1 << 20 {
            incoming.removeSubrange(..<start)
            start = 0
        }
        return (message, bytes)
    }

    /// Reads the available bytes.
    func read() {
        let size = 1 << 18
        // Bounded, so that the other side is heard too.
        for _ in 0..<16 {
            var count = 0
            incoming.reserveCapacity(incoming.count + size)
            withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
                count = uninterrupted { recv(descriptor, buffer.baseAddress, size, 0) }
                if count > 0 { incoming += UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
            }
            if count > 0 { continue }
            if count == 0 || errno != EAGAIN { hasEnded = true }
            return
        }
    }

    private func write() {
        while hasOutgoing {
            let count = outgoing.withUnsafeBytes { bytes in
                uninterrupted {
                    Glibc.send(
                        descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written, Socket.noSignal)
                }
            }
            if count < 0 {
                if errno != EAGAIN { hasEnded = true }
                return
            }
            written += count
        }
        outgoing.removeAll(keepingCapacity: outgoing.count < 1 << 16)
        written = 0
    }

    private func number(at place: Int, byteCount: Int) -> Int {
        var value: UInt64 = 0
        for offset in (0..<byteCount).reversed() { value = value << 8 | UInt64(incoming[place + offset]) }
        return Int(truncatingIfNeeded: value)
    }
}
