internal import Characters
internal import HTML
internal import URLs

/// A page together with the documents in its frames, for reading: many pages have their text in a frame.
struct FramedPage {
    private let source: PageSource
    private let assets: PageAssets
    /// Frames in frames that are read.
    private static let depthLimit = 3
    /// Bytes of text below which a frame holds no article.
    private static let leastText = 400
    /// Bytes of documents that are read, each as often as a frame shows it.
    private let budget = Budget()

    private final class Budget {
        private var left = 64 << 20

        func spend(_ count: Int) -> Bool {
            left -= count + 1000
            return left >= 0
        }
    }

    init(_ source: PageSource, _ assets: PageAssets) {
        self.source = source
        self.assets = assets
    }

    private struct Document {
        var html: [UInt8]
        var context: PageContext
    }

    /// The page with those frames in it that hold its text; `nil` if the text is in the page itself.
    ///
    /// A frame holds the text if it has more than half again as much of it as the page's own article. All frames of a
    /// frameset are parts of the page.
    ///
    /// - Parameter articleLength: bytes of the article that was found in the page alone.
    func page(besides articleLength: Int) -> [UInt8]? {
        var hasAny = false
        let page = inlined(Document(html: source.html, context: source.context), depth: 0) { frame, document in
            guard frame.isPart || !Self.isBeside(frame.names) else { return false }
            let length = textLength(of: document, depth: 1)
            guard frame.isPart ? length > 0 : length >= Self.leastText && length > articleLength * 3 / 2 else {
                return false
            }
            hasAny = true
            return true
        }
        return hasAny ? page : nil
    }

    private func inlined(
        _ document: Document, depth: Int, _ isWanted: (FrameInlining.Frame, Document) -> Bool
    ) -> [UInt8] {
        guard depth < Self.depthLimit else { return document.html }
        return FrameInlining.page(document.html) { frame in
            guard let inner = self.document(of: frame, in: document), isWanted(frame, inner) else { return nil }
            // Its references lead from its own address.
            let absolute = PageRewriting.rewritten(inner.html, inner.context) { _ in .absolute }
            let whole = Document(html: absolute, context: inner.context)
            return FrameInlining.body(of: inlined(whole, depth: depth + 1) { _, _ in true })
        }
    }

    private func textLength(of document: Document, depth: Int) -> Int {
        var length = FrameInlining.textLength(of: FrameInlining.body(of: document.html))
        if depth < Self.depthLimit {
            for frame in FrameInlining.frames(of: document.html) {
                if let inner = self.document(of: frame, in: document) {
                    length += textLength(of: inner, depth: depth + 1)
                }
            }
        }
        return length
    }

    private func document(of frame: FrameInlining.Frame, in outer: Document) -> Document? {
        guard let document = anyDocument(of: frame, in: outer), budget.spend(document.html.count) else { return nil }
        return document
    }

    private func anyDocument(of frame: FrameInlining.Frame, in outer: Document) -> Document? {
        if let number = frame.number {
            guard source.frames.indices.contains(number), let document = source.frames[number].document,
                let context = PageContext(rendered: document)
            else { return nil }
            return Document(html: document.html, context: context)
        }
        if let html = frame.document { return Document(html: html, context: outer.context) }
        guard let url = WebURL(String(decoding: frame.source, as: UTF8.self), base: outer.context.url),
            case .text(let resource, let type) = assets.content(of: url), type.isPage
        else { return nil }
        let context = PageContext(url: resource.url, syntax: type.isXML ? .xhtml : .html)
        return Document(html: assets.text(ofPage: resource), context: context)
    }

    /// Whether a frame's names say that it holds something beside the article.
    private static func isBeside(_ names: [UInt8]) -> Bool {
        let names = String(decoding: names.prefix(2000), as: UTF8.self).lowercased()
        return [
            "comment", "disqus", "reply", "captcha", "consent", "cookie", "advert", "google_ads", "doubleclick",
            "syndication", "chat", "player", "widget", "facebook.com", "twitter.com", "youtube",
        ].contains { names.contains(text: $0) }
    }
}
