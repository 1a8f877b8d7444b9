import JSONFormat
import TestSupport
import Testing

@testable import WorkerProtocol

struct EntryStreamTests {
    private final class Bytes {
        var bytes: [UInt8] = []
        var place = 0
    }

    private func stream(_ write: (EntryStreamWriter) throws -> Void) throws -> [UInt8] {
        let all = Bytes()
        try write(EntryStreamWriter { all.bytes += $0 })
        return all.bytes
    }

    /// - Parameter size: how many bytes come at a time.
    private func reader(_ bytes: [UInt8], by size: Int = 100) -> EntryStreamReader {
        let all = Bytes()
        return EntryStreamReader { _ in
            let piece = Array(bytes[all.place..<min(bytes.count, all.place + size)])
            all.place += piece.count
            return piece
        }
    }

    private static let folder = PackedEntry(
        .folder, Array("Größe".utf8), byteCount: nil, permissions: 0o750, modified: -1_700_000_000_123_456_789)
    private static let file = PackedEntry(
        .file, [0xFF, 0x0A], byteCount: 300, permissions: 0o4777, modified: 1_700_000_000_000_000_001)

    @Test(arguments: [1, 4, 5, 100, 100_000]) func `entries come back as they were`(_ size: Int) throws {
        let bytes = try stream {
            try $0.begin(Self.folder)
            try $0.begin(Self.file)
            try $0.piece([UInt8](repeating: 1, count: 200))
            try $0.piece([])
            try $0.piece([UInt8](repeating: 2, count: 100))
            for kind in PackedEntry.Kind.allCases {
                try $0.begin(PackedEntry(kind, [], byteCount: 0, permissions: 0, modified: 0))
            }
            try $0.end()
        }
        var reader = reader(bytes, by: size)
        #expect(try reader.next() == Self.folder)
        #expect(try reader.next() == Self.file)
        #expect(try reader.piece() == [UInt8](repeating: 1, count: 200))
        // The rest of the contents is skipped.
        for kind in PackedEntry.Kind.allCases { #expect(try reader.next()?.kind == kind) }
        #expect(try reader.piece() == [])
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test func `a file that shrinks or grows meanwhile keeps its length`() throws {
        func once(_ bytes: [UInt8]) -> () -> [UInt8] {
            var rest = bytes
            return {
                defer { rest = [] }
                return rest
            }
        }
        let bytes = try stream {
            let isShortWhole = try $0.file(
                [0x61], byteCount: 600, permissions: 0o600, modified: 0, read: once([1]))
            let isLongWhole = try $0.file(
                [0x62], byteCount: 2, permissions: 0o600, modified: 0, read: once([1, 2, 3]))
            #expect(!isShortWhole && !isLongWhole)
            try $0.end()
        }
        var reader = reader(bytes)
        var counts: [Int] = []
        while try reader.next() != nil {
            var count = 0
            while true {
                let piece = try reader.piece()
                if piece.isEmpty { break }
                count += piece.count
            }
            counts.append(count)
        }
        #expect(counts == [600, 2])
    }

    @Test func `a fault is thrown, at an entry and within one`() throws {
        let fault = PackedFault(.damaged, offset: 7, "words\u{1B}[m")
        for isWithin in [false, true] {
            let bytes = try stream {
                if isWithin { try $0.begin(Self.file) }
                try $0.fail(fault)
            }
            var reader = reader(bytes)
            if isWithin {
                _ = try reader.next()
                #expect(throws: fault) { try reader.piece() }
            } else {
                #expect(throws: fault) { try reader.next() }
            }
        }
    }

    @Test func `a stream without an end, with any byte changed, never crashes and never ends well too early`() throws {
        let whole = try stream {
            try $0.begin(Self.file)
            try $0.piece([UInt8](repeating: 1, count: 300))
            try $0.end()
        }
        func readAll(_ bytes: [UInt8]) throws {
            var reader = reader(bytes)
            while try reader.next() != nil { while try !reader.piece().isEmpty {} }
        }
        for count in 0..<whole.count { #expect(throws: WireFault.self) { try readAll(Array(whole.prefix(count))) } }
        var random = SeededGenerator.forFuzzing
        for _ in 0..<FuzzSetting.cases(3000) {
            var bytes = whole
            for _ in 0...3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try? readAll(bytes)
        }
    }
}
