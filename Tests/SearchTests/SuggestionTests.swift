import TestSupport
import Testing

@testable import Search

/// Suggestions, corrections, and answers with more hits than are kept sorted.
struct SuggestionTests {
    private static func snapshot(_ titles: [String]) throws -> IndexSnapshot {
        var builder = SegmentBuilder(byteLimit: 1 << 20)
        for (number, title) in titles.enumerated() {
            var document = IndexDocument(key: DocumentKey(high: 1, low: UInt64(number)))
            document.title = Array(title.utf8)
            document.updated = Int64(number)
            builder.add(document)
        }
        let image = try #require(try builder.write(identity: 7, spill: nil, to: nil).memory)
        let segment = try Segment(image, name: "test")
        return IndexSnapshot([
            IndexSnapshot.Part(segment: segment, deletions: Deletions(documentCount: segment.documentCount))
        ])
    }

    @Test func `words that begin as typed come most frequent first`() throws {
        let snapshot = try Self.snapshot(["soup", "soup", "sour", "Söul", "salt", "sour soup"])
        #expect(try snapshot.suggest("so", limit: 5) == ["soup", "sour", "soul"])
        #expect(try snapshot.suggest("SÖ", limit: 1) == ["soup"])
        #expect(try snapshot.suggest("x", limit: 5).isEmpty)
    }

    @Test(arguments: [
        ("souup", ["soup"]), ("sop", ["soup"]), ("osup", ["soup"]), ("soap", ["soup"]), ("soup", []), ("zzzz", []),
        ("пирг", ["пирог"]),
    ])
    func `a word one edit away is found once`(_ typed: String, corrections: [String]) throws {
        let snapshot = try Self.snapshot(["soup", "soup of the day", "пирог"])
        #expect(try snapshot.corrections(typed) == corrections)
    }

    @Test(arguments: [1, 10, 256, 257, 600, 2000]) func `any number of hits comes in order`(_ limit: Int) throws {
        let snapshot = try Self.snapshot((0..<1500).map { "word " + String(repeating: "x ", count: $0 % 7) })
        for order in [SearchRequest.Order.relevance, .recent, .oldest] {
            var all = SearchRequest(.word("word"))
            all.order = order
            var few = all
            few.limit = limit
            few.isCounted = true
            let searcher = try Searcher(snapshot)
            let expected = try searcher.search(all).hits
            #expect(expected.count == 1500)
            #expect(try searcher.search(few).hits == Array(expected.prefix(limit)))
            if order == .relevance { #expect(expected.map(\.score) == expected.map(\.score).sorted(by: >)) }
        }
    }

    @Test(arguments: ["ab", "aab", "banana", "łódź", "a1b", "ччей"])
    func `words one edit away come once each, and none is left out`(word: String) {
        let scalars = Array(word.unicodeScalars)
        let found = Edits.one(scalars).map { String(decoding: $0, as: UTF8.self) }
        #expect(found.first == word)
        #expect(Set(found).count == found.count)
        // Every way to remove one letter, to swap two, and to add a letter that the word already has.
        var expected: Set<String> = []
        for place in scalars.indices {
            var shorter = scalars
            shorter.remove(at: place)
            expected.insert(String(String.UnicodeScalarView(shorter)))
            if place + 1 < scalars.count {
                var swapped = scalars
                swapped.swapAt(place, place + 1)
                expected.insert(String(String.UnicodeScalarView(swapped)))
            }
        }
        for letter in "abcxyz".unicodeScalars where word.utf8.contains(where: { $0 >= 0x61 && $0 <= 0x7A }) {
            for place in 0...scalars.count {
                var longer = scalars
                longer.insert(letter, at: place)
                expected.insert(String(String.UnicodeScalarView(longer)))
                if place < scalars.count {
                    var other = scalars
                    other[place] = letter
                    expected.insert(String(String.UnicodeScalarView(other)))
                }
            }
        }
        #expect(expected.subtracting(found).isEmpty)
    }
}
