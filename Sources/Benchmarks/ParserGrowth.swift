internal import Exchange
internal import Glibc
internal import HTML
internal import PropertyList
internal import Reader
internal import Time
internal import URLs

/// `sbfs-bench growth`: whether a parser takes more than linear time for a piece of input that is repeated.
///
/// Each subject reads each of its pieces, repeated to one and to two megabytes. The shortest processor time of the runs
/// counts. `Scripts/growth` does the same for whole commands.
struct ParserGrowth {
    let name: String
    let pieces: [String]
    /// Reads a text made of one of the pieces, which stands `count` times in it.
    let read: (_ piece: String, _ count: Int) throws -> Void

    /// Times below this are too short to be compared, in seconds.
    private static let floor = 0.1
    /// How many more times a slow parser is measured.
    private static let repetitions = 5

    static func run(_ words: [String]) throws {
        let options = try BenchmarkOptions(words)
        guard let size = Double(options.text("size", "1")), let limit = Double(options.text("limit", "2.8")) else {
            throw BenchmarkError(description: "--size and --limit take a number")
        }
        var slow = 0
        for subject in try all() {
            for piece in subject.pieces {
                let count = max(1, Int(size * 1e6) / piece.utf8.count)
                var (once, twice) = (Double.infinity, Double.infinity)
                var isSlow: Bool { twice > floor && twice / once > limit }
                let runs = max(1, options.number("runs", 2))
                // Other programs disturb a run, so a slow one is repeated.
                for run in 0..<runs + repetitions where run < runs || isSlow {
                    once = min(once, try seconds { try subject.read(piece, count) })
                    twice = min(twice, try seconds { try subject.read(piece, 2 * count) })
                }
                let ratio = twice / max(once, 0.0001)
                if isSlow { slow += 1 }
                let columns = [
                    padded(subject.name, 17), padded(shown(piece), 43), fixed(once, 9), fixed(twice, 9),
                    fixed(ratio, 7),
                ]
                print(columns.joined() + (isSlow ? "  more than linear" : ""))
            }
        }
        if slow > 0 { throw BenchmarkError(description: "\(slow) parsers grow faster than what they read") }
    }

