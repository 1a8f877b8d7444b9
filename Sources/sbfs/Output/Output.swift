import Glibc
import StuffBucket
import Synchronization

/// Standard output as a buffered stream of data.
final class Output: Sendable {
    private let buffer = Mutex<[UInt8]>([])

    func write(_ bytes: [UInt8]) throws {
        let full: [UInt8]? = buffer.withLock { buffer in
            buffer += bytes
            if buffer.count < 1 << 16 { return nil }
            defer { buffer.removeAll(keepingCapacity: true) }
            return buffer
        }
        if let full { try Self.writeAll(full) }
    }

    func line(_ text: String) throws { try write(Array(text.utf8) + [0x0A]) }

    func flush() throws {
        let rest = buffer.withLock { buffer in
            defer { buffer = [] }
            return buffer
        }
        try Self.writeAll(rest)
    }

    private static func writeAll(_ bytes: [UInt8]) throws {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                uninterrupted { Glibc.write(1, bytes.baseAddress.map { $0 + offset }, bytes.count - offset) }
            }
            if count < 0 {
                // The reader has closed the pipe, as `head` does after enough lines.
                if errno == EPIPE { exit(ExitStatus.done.rawValue) }
                throw CommandFailure(.failed, "cannot write to standard output: \(String(cString: strerror(errno)))")
            }
            offset += count
        }
    }
}
