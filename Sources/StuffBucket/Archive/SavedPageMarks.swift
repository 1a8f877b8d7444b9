internal import Characters

/// The `meta` elements with which a saved page describes its own capture: FORMAT.md § Saved pages.
package struct SavedPageMarks: Equatable, Sendable {
    /// The URL of the page after redirects; `nil` if the page does not say.
    package var url: String?
    /// When it was saved, as RFC 3339 if sbfs wrote it; `nil` if the page does not say.
    package var savedAt: String?
    /// The `ETag` that the server sent with it; `nil` for none.
    package var entityTag: String?
    /// The `Last-Modified` that the server sent with it; `nil` for none.
    package var lastModified: String?

    /// Reads the first 8 KiB. Only `sbfs` writes these elements, each as `<meta name="sbfs:KEY" content="…">`.
    package init(_ page: [UInt8]) {
        let head = Array(page.prefix(8192))
        url = Self.mark("url", in: head)
        savedAt = Self.mark("saved", in: head)
        entityTag = Self.mark("etag", in: head)
        lastModified = Self.mark("last-modified", in: head)
    }

    /// A page without these elements: the part that two captures of an unchanged page share.
    package static func withoutMarks(_ page: [UInt8]) -> [UInt8] {
        var head = Array(page.prefix(8192))
        while let found = head.firstRange(ofBytes: "<meta name=\"sbfs:"),
            let end = head[found.upperBound...].firstIndex(of: UInt8(ascii: ">"))
        {
            head.removeSubrange(found.lowerBound...end)
        }
        return head + page.dropFirst(8192)
    }

    private static func mark(_ key: String, in head: [UInt8]) -> String? {
        let start = Array("<meta name=\"sbfs:\(key)\" content=\"".utf8)
        guard let found = head.firstRange(ofBytes: start),
            let end = head[found.upperBound...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        // Exactly the four references that sbfs writes.
        return String(decoding: head[found.upperBound..<end], as: UTF8.self)
            .replacing(text: "&quot;", with: "\"").replacing(text: "&lt;", with: "<").replacing(text: "&gt;", with: ">")
            .replacing(text: "&amp;", with: "&")
    }
}
