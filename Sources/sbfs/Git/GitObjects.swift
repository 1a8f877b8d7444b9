import Glibc
import StuffBucket

/// Reads objects of a repository.
struct GitObjects {
    let git: Git

    /// Reads them all with one process of git.
    ///
    /// - Parameters:
    ///   - names: of blobs, as git names them in `--raw`.
    ///   - body: is called with the place of each name, and its bytes; `nil` if git does not have it.
    func read(_ names: [[UInt8]], _ body: (Int, [UInt8]?) throws -> Void) throws {
        try ask("--batch", names) { answers in
            for place in names.indices { try body(place, try answers.next()) }
        }
    }

    /// Their sizes in bytes; `nil` for one that git does not have.
    func sizes(_ names: [[UInt8]]) throws -> [Int?] {
        var sizes: [Int?] = []
        try ask("--batch-check", names) { answers in
            for _ in names { sizes.append(try answers.nextSize()) }
        }
        return sizes
    }

    private func ask(_ option: String, _ names: [[UInt8]], _ body: (inout Answers) throws -> Void) throws {
        if names.isEmpty { return }
        // A file, not a pipe: git answers while it reads.
        guard let list = tmpfile() else {
            throw CommandFailure(.failed, "cannot make a temporary file: \(String(cString: strerror(errno)))")
        }
        defer { fclose(list) }
        try ByteStream(fileno(list), name: "a temporary file").write(Array(names.map { $0 + [0x0A] }.joined()))
        lseek(fileno(list), 0, SEEK_SET)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandFailure(.failed, "cannot make a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var start = ProgramStart(git.words(["cat-file", option]))
        start.isOnPath = true
        start.input = .descriptor(fileno(list))
        start.output = .descriptor(ends[1])
        let process = try? start.run()
        close(ends[1])
        defer {
            close(ends[0])
            if let process { _ = ProcessEnd.wait(for: process) }
        }
        guard process != nil else { throw CommandFailure(.failed, "there is no program git; install it first") }
        var answers = Answers(ByteStream(ends[0], name: "git"))
        try body(&answers)
    }

    /// What `git cat-file --batch` prints: for each object a line with its name, kind and size, its bytes, and LF.
    private struct Answers {
        private let stream: ByteStream
        private var buffer: [UInt8] = []
        private var offset = 0

        init(_ stream: ByteStream) { self.stream = stream }

        /// The size of the next object, in its line; `nil` if it is missing.
        mutating func nextSize() throws -> Int? {
            var end: Int?
            while true {
                end = buffer[offset...].firstIndex(of: 0x0A)
                if end != nil { break }
                if try !fill() { return nil }
            }
            guard let end else { return nil }
            let words = buffer[offset..<end].split(separator: UInt8(ascii: " "))
            offset = end + 1
            guard words.count == 3, let size = Int(String(decoding: words[2], as: UTF8.self)), size >= 0 else {
                return nil
            }
            return size
        }

        /// The bytes of the next object; `nil` if it is missing.
        mutating func next() throws -> [UInt8]? {
            guard let size = try nextSize() else { return nil }
            while buffer.count - offset <= size { if try !fill() { return nil } }
            defer { offset += size + 1 }
            return Array(buffer[offset..<offset + size])
        }

        /// - Returns: false at the end.
        private mutating func fill() throws -> Bool {
            if offset > 0 {
                buffer.removeFirst(offset)
                offset = 0
            }
            let chunk = try stream.read()
            buffer += chunk
            return !chunk.isEmpty
        }
    }
}
