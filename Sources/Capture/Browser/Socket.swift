internal import Glibc

/// The kernel's constants for sockets, as numbers.
enum Socket {
    // These are numbers of the kernel's ABI. Both Glibc's module and libcurl's headers declare the names, and which
    // of them a file sees depends on what the compiler read before.
    static let stream: Int32 = 1
    static let closedAtExec: Int32 = 0o2_000_000
    static let nonblocking: Int32 = 0o4000
    /// For `send`: if the peer is gone, it is an error and not SIGPIPE.
    static let noSignal = Int32(MSG_NOSIGNAL)

    static func stopBlocking(_ socket: Int32) {
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    }

    static func closeAtExec(_ socket: Int32) {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    }
}
