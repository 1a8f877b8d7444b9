import Testing

@testable import Reader

struct DocumentationAddressTests {
    @Test(arguments: [
        ("https://docs.example.org/a", true), ("https://www.docs.example.org/a", true),
        ("https://Developer.example.org/", true), ("https://project.readthedocs.io/en/latest/", true),
        ("https://example.org/docs/a.html", true), ("https://example.org/en/Reference/a", true),
        ("https://docs.org/a", false), ("https://example.org/docs", false), ("https://example.org/a?x=/docs/b", false),
        ("https://example.org/documents/a", false), ("docs", false), ("", false), ("https://docs.example.org", false),
    ])
    func `documentation is known by the words of its address`(_ url: String, _ isOne: Bool) {
        #expect(DocumentationAddress.isOne(url) == isOne)
    }
}
