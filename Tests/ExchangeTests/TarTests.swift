import TestSupport
import Testing

@testable import Exchange

struct TarTests {
    private func archive(_ build: (TarWriter) throws -> Void) throws -> [UInt8] {
        final class Box { var bytes: [UInt8] = [] }
        let box = Box()
        let writer = TarWriter { box.bytes += $0 }
        try build(writer)
        try writer.end()
        return box.bytes
    }

    private func reader(_ bytes: [UInt8]) -> TarReader {
        final class Box { var place = 0 }
        let box = Box()
        return TarReader { count in
            // Small pieces, so that blocks come in several.
            let piece = Array(bytes[box.place..<min(bytes.count, box.place + min(count, 100))])
            box.place += piece.count
            return piece
        }
    }

    private static func once(_ bytes: [UInt8]) -> () -> [UInt8] {
        var rest = bytes
        return {
            defer { rest = [] }
            return rest
        }
    }

    static let paths = [
        "a", String(repeating: "d/", count: 60) + "file", String(repeating: "n", count: 250),
        "items/c4/\(String(repeating: "x", count: 120))/Größe.txt",
    ]

    @Test func `files come back with their bytes, modes and times to the nanosecond`() throws {
        let bytes = try archive { tar in
            try tar.folder(Array("folder".utf8), permissions: 0o750, modified: 1_700_000_000_123_456_789)
            for (number, path) in Self.paths.enumerated() {
                let body = [UInt8](repeating: UInt8(number), count: number * 300)
                let isWhole = try tar.file(
                    Array(path.utf8), byteCount: body.count, permissions: 0o640, modified: 1_700_000_000_000_000_001,
                    read: Self.once(body))
                #expect(isWhole)
            }
        }
        #expect(TarHeader.isOne(bytes))
        var tar = reader(bytes)
        let folder = try tar.next()
        #expect(folder?.kind == .folder)
        #expect(folder?.modified == 1_700_000_000_123_456_789)
        #expect(folder?.permissions == 0o750)
        for (number, path) in Self.paths.enumerated() {
            let entry = try #require(try tar.next())
            #expect(entry.path == Array(path.utf8))
            #expect(entry.modified == 1_700_000_000_000_000_001)
            var body: [UInt8] = []
            // Skips the contents of every other file.
            while number % 2 == 0 {
                let piece = try tar.body(77)
                if piece.isEmpty { break }
                body += piece
            }
            if number % 2 == 0 { #expect(body == [UInt8](repeating: UInt8(number), count: number * 300)) }
        }
        let next1 = try tar.next()
        #expect(next1 == nil)
    }

    @Test func `a file that shrinks or grows meanwhile keeps the tar file whole`() throws {
        let bytes = try archive { tar in
            let isWhole2849 = try tar.file(
                [0x61], byteCount: 600, permissions: 0o600, modified: 0, read: Self.once([1]))
            #expect(!isWhole2849)
            let isWhole2963 = try tar.file(
                [0x62], byteCount: 2, permissions: 0o600, modified: 0, read: Self.once([1, 2, 3]))
            #expect(!isWhole2963)
        }
        var tar = reader(bytes)
        let next2 = try tar.next()
        #expect(next2?.byteCount == 600)
        let next3 = try tar.next()
        #expect(next3?.byteCount == 2)
        let next4 = try tar.next()
        #expect(next4 == nil)
    }

    @Test func `what follows the end is told from the zeros that fill the last record`() throws {
        let whole = try archive { tar in
            _ = try tar.file(
                Array("abc".utf8), byteCount: 3, permissions: 0o600, modified: 5, read: Self.once([1, 2, 3]))
        }
        let zeros = [UInt8](repeating: 0, count: 5120)
        for (following, expected) in [
            ([], nil), (zeros, nil), (Array(zeros.dropLast(100)), nil),
            (whole, ImportError(.secondTar(offset: whole.count))),
            (zeros + whole, ImportError(.secondTar(offset: whole.count + zeros.count))),
            ([0x78], ImportError(.bytesAfterTarEnd(offset: whole.count))),
            (zeros + [0x78], ImportError(.bytesAfterTarEnd(offset: whole.count + zeros.count))),
        ] as [([UInt8], ImportError?)] {
            var tar = reader(whole + following)
            while try tar.next() != nil {}
            let rest = try tar.rest()
            #expect(rest == expected)
        }
    }

    @Test func `every end may be missing, and every byte may be anything`() throws {
        let whole = try archive { tar in
            _ = try tar.file(
                Array("abc".utf8), byteCount: 3, permissions: 0o600, modified: 5, read: Self.once([1, 2, 3]))
        }
        func readAll(_ bytes: [UInt8]) throws {
            var tar = reader(bytes)
            while try tar.next() != nil { while try !tar.body(1000).isEmpty {} }
        }
        for count in stride(from: 0, to: whole.count - 512, by: 37) {
            #expect(throws: ImportError.self) { try readAll(Array(whole.prefix(count))) }
        }
        var random = SeededGenerator.forFuzzing
        for _ in 0..<FuzzSetting.cases(3000) {
            var bytes = whole
            for _ in 0...3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try? readAll(bytes)
        }
    }

    @Test func `times beyond the range of files are limited, and a sparse file is reported`() {
        var header = TarHeader(kind: .file, path: [0x61], byteCount: 0, permissions: 0, modified: 0)
        for (text, year) in [
            ("21 mtime=99999999999\n", 2116), ("21 mtime=-9999999999\n", 1653), ("15 mtime=1e300\n", 2116),
        ] {
            let isTaken = header.take(records: Array(text.utf8))
            #expect(isTaken, "\(text)")
            #expect((header.modified > 0) == (year > 1970), "\(text)")
        }
        let isTaken = header.take(records: Array("22 GNU.sparse.major=1\n".utf8))
        #expect(isTaken)
        #expect(header.kind == .other(.sparse))
    }

    @Test func `a global header is passed over, and a name loses the dot before it`() throws {
        let body = try archive { tar in
            _ = try tar.file(Array("./a".utf8), byteCount: 0, permissions: 0o600, modified: 5, read: Self.once([]))
        }
        var global = Array(body[..<1024])
        global[156] = UInt8(ascii: "g")
        var sum = 0
        for index in 0..<512 { sum += (148..<156).contains(index) ? 0x20 : Int(global[index]) }
        let digits = Array(String(sum, radix: 8).utf8)
        global.replaceSubrange(148..<156, with: [UInt8](repeating: 0x30, count: 6 - digits.count) + digits + [0, 0x20])
        var tar = reader(global + body)
        let entry = try tar.next()
        #expect(entry?.path == [0x61])
    }

    @Test func `damaged pax records are refused`() {
        var header = TarHeader(kind: .file, path: [0x61], byteCount: 0, permissions: 0, modified: 0)
        for text in ["9999999999999 a=b\n", "0 a=b\n", "5 a=b\n", "7 path\n", "9 size=x\n", "x", "99 path=a\n"] {
            let isTaken = header.take(records: Array(text.utf8))
            #expect(!isTaken, "\(text)")
        }
        let isTaken = header.take(records: Array("10 path=b\n".utf8))
        #expect(isTaken)
        #expect(header.path == [0x62])
    }
}
