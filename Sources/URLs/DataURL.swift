import Characters
internal import Characters

/// A parsed `data:` URL: https://fetch.spec.whatwg.org/#data-url-processor
package struct DataURL: Sendable {
    /// As written, trimmed, with `text/plain` before a lone parameter. Parse it as a MIME type; if that fails, use
    /// `text/plain;charset=US-ASCII`.
    package let mimeType: String
    package let body: [UInt8]

    /// - Returns: `nil` for other schemes, without a comma, and for invalid base64.
    package init?(_ url: WebURL) {
        let end = Int(url.parts.fragmentStart)
        let rest = url.bytes[Int(url.parts.schemeEnd) + 1..<end]
        guard url.scheme == "data", let comma = rest.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        var type = Self.trimmed(rest[..<comma])
        var body = PercentEncoding.decoded(rest[(comma + 1)...])
        if let before = Self.withoutBase64Mark(type) {
            guard let decoded = Base64.decodedAsInBrowsers(body) else { return nil }
            body = decoded
            type = before
        }
        let text = String(decoding: type, as: UTF8.self)
        mimeType = text.utf8.first == UInt8(ascii: ";") ? "text/plain" + text : text
        self.body = body
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop(while: \.isHTMLSpace)
        while let last = bytes.last, last.isHTMLSpace { bytes.removeLast() }
        return bytes
    }

    /// The text before a final `;`, spaces, `base64`.
    private static func withoutBase64Mark(_ type: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard type.count >= 7,
            zip(type.suffix(6), "base64".utf8).allSatisfy({ $0 == $1 || $0.isLetter && $0.lowercased == $1 })
        else { return nil }
        var before = type.dropLast(6)
        while before.last == 0x20 { before.removeLast() }
        return before.last == UInt8(ascii: ";") ? before.dropLast() : nil
    }
}
