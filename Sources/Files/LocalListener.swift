internal import Glibc

/// Accepts connections under a path.
package final class LocalListener: Sendable {
    package let number: Int32
    private let path: String
    /// Whether the path still names this socket is known by its device and inode, while it is open.
    private let identity: (UInt64, UInt64)?

    /// - Parameter path: absolute. A file with that name is removed first: the caller knows that nobody else uses it.
    package init(path: String) throws(FileError) {
        let number = try systemCall(.create, path) {
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        }
        self.number = number
        self.path = path
        unlink(path)
        _ = try systemCall(.create, path) {
            LocalAddress.with(path) { address, length in bind(number, address, length) }
        }
        chmod(path, 0o600)
        _ = try systemCall(.create, path) { listen(number, 64) }
        identity = Self.identity(of: path)
    }

    deinit {
        // A listener of a later daemon may have the name by now.
        if let identity, let now = Self.identity(of: path), identity == now { unlink(path) }
        close(number)
    }

    private static func identity(of path: String) -> (UInt64, UInt64)? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    /// The next connection that waits; `nil` if none does.
    package func accept() -> LocalConnection? {
        let other = uninterrupted { accept4(number, nil, nil, O_CLOEXEC | O_NONBLOCK) }
        if other < 0 { return nil }
        let connection = LocalConnection(other)
        return connection.isOwn ? connection : nil
    }

    private func accept4(
        _ number: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: UnsafeMutablePointer<socklen_t>?,
        _ flags: Int32
    ) -> Int32 {
        let other = Glibc.accept(number, address, length)
        if other >= 0 {
            _ = fcntl(other, F_SETFD, FD_CLOEXEC)
            _ = fcntl(other, F_SETFL, O_NONBLOCK)
        }
        return other
    }
}
