import TestSupport
import Testing

@testable import Search

/// Segments with flipped bits and cut ends: the damage is found, or harmless, and no answer is wrong.
struct SegmentDamageTests {
    private let bytes: [UInt8]
    private let requests: [SearchRequest]
    private let golden: [String]

    init() throws {
        let image = try SampleSegment.image(seed: 11, documents: 300)
        bytes = SampleSegment.bytes(image)
        requests = SampleSegment.requests(ModelWriter(seed: 11, wordCount: 60).words)
        golden = try SampleSegment.answers(SampleSegment.snapshot(image), requests)
    }

    private enum Outcome { case same, found, wrong }

    private func outcome(_ damaged: [UInt8]) throws -> Outcome {
        do {
            let snapshot = try SampleSegment.snapshot(SampleSegment.image(damaged))
            return try SampleSegment.answers(snapshot, requests) == golden ? .same : .wrong
        } catch is IndexDamage {
            return .found
        }
    }

    @Test func `every bit of the header is guarded`() throws {
        for bit in 0..<SegmentLayout.headerByteCount * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: IndexDamage.self, "bit \(bit)") {
                try Segment(SampleSegment.image(damaged), name: "sample")
            }
        }
    }

    @Test func `flipped bits are found or never read, and all are found by verify`() throws {
        var generator = SeededGenerator(seed: 12)
        var found = 0
        let cases = FuzzCases.count(150)
        for _ in 0..<cases {
            let bit = Int.random(in: SegmentLayout.headerByteCount * 8..<bytes.count * 8, using: &generator)
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            let outcome = try outcome(damaged)
            #expect(outcome != .wrong, "bit \(bit)")
            if outcome == .found { found += 1 }
            #expect(throws: IndexDamage.self, "bit \(bit)") {
                try SampleSegment.snapshot(SampleSegment.image(damaged)).verify()
            }
        }
        #expect(found > cases / 2)
    }

    @Test func `every cut end is found when the segment is opened`() throws {
        for count in 0..<bytes.count where count < 2_000 || count % 17 == 0 || count > bytes.count - 200 {
            #expect(throws: IndexDamage.self, "\(count) bytes") {
                try Segment(SampleSegment.image(Array(bytes.prefix(count))), name: "sample")
            }
        }
        #expect(throws: IndexDamage.self) { try Segment(SampleSegment.image(bytes + [0]), name: "sample") }
    }

    @Test(arguments: [0, 1, 2, 3, 5, 0xFFFF_FFFF] as [UInt32])
    func `another version is not read`(_ version: UInt32) throws {
        var other = bytes
        other.withUnsafeMutableBytes { $0.storeBytes(of: version, toByteOffset: 8, as: UInt32.self) }
        SampleSegment.mend(&other)
        let error = #expect(throws: IndexDamage.self) { try Segment(SampleSegment.image(other), name: "sample") }
        #expect(error?.description == "sample: version \(version) is not known")
    }

    @Test func `answers given after damage are not changed by it`() throws {
        // The searcher that found the damage continues with its half-done state.
        var damaged = bytes
        let searcher = try Searcher(SampleSegment.snapshot(SampleSegment.image(bytes)))
        damaged.withUnsafeMutableBufferPointer { $0[SegmentLayout.headerByteCount + 9_000] ^= 1 }
        let broken = try Searcher(SampleSegment.snapshot(SampleSegment.image(damaged)))
        for request in requests {
            guard let answer = try? broken.search(request) else { continue }
            #expect(answer.hits == (try searcher.search(request)).hits)
        }
    }
}
