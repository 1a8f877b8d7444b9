import HTML
import URLs

/// A page rewritten for a test: files by URL, all else missing.
enum Rewriting {
    static func url(_ text: String) throws -> WebURL {
        guard let url = WebURL(text) else { throw NotAURL(text: text) }
        return url
    }

    struct NotAURL: Error { let text: String }

    static let head = {
        let text =
            #"<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="\#(ArchiveHead.contentSecurityPolicy)"><meta name="referrer" content="no-referrer">"#
        return text
    }()

    /// - Parameter files: the replacement for each absolute URL.
    static func page(
        _ html: String, files: [String: Replacement] = [:], base: String = "https://a.test/dir/page.html",
        syntax: PageContext.Syntax = .html, hasRunScripts: Bool = false, otherwise: Replacement = .missing,
        spellings: KeptSpellings = []
    ) throws -> String {
        var context = PageContext(url: try url(base), syntax: syntax, hasRunScripts: hasRunScripts)
        context.spellings = spellings
        let bytes = PageRewriting.rewritten(Array(html.utf8), context) { files[$0.url.href] ?? otherwise }
        return String(decoding: bytes, as: UTF8.self).replacing(head, with: "")
    }

    static func references(
        _ html: String, base: String = "https://a.test/dir/page.html", hasRunScripts: Bool = false
    ) throws -> [String] {
        let context = PageContext(url: try url(base), hasRunScripts: hasRunScripts)
        return PageRewriting.references(of: Array(html.utf8), context).references.map { "\($0.kind) \($0.url.href)" }
    }

    static func sheet(_ css: String, files: [String: Replacement] = [:]) throws -> String {
        let bytes = StyleSheetRewriting.rewritten(Array(css.utf8), url: try url("https://a.test/css/main.css")) {
            files[$0.url.href] ?? .missing
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func svg(_ text: String, files: [String: Replacement] = [:]) throws -> String {
        let bytes = SVGDocument.rewritten(Array(text.utf8), url: try url("https://a.test/img/pic.svg")) {
            files[$0.url.href] ?? .missing
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
