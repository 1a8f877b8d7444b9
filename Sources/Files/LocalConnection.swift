internal import Glibc

/// A connection between two programs of this machine: unix(7), stream.
///
/// Both sides send lines. A line is at most `lineLimit` bytes.
package final class LocalConnection: Sendable {
    package let number: Int32
    package static let lineLimit = 1 << 20

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Connects to a listener.
    ///
    /// - Parameter path: absolute; of any length.
    /// - Returns: `nil` if nobody listens.
    package convenience init?(path: String) {
        let number = LocalAddress.connect(path)
        if number < 0 { return nil }
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        self.init(number)
    }

    /// Sends bytes.
    ///
    /// - Parameter patience: how long a reader that is late is waited for.
    /// - Returns: false if the other side is gone or does not read; then the connection is of no more use.
    package func send(_ bytes: [UInt8], within patience: Duration = .milliseconds(200)) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = uninterrupted {
                bytes.withUnsafeBytes { raw in
                    Glibc.send(
                        number, raw.baseAddress.map { $0 + offset }, raw.count - offset, Int32(MSG_NOSIGNAL))
                }
            }
            if count > 0 {
                offset += count
                continue
            }
            // One that does not read at all is given up.
            if errno != EAGAIN { return false }
            var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            let milliseconds = Int32(clamping: Int64(patience / .milliseconds(1)))
            if uninterrupted({ Int(poll(&entry, 1, milliseconds)) }) <= 0 { return false }
        }
        return true
    }

    /// What has arrived.
    package enum Arrival {
        case bytes([UInt8])
        case nothing
        case ended
    }

    package func receive() -> Arrival {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
            count = uninterrupted { recv(number, buffer.baseAddress, buffer.count, 0) }
            initialized = max(0, count)
        }
        if count > 0 { return .bytes(bytes) }
        return count < 0 && errno == EAGAIN ? .nothing : .ended
    }

    /// Waits for one line.
    ///
    /// - Returns: the line without its end; `nil` at the end of the connection or of the time.
    package func line(within time: Duration) -> [UInt8]? {
        var lines = LocalLines(self)
        guard case .line(let line) = lines.next(within: time) else { return nil }
        return line
    }

    /// Whether the other side is a program of the same person.
    package var isOwn: Bool {
        var peer = PeerCredentials()
        var length = socklen_t(MemoryLayout<PeerCredentials>.size)
        // SO_PEERCRED; its structure is ucred, which needs _GNU_SOURCE.
        guard getsockopt(number, SOL_SOCKET, 17, &peer, &length) == 0 else { return false }
        return peer.user == geteuid() || peer.user == 0
    }

    private struct PeerCredentials {
        var process: Int32 = 0
        var user: UInt32 = .max
        var group: UInt32 = .max
    }
}
