/// Which content of a `noscript` is a picture and nothing else. The rewriter and the reader show such pictures.
package enum LonePicture {
    /// Whether an element may surround the picture: it groups or links, and shows nothing of its own.
    package static func mayStand(in element: HTMLElement) -> Bool {
        switch element {
        case .picture, .source, .img, .a, .p, .div, .span, .figure, .figcaption, .center, .article, .section, .br,
            .ampImg, .other:
            true
        default: false
        }
    }

    /// Whether a picture counts visits: it is hidden, or at most one pixel wide or high.
    ///
    /// - Parameters:
    ///   - sizes: the decoded values of `width` and `height`.
    ///   - style: the decoded value of `style`.
    package static func isCounter(sizes: [ArraySlice<UInt8>], style: ArraySlice<UInt8>?) -> Bool {
        if let style, InlineStyle.hides(style) { return true }
        return sizes.contains {
            Int(String(decoding: $0.prefix(16), as: UTF8.self).prefix { $0.isNumber }).map { $0 <= 1 } ?? false
        }
    }
}
