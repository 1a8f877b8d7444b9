import TestSupport
import Testing

@testable import Capture

/// The print and the picture of a page, with the installed browser.
@Suite(
    .enabled(
        if: Machine.mustRunAll || BrowserTrial.installed != nil, "no Chromium, Chrome, Edge or Brave is installed"),
    .serialized)
struct PrintTests {
    private static func size(ofPNG bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count > 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        func number(_ start: Int) -> Int { bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } }
        return (number(16), number(20))
    }

    @Test func `are made of the whole page, up to a height`() throws {
        let trial = try BrowserTrial([
            "/page": "<!DOCTYPE html><style>body { margin: 0 }</style><div style='height:3000px'>words</div>",
            "/long": "<!DOCTYPE html><div style='height:40000px'>words</div>",
        ])
        var request = try trial.request("/page")
        request.wantsPrint = true
        request.wantsPicture = true
        let page = try trial.browser.render(request)
        #expect(page.print?.starts(with: "%PDF-".utf8) == true)
        let size = try #require(Self.size(ofPNG: page.picture ?? []))
        #expect(size == (1280, 3000))
        #expect(page.text.contains("words"))
        request = try trial.request("/long")
        request.wantsPicture = true
        let long = try trial.browser.render(request)
        #expect(Self.size(ofPNG: long.picture ?? [])?.height == 16_384)
        #expect(long.print == nil)
        try trial.end()
    }

    @Test func `request nothing and run nothing`() throws {
        let trial = try BrowserTrial([
            "/page": """
            <!DOCTYPE html><style>@media print { p { background: url(/printed.png) } }
            @media (min-height: 2000px) { p { background: url(/high.png) } }</style><p id=p>words</p>
            <div style="height:3000px"></div><script>
            addEventListener('beforeprint', () => { p.textContent = 'printed'; fetch('/before') })</script>
            """
        ])
        var request = try trial.request("/page")
        request.wantsPrint = true
        request.wantsPicture = true
        let page = try trial.browser.render(request)
        #expect(page.print != nil && page.picture != nil)
        #expect(page.text.contains("<p id=\"p\">words</p>"), "\(page.text)")
        #expect(Set(trial.server.targets).subtracting(["/favicon.ico"]) == ["/page"], "\(trial.server.targets)")
        try trial.end()
    }
}
