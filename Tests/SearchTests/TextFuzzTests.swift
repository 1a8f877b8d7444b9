import TestSupport
import Testing
import Time

@testable import Search

/// Generated texts and queries of any bytes: reading ends within the limits of FORMAT.md.
struct TextFuzzTests {
    private static let pieces: [[UInt8]] = [
        "a", "Z", "9", " ", "_", "-", "\u{AD}", ".", "++", "#", ",", "'", "\u{202F}", "é", "e\u{301}", "ß", "İ", "ﬁ",
        "½",
        "漢", "字", "カ", "한", "ไ", "\u{1112}\u{1161}", "\u{10400}", "\u{FDFA}", "😀", "camelCase", "HTTPServer", "1,000",
        "\0", "\u{1}", "xxxxxxxxxxxxxxxx",
    ].map { Array($0.utf8) }

    private static func text(_ generator: inout SeededGenerator) -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: text.append(UInt8.random(in: 0...255, using: &generator))
            case 1:
                let piece = pieces.randomElement(using: &generator) ?? []
                for _ in 0..<Int.random(in: 1...150, using: &generator) { text += piece }
            default: text += pieces.randomElement(using: &generator) ?? []
            }
        }
        return text
    }

    @Test func `any bytes become tokens of 1 to 255 bytes of UTF-8, and folded ones stay unchanged`() {
        var generator = SeededGenerator(seed: FuzzCases.seed)
        for _ in 0..<FuzzCases.count(1_500) {
            let text = Self.text(&generator)
            let list = TokenList(text)
            var isSound = list.parts.count == list.partPlaces.count
            for token in list.plain + list.parts + list.bigrams.map(\.bytes) {
                isSound = isSound && (1...255).contains(token.count) && String(validating: token, as: UTF8.self) != nil
            }
            for (a, b) in zip(list.bigrams, list.bigrams.dropFirst()) { isSound = isSound && a.index < b.index }
            isSound = isSound && WordRow(text).words == list.plain
            for token in list.plain { isSound = isSound && TokenList(token).plain == [token] }
            if !isSound { Issue.record("\(text)") }
        }
    }

    @Test func `any text is a query, and its reading can be searched`() throws {
        var generator = SeededGenerator(seed: FuzzCases.seed &+ 1)
        let words = [
            "a", "word", "not", "OR", "|", "AND", "-", "(", ")", "\"", "tag:", "type:link", "is:", "created:2025..2024",
            "date:>2024-02-30", "updated:week", ":", "*", "ab*", "c++", "漢字", "-(", "x:y", "has:text", "\u{0}",
            "status:\"",
            "trashcan", " ", "  ",
        ]
        let searcher = try Searcher(SampleSegment.snapshot(SampleSegment.image(seed: 91, documents: 30)))
        let today = CalendarDate(year: 2026, month: 11, day: 21)
        for number in 0..<FuzzCases.count(600) {
            var text = ""
            for _ in 0..<Int.random(in: 0...14, using: &generator) {
                text += words.randomElement(using: &generator) ?? ""
                if Bool.random(using: &generator) { text += " " }
                if Int.random(in: 0..<20, using: &generator) == 0 { text += generator.text(upTo: 6) }
            }
            if number % 200 == 0 { text = String(repeating: "(-", count: 5_000) + text }
            let parser = QueryParser(text, today: today, weekStart: number % 2 == 0 ? .sunday : .monday)
            _ = parser.query.description
            var request = SearchRequest(parser.query)
            request.reachesParts = number % 3 == 0
            request.limit = number % 5
            request.facets = number % 7 == 0 ? [.tags, .sites] : []
            let answer = try searcher.search(request)
            if answer.hits.count > number % 5 { Issue.record("\(text)") }
        }
    }
}
