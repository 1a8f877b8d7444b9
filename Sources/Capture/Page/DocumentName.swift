internal import HTML
internal import URLs

/// The file name of a document that was behind a link.
enum DocumentName {
    /// The server's file name, else the last part of the URL's path, with the extension of the real type.
    ///
    /// The text is hostile: only the part after the last slash or backslash, no control characters, no bidirectional
    /// overrides, no leading dots, at most 150 bytes.
    static func make(from named: String?, url: WebURL, type: RealType) -> String {
        let last =
            url.path.split(separator: "/").last.map {
                String(decoding: PercentEncoding.decoded($0.utf8), as: UTF8.self)
            } ?? ""
        let fileExtension = type.fileExtension
        for candidate in [named ?? "", last] {
            var name = clean(candidate)
            if name.isEmpty { continue }
            let isNamed = name.utf8.dropFirst().contains(UInt8(ascii: "."))
            if !isNamed || (fileExtension != "bin" && fileExtension == "pdf" && !name.lowercased().hasSuffix(".pdf")) {
                name += "." + fileExtension
            }
            return name
        }
        return clean(url.hostText) + "." + fileExtension
    }

    private static func clean(_ text: String) -> String {
        let part = text.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        var kept = String.UnicodeScalarView()
        var byteCount = 0
        for scalar in part.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: continue
            default: break
            }
            if kept.isEmpty, scalar == "." || scalar == " " || scalar == "~" { continue }
            byteCount += String(scalar).utf8.count
            if byteCount > 150 { break }
            kept.append(scalar)
        }
        return String(kept)
    }
}
