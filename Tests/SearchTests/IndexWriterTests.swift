import Files
import TestSupport
import Testing

@testable import Search

/// Commits, merges and builds.
struct IndexWriterTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func folder() throws -> IndexFolder { try IndexFolder(path: scratch.path) }

    private func contents(_ snapshot: IndexSnapshot) throws -> [DocumentKey: String] {
        var all: [DocumentKey: String] = [:]
        try snapshot.forEachDocument { key, stored in
            #expect(all.updateValue(String(decoding: stored, as: UTF8.self), forKey: key) == nil)
        }
        #expect(all.count == snapshot.documentCount)
        return all
    }

    @Test func `additions and deletions are visible after each commit, reopening and merge`() throws {
        var model = ModelWriter(seed: 81, wordCount: 60)
        var live: [DocumentKey: String] = [:]
        var writer = try IndexWriter.open(folder())
        for round in 0..<120 {
            for _ in 0..<model.number(0..<6) {
                let document = model.document(key: UInt64(model.number(1..<90)))
                writer?.put(document.indexed)
                live[document.key] = "version \(document.version)"
                if model.number(0..<4) == 0 {
                    writer?.delete(document.key)
                    live[document.key] = nil
                }
            }
            for key in live.keys.sorted() where model.number(0..<25) == 0 {
                writer?.delete(key)
                live[key] = nil
            }
            try writer?.commit(isSynced: round % 7 == 0)
            if model.number(0..<9) == 0 { try writer?.merge(threads: 2) }
            #expect(try contents(try #require(writer).snapshot) == live)
            #expect(try contents(try #require(try folder().snapshot())) == live)
            if model.number(0..<5) == 0 {
                writer = nil
                writer = try IndexWriter.open(folder())
            }
        }
        try writer?.merge(threads: 1)
        let snapshot = try #require(try folder().snapshot())
        #expect(try contents(snapshot) == live)
        try snapshot.verify()
        for (key, stored) in live { #expect(try snapshot.stored(key) == Array(stored.utf8)) }
    }

    @Test func `a log that grew long becomes a segment`() throws {
        let writer = try #require(try IndexWriter.open(folder()))
        for round in 0..<30 {
            for key in 0..<200 {
                var document = IndexDocument(key: DocumentKey(high: UInt64(round), low: UInt64(key)))
                document.title = Array("title \(key)".utf8)
                writer.put(document)
            }
            try writer.commit()
        }
        #expect(try scratch.names().contains { $0.hasSuffix(".segment") })
        #expect(try contents(try #require(try folder().snapshot())).count == 6_000)
    }

    @Test func `a commit of more than a log may hold is whole, or not at all`() throws {
        let writer = try #require(try IndexWriter.open(folder()))
        // More than 32 MiB of terms: every word occurs in only one document.
        for key in 0..<700 {
            var document = IndexDocument(key: DocumentKey(high: 0, low: UInt64(key)))
            var text: [UInt8] = []
            for word in 0..<900 { text += "w\(key)x\(word) ".utf8 }
            document.texts = [text]
            writer.put(document)
        }
        try writer.commit()
        writer.put(IndexDocument(key: DocumentKey(high: 0, low: 5)))
        try writer.commit()
        let snapshot = try #require(try folder().snapshot())
        #expect(snapshot.documentCount == 700)
        let searcher = try Searcher(snapshot)
        for key in [0, 5, 350, 699] {
            #expect(try searcher.search(SearchRequest(.phrase("w\(key)x899"))).hits.count == (key == 5 ? 0 : 1))
        }
    }

    @Test func `a second writer waits, and gives up`() throws {
        let first = try #require(try IndexWriter.open(folder()))
        #expect(try IndexWriter.open(folder(), patience: .milliseconds(20)) == nil)
        #expect(try IndexBuild.begin(folder(), lanes: 1, patience: .zero) == nil)
        _ = first.segmentCount
    }

    @Test func `a mark changes with every commit and every merge`() throws {
        let folder = try folder()
        let writer = try #require(try IndexWriter.open(folder))
        var last = try folder.mark()
        #expect(try folder.mark() == last)
        for step in 0..<3 {
            writer.put(IndexDocument(key: DocumentKey(high: 0, low: UInt64(step))))
            try writer.commit()
            let next = try folder.mark()
            #expect(next != last)
            last = next
        }
        try writer.merge(threads: 1)
        #expect(try folder.mark() != last)
    }

    @Test func `a build replaces the old index, from any number of lanes`() throws {
        for lanes in [1, 2, 5] {
            var model = ModelWriter(seed: UInt64(lanes), wordCount: 60)
            let build = try #require(try IndexBuild.begin(folder(), lanes: lanes, laneByteLimit: 20_000))
            var wanted: [DocumentKey: String] = [:]
            for number in 0..<600 {
                let document = model.document(key: UInt64(number + 1))
                try build.add(document.indexed, lane: number * lanes / 600)
                wanted[document.key] = "version \(document.version)"
            }
            #expect(try build.finish(threads: 2) == 600)
            let snapshot = try #require(try folder().snapshot())
            #expect(try contents(snapshot) == wanted)
            #expect(snapshot.segmentCount == 1)
            #expect(try scratch.names().count == 4)
        }
        let build = try #require(try IndexBuild.begin(folder(), lanes: 2))
        #expect(try build.finish() == 0)
        #expect(try contents(try #require(try folder().snapshot())).isEmpty)
    }

    @Test func `a snapshot stays as it was while the index goes on`() throws {
        let writer = try #require(try IndexWriter.open(folder()))
        var document = IndexDocument(key: DocumentKey(high: 0, low: 1))
        document.stored = [1]
        writer.put(document)
        try writer.commit()
        let before = try #require(try folder().snapshot())
        document.stored = [2]
        writer.put(document)
        try writer.commit()
        try writer.merge(threads: 1)
        #expect(try before.stored(document.key) == [1])
        #expect(try writer.snapshot.stored(document.key) == [2])
    }
}
