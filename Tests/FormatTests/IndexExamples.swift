@testable import Search

/// The data in the examples of SearchIndex.md § I3.
enum IndexExamples {
    static let array: [UInt32] = [3, 1, 2, 0, 200, 5, 1, 1, 7, 4]

    static func packedArray() -> [UInt8] {
        var out = ByteBuffer()
        array.withUnsafeBufferPointer { PackedArray.append($0.baseAddress.unsafelyUnwrapped, $0.count, to: &out) }
        return out.bytes
    }

    /// 0, 1, 2, 3, 0, 1, … except number 77, which is 1000.
    static let numbers: [UInt32] = (0..<128).map { $0 == 77 ? 1_000 : UInt32($0 % 4) }

    static func block() -> [UInt8] {
        var out = ByteBuffer()
        numbers.withUnsafeBufferPointer { BlockCodec.append($0.baseAddress.unsafelyUnwrapped, to: &out) }
        return out.bytes
    }

    static let identity: UInt64 = 0x1122_3344_5566_7788
    static let log: UInt64 = 0x0102_0304_0506_0708

    static var documents: [IndexDocument] {
        var first = IndexDocument(key: DocumentKey(high: 0x01A1_9B7C_A680_7000, low: 0x8F3E_5D2C_9B7A_61C4))
        first.title = Array("Bread".utf8)
        first.tags = [Array("food".utf8)]
        first.texts = [Array("Good bread, bad bread".utf8)]
        first.exactTerms = [ExactTerm(.tag, Array("food".utf8)), ExactTerm(.type, Array("snippet".utf8))]
        first.created = 1_795_256_100_000
        first.updated = 1_795_256_100_123
        first.rank = 1.5
        first.stored = Array("S1".utf8)
        var second = IndexDocument(key: DocumentKey(high: 0x01A1_96FB_1600_7000, low: 0x93D7_7C15_A8E0_6FC4))
        second.texts = [Array("good food".utf8)]
        second.exactTerms = [ExactTerm(.type, Array("snippet".utf8))]
        second.created = 0
        second.updated = 1_795_256_200_000
        return [first, second]
    }

    static func segment() throws -> (summary: SegmentSummary, image: MemoryImage) {
        var builder = SegmentBuilder(byteLimit: 1 << 16)
        for document in documents { builder.add(document) }
        let made = try builder.write(identity: identity, spill: nil, to: nil)
        guard let image = made.memory else { throw IndexDamage("no image") }
        return (made.summary, image)
    }

    static func segmentBytes() throws -> [UInt8] {
        let image = try segment().image
        return Array(UnsafeRawBufferPointer(start: image.base, count: image.count))
    }

    /// A log with one record, which deletes the second document.
    static func logBytes() -> [UInt8] {
        let header = CommitLog.header(number: log)
        let record = CommitLog.record(
            replaced: 0, deletions: [CommitLog.Deletion(identity: identity, document: 1)], image: nil,
            at: CommitLog.end(ofHeader: header))
        return header + record.bytes
    }

    /// A manifest that names the segment, whose first document is deleted.
    static func manifest() throws -> Manifest {
        let summary = try segment().summary
        var deletions = Deletions(documentCount: summary.documents)
        deletions.insert(0)
        var manifest = Manifest()
        manifest.generation = 3
        manifest.log = log
        manifest.entries = [Manifest.Entry(summary: summary, deletions: deletions)]
        return manifest
    }
}
