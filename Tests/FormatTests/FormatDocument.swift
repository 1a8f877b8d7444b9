import Files
import TestSupport

/// A document of the format, for tests: tables, byte examples, and the files of the example library.
struct FormatDocument {
    /// The documents, by their paths in the package.
    enum Name: String {
        case library = "FORMAT.md"
        case deviceFiles = "Documentation/DeviceFiles.md"
        case searchIndex = "Documentation/SearchIndex.md"
        case merge = "Documentation/Merge.md"
        case exchange = "Documentation/Exchange.md"
    }

    let lines: [String]

    init(_ name: Name = .library) throws {
        // Tests/FormatTests/FormatDocument.swift is two folders below the package.
        let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        let path = name.rawValue.split(separator: "/").map(String.init)
        let folder = ([root] + path.dropLast()).joined(separator: "/")
        let contents = try Directory(path: folder).contents(of: path.last ?? "", limit: 1 << 22)
        lines = String(decoding: contents.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines of the first table after a place, as cells without their code marks.
    ///
    /// - Parameters:
    ///   - place: the start of a line, such as a heading.
    ///   - skipping: the number of tables to skip.
    func table(behind place: String, skipping: Int = 0) -> [[String]] {
        guard let start = lines.firstIndex(where: { $0.hasPrefix(place) }) else { return [] }
        var rest = lines[(start + 1)...]
        for _ in 0..<skipping {
            rest = rest.drop { !$0.hasPrefix("|") }
            rest = rest.drop { $0.hasPrefix("|") }
        }
        let rows = rest.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return rows.dropFirst(2).map(Self.cells)
    }

    private static func cells(_ row: String) -> [String] {
        row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map { cell in
            var text = cell.drop { $0 == " " }
            while text.last == " " { text.removeLast() }
            return String(text)
        }
    }

    /// The text between the backquotes of a cell, one string for each pair.
    static func code(_ cell: String) -> [String] {
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    /// Path and bytes of every file of annex A.
    func exampleFiles() -> [(path: String, bytes: [UInt8])] {
        var files: [(path: String, bytes: [UInt8])] = []
        var index = 0
        while index < lines.count {
            if lines[index].hasPrefix("File: "), index + 1 < lines.count, lines[index + 1] == "```text" {
                let body = lines[(index + 2)...].prefix { $0 != "```" }
                files.append((String(lines[index].dropFirst(6)), Array(body.map { $0 + "\n" }.joined().utf8)))
                index += body.count + 2
            }
            index += 1
        }
        return files
    }

    /// The bytes of the block after the line `Example: name`: pairs of digits, `× n` to repeat the last one, and
    /// after two spaces their meaning.
    func hexadecimal(_ name: String) throws -> [UInt8] {
        guard let start = lines.firstIndex(of: "Example: " + name) else { throw Missing(name: name) }
        let body = lines[start...].drop { $0 != "```text" }.dropFirst().prefix { $0 != "```" }
        var bytes: [UInt8] = []
        for line in body {
            let digits = line.firstRange(of: "  ").map { line[..<$0.lowerBound] } ?? line[...]
            var isRepeated = false
            for word in digits.split(separator: " ") {
                if word == "×" {
                    isRepeated = true
                } else if isRepeated, let count = Int(word), let last = bytes.last {
                    bytes += Array(repeating: last, count: count - 1)
                    isRepeated = false
                } else if let byte = UInt8(word, radix: 16) {
                    bytes.append(byte)
                } else {
                    throw Missing(name: name + ": " + line)
                }
            }
        }
        return bytes
    }

    struct Missing: Error {
        let name: String
    }
}
