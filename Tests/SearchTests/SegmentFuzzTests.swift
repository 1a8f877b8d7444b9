import Glibc
import TestSupport
import Testing

@testable import Search

/// The number of cases of a fuzz test: a sample, or `FUZZ_CASES` (`Scripts/fuzz`).
enum FuzzCases {
    static func count(_ sample: Int) -> Int {
        getenv("FUZZ_CASES").flatMap { Int(String(cString: $0)) } ?? sample
    }

    static var isSet: Bool { getenv("FUZZ_CASES") != nil }
    static var seed: UInt64 { getenv("FUZZ_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1 }
}

/// Nonsense with correct checksums, so that it reaches the decoders: they may answer anything, but must end within
/// their limits.
struct SegmentFuzzTests {
    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let header = SegmentLayout.headerByteCount
        let interesting: [UInt64] = [0, 1, 2, 127, 128, 255, 256, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, .max]
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            // Sections from the header, chosen evenly, since most are small.
            let section = Int.random(in: 0..<SegmentLayout.Section.allCases.count, using: &generator)
            let (start, count) = bytes.withUnsafeBytes { raw in
                (
                    Int(raw.loadUnaligned(fromByteOffset: 80 + section * 8, as: UInt64.self) & 0xFFFF_FFFF),
                    Int(raw.loadUnaligned(fromByteOffset: 80 + 17 * 8 + section * 6, as: UInt64.self) & 0xFFFF_FFFF)
                )
            }
            let isHeader = Int.random(in: 0..<24, using: &generator) == 0
            let range = isHeader || count == 0 || start + count > bytes.count ? 12..<header - 8 : start..<start + count
            let at = Int.random(in: range, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[at] = UInt8.random(in: 0...255, using: &generator)
            case 2: bytes[at] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
            case 3:
                let value = interesting.randomElement(using: &generator) ?? 0
                let size = [1, 2, 4, 6, 8].randomElement(using: &generator) ?? 4
                for byte in 0..<size where at + byte < range.upperBound {
                    bytes[at + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))
                }
            default:
                let from = Int.random(in: range, using: &generator)
                for byte in 0..<Int.random(in: 1...24, using: &generator)
                where max(at, from) + byte < range.upperBound { bytes[at + byte] = bytes[from + byte] }
            }
        }
        SampleSegment.mend(&bytes)
    }

    /// Reads everything in every way.
    private static func read(_ image: MemoryImage, _ requests: [SearchRequest]) throws {
        let segment = try Segment(image, name: "fuzz")
        let deletions = Deletions(documentCount: segment.documentCount)
        let snapshot = IndexSnapshot([IndexSnapshot.Part(segment: segment, deletions: deletions)])
        // Each separately: damage that one finds must not stop the others.
        let searcher = try? Searcher(snapshot)
        for request in requests { _ = try? searcher?.search(request) }
        _ = try? snapshot.suggest("b", limit: 5)
        _ = try? snapshot.corrections("abcdx")
        try? snapshot.forEachDocument { key, _ in _ = try snapshot.place(of: key) }
        let merge = SegmentMerge([.init(segment: segment, deletions: nil), .init(segment: segment, deletions: nil)])
        _ = try? merge.write(identity: 1, threads: 1, spill: nil, to: nil)
        _ = try? merge.write(identity: 1, threads: 2, spill: nil, to: nil)
        var cursor = TermCursor(segment)
        var block = PostingBlock()
        var positions = PositionBuffer()
        try cursor.seekFirst()
        while !cursor.isAtEnd {
            _ = try? cursor.bounds()
            if let list = try? cursor.list() {
                for number in 0..<list.blockCount
                where block.readDocuments(list, number, limit: UInt32(segment.documentCount)) {
                    guard list.detail > .documents, block.readFrequencies(list), list.detail == .positions else {
                        continue
                    }
                    for index in stride(from: 0, to: block.count, by: 7) {
                        _ = block.readPositions(list, number, index, into: &positions)
                    }
                }
            }
            try cursor.next()
        }
    }

    @Test func `a reader of nonsense with right checksums stays within its bounds`() throws {
        let images = try [
            SampleSegment.bytes(SampleSegment.image(seed: 21, documents: 3)),
            SampleSegment.bytes(SampleSegment.image(seed: 22, documents: 40)),
            SampleSegment.bytes(SampleSegment.image(seed: 23, documents: 300, wordCount: 30)),
        ]
        let requests = (0..<3).map {
            SampleSegment.requests(ModelWriter(seed: 21 + UInt64($0), wordCount: $0 < 2 ? 60 : 30).words)
        }
        var generator = SeededGenerator(seed: FuzzCases.seed)
        var refused = 0
        let cases = FuzzCases.count(120)
        for number in 0..<cases {
            let which = number % 8 < 4 ? 0 : number % 8 < 7 ? 1 : 2
            var bytes = images[which]
            let state = generator
            Self.mutate(&bytes, &generator)
            if getenv("FUZZ_TRACE") != nil { print(number, state) }
            do { try Self.read(SampleSegment.image(bytes), requests[which]) } catch is IndexDamage { refused += 1 }
        }
        #expect(refused < cases)
    }

    @Test func `a reader of nonsense about beginnings stays within its bounds`() throws {
        let image = try SampleSegment.image(seed: 24, documents: 4_300, wordCount: 24, stem: "abc")
        let segment = try Segment(image, name: "sample")
        #expect(try segment.beginning(Array("abc".utf8))?.bounds != nil)
        #expect(try segment.beginning(Array("ab".utf8))?.list != nil)
        let whole = SampleSegment.bytes(image)
        // Data about prefixes come first, in the dictionary and among the lists.
        var cursor = TermCursor(segment)
        try cursor.seek([0x01])
        let listBytes = cursor.documentOffset
        let places = whole.withUnsafeBytes { raw in
            [(SegmentLayout.Section.terms, 1_500), (.documents, listBytes)].map { section, count in
                let start = Int(raw.loadUnaligned(fromByteOffset: 80 + section.rawValue * 8, as: UInt64.self))
                return start..<start + count
            }
        }
        let requests = [
            Query.prefix("abc"), .word("abc"), .prefix("a"), .prefix("ab"), .and([.word("abca"), .prefix("abc")]),
        ]
        .flatMap { query in
            [1, 10].map { limit in
                var request = SearchRequest(query)
                request.limit = limit
                return request
            }
        }
        var generator = SeededGenerator(seed: FuzzCases.seed &+ 5)
        var refused = 0
        let cases = FuzzCases.count(40)
        for _ in 0..<cases {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let at = Int.random(in: places.randomElement(using: &generator) ?? places[0], using: &generator)
                bytes[at] =
                    [0, 1, 6, 31, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }
            SampleSegment.mend(&bytes)
            do {
                let searcher = try Searcher(SampleSegment.snapshot(SampleSegment.image(bytes)))
                for few in [1, 16] {
                    searcher.firstRangeCount = few
                    searcher.rangeCount = few * 4
                    for request in requests { _ = try searcher.search(request) }
                }
            } catch is IndexDamage {
                refused += 1
            }
        }
        #expect(refused < cases)
    }
}
