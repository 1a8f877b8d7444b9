import Glibc
import StuffBucket

/// Reads lines of a file or of standard input one after the other, in constant memory.
struct LineReader: ~Copyable {
    private let number: Int32
    private let name: String
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// A longer line is no URL and no file name.
    private static let lineLimit = 1 << 20

    /// - Parameter path: `-` for standard input.
    init(_ path: String) throws {
        name = path
        number = path == "-" ? dup(0) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
        if number < 0 {
            throw CommandFailure(.failed, "cannot open \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(number) }

    /// - Returns: the next line without its end, or `nil` after the last.
    mutating func next() throws -> [UInt8]? {
        while true {
            if let end = buffer[start...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            if isAtEnd {
                defer { start = buffer.count }
                return start < buffer.count ? Array(buffer[start...]) : nil
            }
            if buffer.count - start > Self.lineLimit {
                throw CommandFailure(.failed, "\(name) has a line of more than \(ByteCount.text(Self.lineLimit))")
            }
            try fill()
        }
    }

    private mutating func fill() throws {
        buffer.removeFirst(start)
        start = 0
        let chunk = try ByteStream(number, name: name).read()
        isAtEnd = chunk.isEmpty
        buffer += chunk
    }
}
