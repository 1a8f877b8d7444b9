import Testing

@testable import HTML

/// `meta http-equiv=refresh` and the field `Refresh`.
struct RefreshOrderTests {
    @Test(arguments: [
        ("0; url=a", 0, "a"), ("0;URL='a b'", 0, "a b"), (" 5 , url = \"a\"x ", 5, "a"), ("1 a", 1, "a"),
        (".5;a", 0, "a"),
        ("2.9;url=a", 2, "a"), ("0;url", 0, "url"), ("0;url=", 0, nil), ("0", 0, nil), ("", 0, nil),
        ("a;url=b", 0, nil),
        ("0url=a", 0, nil), ("99999999999999999999;a", 0, nil), ("-1;url=a", 0, nil), ("0;url='a", 0, "a"),
        ("0;", 0, nil),
        ("0; u r l = a", 0, "u r l = a"),
    ])
    func `an order is read as browsers read it`(_ text: String, _ seconds: Int, _ url: String?) {
        let order = RefreshOrder(Array(text.utf8))
        #expect(order?.url == url)
        if url != nil { #expect(order?.seconds == seconds) }
    }

    @Test func `a page with little text has one, outside of noscript and comments`() {
        func order(_ page: String) -> String? { RefreshOrder.of(Array(page.utf8))?.url }
        let meta = "<META HTTP-EQUIV=Refresh CONTENT='0; url=a?b=1&amp;c'>"
        #expect(order("<title>Moved</title>\(meta)<p>Moved <a href=a>here</a>") == "a?b=1&c")
        #expect(order("<noscript>\(meta)</noscript>") == nil)
        #expect(order("<!-- \(meta) --><script>'\(meta)'</script><textarea>\(meta)</textarea>") == nil)
        #expect(order(meta + String(repeating: "<p>Words of an article. ", count: 30)) == nil)
        #expect(order(meta + "<style>" + String(repeating: "p { } ", count: 300) + "</style>") == "a?b=1&c")
        #expect(order("<meta http-equiv=refresh content=x>" + meta) == "a?b=1&c")
        #expect(RefreshOrder.of(Array("<p>Short".utf8), field: RefreshOrder(Array("0;b".utf8)))?.url == "b")
        #expect(RefreshOrder.of(Array(meta.utf8), field: RefreshOrder(Array("0;b".utf8)))?.url == "a?b=1&c")
    }
}
