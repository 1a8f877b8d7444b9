import Testing

@testable import Items

/// The title in lists: title, first line, page's title, file name, host, "Untitled", in this order.
struct DisplayTitleTests {
    struct Case: CustomStringConvertible {
        let description: String
        var title: String?
        var text: String?
        var linkTitle: String?
        var documentName: String?
        var file: String?
        var path: String?
        var url: String?
        let expected: String
    }

    @Test(arguments: [
        Case(description: "nothing", expected: "Untitled"),
        Case(
            description: "everything", title: "Title", text: "Text", linkTitle: "Page", file: "a.pdf",
            url: "http://h.org",
            expected: "Title"),
        Case(description: "title is collapsed", title: "  A \n B\t", expected: "A B"),
        Case(description: "blank title", title: " \n ", text: "Text", expected: "Text"),
        Case(description: "text before the page's title", text: "Text", linkTitle: "Page", expected: "Text"),
        Case(description: "heading", text: "# Heading\nmore", expected: "Heading"),
        Case(description: "third level", text: "###   Deep  heading", expected: "Deep heading"),
        Case(description: "blank lines first", text: "\n \r\n\t\n## Here", expected: "Here"),
        Case(description: "marks without words", text: "#\n##  \nHere", expected: "Here"),
        Case(description: "hashtag", text: "#tag and more", expected: "#tag and more"),
        Case(description: "blank text", text: " \n\n", linkTitle: "Page", expected: "Page"),
        Case(description: "blank page's title", linkTitle: " ", file: "a.pdf", expected: "a.pdf"),
        Case(description: "original name first", documentName: "a:b.pdf", file: "a_b.pdf", expected: "a:b.pdf"),
        Case(
            description: "file that is not here", path: "document/a.pdf", url: "https://example.com", expected: "a.pdf"),
        Case(description: "file here before one that is not", file: "b.pdf", path: "document/a.pdf", expected: "b.pdf"),
        Case(description: "path without a name", path: "/", expected: "Untitled"),
        Case(description: "host of a link that was not fetched", url: "https://Example.COM/x", expected: "example.com"),
        Case(description: "file name before host", file: "a.pdf", url: "https://example.com", expected: "a.pdf"),
    ])
    func `the first of the sources that says something is shown`(_ item: Case) {
        var value = Item(id: .make())
        value.title = item.title
        value.linkTitle = item.linkTitle
        value.documentName = item.documentName
        value.documentRelativePath = item.path
        value.linkURL = item.url
        let shown = value.displayTitle(textStart: item.text.map { Array($0.utf8) }, documentFileName: item.file)
        #expect(shown == item.expected)
    }

    @Test func `a long first line is cut after two hundred characters`() {
        let line = String(repeating: "é", count: 500)
        #expect(Item.firstLine(Array(line.utf8)) == String(repeating: "é", count: 200))
    }

    @Test func `a text that is not UTF-8 is shown with replacements`() {
        #expect(Item.firstLine([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
        #expect(Item.firstLine([]) == nil)
    }
}
