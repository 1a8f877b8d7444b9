import Testing

@testable import Reader

/// Parts of a page that stay whole, though the model is unsure of their few words.
struct WholePartsTests {
    /// More words than a short page has.
    static let longProse = (1...18).map {
        "<p>Paragraph \($0) of the story tells, at some length, what happened on the hill; it has commas, clauses and an end.</p>"
    }.joined(separator: "\n")

    private func text(_ part: String) -> String {
        article("<title>On the hill</title><article><h1>On the hill</h1>\(Self.longProse)\(part)</article>").text
    }

    private static let walk =
        "<p>The keeper of the station carried a lantern through the village in the morning, along the harbour and over the "
        + "bridge, and everybody who saw him said that it had been so for years. Behind the orchard he met a traveller with "
        + "a letter, and they spoke about the weather until the bakery opened its window.</p>"

    @Test func `a list of which most is kept is kept as a whole`() {
        let page = article(
            "<!doctype html><html lang=en><title>A walk along the river</title><header><nav><a href=/>Home</a> <a href=/about>About"
                + "</a></nav></header><article><h1>A walk along the river</h1>\(Self.walk)<ol><li>Go left.</li><li>Go right.</li>"
                + "<li>Stop.</li></ol></article><footer>Copyright 2019 Example Inc.</footer>")
        #expect(page.text.hasSuffix("Go left.\nGo right.\nStop."))
    }
}
