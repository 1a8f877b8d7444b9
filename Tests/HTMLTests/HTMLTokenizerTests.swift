import HTML
import Testing

struct HTMLTokenizerTests {
    /// Tokens as one line: `<p a=b>`, `</p>`, `"text"`, `'raw text'`, `<!comment>`, `[character data]`, `!doctype`,
    /// `?x`, `~` for a token that is dropped.
    private static func tokens(_ source: String, isXML: Bool = false, isScripting: Bool = false) -> String {
        var source = source
        return source.withUTF8 { bytes in
            var tokens = HTMLTokenizer(bytes, isXML: isXML, isScripting: isScripting)
            var words: [String] = []
            while tokens.next() {
                func text(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }
                let inner = text(tokens.innerStart, tokens.innerEnd)
                switch tokens.kind {
                case .text: words.append("\"\(text(tokens.start, tokens.end))\"")
                case .rawText: words.append("'\(inner)'")
                case .startTag:
                    let attributes = tokens.attributes.map {
                        " " + text($0.nameStart, $0.nameEnd)
                            + ($0.hasValue ? "=" + text($0.valueStart, $0.valueEnd) : "")
                    }
                    words.append("<\(inner)\(attributes.joined())\(tokens.isSelfClosing ? "/" : "")>")
                case .endTag: words.append("</\(inner)>")
                case .comment: words.append("<!\(inner)>")
                case .cdata: words.append("[\(inner)]")
                case .doctype: words.append("!doctype")
                case .processingInstruction: words.append("?\(inner)")
                case .nothing: words.append("~")
                case .end: break
                }
            }
            return words.joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("a<b>c</b>", #""a" <b> "c" </b>"#), ("a < b <3 <", #""a < b <3 <""#), ("</>a</ b>", "~ \"a\" <! b>"),
        ("<a b=c d='e' f=\"g\" h>", "<a b=c d=e f=g h>"), ("<a b = c>", "<a b=c>"), ("<a =b=c>", "<a =b=c>"),
        ("<a b=c/>", "<a b=c/>"), ("<a b='c'/>", "<a b=c/>"), ("<a/b/c>", "<a b c>"), ("<a b='c'd>", "<a b=c d>"),
        ("<a b=>", "<a b=>"), ("<a b='>'>", "<a b=>>"), ("<a <b>", "<a <b>"), ("<a b", "~"), ("<a b='c", "~"),
        ("</a", "~"),
        ("<!--a-->b", "<!a> \"b\""), ("<!-->a", "<!> \"a\""), ("<!--->a", "<!> \"a\""), ("<!--a--!>b", "<!a> \"b\""),
        ("<!--a->b-->", "<!a->b>"), ("<!--a", "<!a>"), ("<!---->a", "<!> \"a\""), ("<!--a-- >b-->", "<!a-- >b>"),
        ("<!--a-", "<!a>"), ("<!--a--", "<!a>"), ("<!--a--!", "<!a>"), ("<!---", "<!>"), ("<!--a---", "<!a->"),
        ("<!a>b", "<!a> \"b\""), ("<?a?>b", "<!?a?> \"b\""), ("<!DOCTYPE html>a", "!doctype \"a\""),
        ("<script>a<b></script>c", "<script> 'a<b>' </script> \"c\""), ("<script></script>", "<script> </script>"),
        ("<script><!--<script>a</script>b</script>c", "<script> '<!--<script>a</script>b' </script> \"c\""),
        ("<script><!--<script>a--></script>c", "<script> '<!--<script>a-->' </script> \"c\""),
        ("<script><!--a</script>c", "<script> '<!--a' </script> \"c\""),
        ("<script><!--><script></script>c", "<script> '<!--><script>' </script> \"c\""),
        ("<style>a</styl></STYLE >b", "<style> 'a</styl>' </STYLE> \"b\""),
        ("<title>a<b></title/>c", "<title> 'a<b>' </title> \"c\""),
        ("<textarea><p></textarea>", "<textarea> '<p>' </textarea>"),
        ("<plaintext>a</plaintext>", "<plaintext> 'a</plaintext>'"),
        ("<xmp><b></xmp><b>", "<xmp> '<b>' </xmp> <b>"), ("<style>a", "<style> 'a'"),
        ("<svg><style><b></style>", "<svg> <style> <b> </style>"), ("<svg><![CDATA[<a>]]></svg>", "<svg> [<a>] </svg>"),
        ("<![CDATA[<a>]]>", "<![CDATA[<a> \"]]>\""),
        ("<svg><desc><style><b></style>", "<svg> <desc> <style> '<b>' </style>"),
        ("<svg><p><style><b></style>", "<svg> <p> <style> '<b>' </style>"),
        ("<svg/><style><b></style>", "<svg/> <style> '<b>' </style>"),
        ("<svg><title>a<b>c</b></title>", "<svg> <title> \"a\" <b> \"c\" </b> </title>"),
        ("<style\0><b></style>", "<style\0> <b> </style>"),
        ("<svg><p><title><b></title>", "<svg> <p> <title> '<b>' </title>"),
        ("<math><mi><style><b></style>", "<math> <mi> <style> '<b>' </style>"),
        ("<noscript><b></noscript>", "<noscript> <b> </noscript>"),
        ("<a\u{C}b>", "<a b>"), ("<a\0b>", "<a\0b>"), ("", ""), ("<é>", "\"<é>\""),
    ])
    func `the tokenizer reads source as the standard says`(source: String, expected: String) {
        #expect(Self.tokens(source) == expected)
    }

    @Test(arguments: [
        ("<a><![CDATA[<b>]]></a>", "<a> [<b>] </a>"), ("<?a b?>c", "?a b \"c\""),
        ("<script><b/></script>", "<script> <b/> </script>"),
        ("<!DOCTYPE a [<!ENTITY b '>'>]>c", "!doctype \"c\""), ("<!--a--!>b-->", "<!a--!>b>"), ("<!--a--", "<!a-->"),
        ("<é:b/>", "<é:b/>"),
    ])
    func `XML is read as XML`(source: String, expected: String) {
        #expect(Self.tokens(source, isXML: true) == expected)
    }

    @Test func `noscript is raw text where scripts run`() {
        #expect(Self.tokens("<noscript><b></noscript>", isScripting: true) == "<noscript> '<b>' </noscript>")
    }

    @Test func `a tag with very many attributes keeps the first ones and stays complete`() {
        let limit = HTMLTokenizer.attributeLimit
        for (count, hasMore) in [(limit, false), (limit + 1, true), (limit * 2, true)] {
            let page = Array(("<p" + String(repeating: " a=1", count: count) + "><b c>x").utf8)
            page.withUnsafeBufferPointer { bytes in
                var tokens = HTMLTokenizer(bytes)
                #expect(tokens.next() && tokens.kind == .startTag && tokens.hasMoreAttributes == hasMore)
                #expect(tokens.attributes.count == limit && tokens.end == 3 + count * 4)
                #expect(tokens.next() && tokens.attributes.count == 1 && !tokens.hasMoreAttributes)
            }
        }
    }
}
