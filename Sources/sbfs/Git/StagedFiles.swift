import Glibc
import StuffBucket

/// The JSON files of a library that the next commit changes, as they are in git's index.
struct StagedFiles {
    private let git: Git
    private let files: [(path: String, object: [UInt8])]

    init(_ git: Git) throws {
        self.git = git
        // Compares with the commit; before the first one, with nothing.
        let words = [
            "-c", "diff.relative=false", "diff", "--cached", "--raw", "-z", "--no-color", "--no-ext-diff",
            "--no-renames",
            "--no-abbrev", "--ignore-submodules", "--diff-filter=AMT",
        ]
        let parts = (try git.output(words) ?? []).split(separator: 0)
        files = stride(from: 0, to: parts.count - 1, by: 2).compactMap { index in
            // :OLDMODE NEWMODE OLD NEW STATUS, and the path.
            let fields = parts[index].split(separator: UInt8(ascii: " "))
            let path = String(decoding: parts[index + 1], as: UTF8.self)
            guard fields.count == 5, fields[1].starts(with: "100".utf8), Self.isOwn(path) else { return nil }
            return (path, Array(fields[3]))
        }
    }

    /// Whether a path of a library is one of its JSON files, and not the person's file of the same name elsewhere.
    private static func isOwn(_ path: String) -> Bool {
        guard let kind = FileJoin.Kind(path: path), kind != .text else { return false }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"))
        return parts.count == (kind == .library ? 1 : parts[0].elementsEqual("items".utf8) ? 4 : 2)
    }

    /// What is wrong with each damaged file: its path, the place in it, and why.
    func faults() throws -> [String] {
        var faults: [String] = []
        try forEach { path, bytes in
            if let fault = Self.fault(of: bytes) { faults.append("\(Printable.line(path))\(fault)") }
        }
        return faults
    }

    /// Behind the path: the place, and what is wrong.
    private static func fault(of bytes: [UInt8]) -> String? {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: bytes)
            return document.kind(document.root) == .object ? nil : ":1:1: this is no JSON object"
        } catch {
            // A line of JSON never begins with one of git's markers.
            if let line = markedLine(bytes) { return ":\(line):1: this is a conflict marker of git" }
            return ":\(error.line):\(error.column): \(error.mismatch)"
        }
    }

    private static func markedLine(_ bytes: [UInt8]) -> Int? {
        let marks = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
        return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).firstIndex { line in
            marks.contains { line.starts(with: $0.utf8) }
        }.map { $0 + 1 }
    }

    // MARK: Reading

    /// Reads all of them with one process of git.
    private func forEach(_ body: (String, [UInt8]) -> Void) throws {
        if files.isEmpty { return }
        // A file, not a pipe: git answers while it reads.
        guard let list = tmpfile() else {
            throw CommandFailure(.failed, "cannot make a temporary file: \(String(cString: strerror(errno)))")
        }
        defer { fclose(list) }
        try ByteStream(fileno(list), name: "a temporary file").write(Array(files.map { $0.object + [0x0A] }.joined()))
        lseek(fileno(list), 0, SEEK_SET)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandFailure(.failed, "cannot make a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var start = ProgramStart(git.words(["cat-file", "--batch"]))
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
        for file in files {
            guard let bytes = try answers.next() else {
                throw CommandFailure(.failed, "git does not give the staged version of \(file.path)")
            }
            body(file.path, bytes)
        }
    }

    /// What `git cat-file --batch` prints: for each object a line with its name, kind and size, its bytes, and LF.
    private struct Answers {
        private let stream: ByteStream
        private var buffer: [UInt8] = []
        private var offset = 0

        init(_ stream: ByteStream) { self.stream = stream }

        /// The bytes of the next object; `nil` if it is missing.
        mutating func next() throws -> [UInt8]? {
            var end: Int?
            while true {
                end = buffer[offset...].firstIndex(of: 0x0A)
                if end != nil { break }
                if try !fill() { return nil }
            }
            guard let end else { return nil }
            let words = buffer[offset..<end].split(separator: UInt8(ascii: " "))
            guard words.count == 3, let size = Int(String(decoding: words[2], as: UTF8.self)), size >= 0 else {
                return nil
            }
            offset = end + 1
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
