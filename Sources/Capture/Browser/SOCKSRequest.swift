internal import Files
internal import Glibc

/// A request to the gate: RFC 1928, sections 3 to 6, without authentication and with CONNECT only.
struct SOCKSRequest {
    enum Answer: UInt8 {
        case connected = 0
        case notAllowed = 2
        case unreachable = 4
        case commandNotSupported = 7
        case addressTypeNotSupported = 8
    }

    /// A name, or an address without brackets.
    let host: String
    let port: Int

    var target: HostPort { HostPort(host: host, port: port) }

    /// Reads greeting and request within five seconds.
    ///
    /// - Returns: `nil` for anything but CONNECT to a well-formed host; the refusal has been sent.
    static func read(from socket: Int32) -> SOCKSRequest? {
        var input = Input(socket: socket)
        guard let greeting = input.take(2), greeting[0] == 5, let methods = input.take(Int(greeting[1])),
            methods.contains(0)
        else { return nil }
        send([5, 0], to: socket)
        guard let head = input.take(4), head[0] == 5 else { return nil }
        if head[1] != 1 {
            reply(.commandNotSupported, to: socket)
            return nil
        }
        let host: String?
        switch head[3] {
        case 1: host = input.take(4).flatMap { address($0, AF_INET) }
        case 4: host = input.take(16).flatMap { address($0, AF_INET6) }
        case 3: host = input.take(1).flatMap { input.take(Int($0[0])) }.flatMap(name)
        default: host = nil
        }
        guard let host, let port = input.take(2) else {
            reply(.addressTypeNotSupported, to: socket)
            return nil
        }
        return SOCKSRequest(host: host, port: Int(port[0]) << 8 | Int(port[1]))
    }

    static func reply(_ answer: Answer, to socket: Int32) {
        send([5, answer.rawValue, 0, 1, 0, 0, 0, 0, 0, 0], to: socket)
    }

    /// Sends a few bytes into an empty buffer: they fit, or the peer is gone.
    private static func send(_ bytes: [UInt8], to socket: Int32) {
        _ = Glibc.send(socket, bytes, bytes.count, Socket.noSignal)
    }

    private static func address(_ bytes: [UInt8], _ family: Int32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            inet_ntop(family, bytes, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
        }
    }

    private static func name(_ bytes: [UInt8]) -> String? {
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !bytes.isEmpty else { return nil }
        let bare =
            bytes.first == UInt8(ascii: "[") && bytes.last == UInt8(ascii: "]")
            ? bytes.dropFirst().dropLast() : bytes[...]
        return String(decoding: bare, as: UTF8.self)
    }

    private struct Input {
        let socket: Int32
        let end = ContinuousClock.now + .seconds(5)

        /// Reads exactly `count` bytes, since later ones belong to the relay.
        mutating func take(_ count: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            var have = 0
            while have < count {
                let got = bytes.withUnsafeMutableBytes { bytes in
                    uninterrupted { recv(socket, bytes.baseAddress?.advanced(by: have), count - have, 0) }
                }
                if got > 0 {
                    have += got
                } else if got == 0 || errno != EAGAIN {
                    return nil
                } else {
                    let left = ContinuousClock.now.duration(to: end)
                    var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                    if left <= .zero || poll(&polled, 1, Int32(left.wholeMilliseconds + 1)) == 0 { return nil }
                }
            }
            return bytes
        }
    }
}
