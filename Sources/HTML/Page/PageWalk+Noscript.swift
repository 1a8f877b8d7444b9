import Characters
internal import URLs

/// `noscript`: what a reader without scripts sees. A saved page never contains the element.
extension PageWalk {
    func noscript() {
        if isXMLSource {
            if context.hasRunScripts { skipContent(of: .noscript) }
            return
        }
        let end = tokens.endOfNoscript()
        if context.hasRunScripts {
            // The page shows the work of its scripts instead. But a picture that is only here would be lost.
            if end - tokens.end < 4096, holdsOnlyNewPictures(tokens.end..<end) { tokens.beginMarkup() }
            return
        }
        // The image of a `noscript` is often the same as one that was just taken from `data-src`.
        let isTwin =
            !lateImages.isEmpty && end - tokens.end < 4096
            && pictures(in: tokens.end..<end).urls.contains { lateImages.contains($0) }
        // Raw text is not written. Otherwise, elements that are still open at its end, such as `<iframe/>`, end there.
        if isTwin { tokens.beginRawText(.noscript) } else { tokens.confine(to: end) }
    }

    /// Whether the content is only pictures that the page does not show elsewhere, and no counter of visits.
    private func holdsOnlyNewPictures(_ content: Range<Int>) -> Bool {
        let (urls, isAlone) = pictures(in: content)
        return isAlone && !urls.isEmpty && !urls.contains { shownPictures.contains($0) }
    }

    /// The absolute URLs of the pictures in a piece of markup, and whether it contains nothing else.
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
            case .startTag, .endTag: if !LonePicture.mayStand(in: inner.element) { isAlone = false }
            case .comment, .nothing: break
            default: isAlone = false
            }
        }
        return (urls, isAlone)
    }

    private static func isCounter(_ tag: HTMLTokenizer) -> Bool {
        LonePicture.isCounter(
            sizes: [AttributeName.width, .height].compactMap { tag.value(of: $0)?[...] },
            style: tag.value(of: .style)?[...])
    }

    static func source(of tag: HTMLTokenizer, base: WebURL) -> [UInt8]? {
        tag.value(of: .src).flatMap { WebURL(utf8: $0, base: base)?.utf8 }
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
