import TestSupport
import Testing

@testable import Search

/// The data about tokens with a common prefix, compared with the unions themselves.
struct BeginningsTests {
    private struct Postings {
        let term: [UInt8]
        let documents: [(document: UInt32, text: UInt32, title: UInt32, tags: UInt32, rest: UInt32)]
    }

    private static let documentCount = 9_000

    /// Terms in order with their postings; some share their first one to eight characters.
    private static func terms(_ generator: inout SeededGenerator) -> [Postings] {
        var words: Set<String> = ["straße", "straßen", "abcdefgh", "abcdefghi", "abcdefgi", "漢字漢字", "漢字漢", "zz"]
        for _ in 0..<60 {
            words.insert(
                String(
                    (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                        "ab".randomElement(using: &generator) ?? "a"
                    }))
        }
        words.insert(String(repeating: "a", count: 255))
        return words.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }.map { term in
            let share = [2, 3, 9, 400].randomElement(using: &generator) ?? 2
            let documents = (0..<UInt32(documentCount)).filter { _ in Int.random(in: 0..<share, using: &generator) == 0
            }
            return Postings(
                term: term,
                documents: documents.map {
                    let text = UInt32.random(in: 0...6, using: &generator)
                    let title = UInt32.random(in: 0...1, using: &generator)
                    let rest = UInt32.random(in: 0...3, using: &generator) == 0 ? text / 2 : 0
                    return ($0, text, title, text + title == 0 ? 2 : 0, rest)
                })
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `counts and bounds are those of the unions`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let terms = Self.terms(&generator)
        let texts = (0..<Self.documentCount).map { _ in UInt32.random(in: 1...900, using: &generator) }
        let fields = (0..<Self.documentCount).map { _ in UInt32.random(in: 1...9, using: &generator) }
        let totals = FieldTotals(text: 4_000_000, title: 40_000, tags: 9_000)
        try texts.withUnsafeBufferPointer { texts in
            try fields.withUnsafeBufferPointer { fields in
                let norms = LengthNorms(
                    textLengths: texts.baseAddress.unsafelyUnwrapped,
                    fieldLengths: fields.baseAddress.unsafelyUnwrapped,
                    means: MeanLengths(totals, documents: Self.documentCount))
                var encoder = PostingsEncoder(norms: norms)
                var gathered = Beginnings(norms: norms, documentCount: Self.documentCount, listTokenThreshold: 5)
                for postings in terms {
                    postings.term.withUnsafeBufferPointer {
                        gathered.begin($0.baseAddress.unsafelyUnwrapped, $0.count, &encoder)
                    }
                    for posting in postings.documents {
                        gathered.add(
                            posting.document, text: posting.text, title: posting.title, tags: posting.tags,
                            rest: posting.rest)
                    }
                }
                gathered.finish(&encoder)
                let wanted = Self.wanted(terms)
                let lists = gathered.lists.filter { $0.prefix.last != Beginnings.listMark }
                #expect(Set(lists.map(\.prefix)) == wanted)
                #expect(lists.count == Set(lists.map(\.prefix)).count && lists.count > 5)
                for list in lists { try check(list, terms, norms) }
                // Those of five tokens and more have a list besides.
                let unions = gathered.lists.filter { $0.prefix.last == Beginnings.listMark }
                let many = wanted.filter { beginning in terms.count { $0.term.starts(with: beginning) } >= 5 }
                #expect(Set(unions.map { Array($0.prefix.dropLast()) }) == many && unions.count == many.count)
                #expect(!many.isEmpty && many.count < wanted.count)
                for union in unions { try checkList(union, terms) }
            }
        }
    }

    /// Prefixes of three to six characters, and longer terms, with many postings.
    private static func wanted(_ terms: [Postings]) -> Set<[UInt8]> {
        var sums: [[UInt8]: Int] = [:]
        let whole = Set(terms.map(\.term))
        for postings in terms {
            let term = postings.term
            for end in 1...term.count {
                let characters = term[..<end].count { $0 < 0x80 || $0 >= 0xC0 }
                let isEnd = end == term.count || term[end] < 0x80 || term[end] >= 0xC0
                let beginning = Array(term[..<end])
                if isEnd, (3...6).contains(characters) || (characters > 6 && whole.contains(beginning)), end <= 64 {
                    sums[beginning, default: 0] += postings.documents.count
                }
            }
        }
        return Set(sums.filter { $0.value >= Beginnings.postingThreshold }.keys)
    }

    /// The frequencies of all terms with a prefix together, by document.
    private static func sums(_ prefix: some Collection<UInt8>, _ terms: [Postings]) -> [UInt32: Frequencies] {
        var sums: [UInt32: Frequencies] = [:]
        for postings in terms where postings.term.starts(with: prefix) {
            for posting in postings.documents {
                sums[posting.document, default: Frequencies(text: 0, title: 0, tags: 0)].text += posting.text
                sums[posting.document]?.title += posting.title
                sums[posting.document]?.tags += posting.tags
                sums[posting.document]?.rest += posting.rest
            }
        }
        return sums
    }

