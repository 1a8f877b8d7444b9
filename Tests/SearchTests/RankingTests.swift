import Files
import TestSupport
import Testing

@testable import Search

/// The index compared with a brute force that evaluates every document.
struct RankingTests {
    private let scratch: ScratchDirectory
    private let folder: IndexFolder

    init() throws {
        scratch = try ScratchDirectory()
        folder = try IndexFolder(path: scratch.path)
    }

    /// The contents of a snapshot's segments, by the versions that the index stores.
    private func bruteForce(
        _ snapshot: IndexSnapshot, _ versions: [Int: ModelDocument], reachesParts: Bool
    ) throws -> BruteForce {
        var entries: [BruteForce.Entry] = []
        for part in snapshot.parts {
            for document in 0..<part.segment.documentCount {
                let version = try #require(ModelDocument.version(stored: try part.segment.stored(document)))
                let model = try #require(versions[version])
                #expect(try part.segment.key(document) == model.key)
                entries.append(BruteForce.Entry(model, isDeleted: part.deletions.contains(document)))
            }
        }
        return BruteForce(entries, reachesParts: reachesParts)
    }

    private func compare(_ searcher: Searcher, _ brute: BruteForce, _ query: Query) throws {
        var request = SearchRequest(query)
        request.reachesParts = brute.reachesParts
        request.isExplained = true
        let truth = brute.hits(query)
        let byKey = Dictionary(uniqueKeysWithValues: truth.map { ($0.key, $0) })
        let all = try searcher.search(request)
        #expect(Set(all.hits.map(\.key)) == Set(byKey.keys), "\(query)")
        #expect(all.hits.count == truth.count && all.count == truth.count, "\(query)")
        let counts = brute.documentCounts(query)
        // Documents with a sequence of words are counted among those that fulfil the rest of the query.
        let rows = brute.terms(query).map(\.isRow)
        let isExact = !rows.contains(true)
        for (hit, explanation) in zip(all.hits, all.explanations) {
            guard let wanted = byKey[hit.key] else { continue }
            if isExact {
                #expect(abs(hit.score - wanted.score) < 1e-4 * max(1, wanted.score), "\(query) \(hit) \(wanted.score)")
            }
            for (slot, term) in explanation.terms.enumerated() where !rows[slot] {
                #expect(term.documentCount == counts[slot], "\(query) \(term)")
            }
            for (term, x) in zip(explanation.terms, wanted.x) {
                #expect(abs(term.x - x) <= 1e-4 * max(1, x), "\(query) \(term) \(x)")
            }
        }
        for (a, b) in zip(all.hits, all.hits.dropFirst()) {
            #expect(a.score > b.score || (a.score == b.score && a.key < b.key), "\(query)")
        }
        // The first few are found in another way, which does not evaluate all.
        request.isExplained = false
        request.limit = 10
        let best = try searcher.search(request)
        #expect(best.hits.count == min(10, truth.count), "\(query)")
        let sorted = truth.map(\.score).sorted(by: >)
        for (hit, score) in zip(best.hits, sorted) where isExact {
            #expect(abs(hit.score - score) < 1e-4 * max(1, score), "\(query) \(hit) \(score)")
            #expect(abs((byKey[hit.key]?.score ?? -1) - score) < 1e-4 * max(1, score), "\(query) \(hit) \(score)")
        }
        for order in [SearchRequest.Order.recent, .newest, .oldest, .manual] {
            request.order = order
            let wanted = truth.sorted { Self.precedes($0, $1, order) }.prefix(10).map(\.key)
            #expect(try searcher.search(request).hits.map(\.key) == wanted, "\(query) \(order)")
        }
    }

