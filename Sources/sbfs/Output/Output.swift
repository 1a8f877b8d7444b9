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
        do throws(FileError) {
            try ByteStream(1, name: "standard output").write(bytes)
        } catch {
            // The reader has closed the pipe, as `head` does after enough lines.
            if error.number == EPIPE { exit(ExitStatus.done.rawValue) }
            let reason = error.number.map { String(cString: strerror($0)) } ?? "\(error)"
            throw CommandFailure(.failed, "cannot write to standard output: \(reason)", isOfOutput: true)
        }
    }
}