    private func checkList(_ union: PrefixLists.List, _ terms: [Postings]) throws {
        let sums = Self.sums(union.prefix.dropLast(), terms)
        #expect(union.count == sums.count)
        try union.bytes.withUnsafeBytes { raw in
            let base = raw.baseAddress.unsafelyUnwrapped
            let list = try #require(
                PostingList(detail: .frequencies, count: union.count, base, raw.count, base + raw.count, 0))
            var block = PostingBlock()
            var found: [UInt32: Frequencies] = [:]
            for number in 0..<list.blockCount {
                let isRead =
                    block.readDocuments(list, number, limit: UInt32(Self.documentCount)) && block.readFrequencies(list)
                #expect(isRead)
                for place in 0..<block.count { found[block.documents[place]] = block.frequencies(place) }
            }
            #expect(found == sums)
        }
    }

    private func check(_ list: PrefixLists.List, _ terms: [Postings], _ norms: LengthNorms) throws {
        let sums = Self.sums(list.prefix, terms)
        #expect(list.count == sums.count)
        let byteCount = list.bytes.count
        try list.bytes.withUnsafeBytes { raw in
            let base = raw.baseAddress.unsafelyUnwrapped
            let bounds = try #require(RangeBounds(base, byteCount, documentCount: Self.documentCount))
            var largest = [Float](repeating: 0, count: (Self.documentCount - 1) >> bounds.shift + 1)
            for (document, found) in sums {
                let range = Int(document) >> bounds.shift
                largest[range] = max(largest[range], norms.value(found, document))
            }
            let step = (largest.max() ?? 0) / 254
            for (range, x) in largest.enumerated() {
                #expect(bounds[range] >= x && bounds[range] <= x + step)
            }
            // Neither fewer bytes nor another number of documents is accepted.
            #expect(RangeBounds(base, byteCount - 1, documentCount: Self.documentCount) == nil)
            #expect(RangeBounds(base, byteCount, documentCount: Self.documentCount + 4_096) == nil)
            #expect(RangeBounds(base, 0, documentCount: Self.documentCount) == nil)
        }
    }

    @Test(arguments: [(PrefixLists.singleListLimit - 1, true), (PrefixLists.singleListLimit, false)])
    func `single characters have a list, and bounds in the largest segments`(_ documentCount: Int, hasList: Bool) throws
    {
        for (prefix, isList) in [("a", hasList), ("é", hasList), ("ab", true), ("éa", true), ("abc", false)] {
            #expect(Beginning.hasList(Array(prefix.utf8), documentCount: documentCount) == isList, "\(prefix)")
        }
        let lengths = [UInt32](repeating: 9, count: documentCount)
        try lengths.withUnsafeBufferPointer { lengths in
            let norms = LengthNorms(
                textLengths: lengths.baseAddress.unsafelyUnwrapped, fieldLengths: lengths.baseAddress.unsafelyUnwrapped,
                means: MeanLengths(FieldTotals(text: 9, title: 9, tags: 0), documents: 1))
            var encoder = PostingsEncoder(norms: norms)
            var gathered = PrefixLists(norms: norms, documentCount: documentCount)
            let documents = (0..<17_000).map { UInt32($0 * 30) }
            for (number, term) in ["ab", "ac", "b"].enumerated() {
                Array(term.utf8).withUnsafeBufferPointer {
                    gathered.begin($0.baseAddress.unsafelyUnwrapped, $0.count, &encoder)
                }
                for document in documents.dropLast(number * 2_000) {
                    gathered.add(document, text: document == 3_000 ? 7 : 1, title: 0, tags: 0)
                }
            }
            gathered.finish(&encoder)
            let lists = gathered.lists
            #expect(Set(lists.map(\.prefix)) == [Array("a".utf8), Array("ab".utf8)])
            let single = try #require(lists.first { $0.prefix == Array("a".utf8) })
            #expect(single.count == 17_000)
            try single.bytes.withUnsafeBytes { raw in
                let base = raw.baseAddress.unsafelyUnwrapped
                let bounds = RangeBounds(base, raw.count, documentCount: documentCount)
                if hasList {
                    let list = try #require(
                        PostingList(detail: .frequencies, count: single.count, base, raw.count, base + raw.count, 0))
                    #expect(list.fullBlocks == 132 && bounds == nil)
                } else {
                    let kept = try #require(bounds)
                    let x = norms.value(Frequencies(text: 14, title: 0, tags: 0), 3_000)
                    #expect(kept[3_000 >> kept.shift] >= x && kept[3_000 >> kept.shift] < x * 1.01)
                    #expect(kept[(documentCount - 1) >> kept.shift] == 0)
                }
            }
        }
    }

    @Test(arguments: [
        (1, 8), (256, 8), (257, 8), (524_288, 8), (524_289, 9), (1_000_000, 9), (3_000_000, 11),
    ])
    func `there are at most 2,048 ranges`(_ documentCount: Int, shift: Int) {
        #expect(RangeBounds.smallestShift(documentCount: documentCount) == shift)
        #expect(RangeBounds.rangeCount(documentCount: documentCount, shift: shift) <= 2_048)
    }

    @Test func `bounds of ranges that are not numbers are not believed`() {
        for damage in [[40, 0, 0, 0, 0], [8, 0, 0, 0xC0, 0x7F], [8, 0, 0, 0x80, 0xBF], [0, 0, 0, 0, 0]] as [[UInt8]] {
            let bytes = damage + [1]
            #expect(bytes.withUnsafeBytes { RangeBounds($0.baseAddress.unsafelyUnwrapped, 6, documentCount: 9) == nil })
        }
    }
}
