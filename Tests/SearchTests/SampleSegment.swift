import TestSupport

@testable import Search

/// Small segments in memory, the same for the same seed.
enum SampleSegment {
    static func image(
        seed: UInt64, documents: Int, wordCount: Int = 60, stem: String = "", identity: UInt64 = 7
    ) throws -> MemoryImage {
        var model = ModelWriter(seed: seed, wordCount: wordCount, stem: stem)
        var builder = SegmentBuilder(byteLimit: 1 << 24)
        for key in 0..<documents { builder.add(model.document(key: UInt64(key + 1)).indexed) }
        guard let image = try builder.write(identity: identity, spill: nil, to: nil).memory else {
            throw IndexDamage("no image")
        }
        return image
    }

    static func bytes(_ image: MemoryImage) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: image.base, count: image.count))
    }

    static func image(_ bytes: [UInt8]) -> MemoryImage {
        bytes.withUnsafeBytes {
            MemoryImage($0.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped, $0.count)
        }
    }

    /// Corrects all checksums of an image, as far as its header says where they are.
    static func mend(_ bytes: inout [UInt8]) {
        func number(_ offset: Int) -> Int {
            Int(truncatingIfNeeded: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) })
        }
        func put(_ value: UInt64, _ offset: Int) {
            bytes.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: offset, as: UInt64.self) }
        }
        func sum(_ range: Range<Int>) -> UInt64 {
            bytes.withUnsafeBytes { Checksum.of($0.baseAddress.unsafelyUnwrapped + range.lowerBound, range.count) }
        }
        let header = SegmentLayout.headerByteCount
        let sums = number(64)
        if sums >= header, sums <= bytes.count {
            var page = 0
            while header + page * 4096 < sums, sums + page * 4 + 4 <= bytes.count {
                let value = UInt32(
                    truncatingIfNeeded: sum(header + page * 4096..<min(sums, header + (page + 1) * 4096)))
                bytes.withUnsafeMutableBytes {
                    $0.storeBytes(of: value, toByteOffset: sums + page * 4, as: UInt32.self)
                }
                page += 1
            }
            put(sum(sums..<min(bytes.count, sums + page * 4)), 72)
        }
        put(sum(0..<header - 8), header - 8)
    }

    /// Requests of every kind, with the words of `image(seed:)`.
    static func requests(_ words: [String]) -> [SearchRequest] {
        let (a, b, c) = (words[0], words[1], words[2])
        let queries: [Query] = [
            .everything, .word(a), .word(b + "-" + c), .prefix(String(c.prefix(1))), .phrase(a + " " + b), .phrase(c),
            .phrase(b + " " + a + " " + c), .filter(.tag(a)), .filter(.type("link")), .filter(.state(.trashed)),
            .and([.word(a), .prefix("b"), .not(.filter(.type("snippet")))]),
            .or([.phrase(a + " " + c), .word(words[5]), .and([.word(b), .filter(.tag(b))])]), .word("getusername"),
        ]
        var requests: [SearchRequest] = []
        for query in queries {
            for limit in [nil, 10] {
                var request = SearchRequest(query)
                request.limit = limit
                request.facets = limit == nil ? Set(Facets.Kind.allCases) : []
                request.isExplained = limit == nil
                requests.append(request)
            }
            for order in [SearchRequest.Order.recent, .oldest, .manual] {
                var request = SearchRequest(query)
                request.limit = 5
                request.order = order
                requests.append(request)
            }
        }
        return requests
    }

    /// The answers of a snapshot to the requests, in a form that can be compared.
    static func answers(_ snapshot: IndexSnapshot, _ requests: [SearchRequest]) throws -> [String] {
        let searcher = try Searcher(snapshot)
        var all: [String] = []
        for request in requests {
            let answer = try searcher.search(request)
            var text = answer.hits.map { "\($0.key.low) \($0.score)" }.joined(separator: ",")
            text += " \(answer.count ?? -1)"
            if let facets = answer.facets { text += " \(Facets.Kind.allCases.map { facets[$0] })" }
            for explanation in answer.explanations { text += "\(explanation)" }
            all.append(text)
        }
        try snapshot.forEachDocument { key, stored in
            all.append("\(key.low) " + String(decoding: stored, as: UTF8.self))
        }
        all.append(try snapshot.suggest("a", limit: 5).joined(separator: " "))
        all.append(try snapshot.corrections("abcdx").joined(separator: " "))
        return all
    }

    static func snapshot(_ image: MemoryImage) throws -> IndexSnapshot {
        let segment = try Segment(image, name: "sample")
        return IndexSnapshot([
            IndexSnapshot.Part(segment: segment, deletions: Deletions(documentCount: segment.documentCount))
        ])
    }
}
