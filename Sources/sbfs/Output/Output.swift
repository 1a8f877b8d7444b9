import Glibc
import StuffBucket
import Synchronization

/// Standard output as a buffered stream of data.
final class Output: Sendable {
    private let buffer = Mutex<[UInt8]>([])
    /// Whether a command goes on after nobody reads its output any more.
    private let outlivesReader = Mutex(false)

    /// From now on the command changes the library: it does all of its work, also if nobody reads what it says.
    func outliveReader() { outlivesReader.withLock { $0 = true } }

    func write(_ bytes: [UInt8]) throws {
        let full: [UInt8]? = buffer.withLock { buffer in
            buffer += bytes
            if buffer.count < 1 << 16 { return nil }
            defer { buffer.removeAll(keepingCapacity: true) }
            return buffer
        }
        if let full { try writeAll(full) }
    }

    func line(_ text: String) throws { try write(Array(text.utf8) + [0x0A]) }

    func flush() throws {
        let rest = buffer.withLock { buffer in
            defer { buffer = [] }
            return buffer
        }
        try writeAll(rest)
    }

    private func writeAll(_ bytes: [UInt8]) throws {
        let goesOn = outlivesReader.withLock { $0 }
        let handler = goesOn ? signal(SIGPIPE, SIG_IGN) : nil
        defer { if goesOn { signal(SIGPIPE, handler) } }
        do throws(FileError) {
            try ByteStream(1, name: "standard output").write(bytes)
        } catch {
            // The reader has closed the pipe, as `head` does after enough lines.
            if error.number == EPIPE {
                if goesOn { return }
                exit(ExitStatus.done.rawValue)
            }
            let reason = error.number.map { String(cString: strerror($0)) } ?? "\(error)"
            throw CommandFailure(.failed, "cannot write to standard output: \(reason)", isOfOutput: true)
        }
    }
}
