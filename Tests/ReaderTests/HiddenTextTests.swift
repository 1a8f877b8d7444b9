import Testing

@testable import Reader

/// Text that a page hides and nothing shows.
struct HiddenTextTests {
    private static let walk =
        "The keeper walked around the hill, counted the sheep, wrote down what he saw and went home."

    @Test(arguments: ["hidden", "style='display:none'", "style='visibility: hidden'"])
    func `it is no text, and the same words that are shown are`(_ attribute: String) {
        let page = article(
            "<title>On the hill</title><article><h1>On the hill</h1>\(WholePartsTests.longProse)<p \(attribute)>Away: \(Self.walk)</p>"
                + "<p>Here: \(Self.walk)</p></article>")
        #expect(!page.text.contains("Away:"))
        #expect(page.text.contains("Here: \(Self.walk)"))
    }

    @Test(arguments: [
        "id=more hidden", "class=answer style='display:none'", "role=tabpanel hidden", "hidden=until-found",
    ])
    func `what a script or a person can show is judged as before`(_ attribute: String) {
        let page = article(
            "<title>T</title><article><h1>T</h1>\(ExtractionTests.prose)<div \(attribute)>\(Self.walk)</div></article>")
        let tree = page.content.tree
        #expect(tree.nodes.indices.allSatisfy { tree.nodes[$0].tag == .text || !HiddenText.isHidden($0, tree) })
    }
}
