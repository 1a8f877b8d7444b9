import TestSupport
import Testing

@testable import Search

/// Posting lists of every kind and length are read back unchanged.
struct PostingListTests {
    struct Posting: Equatable {
        var document: UInt32
        var text: [UInt32] = []
        var title: [UInt32] = []
        var tags: [UInt32] = []
        /// How many of the text's positions are in the rest of the page.
        var rest = 0
    }

    private static func postings(
        _ count: Int, _ detail: PostingDetail, _ generator: inout SeededGenerator
    ) -> [Posting] {
        func positions(_ count: Int, _ generator: inout SeededGenerator) -> [UInt32] {
            var last: UInt32 = 0
            return (0..<count).map { place in
                last += UInt32.random(
                    in: (place == 0 ? 0 : 1)...(Int.random(in: 0..<9, using: &generator) == 0 ? 9_000 : 6),
                    using: &generator)
                return last
            }
        }
        var document = UInt32.max
        let spread = UInt32([0, 1, 20, 3_000].randomElement(using: &generator) ?? 1)
        let fieldShare = Int.random(in: 1...9, using: &generator)
        let restShare = Int.random(in: 2...20, using: &generator)
        return (0..<count).map { _ in
            document = document &+ 1 &+ UInt32.random(in: 0...spread, using: &generator)
            var posting = Posting(document: document)
            if detail == .documents {
                posting.text = [0]
                return posting
            }
            let many = Int.random(in: 0..<30, using: &generator) == 0
            posting.text = positions(Int.random(in: 0...(many ? 90 : 3), using: &generator), &generator)
            if Int.random(in: 0..<fieldShare, using: &generator) == 0 {
                posting.title = positions(Int.random(in: 0...(many ? 40 : 2), using: &generator), &generator)
                posting.tags = positions(Int.random(in: 0...(many ? 20 : 2), using: &generator), &generator)
            }
            if posting.text.isEmpty, posting.title.isEmpty, posting.tags.isEmpty { posting.text = [4] }
            switch Int.random(in: 0..<restShare, using: &generator) {
            case 0: posting.rest = posting.text.count
            case 1: posting.rest = posting.text.count / 2
            default: break
            }
            return posting
        }
    }

