internal import Characters
package import URLs

/// Chooses the icon of a page for lists, which draw it at 16–64 points: about 64 pixels are best.
package enum FaviconChoice {
    /// A link element of the page, or an entry of its web app manifest.
    package struct Candidate: Sendable, Equatable {
        package let url: WebURL
        /// The words of the attribute rel, such as `icon`, `shortcut icon`, `apple-touch-icon`, `mask-icon`.
        package let relation: String
        /// The attribute type; `nil` if there is none.
        package let type: String?
        /// The attribute sizes, such as `16x16 32x32` or `any`; `nil` if there is none.
        package let sizes: String?
        /// The attribute media; `nil` if there is none.
        package let media: String?

        package init(url: WebURL, relation: String, type: String? = nil, sizes: String? = nil, media: String? = nil) {
            self.url = url
            self.relation = relation
            self.type = type
            self.sizes = sizes
            self.media = media
        }
    }

    /// The icons to try one after the other, best first, without duplicates, at most eight; the last is
    /// `/favicon.ico` of the page's origin.
    package static func order(_ candidates: [Candidate], page: WebURL) -> [WebURL] {
        var ranked: [(rank: Int, url: WebURL)] = []
        // A page may list thousands; the first ones are enough.
        for candidate in candidates.prefix(200) {
            guard candidate.url.isHTTP, let rank = rank(candidate) else { continue }
            ranked.append((rank, candidate.url))
        }
        let order = ranked.indices.sorted { (ranked[$0].rank, $0) < (ranked[$1].rank, $1) }
        var urls: [WebURL] = []
        for index in order where urls.count < 7 && !urls.contains(ranked[index].url) { urls.append(ranked[index].url) }
        if page.isHTTP, let last = WebURL("/favicon.ico", base: page), !urls.contains(last) { urls.append(last) }
        return urls
    }

    static let wantedPixels = 64

    /// Lower is better; `nil` for no icon.
    private static func rank(_ candidate: Candidate) -> Int? {
        let words = candidate.relation.lowercased().split(whereSeparator: \.isWhitespace)
        let isIcon = words.contains("icon")
        let isTouch = words.contains("apple-touch-icon") || words.contains("apple-touch-icon-precomposed")
        guard isIcon || isTouch else { return nil }
        var rank = fit(candidate)
        // Made for a home screen: often with a background that fills the square.
        if !isIcon { rank += 300 }
        // An icon only for dark mode is second choice.
        if let media = candidate.media?.lowercased(), media.contains(text: "dark") || media.contains(text: "print") {
            rank += 2000
        }
        return rank
    }

    /// The distance of the size from the wanted one: too small is worse than too large; vector graphics always fit.
    private static func fit(_ candidate: Candidate) -> Int {
        let type = candidate.type?.lowercased() ?? ""
        let path = candidate.url.path.lowercased()
        let isVector = type.hasPrefix("image/svg") || (type.isEmpty && path.hasSuffix(".svg"))
        if isVector { return 0 }
        let sizes = (candidate.sizes ?? "").lowercased().split(whereSeparator: \.isWhitespace).prefix(20).compactMap(
            pixels)
        if sizes.isEmpty {
            if candidate.sizes?.lowercased().contains(text: "any") == true { return 50 }
            // Unknown size: an .ico usually has several, a touch icon 180.
            let isTouch = candidate.relation.lowercased().contains(text: "apple-touch")
            return isTouch ? 160 : path.hasSuffix(".ico") ? 600 : 500
        }
        return sizes.map { $0 >= wantedPixels ? 10 + min(400, ($0 - wantedPixels) / 2) : 450 + (wantedPixels - $0) * 4 }
            .min() ?? 500
    }

    /// The width of `48x48`.
    private static func pixels(_ size: Substring) -> Int? {
        let parts = size.split(separator: "x")
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]), (1...10_000).contains(width),
            (1...10_000).contains(height)
        else { return nil }
        return min(width, height)
    }
}
