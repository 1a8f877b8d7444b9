import TestSupport
import Testing

@testable import Search

struct QuotedWordsTests {
    private let scratch: ScratchDirectory
    private let folder: IndexFolder

    init() throws {
        scratch = try ScratchDirectory()
        folder = try IndexFolder(path: scratch.path)
    }

    @Test(
        arguments: [
            ("less salt", false, [], 0),
            ("漁村", true, [.openRun(["漁村"])], 0),
            ("村", true, [.openRun(["村"])], 0),
            ("小さな村", true, [.openRun(["小さ", "さな", "な村"])], 0),
            ("漁村 salt", false, [.run(["漁村", "村"])], 1),
            ("salt 漁村", true, [], 0),
            ("sql漁村", true, [.piece("sql"), .openRun(["漁村"])], 0),
            ("漁村sql", false, [.run(["漁村", "村"]), .piece("sql")], 0),
            ("東京、大阪", true, [.run(["東京", "京"])], 1),
        ] as [(String, Bool, [Share], Int)])
    func `the first word may begin within a run, and the last one may go on`(
        _ text: String, isOpen: Bool, shares: [Share], rest: Int
    ) {
        let words = QuotedWords(text.utf8, isPrefix: false)
        #expect(words.isOpen == isOpen)
        #expect(words.shares == shares.map(\.share))
        #expect(words.rest == words.plain.suffix(rest))
    }

    /// A share in texts.
    enum Share {
        case piece(String)
        case run([String])
        case openRun([String])

        var share: QuotedWords.Share {
            switch self {
            case .piece(let piece): .piece(Array(piece.utf8))
            case .run(let bigrams): .run(bigrams.map { Array($0.utf8) })
            case .openRun(let bigrams): .openRun(bigrams.map { Array($0.utf8) })
            }
        }
    }

    @Test func `a run that is cut into tokens is one run`() {
        let words = QuotedWords(String(repeating: "漁村", count: 60).utf8, isPrefix: false)
        #expect(words.plain.count == 2 && words.rest.isEmpty && words.shares.count == 1)
        guard case .openRun(let bigrams) = words.shares.first else {
            Issue.record("\(words.shares)")
            return
        }
        #expect(bigrams.count == 119)
    }

    @Test func `only word star leaves a word open that has spaces`() {
        #expect(!QuotedWords("salt".utf8, isPrefix: false).isOpen)
        #expect(QuotedWords("salt".utf8, isPrefix: true).isOpen)
        #expect(QuotedWords("漁村sq".utf8, isPrefix: true).shares.last == .beginningPiece(Array("sq".utf8)))
        #expect(QuotedWords("--".utf8, isPrefix: true).plain.isEmpty)
    }

    @Test(arguments: [
        ("\"漁村\"", "小さな漁村の外れに", true), ("\"漁村\"", "漁 村", false), ("\"漁村の外\"", "小さな漁村の外れに", true),
        ("\"漁村の外x\"", "小さな漁村の外れに", false), ("\"กิน\"", "ฉันกินข้าว", true), ("\"국어\"", "한국어를", true),
        ("\"漁村 salt\"", "小さな漁村 salt", true), ("\"漁村 salt\"", "漁村の salt", false),
        ("\"漁村 salt\"", "漁村 salty", false), ("\"salt 漁村\"", "sea salt, 漁村の外れ", true),
        ("\"salt 漁村\"", "salt 小さな漁村", false), ("\"東京 大阪\"", "大東京、大阪市", true),
        ("\"東京 大阪\"", "東京大阪", false), ("\"sql漁村\"", "新sql漁村の", true), ("\"sql漁村\"", "mysql漁村の", false),
        ("\"漁村sql\"", "小漁村sql", true), ("\"漁村sql\"", "小漁村sqlite", false), ("漁村sql*", "小漁村sqlite", true),
        ("村の*", "小さな漁村の外れに", true), ("sw*", "言語swiftを学ぶ", true), ("nam*", "getUserName", true),
        ("\"name\"", "getUserName", false), ("text:\"漁村\"", "小さな漁村の外れに", true), ("\"salt\"", "salty", false),
    ])
    func `quoted words are found anywhere in a script without spaces`(
        _ query: String, text: String, isFound: Bool
    ) throws {
        let writer = try #require(try IndexWriter.open(folder))
        writer.put(ModelDocument(text: text).indexed)
        try writer.commit()
        let searcher = try Searcher(try #require(try folder.snapshot()))
        // Without parts, and in a reading of every text, words within tokens are not found.
        let needsParts = ["\"sql", "sw*", "nam*"].contains(where: query.hasPrefix)
        for reachesParts in [true, false] where reachesParts || !needsParts && !query.contains("sql") {
            var request = SearchRequest(QueryReading.parse(query).query)
            request.reachesParts = reachesParts
            #expect(try searcher.search(request).count == (isFound ? 1 : 0))
        }
        if needsParts { return }
        let scan = ScanningMatcher(QueryReading.parse(query).query)
        #expect(scan.matches(SampleDocument(texts: [text])) == isFound)
    }

    /// Of one run without spaces, the index finds exactly the documents that contain the characters in sequence; of
    /// all other words, all of those.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the index finds what the texts contain`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func text(_ count: ClosedRange<Int>) -> String {
            let signs = ["漁", "村", "の", "な", "漁村", "a", "ab", " ", ", ", "กิ", "한"]
            return (0..<Int.random(in: count, using: &random)).map { _ in signs.randomElement(using: &random) ?? "" }
                .joined()
        }
        let writer = try #require(try IndexWriter.open(folder))
        var texts: [String] = []
        for number in 0..<200 {
            texts.append(text(1...14))
            var document = ModelDocument(text: texts[number])
            document.key = DocumentKey(high: 0, low: UInt64(number))
            writer.put(document.indexed)
        }
        try writer.commit()
        let searcher = try Searcher(try #require(try folder.snapshot()))
        var found = 0
        for _ in 0..<300 {
            let asked = text(1...4)
            let words = QuotedWords(asked.utf8, isPrefix: false)
            if words.plain.isEmpty { continue }
            for query in [Query.phrase(asked), .word(asked)] {
                let keys = Set(try searcher.search(SearchRequest(query)).hits.map { Int($0.key.low) })
                let scan = ScanningMatcher(query)
                let wanted = Set(
                    texts.indices.filter { scan.matches(SampleDocument(texts: [texts[$0]])) })
                #expect(wanted.isSubset(of: keys), "\(query): \(wanted.subtracting(keys).map { texts[$0] })")
                if words.shares.count == 1, words.rest.isEmpty {
                    #expect(wanted == keys, "\(query): \(keys.subtracting(wanted).map { texts[$0] })")
                }
                found += wanted.count
            }
        }
        #expect(found > 1000)
    }
}
