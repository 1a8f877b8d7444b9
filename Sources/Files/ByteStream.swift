internal import Glibc

/// An open descriptor that is read or written from where it stands: a standard stream, a pipe, a terminal.
///
/// The value does not own the descriptor and never closes it. Calls block, and continue after signals.
public struct ByteStream: Sendable {
    private let number: Int32
    private let name: String

    /// - Parameters:
    ///   - number: the descriptor.
    ///   - name: what errors call it.
    public init(_ number: Int32, name: String) {
        self.number = number
        self.name = name
    }

    /// The next bytes, at most 64 KiB; none at the end.
    ///
    /// - Throws: `FileError`.
    public func read() throws(FileError) -> [UInt8] {
        var failure: Int32 = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            let result = uninterrupted { Glibc.read(number, buffer.baseAddress, buffer.count) }
            if result < 0 { failure = errno }
            count = max(0, result)
        }
        if failure != 0 { throw FileError(.read, name, .system(failure)) }
        return chunk
    }

    /// Writes all bytes.
    ///
    /// - Throws: `FileError`; with the number EPIPE if nobody reads the pipe and the signal SIGPIPE is ignored.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        var offset = 0
        while offset < bytes.count {
            offset += try systemCall(.write, name) {
                bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress.map { $0 + offset }, $0.count - offset) }
            }
        }
    }
}
