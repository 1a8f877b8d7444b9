internal import Characters
internal import URLs

/// `noscript`: what a reader without scripts sees. The archive has none, whatever made it.
extension PageWalk {
    func noscript() {
        if isXMLSource {
            if context.hasRunScripts { skipContent(of: .noscript) }
            return
        }
        let end = RawText.end(of: .noscript, source, from: tokens.end)
        if context.hasRunScripts {
            // The page shows what its scripts made instead; but a picture that stands only here would be lost.
            if end - tokens.end < 4096, holdsOnlyNewPictures(tokens.end..<end) { tokens.beginMarkup() }
            return
        }
        // The image of a noscript is often the twin of one that was just taken from `data-src`.
        guard !lateImages.isEmpty, end - tokens.end < 4096 else { return }
        let isTwin = pictures(in: tokens.end..<end).urls.contains { lateImages.contains($0) }
        // Taken as raw text, which is not written.
        if isTwin { tokens.beginRawText(.noscript) }
    }

    /// Whether the content is nothing but pictures, none of them one that the page shows elsewhere, and none a counter that
    /// nobody is to see.
    private func holdsOnlyNewPictures(_ content: Range<Int>) -> Bool {
        let (urls, isAlone) = pictures(in: content)
        return isAlone && !urls.isEmpty && !urls.contains { shownPictures.contains($0) }
    }

    /// The pictures in a piece of markup by their absolute URLs, and whether nothing else is in it.
    private func pictures(in content: Range<Int>) -> (urls: [[UInt8]], isAlone: Bool) {
        var inner = HTMLTokenizer(UnsafeBufferPointer(rebasing: source[content]))
        var urls: [[UInt8]] = []
        var isAlone = true
        while inner.next() {
            switch inner.kind {
            case .text:
                if inner.bytes[inner.start..<inner.end].contains(where: { !$0.isHTMLSpace }) { isAlone = false }
            case .startTag where inner.element == .img:
                if Self.isCounter(inner) { isAlone = false }
                if let url = Self.source(of: inner, base: resolver.base) { urls.append(url) } else { isAlone = false }
            case .startTag, .endTag:
                switch inner.element {
                case .picture, .source, .img, .a, .p, .other: break
                default: isAlone = false
                }
            case .comment, .nothing: break
            default: isAlone = false
            }
        }
        return (urls, isAlone)
    }

    /// A picture of at most one pixel each way, or a hidden one: it counts visits.
    private static func isCounter(_ tag: HTMLTokenizer) -> Bool {
        for attribute in tag.attributes {
            let value = tag.bytes[attribute.valueStart..<attribute.valueEnd]
            switch AttributeName.of(tag.bytes, attribute.nameStart, attribute.nameEnd) {
            case .width, .height:
                if let size = Int(String(decoding: value, as: UTF8.self).prefix { $0.isNumber }), size <= 1 {
                    return true
                }
            case .style:
                let style = String(decoding: value, as: UTF8.self).lowercased().filter { $0 != " " }
                if style.contains(text: "display:none") || style.contains(text: "visibility:hidden") { return true }
            default: continue
            }
        }
        return false
    }

    static func source(of tag: HTMLTokenizer, base: WebURL) -> [UInt8]? {
        for attribute in tag.attributes
        where AttributeName.of(tag.bytes, attribute.nameStart, attribute.nameEnd) == .src {
            let value = tag.bytes[attribute.valueStart..<attribute.valueEnd]
            let decoded = CharacterReferences.decoded(Array(value)[...], in: .attribute)
            return WebURL(utf8: decoded, base: base)?.utf8
        }
        return nil
    }

    /// Absolute URLs of the pictures of a page outside of `noscript`.
    static func pictures(of page: UnsafeBufferPointer<UInt8>, base: WebURL) -> Set<[UInt8]> {
        var tokens = HTMLTokenizer(page, isScripting: true)
        var urls: Set<[UInt8]> = []
        while tokens.next(), urls.count < 20_000 {
            if tokens.kind == .startTag, tokens.element == .img, let url = source(of: tokens, base: base) {
                urls.insert(url)
            }
        }
        return urls
    }
}