    private static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = clock()
        try work()
        return Double(clock() - start) / 1e6
    }

    private static func all() throws -> [ParserGrowth] {
        guard let url = WebURL("https://a.test/") else { throw BenchmarkError(description: "no URL") }
        return pages(url) + texts + imports
    }

    // MARK: Subjects

    /// Pieces of markup that lead a reader to search the rest of the page each time, if it does not remember what it found.
    private static let markup = [
        "<div>", "<div ", "<a href=x a=1 ", "<!--", "<![CDATA[", "<svg>", "<svg><desc>", "<script><!--", "</script",
        "<style>", "<style>url(", "<img srcset='a 1x,", "<iframe srcdoc='", "<p style='url(\\", "&#x", "<template>",
        "\"", "<script><!--<script>", "<title></titl", "<style>@import '", "<style>@charset 'x';",
        "<svg><use href=s.svg#a>", "<p a", "<p =", "<style>{", "<style>(", "<style>/*", "<style><", "<!doctype [", "<?",
    ]

    /// Pieces of pages that have much of what the choice of the main text looks at.
    private static let articles = [
        "<div class=a>x ", "<p>Some words of a text, with a comma, that end here. ", "<a href=x>all of it</a> ",
        "<div class=comments><p>word</p>", "<img src=a.png>", "<table><tr><td>a", "<h1>t</h1>",
        "<h2><a href=x>t</a></h2>",
        "<ul><li class=article><a href=x>a</a>", "<figure><img src=a><figcaption>c</figcaption>", "<br>a<br><br>",
        "<noscript>a</noscript>", "<section hidden><p>a</section>", "<template shadowrootmode=open>a", "<math><mi>x",
        "<span class=author>Anna Berg</span>", "<p class=byline>By A. Berg", "<time>2020-01-02</time>", "漢字、",
        "<ruby>a<rt>b",
        "<li><p>4 March 2020",
    ]

    private static func pages(_ url: WebURL) -> [ParserGrowth] {
        let sprite = repeated("<g id=a><use href=#a>", 500)
        func page(_ syntax: PageContext.Syntax) -> (String, Int) -> Void {
            { piece, count in
                let context = PageContext(url: url, syntax: syntax)
                _ = PageRewriting.rewritten(repeated(piece, count), context) {
                    $0.kind == .sprite ? .inlineSVG(sprite) : .missing
                }
            }
        }
        let frames = ["<!--sbfs:frame-->", "<!--/sbfs:frame-->", "<!--sbfs:fram", "<"]
        return [
            ParserGrowth(name: "page", pieces: markup, read: page(.html)),
            ParserGrowth(name: "article", pieces: markup + articles) {
                _ =
                    Article(page: repeated($0, $1), url: url.href, today: CalendarDate(year: 2026, month: 11, day: 21))
                    .text
            },
            ParserGrowth(name: "page in XML", pieces: markup, read: page(.xhtml)),
            ParserGrowth(name: "style sheet", pieces: markup) {
                _ = StyleSheetRewriting.rewritten(repeated($0, $1), url: url) { _ in .missing }
            },
            ParserGrowth(name: "drawing", pieces: markup) {
                _ = SVGDocument.rewritten(repeated($0, $1), url: url) { _ in .missing }
            },
            ParserGrowth(name: "frame of reader", pieces: frames) {
                _ = ReaderFrame.removed(from: repeated($0, $1))
            },
        ]
    }

    private static var texts: [ParserGrowth] {
        let references = [
            "&", "&#", "&#x", "&a", "&no", "&amp", "&CounterClockwiseContourIntegra", "&#0", "0",
        ]
        let parts = [
            "/a", "/..", "a/", "%2e%2e/", "@", ":", "[", "?", "\\", "é", "。", "xn--a.", "\u{301}", "..", "\t",
        ]
        let labels = ["gbk", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "utf-8", "utf-16le"]
        let addresses = ["http://a/", "http://", "web:", "file:"].map { start in
            ParserGrowth(name: "URL " + start, pieces: parts) { _ = WebURL(utf8: repeated($0, $1, after: start)) }
        }
        return [
            ParserGrowth(name: "references", pieces: references) {
                _ = CharacterReferences.decoded(repeated($0, $1, after: "&#")[...], in: .text)
            },
            ParserGrowth(name: "faulty encoding", pieces: labels) {
                _ = CharacterEncoding(label: $0)?.decode([UInt8](repeating: 0xFF, count: $0.utf8.count * $1))
            },
        ] + addresses
    }

    private static var imports: [ParserGrowth] {
        func file(_ name: String, _ start: String, _ piece: String, _ middle: String, _ end: String) -> ParserGrowth {
            ParserGrowth(name: name, pieces: [piece]) { piece, count in
                let text = repeated(piece, count, after: start) + Array(middle.utf8) + repeated(end, count)
                // A parser may refuse the file; it must only not search it again and again.
                try? ImportFile.read(text, format: { _ in }) { _ in }
            }
        }
        return [
            file("OPML", "<opml><body>", "<outline text=\"a\">", "<outline url=\"https://e.org/\"/>", "</outline>"),
            file("XBEL", "<xbel>", "<folder><title>a</title>", "<bookmark href=\"https://e.org/\"/>", "</folder>"),
            file("CSV", "#BOOKMARKS\nurl,name\n", "x,\"\"\"\n", "", ""),
            file("JSON", "", "[", "", ""), file("JSON", "", "[1,", "", ""),
            ParserGrowth(name: "property list", pieces: ["<string>x</string>", "<array>"]) {
                _ = try? PropertyList(repeated($0, $1, after: "<plist><array>") + Array("</array></plist>".utf8))
            },
        ]
    }

    // MARK: Text

    private static func repeated(_ piece: String, _ count: Int, after start: String = "") -> [UInt8] {
        var bytes = Array(start.utf8)
        bytes.reserveCapacity(bytes.count + piece.utf8.count * count)
        for _ in 0..<count { bytes += piece.utf8 }
        return bytes
    }

    private static func shown(_ piece: String) -> String {
        String(piece.debugDescription.dropFirst().dropLast())
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    /// A number with two decimal places, right-aligned.
    private static func fixed(_ value: Double, _ width: Int) -> String {
        let hundredths = Int((value * 100).rounded())
        let text = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
        return String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
