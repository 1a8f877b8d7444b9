import Characters
import Testing

@testable import Reader

/// Pictures that a page draws itself.
struct DrawingTests {
    private static let caption = "<figcaption>Levels by year</figcaption>"
    private static let shape = "<rect width='90' height='90'/>"

    /// reader.html of an article with this markup.
    private static func reader(_ markup: String) -> String {
        let page = "<main><h1>T</h1>\(ExtractionTests.prose)\(markup)\(ExtractionTests.prose)</main>"
        let bytes = ReaderPage.html(article(page), original: ReaderPageTests.original) { _ in "assets/picture.png" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The SVG files of a reader.html.
    private static func files(_ reader: String) -> [String] {
        reader.split(separator: "\"").compactMap { file(String($0)) }
    }

    private static func file(_ url: String) -> String? {
        let start = "data:image/svg+xml;base64,"
        guard url.hasPrefix(start) else { return nil }
        return Base64.decodedAsInBrowsers(Array(url.utf8.dropFirst(start.utf8.count))).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Whether a URL is an SVG without anything that runs or loads.
    static func isHarmless(_ url: String) -> Bool {
        guard let file = file(url)?.lowercased(), file.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\"") else {
            return false
        }
        let tags = file.split(separator: "<").map { $0.prefix { $0 != ">" } }
        return !tags.contains { tag in
            ["script", "foreignobject", "iframe", "html"].contains { tag.hasPrefix($0) }
                || tag.contains(" on") && tag.contains("=\"")
                    && tag.split(separator: " ").contains { $0.hasPrefix("on") }
                || tag.contains("href=\"") && !tag.contains("href=\"#") && !tag.contains("href=\"data:image/")
        }
    }

    @Test(arguments: [
        "<figure><svg width=100 height=100>\(shape)</svg>\(caption)</figure>",
        "<figure><svg viewBox='0 0 24 24'>\(shape)</svg>\(caption)</figure>",
        "<figure><div><svg>\(shape)</div>\(caption)</figure>",
        "<svg width=300 height=150 viewBox='0 0 300 150'>\(shape)<text x=9 y=9>Bare label</text></svg>",
        "<p>The symbol <svg width=20 height=20>\(shape)</svg> marks a gauge on the map of the valley.</p>",
        "<svg data-sbfs-size='500 300' width='1em' height='1em'>\(shape)</svg>",
        "<svg><g><path d='M0 0'></path></g><defs><rect/></defs></svg>", "<SVG WIDTH=300 HEIGHT=200><RECT /></SVG>",
        "<svg width=300 height=200><defs><g id=a>\(shape)</g></defs><use xlink:href='#a'/></svg>",
        "<figure><a href=/large><svg width=300 height=200 aria-hidden=true>\(shape)</svg></a>\(caption)</figure>",
    ])
    func `an inline drawing is a picture`(_ markup: String) {
        let reader = Self.reader(markup)
        let files = Self.files(reader)
        #expect(files.count == 1 && files[0].hasSuffix("</svg>"), "\(files)")
        #expect(!reader.contains("Bare label"))
        #expect(reader.contains("Levels by year") == markup.contains("Levels"))
    }

    @Test(arguments: [
        "<p><svg width=20 height=20>\(shape)</svg> marks a gauge on the map of the valley, with its name.</p>",
        "<p>A gauge on the map of the valley has <a href=/x>a name <svg width=200 height=200>\(shape)</svg></a>.</p>",
        "<button><svg width=200 height=200>\(shape)</svg></button>",
        "<svg width=200 height=200 aria-hidden=true>\(shape)</svg>", "<svg viewBox='0 0 512 512'>\(shape)</svg>",
        "<svg width=600 height=2>\(shape)</svg>", "<svg style='display: none' width=200 height=200>\(shape)</svg>",
        "<svg width=200 height=200><defs>\(shape)</defs><use href='#a'/></svg>",
        "<svg width=200 height=200 data-sbfs-size='0 0'>\(shape)</svg>", "<svg width=200 height=200 />",
    ])
    func `an icon is none, nor a drawing that is hidden or drawn elsewhere`(_ markup: String) {
        #expect(!Self.reader(markup).contains("<img"))
    }

    @Test func `the SVG file of a drawing is well-formed, and has nothing that runs or loads`() {
        let reader = Self.reader(
            "<svg viewbox='0 0 9 9' width=90 height=90 onload=x() data-x=1 xmlns:a=b a:b=c class=\"a\" CLASS=b>"
                + "<script>run()</script><title>T</title><style>rect>a { fill: url(https://e.org/x#y) }</style>"
                + "<foreignObject x=2 width=9 height=4><div>Words<br> &lt;<p>More</div></foreignObject>"
                + "<a href=https://e.org/><image href=https://e.org/a.png /><image xlink:href='data:image/png;base64,AA' /></a>"
                + "<lineargradient id=g><stop offset=0></lineargradient><use xlink:href=#g /><a:b><rect/></a:b>"
                + "<text>a &amp; b &lt; c</g></text><rect fill='url(#g)' onclick='x()'><circle></svg>")
        #expect(
            Self.files(reader) == [
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\" width=\"90\" height=\"90\" class=\"a\">"
                    + "<style>rect&gt;a { fill: url(\"data:,\") }</style><text x=\"6.5\" y=\"2.0\" text-anchor=\"middle\" "
                    + "dominant-baseline=\"central\">Words &lt; More </text><a><image/><image href=\"data:image/png;base64,AA\"/>"
                    + "</a><linearGradient id=\"g\"><stop offset=\"0\"></stop></linearGradient><use href=\"#g\"/>"
                    + "<text>a &amp; b &lt; c</text><rect fill=\"url(#g)\"><circle></circle></rect></svg>"
            ])
    }

    @Test func `a picture in a drawing, and that of a canvas, has pixels alone, and XML has no noncharacters`() {
        let nested = "data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg'>&lt;script>x()&lt;/script>&lt;/svg>"
        let file = Self.files(
            Self.reader("<svg width=90 height=90><image href=\"\(nested)\"/><text>a&#xFFFF;b</text></svg>"))
        #expect(file.count == 1 && file[0].contains("<image/><text>ab</text>"), "\(file)")
        let canvas =
            "<figure><canvas width=300 height=150 style=\"background-image: url(&quot;\(nested)&quot;)\"></canvas></figure>"
        #expect(!Self.reader(canvas).contains("<img"))
        // More than a page needs.
        let large = String(
            repeating: "<svg width=90 height=90><path d='\(String(repeating: "M0 0", count: 500_000))'/></svg>",
            count: 5)
        #expect(Self.reader(large).utf8.count < 10 << 20)
    }

    @Test func `a drawing looks as the sheets of the page make it look`() {
        let reader = Self.reader(
            "<svg width=90 height=90 data-sbfs-style='fill:none'><path style='stroke: red' data-sbfs-style='fill:url(a.svg)'/></svg>"
        )
        #expect(
            Self.files(reader).first?.hasSuffix(
                " style=\"fill:none\"><path style=\"stroke: red;fill:url(&quot;data:,&quot;)\"/></svg>") == true,
            "\(Self.files(reader))")
    }

