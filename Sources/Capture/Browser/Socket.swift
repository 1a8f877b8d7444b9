internal import Glibc

/// The kernel's names for what sockets can be, as the numbers that its calls take.
enum Socket {
    static let stream = Int32(SOCK_STREAM.rawValue)
    static let closedAtExec = Int32(SOCK_CLOEXEC.rawValue)
    static let nonblocking = Int32(SOCK_NONBLOCK.rawValue)
    /// For `send`: a peer that is gone is an error, not SIGPIPE.
    static let noSignal = Int32(MSG_NOSIGNAL)

    static func stopBlocking(_ socket: Int32) {
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    }

    static func closeAtExec(_ socket: Int32) {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    }
}
