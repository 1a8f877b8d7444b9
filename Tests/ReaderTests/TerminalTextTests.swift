import Testing

@testable import Reader

struct TerminalTextTests {
    private func render(_ body: String, width: Int = 40) -> String {
        TerminalText.render(whole: Array("<body>\(body)</body>".utf8), width: width)
    }

    @Test(arguments: [
        ("<h2>Head</h2><p>Text  of\n it</p>", "# Head\n\nText of it\n"),
        ("<ul><li>one<li>two<ul><li>in</ul></ul><p>x", "• one\n• two\n  • in\n\nx\n"),
        ("<ol><li>one<li>two</ol>", "1. one\n2. two\n"), ("<blockquote><p>q</p><p>r</p></blockquote>", "> q\n\n> r\n"),
        ("<pre>a\n\tb</pre>", "    a\n        b\n"),
        ("<table><tr><th>n<th>v<tr><td>long<td>1</table>", "n     v\nlong  1\n"),
        ("<p>see <a href=https://e.org/>here</a>.", "see here[1].\n\n[1] https://e.org/\n"),
        ("<p>a<ruby>漢<rt>かん</rt>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>b", "a漢(かん)字(じ)b\n"),
        ("<p>a<br>b", "a\nb\n"), ("<p><a href=javascript:x>t</a>", "t\n"),
    ])
    func `blocks are laid out in lines`(_ body: String, _ expected: String) {
        #expect(render(body) == expected)
    }

    @Test func `lines keep to the width, in any script`() {
        let text = render(
            "<p>" + String(repeating: "word and ", count: 30) + "<p>" + String(repeating: "漢字", count: 60), width: 30)
        for line in text.split(separator: "\n") {
            #expect(line.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2E80 ? 2 : 1) } <= 30)
        }
    }

    @Test(arguments: [
        ("옛 항구가 다시 문을 열다", 20, "옛 항구가 다시 문을\n열다\n"), ("日本 語 テスト です", 80, "日本 語 テスト です\n"),
        ("老港口重新开放，很多人来了。再见", 24, "老港口重新开放，很多人来\n了。再见\n"),
        ("老港口重新开放，很多人来了。", 26, "老港口重新开放，很多人来\n了。\n"), ("Ａｂｃ Ｄｅｆ", 40, "Ａｂｃ Ｄｅｆ\n"),
    ])
    func `scripts keep their spaces, and get none`(_ text: String, _ width: Int, _ expected: String) {
        #expect(render("<p>" + text, width: width) == expected)
    }

    @Test func `nothing reaches the terminal but text`() {
        let text = render("<p>a&#27;[31mb\u{202E}c\u{7}d&#155;e<pre>\u{1B}]0;x\u{7}</pre><img alt='\u{1B}[2J'>")
        #expect(
            text.unicodeScalars.allSatisfy {
                $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value))
            })
        #expect(!text.unicodeScalars.contains("\u{202E}") && !text.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `an article begins with its title and who wrote it when`() {
        let page = article(ExtractionTests.page.replacing("</h1>", with: "</h1><time datetime=2021-03-04></time>"))
        #expect(
            TerminalText.render(page, width: 72).hasPrefix("# On the hill\n\nAnna Berg · 2021-03-04\n\nParagraph 1"))
    }
}