    private func compareFew(_ searcher: Searcher, _ brute: BruteForce, _ query: Query) throws {
        var request = SearchRequest(query)
        request.reachesParts = brute.reachesParts
        request.limit = 2
        let scores = brute.hits(query).map(\.score).sorted(by: >).prefix(2)
        let hits = try searcher.search(request).hits
        #expect(hits.count == scores.count && Set(hits.map(\.key)).count == hits.count)
        for (hit, score) in zip(hits, scores) { #expect(abs(hit.score - score) < 1e-4 * max(1, score), "\(query)") }
    }

    /// A rank, or the time of creation in seconds.
    private static func place(_ document: ModelDocument) -> Double {
        document.rank.isFinite ? document.rank : Double(document.created) / 1000
    }

    private static func precedes(_ a: BruteForce.Hit, _ b: BruteForce.Hit, _ order: SearchRequest.Order) -> Bool {
        let (x, y) = (a.document, b.document)
        switch order {
        case .recent where x.updated != y.updated: return x.updated > y.updated
        case .newest where x.created != y.created: return x.created > y.created
        case .oldest where x.created != y.created: return x.created < y.created
        case .manual where place(x) != place(y): return place(x) < place(y)
        default: return a.key < b.key
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `a searcher finds and ranks like a brute force, over several segments with deletions`(
        _ seed: UInt64
    ) throws {
        var model = ModelWriter(seed: seed)
        var versions: [Int: ModelDocument] = [:]
        var live: [DocumentKey: Int] = [:]
        let writer = try #require(try IndexWriter.open(folder))
        let sizes = [
            [500, 200, 1], [1, 1, 1, 1], [130, 40, 9, 3], [700], [300, 100, 30, 8, 2], [64, 64, 64, 64, 64],
        ]
        for size in sizes[Int(seed) - 1] {
            for _ in 0..<size {
                let document = model.document(key: UInt64(model.number(1..<900)))
                versions[document.version] = document
                writer.put(document.indexed)
                live[document.key] = document.version
            }
            for key in live.keys.sorted() where model.number(0..<30) == 0 {
                writer.delete(key)
                live[key] = nil
            }
            try writer.commit()
            if model.number(0..<2) == 0 { try writer.merge(threads: 2) }
        }
        let snapshot = try #require(try folder.snapshot())
        for reachesParts in [true, false] {
            let brute = try bruteForce(snapshot, versions, reachesParts: reachesParts)
            let found = brute.entries.filter { !$0.isDeleted }.map { ($0.document.key, $0.document.version) }
            #expect(Dictionary(uniqueKeysWithValues: found) == live)
            let searcher = try Searcher(snapshot)
            for _ in 0..<60 { try compare(searcher, brute, model.query(depth: 2)) }
        }
    }

    @Test func `a large segment with lists of prefixes ranks as a brute force does`() throws {
        var model = ModelWriter(seed: 7, wordCount: 1_200)
        var versions: [Int: ModelDocument] = [:]
        let build = try #require(try IndexBuild.begin(folder, lanes: 3))
        for key in 0..<5_800 {
            let document = model.document(key: UInt64(key + 1))
            versions[document.version] = document
            try build.add(document.indexed, lane: key * 3 / 5_800)
        }
        #expect(try build.finish(threads: 2) == 5_800)
        let snapshot = try #require(try folder.snapshot())
        #expect(snapshot.segmentCount == 1)
        #expect(try snapshot.parts[0].segment.list([PostingDetail.prefixMark] + Array("a".utf8)) != nil)
        let brute = try bruteForce(snapshot, versions, reachesParts: true)
        let searcher = try Searcher(snapshot)
        for prefix in ["a", "ab", "b"] { try compare(searcher, brute, .prefix(prefix)) }
        for _ in 0..<6 { try compare(searcher, brute, model.query(depth: 2)) }
    }

    @Test(arguments: [11, 12] as [UInt64])
    func `the best of several conditions are found block by block`(_ seed: UInt64) throws {
        var model = ModelWriter(seed: seed, wordCount: 40)
        var versions: [Int: ModelDocument] = [:]
        do {
            let build = try #require(try IndexBuild.begin(folder, lanes: 2))
            for key in 0..<4_200 {
                let document = model.document(key: UInt64(key + 1))
                versions[document.version] = document
                try build.add(document.indexed, lane: key * 2 / 4_200)
            }
            #expect(try build.finish(threads: 2) == 4_200)
        }
        let writer = try #require(try IndexWriter.open(folder))
        for number in 0..<200 {
            let document = model.document(key: UInt64(model.number(1..<5_000)))
            versions[document.version] = document
            writer.put(document.indexed)
            if number % 7 == 0 { writer.delete(model.document(key: UInt64(number * 9 + 1)).key) }
        }
        try writer.commit()
        let snapshot = try #require(try folder.snapshot())
        let brute = try bruteForce(snapshot, versions, reachesParts: false)
        let searcher = try Searcher(snapshot)
        searcher.leastOfLead = 1
        let words = model.words.prefix(12)
        var scanned = 0
        for _ in 0..<4 {
            let (first, second) = (words[model.number(0..<12)], words[model.number(0..<12)])
            let prefix = String(words[model.number(0..<12)].prefix(model.number(1..<3)))
            let tag = Query.filter(.tag(words[model.number(0..<12)]))
            for query in [
                .and([.phrase(first), tag]), .and([.phrase(first), .phrase(second)]),
                .and([.phrase(first), .phrase(second), .filter(.type("link"))]),
                .and([.phrase(first), .prefix(prefix)]),
                .and([.word(prefix), .and([.phrase(first), .phrase(second)])]),
                .and([.phrase(first), .phrase(second), .phrase(prefix), tag]),
            ] as [Query] {
                try compare(searcher, brute, query)
                let plan = QueryPlan(query, reachesParts: false)
                if try searcher.best(ofAll: plan, 10, query.revealsTrash) != nil { scanned += 1 }
            }
        }
        #expect(scanned > 10)
    }

    @Test func `a beginning of very many words has a list, which ranks as the words' own lists do`() throws {
        var model = ModelWriter(seed: 10, wordCount: 3_200, stem: "abcd", stemLetters: 1...7)
        var versions: [Int: ModelDocument] = [:]
        let build = try #require(try IndexBuild.begin(folder, lanes: 2))
        for key in 0..<5_000 {
            let document = model.document(key: UInt64(key + 1))
            versions[document.version] = document
            try build.add(document.indexed, lane: key * 2 / 5_000)
        }
        #expect(try build.finish(threads: 2) == 5_000)
        let snapshot = try #require(try folder.snapshot())
        let segment = snapshot.parts[0].segment
        for beginning in ["abc", "abcd"] {
            let kept = try #require(try segment.beginning(Array(beginning.utf8)))
            #expect(kept.list?.count == kept.count && kept.bounds != nil)
        }
        #expect(try segment.beginning(Array("abcda".utf8)).map { $0.list == nil } ?? true)
        for reachesParts in [true, false] {
            let brute = try bruteForce(snapshot, versions, reachesParts: reachesParts)
            let searcher = try Searcher(snapshot)
            (searcher.firstRangeCount, searcher.rangeCount) = (2, 3)
            let words = ["abc", "abcd", model.words[0], model.words[2]]
            for word in words {
                try compare(searcher, brute, .word(word))
                try compareFew(searcher, brute, .word(word))
                try compareFew(searcher, brute, .prefix(word))
                try compare(searcher, brute, .and([.word(word), .word(model.words[4])]))
                // The last word of several in sequence needs positions, which such a list lacks.
                try compare(searcher, brute, .word("\(model.words[1])-\(word)"))
            }
        }
    }

    @Test func `the last word of several in sequence may be one letter with lists of its prefixes`() throws {
        var model = ModelWriter(seed: 14, wordCount: 24, stem: "ab")
        var versions: [Int: ModelDocument] = [:]
        let build = try #require(try IndexBuild.begin(folder, lanes: 1))
        for key in 0..<4_200 {
            let document = model.document(key: UInt64(key + 1))
            versions[document.version] = document
            try build.add(document.indexed, lane: 0)
        }
        #expect(try build.finish(threads: 1) == 4_200)
        let snapshot = try #require(try folder.snapshot())
        #expect(try snapshot.parts[0].segment.list([PostingDetail.prefixMark] + Array("ab".utf8)) != nil)
        let brute = try bruteForce(snapshot, versions, reachesParts: false)
        let searcher = try Searcher(snapshot)
        for word in model.words.prefix(4) { try compare(searcher, brute, .word("\(word)-a")) }
    }

    @Test(arguments: [8, 9] as [UInt64])
    func `the best of a beginning are found by ranges of documents, beside later commits`(_ seed: UInt64) throws {
        var model = ModelWriter(seed: seed, wordCount: 24, stem: "abc")
        var versions: [Int: ModelDocument] = [:]
        do {
            let build = try #require(try IndexBuild.begin(folder, lanes: 2))
            for key in 0..<4_200 {
                let document = model.document(key: UInt64(key + 1))
                versions[document.version] = document
                try build.add(document.indexed, lane: key * 2 / 4_200)
            }
            #expect(try build.finish(threads: 2) == 4_200)
        }
        let writer = try #require(try IndexWriter.open(folder))
        for number in 0..<60 {
            let document = model.document(key: UInt64(model.number(1..<5_000)))
            versions[document.version] = document
            writer.put(document.indexed)
            if number % 7 == 0 { writer.delete(model.document(key: UInt64(number * 30 + 1)).key) }
            try writer.commit()
        }
        let snapshot = try #require(try folder.snapshot())
        let segment = snapshot.parts[0].segment
        let kept = try model.words.filter { try segment.beginning(Array($0.utf8))?.bounds != nil }
        let beginnings = try Set(model.words.flatMap { [$0.prefix(3), $0.prefix(4)] }).filter {
            try segment.beginning(Array($0.utf8))?.bounds != nil
        }
        #expect(!kept.isEmpty && beginnings.count > 1 && snapshot.segmentCount > 2, "\(kept.count) \(beginnings.count)")
        for reachesParts in [true, false] {
            let brute = try bruteForce(snapshot, versions, reachesParts: reachesParts)
            let searcher = try Searcher(snapshot)
            for word in kept.prefix(5) { try compare(searcher, brute, .word(word)) }
            for beginning in beginnings.sorted().prefix(5) { try compare(searcher, brute, .prefix(String(beginning))) }
            // Few ranges at a time, so that the other ways evaluate the remaining ones too.
            for (few, many) in [(1, 1), (1, 4), (2, 100)] {
                (searcher.firstRangeCount, searcher.rangeCount) = (few, many)
                for word in kept.prefix(2) { try compareFew(searcher, brute, .word(word)) }
                for beginning in beginnings.prefix(2) { try compareFew(searcher, brute, .prefix(String(beginning))) }
            }
        }
    }
}
