import Characters
internal import URLs

/// What the links and pictures of a page may point to in reader.html.
struct LinkResolution {
    /// The address of the page, or its `base`. If it is `nil` (unknown), only absolute links are kept.
    let base: WebURL?
    /// The address of the page itself, which shows whether a link points into it.
    let page: WebURL?

    func url(_ reference: ArraySlice<UInt8>) -> WebURL? {
        guard reference.count < 16384, let url = WebURL(utf8: reference, base: base), url.isHTTP else { return nil }
        return url
    }

    /// The target of a link as written to reader.html: http, https, mailto or a place in the page. `nil` for all
    /// others.
    func href(_ reference: ArraySlice<UInt8>) -> [UInt8]? {
        guard reference.count < 16384 else { return nil }
        var trimmed = reference
        while let first = trimmed.first, first <= 0x20 { trimmed.removeFirst() }
        if trimmed.first == UInt8(ascii: "#") {
            return Self.localName(trimmed.dropFirst()).map { [UInt8(ascii: "#")] + $0 }
        }
        guard let url = WebURL(utf8: trimmed, base: base) else { return nil }
        if url.scheme == "mailto" { return url.utf8 }
        guard url.isHTTP else { return nil }
        if let page, let fragment = url.fragment, url.withoutFragment == page.withoutFragment,
            let name = Self.localName(Array(fragment.utf8)[...])
        {
            return [UInt8(ascii: "#")] + name
        }
        return url.utf8
    }

    /// The name of a place in reader.html, or `nil` for an empty or unusual name.
    static func localName(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        guard !name.isEmpty, name.count < 100,
            name.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F || $0 == 0x2E || $0 == 0x3A })
        else { return nil }
        return Array("r-".utf8) + name
    }

    /// Whether a path names only a file beside or below reader.html.
    static func isLocalFile(_ path: String) -> Bool {
        !path.isEmpty && !path.hasPrefix("/") && !path.hasPrefix("\\") && !path.utf8.contains(UInt8(ascii: ":"))
            && !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x5C || $0 == 0x3F || $0 == 0x23 })
            && !path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
    }
}
