import Testing

@testable import Reader

struct FormulaTests {
    private static let katex = """
        <span class=katex><span class=katex-mathml><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi>\
        <mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow><annotation encoding="application/x-tex">E=mc^2</annotation>\
        </semantics></math></span><span class=katex-html aria-hidden=true><span>E=m</span><span>c<span>2</span></span></span></span>
        """

    private static func page(_ formula: String) -> Article {
        article(
            "<h1>T</h1><article>\(ExtractionTests.prose)<p>Here, as everybody knows, it is [\(formula)] and nothing else.</p>"
                + "\(ExtractionTests.prose)</article>")
    }

    private static func between(_ text: String) -> String? {
        text.split(separator: "[", maxSplits: 1).last.flatMap { $0.split(separator: "]").first }.map(String.init)
    }

    @Test(arguments: [
        ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "1/2"),
        ("<math><mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "2 1/2"),
        (
            "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mrow><mn>2</mn><mi>c</mi></mrow></mfrac></math>",
            "(a+b)/(2c)"
        ),
        ("<math><msup><mn>10</mn><mn>6</mn></msup></math>", "10^6"),
        ("<math><msup><mn>10</mn><mrow><mo>−</mo><mn>6</mn></mrow></msup></math>", "10^(−6)"),
        ("<math><msup><mi>x</mi><mi>n</mi></msup><mi>y</mi></math>", "x^n y"),
        ("<math><msub><mi>x</mi><mn>1</mn></msub></math>", "x_1"),
        ("<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>", "x_1^2"),
        ("<math><msqrt><mn>2</mn></msqrt></math>", "√2"),
        ("<math><msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt></math>", "√(a+b)"),
        ("<math><mroot><mn>8</mn><mn>3</mn></mroot></math>", "∛8"),
        ("<math><munderover><mo>∑</mo><mn>1</mn><mi>n</mi></munderover><mi>k</mi></math>", "∑_1^n k"),
        ("<math><mover><mi>x</mi><mo>¯</mo></mover></math>", "x\u{304}"),
        ("<math><mi>sin</mi><mi>x</mi></math>", "sin x"), (katex, "E=mc^2"),
        ("<math><mi>x</mi><annotation encoding='application/x-tex'>\\mathit{x}</annotation></math>", "x"),
        (
            "<mjx-container><mjx-math aria-hidden=true><span>5</span><span>8</span></mjx-math><mjx-assistive-mml><math>"
                + "<mfrac><mn>5</mn><mn>8</mn></mfrac></math></mjx-assistive-mml></mjx-container>", "5/8"
        ),
        (
            "<math><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding='application/x-tex'>"
                + "{\\displaystyle x^{2}}</annotation></semantics></math>", "x^{2}"
        ),
    ])
    func `a formula keeps its meaning in plain text`(_ formula: String, _ expected: String) {
        let text = Self.page(formula).text
        #expect(Self.between(text) == expected)
    }

    @Test func `a formula stays a formula in reader_html, once`() {
        let html = ReaderPage.html(Self.page(Self.katex), original: nil) { _ in nil }
        #expect(
            Self.between(String(decoding: html, as: UTF8.self).split(separator: "knows").last.map(String.init) ?? "")
                == "<math><mrow><mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow></mrow></math>"
        )
        #expect(ReaderPageTests.faults(html).isEmpty)
        #expect(Self.between(TerminalText.render(whole: html, width: 200)) == "E=mc^2")
        #expect(Self.between(TerminalText.render(Self.page(Self.katex), width: 200)) == "E=mc^2")
    }

    @Test(arguments: [
        "<math><mi><script>alert(1)</script></mi></math>", "<math href='javascript:x'><mi onclick=x>a</mi></math>",
        "<math><mtext><mglyph><style></math><img src=x onerror=alert(1)></style></mglyph></mtext></math>",
        "<math><annotation-xml encoding='text/html'><iframe src=x></iframe></annotation-xml><mi>a</mi></math>",
        "<math><maction actiontype=statusline xlink:href=x>a<mi>b</mi></maction></math>",
    ])
    func `a formula in reader_html has nothing but its own elements`(_ formula: String) {
        let html = ReaderPage.html(Self.page(formula), original: nil) { _ in nil }
        #expect(ReaderPageTests.faults(html).isEmpty)
        #expect(!String(decoding: html, as: UTF8.self).contains("alert"))
    }

    @Test func `a formula nested deeply is read`() {
        let deep = String(repeating: "<msup><mi>x</mi><mrow>", count: 400)
        #expect(Self.page("<math>\(deep)<mi>y</mi></math>").text.contains("x^"))
    }

    @Test(arguments: [
        ("10<sup>6</sup> m", "10^6 m"), ("10<sup>-6</sup>", "10^-6"), ("10<sup>−6</sup>", "10^−6"),
        ("m<sup>2</sup>", "m2"), ("1999<sup><a href=#n>3</a></sup>", "19993"), ("5<sup>th</sup>", "5th"),
    ])
    func `a power of a number is no part of the number`(_ markup: String, _ expected: String) {
        let page = Array("<body><p>\(markup)</p></body>".utf8)
        #expect(TerminalText.render(whole: page, width: 60) == expected + "\n")
    }

    @Test func `formulas in the cells of a table keep their meaning`() {
        let page =
            "<body><table><tr><th>when<th>dose<tr><td>evening<td><math><mfrac><mn>1</mn><mn>2</mn></mfrac></math></table>"
        #expect(TerminalText.render(whole: Array(page.utf8), width: 60) == "when     dose\nevening  1/2\n")
    }
}
