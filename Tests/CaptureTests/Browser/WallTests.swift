import Characters
import Files
import TestSupport
import Testing

@testable import Capture

/// Walls that no product's name gives away, and pages that look like them; with the installed browser.
@Suite(
    .enabled(
        if: Machine.mustRunAll || BrowserTrial.installed != nil, "no Chromium, Chrome, Edge or Brave is installed"),
    .serialized)
struct WallTests {
    @Test func `walls are known by what they do`() throws {
        let walls = try Self.pages("walls.txt")
        #expect(walls.count >= 50)
        let trial = try BrowserTrial(walls)
        for path in walls.keys.sorted() {
            let page = try trial.render(path)
            let tags = page.text.split(separator: "<").map { $0.prefix { $0 != ">" } }
            #expect(page.coverCount > 0, "\(path)")
            for tag in tags where tag.contains(" data-wall=\"\"") {
                #expect(tag.contains("data-sbfs-cover="), "\(path) \(tag)")
            }
            for tag in tags where tag.hasPrefix("main ") || tag.hasPrefix("article ") {
                #expect(!tag.contains("data-sbfs-cover="), "\(path) \(tag)")
            }
        }
        try trial.end()
    }

    @Test func `pages that only look like walls stay as they are`() throws {
        let pages = try Self.pages("open-pages.txt")
        #expect(pages.count >= 40)
        let trial = try BrowserTrial(Dictionary(uniqueKeysWithValues: pages.map { (Self.path($0.key), $0.value) })) {
            _ in
            .text(Self.picture, fields: ["Content-Type: image/svg+xml"])
        }
        for path in pages.keys.sorted() {
            let page = try trial.render(path)
            #expect(page.coverCount == 0, "\(path)")
            #expect(!page.text.contains("data-sbfs-cover"), "\(path)")
            // Parts of the window's size, which a script moves, can be scrolled to.
            #expect(page.text.contains("data-sbfs-locked") == (path == "/o22"), "\(path)")
        }
        try trial.end()
    }

    @Test func `a wall that comes last is hidden too`() throws {
        // The window changes its height after the page was scrolled.
        let wall = "<div id=wall style=\\'position:fixed;inset:0;background:#000a\\'>Cookies? <button>OK</button></div>"
        let trial = try BrowserTrial([
            "/page": """
            <!DOCTYPE html><title>t</title>\(Self.article)<div style="height: 400px"></div><script>let n = 0;
            addEventListener('resize', () => { if (!n++) document.body.insertAdjacentHTML('beforeend', '\(wall)') })</script>
            """
        ])
        let page = try trial.render("/page")
        #expect(page.coverCount == 1 && page.text.contains("<div id=\"wall\" style=\"position: fixed;"))
        try trial.end()
    }

    @Test func `what a wall put out of reach can be read again`() throws {
        let page = """
            <!DOCTYPE html><title>t</title><div id=menu style='filter:blur(4px)'>Menu</div>
            <div id=content inert aria-hidden=true style='pointer-events:none;filter:blur(4px)'>TEXT</div><div id=wall style='position:fixed;left:25%;top:20%;width:50%;height:60%'><p>Cookies?</p>
            <button>OK</button></div>
            """
        let trial = try BrowserTrial([
            "/long": page.replacing(text: "TEXT", with: Self.article),
            "/short": page.replacing(text: "TEXT", with: Self.sample(paragraphs: 3, sentences: 2)),
        ])
        for path in ["/long", "/short"] {
            let tags = try trial.html(path).split(separator: "<")
            let tag = try #require(tags.first { $0.hasPrefix("div id=\"content\"") })
            #expect(!tag.contains("inert") && !tag.contains("aria-hidden"), "\(path)")
            #expect(tag.contains("data-sbfs-locked=\"pointer-events:none;filter:blur(4px)\""), "\(path)")
            #expect(tag.contains("pointer-events: auto !important") && tag.contains("filter: none !important"))
            let menu = try #require(tags.first { $0.hasPrefix("div id=\"menu\"") })
            #expect(menu.contains("filter: none !important"), "\(path)")
        }
        try trial.end()
    }

    private static let picture = """
        <svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><rect width="1200" height="800"/></svg>
        """
    private static let text =
        "The river wears the stones down slowly, and the people of the valley know each bend of it by name. "
    private static let article = sample(paragraphs: 25, sentences: 3)

    private static func sample(paragraphs: Int, sentences: Int) -> String {
        let paragraph = "<p>\(String(repeating: text, count: sentences))</p>"
        return "<article id=art><h1>The river and its stones</h1>"
            + "\(String(repeating: paragraph, count: paragraphs))</article>"
    }

    private static func path(_ name: String) -> String { String(name.prefix { $0 != "#" }) }

    /// The pages of a file in Fixtures/pages, by path.
    private static func pages(_ file: String) throws -> [String: String] {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let names: [(String, String)] = [
            ("{article}", article), ("{short}", sample(paragraphs: 9, sentences: 2)),
            ("{lock}", "<style>html,body{height:100%;overflow:hidden}</style>"),
            ("{body-lock}", "<style>body{overflow:hidden}</style>"), ("{text}", text),
            ("{policy}", String(repeating: "<p>We and our partners store cookies on a device. ", count: 250)),
        ]
        let head = "<!DOCTYPE html><meta charset=utf-8><title>The river and its stones</title>"
        var pages: [String: String] = [:]
        let bytes = try Directory(path: "/\(root)/Fixtures/pages").contents(of: file, limit: 1 << 20).bytes
        for block in String(decoding: bytes, as: UTF8.self).split(text: "== ") {
            guard let end = block.firstIndex(of: "\n") else { continue }
            let html = names.reduce(String(block[block.index(after: end)...])) { $0.replacing(text: $1.0, with: $1.1) }
            pages["/" + block[..<end]] = head + html
        }
        return pages
    }
}