    @Test func `a drawn canvas is the picture that the saved page has of it`() {
        let url = "data:image/png;base64,iVBORw0KGgo="
        let style = "width: 9em; background-image: url(&quot;\(url)&quot;) !important; background-size: 100% 100%"
        for markup in [
            "<canvas width=300 height=150 style=\"\(style)\">fallback</canvas>",
            "<figure><canvas width=300 height=150 style=\"\(style)\"></canvas>\(Self.caption)</figure>",
            "<p>Chart: <canvas width=300 height=150 style=\"\(style)\"></canvas> in a sentence of some words.</p>",
        ] {
            let reader = Self.reader(markup)
            #expect(reader.contains("<img src=\"\(url)\" alt=\"\" width=\"300\" height=\"150\""), "\(markup)")
            #expect(!reader.contains("fallback"))
        }
        #expect(!Self.reader("<canvas width=300 height=150></canvas>").contains("<img"))
    }

    @Test func `the poster of a video in a figure is a picture`() {
        let reader = Self.reader(
            "<figure><video poster=p.jpg src=v.mp4><p>Your browser plays no films.</p></video>\(Self.caption)</figure>")
        #expect(reader.contains("<figure><p><img src=\"assets/picture.png\"") && reader.contains("Levels by year"))
        #expect(!reader.contains("plays no films"))
    }

    @Test func `drawings without end do no harm`() {
        for part in ["<svg>", "<svg><g>", "<svg><foreignObject>", "<svg></g>", "<svg a='", "<figure><svg><path>"] {
            _ = Self.reader(String(repeating: part, count: 20_000))
        }
    }
}
