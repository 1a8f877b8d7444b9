internal import Glibc

/// Names of stream sockets in the file system (unix(7)). A name has at most 107 bytes, so a longer path is reached through
/// its open folder.
enum LocalAddress {
    /// Connects to a socket by its path.
    ///
    /// - Returns: the descriptor, or -1 with errno.
    static func connect(_ path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        if descriptor < 0 { return -1 }
        if with(path, { address, length in Glibc.connect(descriptor, address, length) }) == 0 { return descriptor }
        let error = errno
        close(descriptor)
        errno = error
        return -1
    }

    /// Calls `body` with the address of a path.
    ///
    /// - Returns: the result of `body`, or -1 with errno if there is no such address.
    static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var short = path
        var folder: Int32 = -1
        defer { if folder >= 0 { close(folder) } }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
        if path.utf8.count > limit, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
            folder = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if folder < 0 { return -1 }
            short = "/proc/self/fd/\(folder)" + path[slash...]
        }
        if short.utf8.count > limit || short.utf8.contains(0) {
            errno = ENAMETOOLONG
            return -1
        }
        var length = MemoryLayout<sockaddr_un>.size
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: short.utf8)
            if short.hasPrefix("@") {
                // A name of the kernel alone, without a file: it begins with NUL, and its length counts.
                place[0] = 0
                length = length - place.count + short.utf8.count
            }
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}
