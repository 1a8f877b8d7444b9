import Testing

@testable import Search

/// The examples of SearchIndex.md § I3, compared with written bytes, and read back.
struct IndexFormatTests {
    private let document: FormatDocument

    init() throws { document = try FormatDocument(.searchIndex) }

    @Test func `checksums are those of the table`() {
        let rows = document.table(behind: "### I3.2")
        #expect(rows.count >= 4)
        for row in rows {
            let text = FormatDocument.code(row[0]).first ?? ""
            #expect(String(Checksum.of(Array(text.utf8)), radix: 16) == FormatDocument.code(row[1]).first)
        }
    }

    @Test func `a packed array is written as the example says, and read back`() throws {
        let bytes = try document.hexadecimal("packed array")
        #expect(IndexExamples.packedArray() == bytes)
        // Numbers are read eight bytes at a time, so more bytes must follow.
        let padded = bytes + Array(repeating: 0, count: 8)
        let back = try padded.withUnsafeBytes { raw in
            let start = raw.baseAddress.unsafelyUnwrapped
            let array = try #require(PackedArray(start, start + bytes.count, count: IndexExamples.array.count))
            #expect(array.end == start + bytes.count)
            var out = [UInt32](repeating: 0, count: array.count)
            out.withUnsafeMutableBufferPointer { array.read(0, array.count, into: $0.baseAddress.unsafelyUnwrapped) }
            return out
        }
        #expect(back == IndexExamples.array)
    }

