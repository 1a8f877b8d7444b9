import Glibc
import HTML
import Testing

/// Nothing that could run remains of any vector, in any place of a page.
///
/// `Scripts/xss-check` makes these tests write the pages, and opens them in a browser.
struct HostilePageTests {
    /// The surroundings of a vector, which replaces `*`.
    static let settings: [(name: String, text: String)] = [
        ("bare", "*"), ("page", "<!DOCTYPE html><html><head><title>t</title></head><body>*<p>after</body></html>"),
        ("head", "<html><head>*</head><body>x"), ("svg", "<svg>*</svg>"), ("math", "<math><mtext>*</mtext></math>"),
        ("integration", "<svg><foreignObject>*</foreignObject></svg>"), ("select", "<select>*</select>"),
        ("table", "<table>*</table>"), ("noscript", "<noscript>*</noscript>"), ("template", "<template>*</template>"),
        ("shadow", "<div><template shadowrootmode=open>*</template></div>"), ("frameset", "<frameset>*</frameset>"),
        ("attribute", "<p title='\"*"), ("comment", "<!--*"), ("title", "<title>*"), ("style", "<svg><style>*"),
        ("misnested", "<svg></p><math><p><svg><desc><b>*"), ("select-svg", "<select><svg>*"),
    ]

    static let payload = "top.__ran=1"

    /// The settings opened in a browser: the others differ only in tokens.
    static let opened: Set<String> = [
        "bare", "svg", "math", "integration", "select", "table", "noscript", "shadow", "style", "misnested",
    ]

    static func page(_ vector: String, _ setting: String) -> [UInt8] {
        // Not the letter in `<SCRIPT>`.
        let mark = /\bR\b/.wordBoundaryKind(.simple)
        return Array(setting.replacing("*", with: vector.replacing(mark, with: payload)).utf8)
    }

    static func rewritten(_ page: [UInt8], _ number: Int) throws -> [UInt8] {
        let context = PageContext(url: try Rewriting.url("https://a.test/dir/page.html"), hasRunScripts: number == 1)
        return PageRewriting.rewritten(page, context) { _ in .missing }
    }

    @Test(arguments: HostileVectors.all.map(\.category))
    func `rewriting leaves nothing active`(category: String) throws {
        let vectors = HostileVectors.all.first { $0.category == category }?.vectors ?? []
        #expect(!vectors.isEmpty)
        for vector in vectors {
            for setting in Self.settings {
                let page = Self.page(vector, setting.text)
                for number in 0..<2 where number == 0 || ["bare", "noscript", "svg"].contains(setting.name) {
                    let output = try Self.rewritten(page, number)
                    let found = ActiveContent.findings(output)
                    #expect(found.isEmpty, "\(vector) in \(setting.name): \(String(decoding: output, as: UTF8.self))")
                }
            }
        }
    }

    @Test(arguments: HostileVectors.all.map(\.category))
    func `rewriting leaves nothing active in XHTML and SVG`(category: String) throws {
        let vectors = HostileVectors.all.first { $0.category == category }?.vectors ?? []
        let url = try Rewriting.url("https://a.test/dir/page.html")
        for vector in vectors {
            for setting in ["*", "<x:svg xmlns:x='http://www.w3.org/2000/svg'>*</x:svg>", "<a><![CDATA[*]]></a>"] {
                let page = Self.page(vector, setting)
                let html = PageRewriting.rewritten(page, PageContext(url: url, syntax: .xhtml)) { _ in .missing }
                #expect(ActiveContent.findings(html).isEmpty, "\(vector): \(String(decoding: html, as: UTF8.self))")
                let svg = SVGDocument.rewritten(page, url: url) { _ in .missing }
                let found = ActiveContent.findings(svg, isXML: true)
                #expect(found.isEmpty, "\(vector): \(String(decoding: svg, as: UTF8.self))")
            }
        }
    }

    @Test func `there are at least two hundred vectors`() {
        let all = HostileVectors.all.flatMap(\.vectors)
        #expect(Set(all).count >= 200)
    }

    /// The scanner of the tests above finds something in nearly all of the vectors themselves.
    @Test func `the scanner finds the vectors`() {
        let all = HostileVectors.all.flatMap(\.vectors)
        let seen = all.count { !ActiveContent.findings(Self.page($0, "*")).isEmpty }
        #expect(seen * 10 >= all.count * 9, "\(seen) of \(all.count)")
    }

    @Test(.enabled(if: getenv("XSS_OUTPUT") != nil))
    func `pages for the browser are written`() throws {
        let folder = getenv("XSS_OUTPUT").map { String(cString: $0) } ?? "."
        func write(_ name: String, _ bytes: [UInt8]) throws {
            let file = try #require(fopen("\(folder)/\(name)", "w"))
            #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
            fclose(file)
        }
        let lines = String(Rewriting.head)
        var number = 0
        for vector in HostileVectors.all.flatMap(\.vectors) {
            try write("raw-\(number).html", Self.page(vector, "<!DOCTYPE html><body>*"))
            for setting in Self.settings where Self.opened.contains(setting.name) {
                for hasRun in 0..<2 where hasRun == 0 || setting.name == "bare" {
                    let output = try Self.rewritten(Self.page(vector, setting.text), hasRun)
                    // Without the policy, so that the markup alone must prevent scripts.
                    let bare = String(decoding: output, as: UTF8.self).replacing(
                        lines, with: "<meta charset=\"utf-8\">")
                    try write("bare-\(number)-\(setting.name)-\(hasRun).html", Array(bare.utf8))
                    if setting.name == "bare", hasRun == 0 { try write("full-\(number).html", output) }
                }
            }
            let svg = SVGDocument.rewritten(
                Self.page(vector, "<svg xmlns='http://www.w3.org/2000/svg'>*</svg>"),
                url: try Rewriting.url("https://a.test/x.svg")
            ) { _ in .missing }
            try write("image-\(number).svg", svg)
            number += 1
        }
    }
}
