internal import Glibc

/// Stream sockets with a name in the file system (unix(7)).
enum LocalSocket {
    /// Connects to a socket by its path.
    ///
    /// - Returns: the descriptor, or -1 with errno: `ENAMETOOLONG` above 107 bytes.
    static func connect(_ path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
            guard bytes.count <= place.count else { return false }
            place.copyBytes(from: bytes)
            return true
        }
        guard fits else {
            errno = ENAMETOOLONG
            return -1
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { return -1 }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if status == 0 { return descriptor }
        let error = errno
        close(descriptor)
        errno = error
        return -1
    }
}
