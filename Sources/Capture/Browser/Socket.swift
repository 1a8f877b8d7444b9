internal import Glibc

/// The kernel's names for what sockets can be, as the numbers that its calls take.
enum Socket {
    // Numbers of the kernel's ABI, since both Glibc's module and libcurl's headers declare the names: which of them a file
    // sees depends on what the compiler read before it.
    static let stream: Int32 = 1
    static let closedAtExec: Int32 = 0o2_000_000
    static let nonblocking: Int32 = 0o4000
    /// For `send`: a peer that is gone is an error, not SIGPIPE.
    static let noSignal = Int32(MSG_NOSIGNAL)

    static func stopBlocking(_ socket: Int32) {
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    }

    static func closeAtExec(_ socket: Int32) {
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    }
}
