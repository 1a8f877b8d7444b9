/// How certain the encoding of a page is, the most certain last.
package enum EncodingCertainty: Int, Comparable, Sendable {
    /// Not declared: UTF-8 if the text is valid UTF-8, else as `UndeclaredEncoding` tells.
    case guessed
    /// By the document that links to it (style sheets only).
    case environment
    /// By the text itself: `meta`, XML declaration, `@charset`.
    case declared
    case header
    case byteOrderMark

    package static func < (a: EncodingCertainty, b: EncodingCertainty) -> Bool { a.rawValue < b.rawValue }
}

extension CharacterEncoding {
    /// The encoding of a page: HTML Standard, section 13.2.3.2.
    package static func ofPage(
        _ bytes: [UInt8], contentType: String?
    ) -> (encoding: CharacterEncoding, certainty: EncodingCertainty) {
        if let mark = ByteOrderMark.of(bytes) { return (mark.encoding, .byteOrderMark) }
        if let encoding = contentType.flatMap({ MIMEType(header: $0) })?.charset { return (encoding, .header) }
        let declared = bytes.withUnsafeBufferPointer { bytes -> CharacterEncoding? in
            let start = UnsafeBufferPointer(rebasing: bytes.prefix(EncodingPrescan.byteLimit))
            return EncodingPrescan.encoding(start) ?? XMLDeclaration.encoding(start)
        }
        if let declared { return (declared, .declared) }
        return (UTF8Text.isWellFormed(bytes) ? .utf8 : UndeclaredEncoding.of(bytes), .guessed)
    }

    /// The encoding of a style sheet: CSS Syntax Level 3, section 3.2.
    ///
    /// - Parameter environment: the encoding of the page or sheet that refers to it, or the `charset` of the link.
    package static func ofStyleSheet(
        _ bytes: [UInt8], contentType: String?, environment: CharacterEncoding? = nil
    ) -> (encoding: CharacterEncoding, certainty: EncodingCertainty) {
        if let mark = ByteOrderMark.of(bytes) { return (mark.encoding, .byteOrderMark) }
        if let encoding = contentType.flatMap({ MIMEType(header: $0) })?.charset { return (encoding, .header) }
        let start = bytes.prefix(1024)
        if start.starts(with: "@charset \"".utf8), let end = start.dropFirst(10).firstIndex(of: 0x22),
            end + 1 < start.endIndex, start[end + 1] == UInt8(ascii: ";"),
            let encoding = CharacterEncoding(label: start[10..<end])
        {
            let isUTF16 = encoding == .utf16LittleEndian || encoding == .utf16BigEndian
            return (isUTF16 ? .utf8 : encoding, .declared)
        }
        if let environment { return (environment, .environment) }
        return (.utf8, .guessed)
    }
}