    /// Calls `body` with the list in memory.
    private static func withList(
        _ postings: [Posting], _ detail: PostingDetail, _ body: (PostingList) throws -> Void
    ) throws {
        let limit = Int(postings.last?.document ?? 0) + 1
        let lengths = [UInt32](repeating: 90, count: limit)
        try lengths.withUnsafeBufferPointer { lengths in
            let norms = LengthNorms(
                textLengths: lengths.baseAddress.unsafelyUnwrapped, fieldLengths: lengths.baseAddress.unsafelyUnwrapped,
                means: MeanLengths(FieldTotals(text: 9_000, title: 400, tags: 300), documents: 100))
            var encoder = PostingsEncoder(norms: norms)
            // Earlier lists must leave no trace.
            encoder.begin(.positions)
            for document in 0..<5 as Range<UInt32> {
                encoder.addTextDelta(3)
                encoder.addFieldDelta(2)
                encoder.add(document, text: 1, title: 1, tags: 0)
            }
            encoder.finish()
            encoder.begin(detail)
            for posting in postings {
                if detail == .positions {
                    var last: UInt32 = 0
                    for position in posting.text {
                        encoder.addTextDelta(position - last)
                        last = position
                    }
                    for field in [posting.title, posting.tags] {
                        last = 0
                        for position in field {
                            encoder.addFieldDelta(position - last)
                            last = position
                        }
                    }
                }
                encoder.add(
                    posting.document, text: UInt32(posting.text.count), title: UInt32(posting.title.count),
                    tags: UInt32(posting.tags.count), rest: UInt32(posting.rest))
            }
            encoder.finish()
            #expect(encoder.count == postings.count)
            let list = PostingList(
                detail: detail, count: encoder.count, encoder.documentBytes.base, encoder.documentBytes.count,
                encoder.positionBytes.base, encoder.positionBytes.count)
            try body(#require(list))
            if postings.count > 128, detail > .documents {
                for (number, start) in stride(from: 0, to: postings.count, by: 128).enumerated() {
                    let largest =
                        postings[start..<min(start + 128, postings.count)].map { posting in
                            norms.text(Float(posting.text.count) - 0.75 * Float(posting.rest), posting.document)
                                + norms.fields(Float(posting.title.count), Float(posting.tags.count), posting.document)
                        }.max() ?? 0
                    let bound = try #require(list).bound(number)
                    #expect(bound >= largest && bound <= largest * 1.02 + 1e-6)
                }
            }
        }
    }

    private static func read(_ list: PostingList, backward: Bool = false) throws -> [Posting] {
        var all: [Posting] = []
        var block = PostingBlock()
        var positions = PositionBuffer()
        for number in 0..<list.blockCount {
            let isRead = block.readDocuments(list, number, limit: .max)
            try #require(isRead)
            let (count, hasFrequencies) = (block.count, list.detail == .documents || block.readFrequencies(list))
            #expect(count == list.size(ofBlock: number))
            try #require(hasFrequencies)
            var some: [Posting] = []
            let indices = backward ? Array((0..<block.count).reversed()) : Array(0..<block.count)
            for index in indices {
                var posting = Posting(document: block.documents[index])
                if list.detail == .documents {
                    posting.text = [0]
                } else if list.detail == .frequencies {
                    let found = block.frequencies(index)
                    posting.text = Array(repeating: 0, count: Int(found.text))
                    posting.title = Array(repeating: 0, count: Int(found.title))
                    posting.tags = Array(repeating: 0, count: Int(found.tags))
                    posting.rest = Int(found.rest)
                } else {
                    let maybe = block.readPositions(list, number, index, into: &positions)
                    let found = try #require(maybe)
                    let values = Array(UnsafeBufferPointer(start: positions.base, count: positions.count))
                    let (title, tags) = (Int(found.title), Int(found.title + found.tags))
                    posting.title = Array(values[..<title])
                    posting.tags = Array(values[title..<tags])
                    posting.text = Array(values[tags...])
                    posting.rest = Int(found.rest)
                }
                some.append(posting)
            }
            all += backward ? some.reversed() : some
        }
        return all
    }

    @Test(arguments: [PostingDetail.documents, .frequencies, .positions])
    func `lists of every length and detail come back`(_ detail: PostingDetail) throws {
        var generator = SeededGenerator(seed: UInt64(41 + detail.rawValue))
        for count in Array(1...140) + [255, 256, 257, 263, 264, 384, 391, 1_000] {
            var postings = Self.postings(count, detail, &generator)
            if detail == .frequencies {
                for index in postings.indices {
                    postings[index].text = postings[index].text.map { _ in 0 }
                    postings[index].title = postings[index].title.map { _ in 0 }
                    postings[index].tags = postings[index].tags.map { _ in 0 }
                }
            }
            try Self.withList(postings, detail) { list throws in
                #expect(try Self.read(list) == postings, "\(count)")
                #expect(try Self.read(list, backward: true) == postings, "\(count)")
                for posting in postings where posting.document % 5 == 0 {
                    let number = list.block(holding: posting.document, from: 0)
                    var block = PostingBlock()
                    let isRead = block.readDocuments(list, number, limit: .max)
                    block.pad()
                    let found = block.documents[block.place(of: posting.document)]
                    #expect(isRead && found == posting.document)
                }
            }
        }
    }

    @Test func `a list that ends too early is refused or short, never read beyond`() throws {
        var generator = SeededGenerator(seed: 51)
        for count in [3, 9, 128, 300] {
            let postings = Self.postings(count, .positions, &generator)
            try Self.withList(postings, .positions) { list throws in
                let bytes = Array(UnsafeRawBufferPointer(start: list.blocks, count: list.blocksEnd - list.blocks))
                for cut in stride(from: 0, to: bytes.count, by: 3) {
                    let copy = SampleSegment.image(Array(bytes[..<cut]) + Array(repeating: 0, count: 16))
                    guard count < 128,
                        let short = PostingList(
                            detail: .positions, count: count, copy.base, cut, list.positions,
                            list.positionsEnd - list.positions)
                    else { continue }
                    var block = PostingBlock()
                    if block.readDocuments(short, 0, limit: .max) { _ = block.readFrequencies(short) }
                }
            }
        }
    }
}
