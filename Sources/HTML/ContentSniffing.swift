import Characters

/// Finds the real type of bytes, whatever their declared type: the patterns of https://mimesniff.spec.whatwg.org/, and
/// patterns of later formats (AVIF, HEIC, JPEG XL, SVG by its root element, FLAC, Matroska).
package enum ContentSniffing {
    /// How many bytes of a resource are read.
    package static let byteLimit = 1445

    /// How a resource is used.
    package enum Purpose: Sendable {
        /// A document opened by a link or a frame: the declared type counts unless it is too vague or clearly wrong.
        case document
        case image, media, font, styleSheet
        /// Any other.
        case other
    }

    /// The real type: essence of a MIME type in lower case, for example `image/png`.
    ///
    /// - Parameter said: the header's Content-Type.
    package static func type(of bytes: [UInt8], said: String?, for purpose: Purpose) -> String {
        let start = Array(bytes.prefix(byteLimit))
        let claimed = said.flatMap { MIMEType(header: $0) }?.essence
        switch purpose {
        case .styleSheet: return "text/css"
        case .image:
            return image(start) ?? svg(start) ?? claimed.flatMap { $0.hasPrefix("image/") ? $0 : nil } ?? unknown(start)
        case .media: return media(start) ?? claimed.flatMap { isMedia($0) ? $0 : nil } ?? unknown(start)
        case .font: return font(start) ?? claimed.flatMap { isFont($0) ? $0 : nil } ?? unknown(start)
        case .document, .other:
            guard let claimed, !vague.contains(claimed) else { return unknown(start) }
            return distinguished(start, claimed)
        }
    }

    /// Declared types that carry no information.
    private static let vague: Set<String> = ["unknown/unknown", "application/unknown", "*/*"]

    /// The declared type, unless the bytes contradict it.
    private static func distinguished(_ bytes: [UInt8], _ claimed: String) -> String {
        switch claimed {
        // Servers send these types for files that they do not know.
        case "text/plain", "application/octet-stream", "binary/octet-stream": break
        case "text/html", "application/xhtml+xml":
            // Never the reverse: sniffing does not turn text into markup.
            return binary(bytes) ?? claimed
        default:
            if claimed.hasPrefix("image/") { return image(bytes) ?? svg(bytes) ?? claimed }
            if isMedia(claimed) { return media(bytes) ?? claimed }
            if isFont(claimed) { return font(bytes) ?? claimed }
            return claimed
        }
        if let found = binary(bytes) { return found }
        if claimed == "text/plain" { return isBinary(bytes) ? "application/octet-stream" : claimed }
        return claimed
    }

    /// A type by the bytes alone ("rules for identifying an unknown MIME type").
    package static func unknown(_ bytes: [UInt8]) -> String {
        let start = Array(bytes.prefix(byteLimit))
        if let found = markup(start) ?? svg(start) ?? xml(start) { return found }
        if let found = binary(start) { return found }
        return isBinary(start) ? "application/octet-stream" : "text/plain"
    }

    private static func binary(_ bytes: [UInt8]) -> String? {
        if starts(bytes, "%PDF-") { return "application/pdf" }
        if starts(bytes, "%!PS-Adobe-") { return "application/postscript" }
        return image(bytes) ?? media(bytes) ?? font(bytes) ?? archive(bytes)
    }

    private static func isMedia(_ type: String) -> Bool {
        type.hasPrefix("audio/") || type.hasPrefix("video/") || type == "application/ogg"
    }

    private static func isFont(_ type: String) -> Bool {
        type.hasPrefix("font/") || type.hasPrefix("application/font") || type.hasPrefix("application/x-font")
            || type == "application/vnd.ms-fontobject"
    }

    // MARK: Patterns

    static func starts(_ bytes: [UInt8], _ pattern: StaticString, at offset: Int = 0) -> Bool {
        guard bytes.count >= offset + pattern.utf8CodeUnitCount else { return false }
        for index in 0..<pattern.utf8CodeUnitCount where bytes[offset + index] != pattern.utf8Start[index] {
            return false
        }
        return true
    }

    static func starts(_ bytes: [UInt8], _ pattern: [UInt8], at offset: Int = 0) -> Bool {
        bytes.count >= offset + pattern.count && bytes[offset..<offset + pattern.count].elementsEqual(pattern)
    }

    private static func image(_ bytes: [UInt8]) -> String? {
        if starts(bytes, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if starts(bytes, [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if starts(bytes, "GIF87a") || starts(bytes, "GIF89a") { return "image/gif" }
        if starts(bytes, "RIFF"), starts(bytes, "WEBPVP", at: 8) { return "image/webp" }
        if starts(bytes, [0, 0, 1, 0]) || starts(bytes, [0, 0, 2, 0]) { return "image/x-icon" }
        if starts(bytes, "BM"), bytes.count >= 18, bytes[15] == 0, bytes[16] == 0, bytes[17] == 0 { return "image/bmp" }
        if starts(bytes, [0xFF, 0x0A]) || starts(bytes, [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A]) {
            return "image/jxl"
        }
        if starts(bytes, [0x49, 0x49, 0x2A, 0]) || starts(bytes, [0x4D, 0x4D, 0, 0x2A]) { return "image/tiff" }
        switch brand(bytes) {
        case "avif", "avis": return "image/avif"
        case "heic", "heix", "mif1", "msf1": return brands(bytes).contains("avif") ? "image/avif" : "image/heic"
        default: return nil
        }
    }

    private static func media(_ bytes: [UInt8]) -> String? {
        if starts(bytes, "RIFF") {
            if starts(bytes, "WAVE", at: 8) { return "audio/wav" }
            if starts(bytes, "AVI ", at: 8) { return "video/avi" }
        }
        if starts(bytes, "OggS\0") { return "application/ogg" }
        if starts(bytes, "fLaC") { return "audio/flac" }
        if starts(bytes, "ID3") { return "audio/mpeg" }
        if starts(bytes, "FORM"), starts(bytes, "AIFF", at: 8) { return "audio/aiff" }
        if starts(bytes, [0x1A, 0x45, 0xDF, 0xA3]) { return isWebM(bytes) ? "video/webm" : "video/x-matroska" }
        if starts(bytes, "WEBVTT") { return "text/vtt" }
        if starts(bytes, [0xEF, 0xBB, 0xBF]), starts(bytes, "WEBVTT", at: 3) { return "text/vtt" }
        // The sync words of two frames would be more certain. A JPEG begins with FF D8, which is not MPEG audio.
        if bytes.count > 3, bytes[0] == 0xFF, bytes[1] & 0xE6 == 0xE2, bytes[2] & 0xF0 != 0xF0, bytes[2] & 0x0C != 0x0C
        {
            return "audio/mpeg"
        }
        guard let brand = brand(bytes), brand != "avif", brand != "avis" else { return nil }
        switch brand {
        case "M4A ", "M4B ": return "audio/mp4"
        case "qt  ": return "video/quicktime"
        default: return brands(bytes).contains { $0.hasPrefix("mp4") || $0.hasPrefix("iso") } ? "video/mp4" : nil
        }
    }

    /// The major brand of an ISO base media file.
    private static func brand(_ bytes: [UInt8]) -> String? { brands(bytes).first }

    private static func brands(_ bytes: [UInt8]) -> [String] {
        guard starts(bytes, "ftyp", at: 4), bytes.count >= 12 else { return [] }
        let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        let end = min(size, bytes.count, 256)
        return [8..<12].map { String(decoding: bytes[$0], as: UTF8.self) }
            + stride(from: 16, to: max(16, end - 3), by: 4).map { String(decoding: bytes[$0..<$0 + 4], as: UTF8.self) }
    }

    /// Matroska's document type, an element 42 82 near the beginning.
    private static func isWebM(_ bytes: [UInt8]) -> Bool {
        let end = min(bytes.count, 64)
        var at = 4
        while at + 2 < end {
            if bytes[at] == 0x42, bytes[at + 1] == 0x82 {
                for start in (at + 3)..<min(at + 12, max(at + 3, bytes.count)) where starts(bytes, "webm", at: start) {
                    return true
                }
            }
            at += 1
        }
        return false
    }

    private static func font(_ bytes: [UInt8]) -> String? {
        if starts(bytes, "wOF2") { return "font/woff2" }
        if starts(bytes, "wOFF") { return "font/woff" }
        if starts(bytes, "OTTO") { return "font/otf" }
        if starts(bytes, "ttcf") { return "font/collection" }
        if starts(bytes, [0, 1, 0, 0]) || starts(bytes, "true") && bytes.count > 4 && bytes[4] == 0 {
            return "font/ttf"
        }
        if bytes.count > 35, bytes[34] == 0x4C, bytes[35] == 0x50 { return "application/vnd.ms-fontobject" }
        return nil
    }

    private static func archive(_ bytes: [UInt8]) -> String? {
        if starts(bytes, [0x1F, 0x8B, 0x08]) { return "application/gzip" }
        if starts(bytes, [0x50, 0x4B, 0x03, 0x04]) { return "application/zip" }
        if starts(bytes, "Rar!\u{1A}\u{07}") { return "application/x-rar-compressed" }
        if starts(bytes, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) { return "application/x-7z-compressed" }
        if starts(bytes, [0x28, 0xB5, 0x2F, 0xFD]) { return "application/zstd" }
        return nil
    }

    // MARK: Text

    /// Whether there is a byte that text never contains ("binary data byte"). UTF-16 with a byte order mark is text.
    static func isBinary(_ bytes: [UInt8]) -> Bool {
        if ByteOrderMark.of(bytes) != nil { return false }
        return bytes.contains { $0 <= 0x08 || $0 == 0x0B || $0 >= 0x0E && $0 <= 0x1A || $0 >= 0x1C && $0 <= 0x1F }
    }

    private static func afterSpace(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let start = starts(bytes, [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return bytes[start...].drop { $0 == 0x20 || $0 >= 0x09 && $0 <= 0x0D && $0 != 0x0B }
    }

    private static let markupTags: [StaticString] = [
        "<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font", "<table", "<a", "<style",
        "<title", "<b", "<body", "<br", "<p",
    ]

    private static func markup(_ bytes: [UInt8]) -> String? {
        let text = afterSpace(bytes)
        if startsIgnoringCase(text, "<!--") { return "text/html" }
        for tag in markupTags where startsIgnoringCase(text, tag) {
            let end = text.startIndex + tag.utf8CodeUnitCount
            if end < text.endIndex, text[end] == 0x20 || text[end] == 0x3E { return "text/html" }
        }
        return nil
    }

    private static func xml(_ bytes: [UInt8]) -> String? {
        startsIgnoringCase(afterSpace(bytes), "<?xml") ? "text/xml" : nil
    }

    /// SVG by its root element, after the declaration, comments and doctype.
    private static func svg(_ bytes: [UInt8]) -> String? {
        var text = afterSpace(bytes)
        while text.first == UInt8(ascii: "<") {
            if startsIgnoringCase(text, "<svg") {
                let next = text.dropFirst(4).first
                return next == nil || next == 0x3E || next == 0x2F || (next ?? 0xFF) <= 0x20 ? "image/svg+xml" : nil
            }
            if startsIgnoringCase(text, "<!--") {
                guard let end = text.indices.dropFirst(4).first(where: { starts(bytes, "-->", at: $0) }) else {
                    return nil
                }
                text = text[(end + 3)...]
            } else if startsIgnoringCase(text, "<?") || startsIgnoringCase(text, "<!doctype svg") {
                guard let end = text.firstIndex(of: UInt8(ascii: ">")) else { return nil }
                // An internal subset contains `>` itself.
                let subset = text[..<end].contains(UInt8(ascii: "["))
                guard
                    let close = subset
                        ? text.indices.first(where: { starts(bytes, "]>", at: $0) }).map({ $0 + 1 }) : end
                else { return nil }
                text = text[(close + 1)...]
            } else {
                return nil
            }
            text = text.drop { $0 <= 0x20 }
        }
        return nil
    }

    private static func startsIgnoringCase(_ bytes: ArraySlice<UInt8>, _ pattern: StaticString) -> Bool {
        guard bytes.count >= pattern.utf8CodeUnitCount else { return false }
        for index in 0..<pattern.utf8CodeUnitCount {
            let byte = bytes[bytes.startIndex + index]
            if byte.lowercased != pattern.utf8Start[index] { return false }
        }
        return true
    }
}
