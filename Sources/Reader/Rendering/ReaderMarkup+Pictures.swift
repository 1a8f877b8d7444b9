internal import HTML
internal import URLs

/// Pictures of an article: the images that were saved with the page, and what the page draws itself.
extension ReaderMarkup {
    mutating func writeImage(_ index: Int) {
        guard kind != .parts, kind != .preformatted else { return }
        let alt = content.tree.value(index, .alt) ?? content.tree.value(index, .ariaLabel) ?? []
        var picture = drawing(index)
        for source in ImageSources.of(index, content.tree) {
            if let url = links.url(source[...]), let local = imageFile(url), LinkResolution.isLocalFile(local) {
                picture = Array(local.utf8)
                imageCount += 1
                break
            }
        }
        if let picture {
            prepareInline()
            bytes += "<img".utf8
            attribute("src", picture[...])
            attribute("alt", alt)
            addSize(index)
            bytes += " loading=\"lazy\">".utf8
        } else if alt.count > 2, alt.count < 300 {
            prepareInline()
            bytes += "<small>[".utf8
            MarkupText.appendCollapsed(alt, to: &bytes)
            bytes += "]</small> ".utf8
        }
    }

    /// A `data:` URL of a picture that the page draws itself; `nil` if all of them would be too large for an article.
    private mutating func drawing(_ index: Int) -> [UInt8]? {
        let url: [UInt8]? =
            switch content.tree.drawings[Int32(index)] {
            case .markup(let range): DrawingFile.url(of: range, in: content.tree.source)
            case .canvas(let range): Array(content.tree.text[range])
            case nil: nil
            }
        guard let url, drawingByteCount + url.count <= Self.drawingByteLimit else { return nil }
        drawingByteCount += url.count
        return url
    }

    /// Of all drawings of an article.
    private static let drawingByteLimit = 8 << 20

    /// The size that the page declares, so that the text does not move when the picture comes. A pixel is a stand-in.
    private mutating func addSize(_ index: Int) {
        if content.tree.drawings[Int32(index)] != nil, let (width, height) = Drawings.size(of: index, content.tree) {
            guard (1...20_000).contains(width), (1...20_000).contains(height) else { return }
            bytes += " width=\"\(Int(width))\" height=\"\(Int(height))\"".utf8
            return
        }
        let sizes = [AttributeName.width, .height].map { content.tree.string(index, $0).flatMap { Int($0) } ?? 0 }
        guard sizes.allSatisfy({ (8...20_000).contains($0) }) else { return }
        bytes += " width=\"\(sizes[0])\" height=\"\(sizes[1])\"".utf8
    }
}
