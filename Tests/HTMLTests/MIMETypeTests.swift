import Testing

@testable import HTML

struct MIMETypeTests {
    @Test(arguments: [
        ("TEXT/Html", "text/html"), (" text/html ;charset=\"a b\"", "text/html;charset=\"a b\""),
        ("a/b;X=y;x=z", "a/b;x=y"),
        ("a/b;c=\"d\\\"e", "a/b;c=\"d\\\"e\""), ("a/b;c", "a/b"), ("a/b;=c;d=e", "a/b;d=e"), ("a", nil), ("a/", nil),
        ("/b", nil), ("a b/c", nil), ("", nil),
    ])
    func `a type is read and written`(_ text: String, expected: String?) {
        #expect(MIMEType(text)?.description == expected)
    }

    @Test(arguments: [
        ("text/html;charset=utf-8, text/html", "text/html;charset=utf-8"), ("text/plain, text/html", "text/html"),
        ("text/html, */*", "text/html"),
        ("text/html;x=\",\";charset=big5,nonsense", "text/html;x=\",\";charset=big5"),
        ("text/html;charset=a,text/plain,text/html", "text/html"),
        (",", nil),
    ])
    func `the last type of a list counts, and keeps the charset of an earlier one`(_ header: String, expected: String?)
    {
        #expect(MIMEType(header: header)?.description == expected)
    }
}
