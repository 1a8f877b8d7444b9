internal import Characters

/// The origin of HTML that a program saved.
enum SavedHTML {
    /// The URL from SingleFile's comment, a browser's "saved from url", our own `meta` element, or the page's
    /// canonical link.
    static func url(of page: [UInt8]) -> String? {
        let head = Array(page.prefix(64 << 10))
        return comment(head) ?? savedFrom(head) ?? mark(head)
    }

    /// `<!-- Page saved with SingleFile … url: https://… … -->`
    private static func comment(_ head: [UInt8]) -> String? {
        guard let mark = head.firstRange(ofBytes: "Page saved with SingleFile") else { return nil }
        let rest = head[mark.upperBound...]
        let end = rest.firstRange(ofBytes: "-->")?.lowerBound ?? rest.endIndex
        guard let key = rest[..<end].firstRange(ofBytes: "url:") else { return nil }
        return link(rest[key.upperBound..<end].drop { $0 <= 0x20 }.prefix { $0 > 0x20 })
    }

    /// `<!-- saved from url=(0023)https://example.org/ -->`, by Chromium, Internet Explorer and others.
    private static func savedFrom(_ head: [UInt8]) -> String? {
        guard let mark = head.firstRange(ofBytes: "saved from url=(") else { return nil }
        let rest = head[mark.upperBound...].drop { $0 != UInt8(ascii: ")") }.dropFirst()
        return link(rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") })
    }

    private static func mark(_ head: [UInt8]) -> String? {
        guard let mark = head.firstRange(ofBytes: "<meta name=\"sbfs:url\" content=\"") else { return nil }
        return link(head[mark.upperBound...].prefix { $0 != UInt8(ascii: "\"") })
    }

    private static func link(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let url = text.replacing(text: "&amp;", with: "&")
        return url.lowercased().hasPrefix("http://") || url.lowercased().hasPrefix("https://") ? url : nil
    }
}
