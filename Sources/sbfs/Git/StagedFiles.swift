import StuffBucket

/// The files of a library that the next commit changes, as they are in git's index.
struct StagedFiles {
    private let git: Git
    /// The library's JSON files.
    private let files: [StagedFile]

    init(_ git: Git) throws {
        self.git = git
        files = try StagedFile.all(git).filter { Self.isOwn($0.path) }
    }

    /// Whether a path of a library is one of its JSON files, and not the person's file of the same name elsewhere.
    private static func isOwn(_ path: String) -> Bool {
        guard let kind = FileJoin.Kind(path: path), kind != .text else { return false }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"))
        return parts.count == (kind == .library ? 1 : parts[0].elementsEqual("items".utf8) ? 4 : 2)
    }

    /// What is wrong with each damaged file: its path, the place in it, and why.
    func faults() throws -> [String] {
        var faults: [(path: String, words: String)] = []
        try GitObjects(git: git).read(files.map(\.new)) { place, bytes in
            guard let bytes else {
                throw CommandFailure(.failed, "git does not give the staged version of \(files[place].path)")
            }
            if let fault = Self.fault(of: bytes) { faults.append((files[place].path, fault)) }
        }
        let known = Set(faults.map(\.path))
        for (path, line) in try StagedMarkers(git).faults() where !known.contains(path) {
            faults.append((path, Self.marked(line)))
        }
        faults.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return faults.map { "\(Printable.line($0.path))\($0.words)" }
    }

    /// Behind the path: the place, and what is wrong.
    private static func fault(of bytes: [UInt8]) -> String? {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: bytes)
            return document.kind(document.root) == .object ? nil : ":1:1: this is no JSON object"
        } catch {
            // A line of JSON never begins with one of git's markers.
            if let line = markedLine(bytes) { return marked(line) }
            return ":\(error.line):\(error.column): \(error.mismatch)"
        }
    }

    private static func marked(_ line: Int) -> String { ":\(line):1: this is a conflict marker of git" }

    private static func markedLine(_ bytes: [UInt8]) -> Int? {
        let marks = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
        return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).firstIndex { line in
            marks.contains { line.starts(with: $0.utf8) }
        }.map { $0 + 1 }
    }
}
