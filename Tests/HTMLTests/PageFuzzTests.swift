import HTML
import TestSupport
import Testing
import URLs

/// Generated pages, sheets and source sets: reading ends within the limits, and nothing active remains.
struct PageFuzzTests {
    private static let pieces: [String] = [
        "<", ">", "/", "=", "\"", "'", "`", " ", "\n", "\t", "\u{C}", "\0", "\u{1}", "&", ";", "#", "!", "-", "--",
        "-->",
        "--!>",
        "<!--", "<!-->", "<![CDATA[", "]]>", "<?xml ", "?>", "<!DOCTYPE html>", "<!doctype x [", "<svg>", "</svg>",
        "<math>", "</math>", "<mtext>", "<foreignObject>", "<desc>", "<title>", "</title>", "<style>", "</style>",
        "<script>", "</script>", "<script", "</script", "<textarea>", "</textarea>", "<xmp>", "</xmp>", "<iframe ",
        "<iframe>", "</iframe>", "<noscript>", "</noscript>", "<noembed>", "<noframes>", "<plaintext>", "<select>",
        "<table>", "<template>", "</template>", "<template shadowrootmode=open>", "<p>", "<img ", "<a ", "<base ",
        "<link ", "<meta ", "<use ", "<set ", "<object ", "<embed ", "<html>", "<head>", "<body>", "<x:script>", "<_x ",
        "<é ",
        "src=", "srcset=", "href=", "style=", "srcdoc=", "xlink:href=", "onload=x", "attributeName=href", "to=",
        "http-equiv=refresh", "rel=stylesheet", "rel=icon", "data-src=", "poster=", "data=", "javascript:x", "a.png",
        "a.png 1x, b.png 2x", "url(", ")", "url('a')", "@import 'x.css';", "{", "}", "\\", "image-set(", "/*", "*/",
        "data:text/html,x", "data:image/png,x", "https://a.test/x", "sprite.svg#one", "#x", "&lt;", "&quot;", "&#60;",
        "&#x3c;script&#62;", "é", "漢", "\u{1F600}", "<font ", "<p/>", "<script/>", "<style/>", "<title/>", "/>", "&e;",
        "<!ENTITY e '<script>'>",
    ]

