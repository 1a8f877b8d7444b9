import TestSupport
import Testing
import WorkerProtocol

@testable import Capture

/// One capture by the fetching engine into a separate folder, and its result.
struct PageTrial {
    let scratch: ScratchDirectory
    let report: CaptureReport

    /// - Parameter path: the page's path on the server; `host:port` of every server is allowed.
    init(
        _ servers: TestServer..., path: String = "/", seconds: Int = 20, change: (inout CaptureOrder) -> Void = { _ in }
    ) throws {
        let first = try #require(servers.first)
        try self.init(url: first.address(path), allowed: servers.map { "127.0.0.1:\($0.port)" }, seconds, change)
    }

    /// The capture of a saved file; no address is allowed.
    init(file: String, url: String, seconds: Int = 20) throws {
        try self.init(url: url, allowed: [], seconds) { $0.savedFile = file }
    }

    private init(
        url: String, allowed: [String], _ seconds: Int, _ change: (inout CaptureOrder) -> Void
    ) throws {
        scratch = try ScratchDirectory()
        try scratch.makeDirectory("archive")
        var order = CaptureOrder(url: url, folder: scratch.full("archive"))
        order.access.allowed = allowed
        order.browser = "never"
        order.seconds = seconds
        change(&order)
        report = try #require(PageCapture(order).run(BrowserPool(profilesIn: scratch.full("browsers"))))
    }

    var hasPage: Bool { scratch.exists("archive/page.html") }
    /// All names in the archive's folder.
    var names: [String] { get throws { try scratch.names("archive") } }
    var page: String { get throws { try scratch.text("archive/page.html") } }
    var assets: [String] {
        get throws { scratch.exists("archive/assets") ? try scratch.names("archive/assets") : [] }
    }

    func asset(_ name: String) throws -> [UInt8] { try scratch.bytes("archive/assets/" + name) }

    /// The texts of all assets of a kind, in the order of their names.
    func texts(_ fileExtension: String) throws -> [String] {
        try assets.filter { $0.hasSuffix("." + fileExtension) }.map { String(decoding: try asset($0), as: UTF8.self) }
    }
}

/// Small files whose bytes match their type.
enum SampleFile {
    /// A GIF of one pixel; the last byte but one makes files different from each other.
    static func gif(_ number: UInt8 = 0) -> [UInt8] {
        Array("GIF89a".utf8)
            + [
                1, 0, 1, 0, 0x80, 0, 0, 0, 0, number, 0xFF, 0xFF, 0xFF, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1,
                0, 0x3B,
            ]
    }

    /// The start of a WOFF2 font, as far as its type is detected.
    static let font: [UInt8] = Array("wOF2".utf8) + [0, 1, 0, 0] + [UInt8](repeating: 0, count: 40)
    static let drawing = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><path id='p' d='M0 0h1v1z'/></svg>"
    /// Enough words for an article.
    static let article =
        "<article><h1>About stones</h1>"
        + String(
            repeating: "<p>Stones lie in the river, and the water wears them down, year by year, as it always has.</p>",
            count: 8) + "</article>"

    static func page(_ head: String = "", _ body: String = "") -> String {
        "<!doctype html><html><head><title>Stones</title>\(head)</head><body>\(article)\(body)</body></html>"
    }
}

extension TestServer.Answer {
    static func html(_ text: String, status: Int = 200, fields: [String] = []) -> Self {
        .text(text, status: status, fields: ["Content-Type: text/html; charset=utf-8"] + fields)
    }

    static func css(_ text: String) -> Self { .text(text, fields: ["Content-Type: text/css"]) }

    static func gif(_ number: UInt8 = 0) -> Self {
        .whole(fields: ["Content-Type: image/gif"], body: SampleFile.gif(number))
    }

    static func drawing(_ text: String = SampleFile.drawing) -> Self {
        .text(text, fields: ["Content-Type: image/svg+xml"])
    }

    static let missing = html("<title>Not here</title><p>No such page", status: 404)
}
