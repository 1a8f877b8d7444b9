import Testing

@testable import Reader

struct BlockCopiesTests {
    @Test func `a long block that comes back is a copy, a short one is none`() {
        let sentence = "A post of more than eight words that a page holds for scripts and for readers."
        let page = "<div><p>\(sentence)</p><p>Reply</p></div><div><p>\(sentence)</p><p>Reply</p></div>"
        let blocks = PageBlocks(PageParser.parse(Array(page.utf8)), title: nil)
        let copies = BlockCopies(blocks)
        #expect(copies.all == [2, 2, 2, 2])
        #expect(copies.earlier == [0, 0, 1, 0])
        #expect(copies.repeatedWords == blocks.blocks[0].words)
    }

    @Test(arguments: [
        (#"<meta property="og:type" content="article">"#, Float(400), Float(1.75), Float(0.7)),
        (#"<meta property="og:type" content="article">"#, 20, 1.5, 1),
        (#"<meta property="og:type" content="product">"#, 400, 1.25, 1),
        (#"<script type="application/ld+json">{"@type":"DiscussionForumPosting"}</script>"#, 400, 1.5, 1),
        ("", 400, 1, 1),
    ]) func `the choice is careful on articles`(head: String, prose: Float, power: Float, trust: Float) {
        let tree = PageParser.parse(Array("<html><head>\(head)</head><body></body></html>".utf8))
        let caution = Caution(MetaTags(tree), StructuredData(tree), url: "", prose: prose)
        #expect(caution.power == power)
        #expect(caution.trust == trust)
    }
}