    @Test func `a block of 128 is written as the example says, and read back`() throws {
        let bytes = try document.hexadecimal("block")
        #expect(IndexExamples.block() == bytes)
        var out = [UInt32](repeating: 9, count: 128)
        bytes.withUnsafeBytes { raw in
            let start = raw.baseAddress.unsafelyUnwrapped
            out.withUnsafeMutableBufferPointer {
                #expect(
                    BlockCodec.read(start, start + raw.count, into: $0.baseAddress.unsafelyUnwrapped) == start
                        + raw.count)
            }
        }
        #expect(out == IndexExamples.numbers)
    }

    @Test func `bounds of a beginning are written as the example says, and read back`() throws {
        let bytes = try document.hexadecimal("bounds")
        #expect(RangeBounds.bytes([2.499_975, 0, 0.995], shift: 8).dropFirst(5) == bytes.dropFirst(5))
        try bytes.withUnsafeBytes { raw in
            let bounds = try #require(RangeBounds(raw.baseAddress.unsafelyUnwrapped, raw.count, documentCount: 600))
            #expect(bounds.shift == 8)
            for (range, x) in [2.5, 0, 1].enumerated() { #expect(abs(Double(bounds[range]) - x) < 1e-4) }
        }
    }

    @Test func `fields of a block are written as the example says, and read back`() throws {
        let bytes = try document.hexadecimal("fields")
        let lengths = [UInt32](repeating: 90, count: 128)
        try lengths.withUnsafeBufferPointer { lengths in
            let norms = LengthNorms(
                textLengths: lengths.baseAddress.unsafelyUnwrapped, fieldLengths: lengths.baseAddress.unsafelyUnwrapped,
                means: MeanLengths(FieldTotals(text: 9_000, title: 400, tags: 300), documents: 100))
            var encoder = PostingsEncoder(norms: norms)
            encoder.begin(.frequencies)
            for number in 0..<128 as Range<UInt32> {
                let isFieldOnly = number == 2 || number == 127
                encoder.add(
                    number, text: isFieldOnly ? 0 : number == 33 ? 2 : 1,
                    title: [2, 17, 33, 127].contains(number) ? 1 : 0, tags: number == 127 ? 3 : 0,
                    rest: number == 32 || number == 33 ? 1 : 0)
            }
            encoder.finish()
            let written = encoder.documentBytes.bytes
            #expect(Array(written.suffix(bytes.count)) == bytes)
            try written.withUnsafeBytes { raw in
                let base = raw.baseAddress.unsafelyUnwrapped
                let list = try #require(
                    PostingList(detail: .frequencies, count: 128, base, raw.count, base + raw.count, 0))
                var block = PostingBlock()
                let isRead = block.readDocuments(list, 0, limit: 128) && block.readFrequencies(list)
                #expect(isRead)
                let found = [2, 17, 127, 5, 32, 33].map { block.frequencies($0) }
                #expect(
                    found == [
                        Frequencies(text: 0, title: 1, tags: 0), Frequencies(text: 1, title: 1, tags: 0),
                        Frequencies(text: 0, title: 1, tags: 3), Frequencies(text: 1, title: 0, tags: 0),
                        Frequencies(text: 1, title: 0, tags: 0, rest: 1),
                        Frequencies(text: 2, title: 1, tags: 0, rest: 1),
                    ])
            }
        }
    }

    @Test func `the segment is written as the example says, and answers`() throws {
        let bytes = try document.hexadecimal("segment")
        #expect(try IndexExamples.segmentBytes() == bytes)
        let image = bytes.withUnsafeBytes { MemoryImage($0.baseAddress.unsafelyUnwrapped, $0.count) }
        let segment = try Segment(image, name: "example")
        try segment.verify()
        #expect(segment.summary.identity == IndexExamples.identity)
        let part = IndexSnapshot.Part(segment: segment, deletions: Deletions(documentCount: 2))
        let snapshot = IndexSnapshot([part])
        let keys = IndexExamples.documents.map(\.key)
        let searcher = try Searcher(snapshot)
        func found(_ query: Query) throws -> Set<DocumentKey> {
            Set(try searcher.search(SearchRequest(query)).hits.map(\.key))
        }
        #expect(try found(.phrase("bad bread")) == [keys[0]])
        #expect(try found(.phrase("bread bad")) == [keys[0]])
        #expect(try found(.phrase("bad good")) == [])
        #expect(try found(.word("food")) == Set(keys))
        #expect(try found(.filter(.tag("food"))) == [keys[0]])
        #expect(try found(.filter(.type("snippet"))) == Set(keys))
        #expect(try snapshot.stored(keys[0]) == Array("S1".utf8))
        #expect(try snapshot.stored(keys[1]) == [])
        // The terms, in their order, are those of the table.
        let rows = document.table(behind: "Example: segment")
        var cursor = TermCursor(segment)
        try cursor.seekFirst()
        for row in rows {
            let (isAtEnd, bytes, count) = (cursor.isAtEnd, cursor.bytes, cursor.count)
            try #require(!isAtEnd)
            #expect(FormatDocument.code(row[0]).first == Self.spelling(bytes))
            #expect(row[1] == "\(count)")
            try cursor.next()
        }
        let isAtEnd = cursor.isAtEnd
        #expect(isAtEnd && rows.count == segment.termCount)
    }

    private static func spelling(_ term: [UInt8]) -> String {
        let isMarked = term[0] < 0x20
        let text = String(decoding: isMarked ? term[1...] : term[...], as: UTF8.self)
        return isMarked ? "0" + String(term[0], radix: 16) + " " + text : text
    }

    @Test func `the dictionary's block is that of the segment`() throws {
        let bytes = try document.hexadecimal("dictionary block")
        let segment = try Segment(IndexExamples.segment().image, name: "example")
        let (base, count) = try segment.bytes(.terms)
        #expect(Array(UnsafeRawBufferPointer(start: base, count: count)) == bytes)
    }

    @Test func `the log is written as the example says, and read back`() throws {
        let bytes = try document.hexadecimal("log")
        #expect(IndexExamples.logBytes() == bytes)
        let image = bytes.withUnsafeBytes { MemoryImage($0.baseAddress.unsafelyUnwrapped, $0.count) }
        let (records, end) = try CommitLog.read(image, number: IndexExamples.log, name: "example")
        #expect(records.count == 1 && end.offset == bytes.count)
        #expect(records[0].deletions == [CommitLog.Deletion(identity: IndexExamples.identity, document: 1)])
        #expect(records[0].replaced == 0 && records[0].image.isEmpty)
    }

    @Test func `the manifest is written as the example says, and read back`() throws {
        let bytes = try document.hexadecimal("manifest")
        #expect(try IndexExamples.manifest().bytes == bytes)
        #expect(try Manifest(bytes: bytes) == IndexExamples.manifest())
    }
}
