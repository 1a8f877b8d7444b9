internal import Characters
internal import HTML
internal import JSONFormat
internal import URLs

/// urltestdata.json, data-urls.json and base64.json of web-platform-tests.
enum URLConformance {
    static func urls(_ document: JSONDocument) -> Conformance.Tally {
        var tally = Conformance.Tally()
        var (web, webPassed) = (0, 0)
        for value in document.elements(document.root) where document.kind(value) == .object {
            let input = document.text(value, "input") ?? ""
            let isFailure = document.member("failure", of: value) != nil
            let difference = difference(document, value, input, isFailure)
            if input.lowercased().hasPrefix("http") || document.text(value, "base")?.hasPrefix("http") == true {
                web += 1
                if difference == nil { webPassed += 1 }
            }
            tally.count(difference == nil, "\(input.debugDescription): \(difference ?? "")")
        }
        tally.note = " (http and https: \(webPassed) of \(web))"
        return tally
    }

    private static func difference(
        _ document: JSONDocument, _ value: JSONDocument.Value, _ input: String, _ isFailure: Bool
    ) -> String? {
        let base = document.text(value, "base").map { WebURL($0) }
        if let base, base == nil { return isFailure ? nil : "the base is refused" }
        guard let url = WebURL(input, base: base ?? nil) else { return isFailure ? nil : "refused" }
        if isFailure { return "taken as \(url.href)" }
        let host = url.hostText + (url.port.map { ":\($0)" } ?? "")
        let found = [
            ("href", url.href), ("protocol", url.scheme + ":"), ("username", url.username), ("password", url.password),
            ("host", host), ("hostname", url.hostText), ("port", url.port.map(String.init) ?? ""),
            ("pathname", url.path),
            ("search", url.query.map { $0.isEmpty ? "" : "?" + $0 } ?? ""),
            ("hash", url.fragment.map { $0.isEmpty ? "" : "#" + $0 } ?? ""), ("origin", url.origin),
        ]
        for (key, text) in found {
            if let wanted = document.text(value, key), wanted != text { return "\(key) \(text) instead of \(wanted)" }
        }
        // A serialised URL must parse to the same URL.
        return WebURL(url.href) == url ? nil : "\(url.href) is not stable"
    }

    static func dataURLs(_ document: JSONDocument) -> Conformance.Tally {
        var tally = Conformance.Tally()
        for value in document.elements(document.root) {
            let parts = document.elements(value)
            let input = document.string(parts[0]) ?? ""
            let wanted = document.string(parts[1])
            let data = WebURL(input).flatMap { DataURL($0) }
            let type = data.map { MIMEType($0.mimeType)?.description ?? "text/plain;charset=US-ASCII" }
            let body = parts.count > 2 ? bytes(document, parts[2]) : nil
            tally.count(
                type == wanted && (wanted == nil || data?.body == body), "\(input.debugDescription): \(type ?? "none")")
        }
        return tally
    }

    static func base64(_ document: JSONDocument) -> Conformance.Tally {
        var tally = Conformance.Tally()
        for value in document.elements(document.root) {
            let parts = document.elements(value)
            let input = document.string(parts[0]) ?? ""
            let wanted = document.kind(parts[1]) == .null ? nil : bytes(document, parts[1])
            let found = Base64.decodedAsInBrowsers(Array(input.utf8))
            tally.count(found == wanted, "\(input.debugDescription): \(found.map { "\($0)" } ?? "refused")")
        }
        return tally
    }

    private static func bytes(_ document: JSONDocument, _ list: JSONDocument.Value) -> [UInt8] {
        document.elements(list).compactMap { UInt8(String(decoding: document.spelling($0), as: UTF8.self)) }
    }
}
