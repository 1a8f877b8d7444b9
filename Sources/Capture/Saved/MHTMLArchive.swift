internal import Characters
internal import HTML

/// A page with its parts in one file: MHTML, RFC 2557, as Chromium, Edge, Opera and Internet Explorer write it.
struct MHTMLArchive {
    /// The page's URL, as the file or its first part states.
    let url: String?
    /// In the order of the file.
    let parts: [SavedResource]
    /// The part that is the page.
    let main: SavedResource?

    /// Whether the file ends before its last part does.
    let isCut: Bool

    private static let partLimit = 20_000

    /// - Returns: `nil` if the bytes are no multipart MIME message.
    init?(_ bytes: [UInt8]) {
        guard let header = MIMEHeader(bytes[...]), let type = header["content-type"].flatMap({ MIMEType($0) }),
            type.type == "multipart", let boundary = type.parameter("boundary"), !boundary.isEmpty
        else { return nil }
        var parts: [SavedResource] = []
        var start = ""
        var main: SavedResource?
        if let named = type.parameter("start") { start = named.filter { $0 != "<" && $0 != ">" } }
        let (split, isCut) = Self.split(bytes[header.end...], boundary: Array(boundary.utf8))
        self.isCut = isCut
        for part in split {
            guard let header = MIMEHeader(part), parts.count < Self.partLimit else { continue }
            let body = TransferEncoding.decode(part[header.end...], header["content-transfer-encoding"])
            let id = header["content-id"].map { $0.filter { $0 != "<" && $0 != ">" } }
            let location = header["content-location"] ?? id.map { "cid:" + $0 } ?? ""
            let resource = SavedResource(url: location, contentType: header["content-type"], body: body)
            parts.append(resource)
            // A part with a location may also be named by its id.
            if let id, header["content-location"] != nil {
                parts.append(SavedResource(url: "cid:" + id, contentType: resource.contentType, body: body))
            }
            let isPage = header["content-type"].flatMap { MIMEType($0) }.map { type in
                type.essence == "text/html" || type.essence == "application/xhtml+xml"
            }
            if isPage == true, main == nil || (id == start && !start.isEmpty) { main = resource }
        }
        if parts.isEmpty { return nil }
        self.parts = parts
        self.main = main
        url = [header["snapshot-content-location"], header["content-location"], main?.url].compactMap { $0 }.first {
            $0.lowercased().hasPrefix("http://") || $0.lowercased().hasPrefix("https://")
        }
    }

    /// The parts between lines of `--boundary`: RFC 2046, section 5.1.1.
    private static func split(
        _ bytes: ArraySlice<UInt8>, boundary: [UInt8]
    ) -> (parts: [ArraySlice<UInt8>], isCut: Bool) {
        let mark = Array("--".utf8) + boundary
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        var line = bytes.startIndex
        while line < bytes.endIndex {
            let end = bytes[line...].firstIndex(of: 0x0A) ?? bytes.endIndex
            if bytes[line..<end].starts(with: mark) {
                let rest = bytes[line..<end].dropFirst(mark.count)
                let isLast = rest.starts(with: "--".utf8)
                if isLast || rest.allSatisfy({ $0 <= 0x20 }) {
                    if let start { parts.append(withoutLastLineEnd(bytes[start..<line])) }
                    start = isLast ? nil : min(end + 1, bytes.endIndex)
                    if isLast { return (parts, false) }
                }
            }
            line = end + 1
        }
        // The file is cut off: an incomplete last part is better than none.
        if let start, start < bytes.endIndex { parts.append(bytes[start...]) }
        return (parts, true)
    }

    /// The line end before a boundary belongs to the boundary.
    private static func withoutLastLineEnd(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var part = part
        if part.last == 0x0A { part.removeLast() }
        if part.last == 0x0D { part.removeLast() }
        return part
    }
}

/// The fields at the start of a MIME message or part: RFC 5322, section 2.2, unfolded.
struct MIMEHeader {
    private var fields: [String: String] = [:]
    /// The start of the body.
    let end: Int

    /// - Returns: `nil` if the text does not start with a field.
    init?(_ bytes: ArraySlice<UInt8>) {
        var line = bytes.startIndex
        var name = ""
        while line < bytes.endIndex {
            let next = bytes[line...].firstIndex(of: 0x0A) ?? bytes.endIndex
            var text = bytes[line..<next]
            if text.last == 0x0D { text.removeLast() }
            line = min(next + 1, bytes.endIndex)
            if text.isEmpty { break }
            if text.first == 0x20 || text.first == 0x09 {
                if name.isEmpty { return nil }
                let more = String(decoding: text, as: UTF8.self)
                fields[name, default: ""] += " " + more.drop { $0 == " " || $0 == "\t" }
                continue
            }
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex,
                text[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { return nil }
            name = String(decoding: text[..<colon], as: UTF8.self).lowercased()
            let value = String(decoding: text[(colon + 1)...], as: UTF8.self)
            if fields[name] == nil { fields[name] = String(value.drop { $0 == " " || $0 == "\t" }) }
            if fields.count > 200 { return nil }
        }
        if fields.isEmpty { return nil }
        end = line
    }

    /// The value of a field; the name is in lower case.
    subscript(_ name: String) -> String? { fields[name] }
}

/// The encodings of MIME bodies: RFC 2045, section 6.
enum TransferEncoding {
    static func decode(_ bytes: ArraySlice<UInt8>, _ name: String?) -> [UInt8] {
        switch name?.lowercased().filter({ $0 != " " }) {
        case "base64": Base64.decodedAsInMail(bytes)
        case "quoted-printable": quotedPrintable(bytes)
        default: Array(bytes)
        }
    }

    private static func quotedPrintable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            guard bytes[at] == UInt8(ascii: "=") else {
                output.append(bytes[at])
                at += 1
                continue
            }
            // A soft line break; spaces may follow it.
            var end = at + 1
            while end < bytes.endIndex, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
            if end < bytes.endIndex, bytes[end] == 0x0D, end + 1 < bytes.endIndex, bytes[end + 1] == 0x0A {
                at = end + 2
            } else if end < bytes.endIndex, bytes[end] == 0x0A {
                at = end + 1
            } else if at + 2 < bytes.endIndex, let high = Hexadecimal.value(of: bytes[at + 1]),
                let low = Hexadecimal.value(of: bytes[at + 2])
            {
                output.append(high << 4 | low)
                at += 3
            } else {
                output.append(bytes[at])
                at += 1
            }
        }
        return output
    }
}
