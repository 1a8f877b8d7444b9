import Testing

@testable import Reader

/// Blocks that are kept because of the kept blocks that they belong to.
struct BlockGapsTests {
    /// The blocks that are kept, by their text, if the model gives each block the probability of the text that begins it.
    private static func kept(_ page: String, _ judged: [(text: String, probability: Float)]) -> [String] {
        let reading = PageReading(page: Array(page.utf8), contentType: nil, url: "https://a.example/")
        let features = MainText.features(reading, title: nil)
        let blocks = features.blocks.blocks
        let texts = blocks.map { block in
            let nodes = features.tree.nodes[Int(block.first)..<Int(block.end)]
            let text = nodes.filter { $0.tag == .text }.flatMap {
                features.tree.text[Int($0.start)..<Int($0.stop)]
            }
            return String(decoding: text, as: UTF8.self)
        }
        let probabilities = texts.map { text in judged.first { text.hasPrefix($0.text) }?.probability ?? 0.95 }
        let caution = Caution(MetaTags(features.tree), StructuredData(features.tree), url: "", prose: 0)
        let choice = BlockChoice(blocks, probabilities, caution)
        return zip(texts, BlockGaps.closed(features, choice)).filter(\.1).map(\.0)
    }

    private static let definition =
        "True if the file was changed within this many days, as the second field of its times says."

    @Test func `a definition stays with its term`() {
        let page =
            "<body><h1>find</h1><p>\(ExtractionTests.prose)</p><dl><dt>-mtime days</dt><dd>\(Self.definition)</dd>"
            + "<dt>-atime days</dt><dd>Another one: \(Self.definition)</dd><dt>-atime again</dt><dd>Another: \(Self.definition)</dd></dl><p>\(ExtractionTests.prose)</p></body>"
        let kept = Self.kept(page, [("True if", 0.25), ("-atime", 0.05), ("Another", 0.25)])
        #expect(kept.contains(Self.definition))
        // Its term is not kept.
        #expect(!kept.contains { $0.hasPrefix("Another") })
    }

    @Test func `a definition of links alone does not stay`() {
        let links = (0..<12).map { "<a href=/\($0)>See topic \($0)</a> " }.joined()
        let page =
            "<body><h1>find</h1><p>\(ExtractionTests.prose)</p><dl><dt>More</dt><dd>\(links)</dd></dl>"
            + "<p>\(ExtractionTests.prose)</p></body>"
        #expect(!Self.kept(page, [("See topic", 0.25)]).contains { $0.hasPrefix("See topic") })
    }

    private static func table(_ names: Float) -> [String] {
        let rows = (0..<6).map {
            "<tr><td><a href=/\($0)>Name\($0)</a></td><td>It does the work of part \($0) of this.</td></tr>"
        }
        let page =
            "<body><h1>Classes</h1><p>\(ExtractionTests.prose)</p><table><tr><th>Class</th><th>What</th></tr>"
            + rows.joined() + "</table><p>\(ExtractionTests.prose)</p></body>"
        return kept(page, [("Name", 0.15), ("Class", 0.15), ("What", 0.15), ("It does", names)])
    }

    @Test func `a table of which most is kept is kept as a whole`() {
        let kept = Self.table(0.9)
        #expect(kept.contains("Class") && kept.contains("Name0") && kept.contains("Name5"))
    }

    @Test func `a list of definitions of which most is kept is kept as a whole`() {
        let parts = (0..<6).map { "<dt>term\($0)</dt><dd>\($0 == 3 ? "Third" : "Some") one: \(Self.definition)</dd>" }
        let page = "<body><h1>find</h1><p>\(ExtractionTests.prose)</p><dl>\(parts.joined())</dl></body>"
        let kept = Self.kept(page, [("Third", 0.15), ("term3", 0.15), ("term4", 0.05)])
        #expect(kept.contains { $0.hasPrefix("Third one") } && kept.contains("term3"))
        // The model is sure of this one.
        #expect(!kept.contains("term4"))
    }

    @Test func `a table of which little is kept is not filled up`() {
        #expect(!Self.table(0.05).contains("Name3"))
    }

    @Test func `the heading of a kept section stays, even after a part that is dropped`() {
        let menu = String(repeating: "one two three four five six ", count: 4)
        let page =
            "<body><h1>T</h1><p>\(ExtractionTests.prose)</p><div>\(menu)</div><h2>Exit status</h2>"
            + "<p>\(ExtractionTests.prose)</p><h2>Elsewhere</h2><div>\(menu)</div></body>"
        let kept = Self.kept(page, [("one two", 0.05), ("Exit", 0.3), ("Elsewhere", 0.3)])
        #expect(kept.contains("Exit status"))
        #expect(!kept.contains("Elsewhere"))
    }

    @Test func `lists in lists are looked at once`() {
        // Quadratic work on 5,000 lists would take minutes.
        let page = String(repeating: "<dl><dt>term of it<dd>", count: 5_000) + Self.definition
        #expect(Self.kept("<p>\(ExtractionTests.prose)</p>" + page, [("True if", 0.25)]).contains(Self.definition))
    }
}
