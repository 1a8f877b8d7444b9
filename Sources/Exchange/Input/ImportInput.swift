internal import Characters
public import Files
internal import Items

/// A file to import. Any part can be read at any time, so a file of gigabytes needs little memory.
public struct ImportInput: Sendable {
    /// The length of the whole file in bytes.
    public let byteCount: Int
    /// The smallest number of bytes read at a time.
    let pieceByteCount: Int
    private let read: @Sendable (_ start: Int, _ count: Int) throws -> [UInt8]
    /// The file that it is; `nil` for other sources.
    private var file: SharedFile?

    /// - Parameter read: returns this many bytes from an offset on; fewer only at the end.
    public init(
        byteCount: Int, pieceByteCount: Int = 1 << 20,
        _ read: @escaping @Sendable (_ start: Int, _ count: Int) throws -> [UInt8]
    ) {
        self.byteCount = byteCount
        self.pieceByteCount = max(1, pieceByteCount)
        self.read = read
    }

    /// Makes an input from bytes in memory.
    public init(_ bytes: [UInt8], pieceByteCount: Int = 1 << 20) {
        self.init(byteCount: bytes.count, pieceByteCount: pieceByteCount) { start, count in
            Array(bytes[min(start, bytes.count)..<min(start + count, bytes.count)])
        }
    }

    /// Opens a file. It is read as it is needed, and closed with the last copy of the input.
    ///
    /// - Throws: `FileError` if it cannot be opened.
    public init(path: String) throws(FileError) {
        try self.init(SharedFile(Descriptor.open(path: path)))
    }

    private init(_ file: SharedFile) throws(FileError) {
        self.init(byteCount: try file.descriptor.status().byteCount) { try file.descriptor.read(at: $0, count: $1) }
        self.file = file
    }

    /// The whole input as a file, for another program.
    ///
    /// - Throws: The error of the function that reads; `FileError` if there is no memory for it.
    package func asFile() throws -> SharedFile {
        if let file { return file }
        return try SharedFile(inMemory: bytes(at: 0, count: byteCount))
    }

    /// Reads a stream to its end: into memory, or, above 8 MiB, into a file without a name.
    ///
    /// - Parameter folder: where the file is made; it is gone when the last copy of the input is.
    /// - Throws: `FileError`.
    public init(_ stream: ByteStream, spoolingTo folder: String) throws(FileError) {
        var bytes: [UInt8] = []
        while bytes.count < 8 << 20 {
            let chunk = try stream.read()
            if chunk.isEmpty {
                self.init(bytes)
                return
            }
            bytes += chunk
        }
        let file = try Directory(path: folder).temporaryFile(".import-\(ItemID.make())")
        try file.write(bytes)
        bytes = []
        while true {
            let chunk = try stream.read()
            if chunk.isEmpty { break }
            try file.write(chunk)
        }
        try self.init(SharedFile(file))
    }

    /// The bytes from an offset on; fewer than `count` at the end.
    ///
    /// - Throws: The error of the function that reads; `FileError` for a file.
    public func bytes(at start: Int, count: Int) throws -> [UInt8] {
        let wanted = max(0, min(count, byteCount - start))
        return wanted == 0 ? [] : try read(start, wanted)
    }

    /// The input without its first bytes.
    func dropping(_ count: Int) -> ImportInput {
        ImportInput(byteCount: max(0, byteCount - count), pieceByteCount: pieceByteCount) { [read] start, wanted in
            try read(start + count, wanted)
        }
    }

    /// All bytes.
    ///
    /// - Throws: `ImportError` above `limit` bytes.
    func all(limit: Int) throws -> [UInt8] {
        if byteCount > limit {
            throw ImportError(.tooLarge(byteCount: byteCount, limit: limit))
        }
        return try bytes(at: 0, count: byteCount)
    }

    /// Whether the whole file is UTF-8 without an escape character, which starts other encodings.
    func isPlainUTF8() throws -> Bool {
        var start = 0
        var rest: [UInt8] = []
        while start < byteCount {
            let piece = try bytes(at: start, count: max(pieceByteCount, 1 << 16))
            if piece.isEmpty { break }
            start += piece.count
            let bytes = rest + piece
            rest = []
            if bytes.contains(0x1B) || bytes.contains(0) { return false }
            guard let fault = UTF8Sequence.firstFault(in: bytes) else { continue }
            // The last character may continue in the next piece.
            if fault < bytes.count - 3 { return false }
            rest = Array(bytes[fault...])
        }
        return rest.isEmpty
    }
}

/// A part of a file that moves towards its end.
struct InputWindow {
    private let input: ImportInput
    /// The bytes in memory.
    private(set) var bytes: [UInt8] = []
    /// The offset of these bytes in the file.
    private(set) var start: Int
    /// Whether the window reaches the end of the file.
    private(set) var isAtEnd = false

    init(_ input: ImportInput, from start: Int = 0) throws {
        self.input = input
        self.start = start
        try move(by: 0)
    }

    /// Drops bytes at the start and reads further ones: at least as many as stay, so that a value over many windows
    /// takes linear time.
    mutating func move(by count: Int) throws {
        bytes.removeFirst(count)
        start += count
        let piece = try input.bytes(at: start + bytes.count, count: max(input.pieceByteCount, bytes.count))
        bytes += piece
        isAtEnd = piece.isEmpty || start + bytes.count >= input.byteCount
    }
}