    static func text(_ generator: inout SeededGenerator, upTo count: Int = 24) -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<Int.random(in: 0...count, using: &generator) {
            if Int.random(in: 0..<12, using: &generator) == 0 {
                text.append(UInt8.random(in: 0...255, using: &generator))
            } else {
                text += Array((pieces.randomElement(using: &generator) ?? "").utf8)
            }
        }
        return text
    }

    /// A real page with random cuts, copies and changes.
    private static func mutated(_ generator: inout SeededGenerator) -> [UInt8] {
        var page = Array(
            """
            <!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>A &amp; b</title><base href=/x/>
            <link rel="stylesheet" href="s.css"><style>@import "t.css"; a>b{background:url(a.png)}</style>
            <script>if (a<b) { document.write("<p>") }</script></head><body class='c' onload="x()"><!-- c -->
            <img src="a.png" srcset="a.png 1x, b.png 2x" alt="<x>"><svg viewBox="0 0 1 1"><title>t</title>
            <use href="sprite.svg#one"/><a xlink:href="javascript:x">y</a><style><![CDATA[a{}]]></style></svg>
            <noscript><img src=n.png></noscript><iframe srcdoc="&lt;p onclick=x&gt;"></iframe><p style='x:url("y")'>z
            <template shadowrootmode="open"><style>b{}</style></template><textarea>a</textarea><a href="#f">f</a>
            </body></html>
            """.utf8)
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let at = Int.random(in: 0..<page.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: page[at] = UInt8.random(in: 0...255, using: &generator)
            case 1: page.removeSubrange(at..<min(page.count, at + Int.random(in: 1...30, using: &generator)))
            case 2: page.insert(contentsOf: text(&generator, upTo: 3), at: at)
            case 3: page.removeLast(min(page.count - 1, Int.random(in: 0...40, using: &generator)))
            default:
                let from = Int.random(in: 0..<page.count, using: &generator)
                page.insert(contentsOf: Array(page[from..<min(page.count, from + 40)]), at: at)
            }
            if page.isEmpty { page = [0x3C] }
        }
        return page
    }

    private static func isSound(_ tokens: inout HTMLTokenizer) -> Bool {
        var end = 0
        while tokens.next() {
            guard tokens.start == end, tokens.end > tokens.start, tokens.end <= tokens.bytes.count else { return false }
            end = tokens.end
            switch tokens.kind {
            case .text, .nothing: continue
            default: break
            }
            guard tokens.start <= tokens.innerStart, tokens.innerStart <= tokens.innerEnd, tokens.innerEnd <= end else {
                return false
            }
            guard tokens.kind == .startTag || tokens.kind == .endTag else { continue }
            for attribute in tokens.attributes {
                let places = [
                    tokens.start, attribute.nameStart, attribute.nameEnd, attribute.valueStart, attribute.valueEnd, end,
                ]
                if zip(places, places.dropFirst()).contains(where: { $0 > $1 }) { return false }
            }
        }
        return end == tokens.bytes.count
    }

    @Test func `tokens tile any source`() {
        var generator = SeededGenerator(seed: FuzzSetting.seed)
        for number in 0..<FuzzSetting.cases(2_000) {
            let page = number % 2 == 0 ? Self.text(&generator) : Self.mutated(&generator)
            page.withUnsafeBufferPointer { bytes in
                var html = HTMLTokenizer(bytes, isXML: number % 3 == 0, isScripting: number % 5 == 0)
                if !Self.isSound(&html) { Issue.record("\(page)") }
                var css = CSSTokenizer(bytes)
                var end = 0
                while css.next() {
                    let isSound =
                        css.start == end && css.end > end && css.end <= bytes.count && css.innerStart >= css.start
                        && css.innerStart <= css.innerEnd && css.innerEnd <= css.end
                    if !isSound { Issue.record("\(page)") }
                    end = css.end
                }
                if end != bytes.count { Issue.record("\(page)") }
            }
        }
    }

    @Test func `candidates are within any source set`() {
        var generator = SeededGenerator(seed: FuzzSetting.seed &+ 1)
        for _ in 0..<FuzzSetting.cases(2_000) {
            let value = Self.text(&generator)
            var last = 0
            for candidate in SourceSet.candidates(value) {
                let isSound =
                    candidate.url.lowerBound >= last && !candidate.url.isEmpty
                    && candidate.descriptors.lowerBound >= candidate.url.upperBound
                    && candidate.descriptors.upperBound <= value.count
                if !isSound { Issue.record("\(value)") }
                last = candidate.descriptors.upperBound
            }
        }
    }

    @Test func `rewriting leaves nothing active in any page, and a second time changes nothing`() throws {
        var generator = SeededGenerator(seed: FuzzSetting.seed &+ 2)
        let url = try Rewriting.url("https://a.test/dir/page.html")
        for number in 0..<FuzzSetting.cases(1_500) {
            let page = number % 2 == 0 ? Self.text(&generator) : Self.mutated(&generator)
            let context = PageContext(
                url: url, syntax: number % 7 == 0 ? .xhtml : .html, hasRunScripts: number % 3 == 0)
            let replace: (PageReference) -> Replacement = { $0.kind == .sprite ? .inlineSVG(page) : .absolute }
            let once = PageRewriting.rewritten(page, context, by: replace)
            let found = ActiveContent.findings(once).filter { !$0.contains("=https:") && !$0.contains("=http:") }
            if !found.isEmpty { Issue.record("\(found) \(String(decoding: page, as: UTF8.self))") }
            let counted = PageRewriting.references(of: page, context).references.count
            var asked = 0
            _ = PageRewriting.rewritten(page, context) { _ in
                asked += 1
                return .absolute
            }
            if counted != asked { Issue.record("\(counted) \(asked) \(String(decoding: page, as: UTF8.self))") }
            // A rewritten page is HTML with absolute URLs.
            let again = PageContext(url: url, hasRunScripts: context.hasRunScripts, resolvesLazyImages: false)
            let twice = PageRewriting.rewritten(once, again) { _ in .absolute }
            let thrice = PageRewriting.rewritten(twice, again) { _ in .absolute }
            if twice != thrice { Issue.record("\(String(decoding: page, as: UTF8.self))") }
            let svg = SVGDocument.rewritten(page, url: url, by: replace)
            let active = ActiveContent.findings(svg, isXML: true).filter { !$0.contains("=http") }
            if !active.isEmpty { Issue.record("\(active) \(String(decoding: page, as: UTF8.self))") }
        }
    }

    @Test func `a sheet rewritten again is the same, and none leaves its element`() throws {
        var generator = SeededGenerator(seed: FuzzSetting.seed &+ 3)
        let url = try Rewriting.url("https://a.test/dir/main.css")
        for _ in 0..<FuzzSetting.cases(1_500) {
            let sheet = Self.text(&generator)
            let once = StyleSheetRewriting.rewritten(sheet, url: url) { _ in .absolute }
            let twice = StyleSheetRewriting.rewritten(once, url: url) { _ in .absolute }
            if once != twice { Issue.record("\(String(decoding: sheet, as: UTF8.self))") }
        }
    }
}
