import Characters
internal import Glibc

/// Header fields about the sender: like a browser's, because servers answer those best.
package enum BrowserFields {
    package static let userAgent =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 StuffBucket/0.1"

    /// The field Accept-Language, from the person's locale.
    package static let languages = languages { name in getenv(name).map { String(cString: $0) } }

    /// From LC_ALL, LC_MESSAGES or LANG, the first that is set: `de_AT.UTF-8` gives
    /// `de-AT,de;q=0.9,en;q=0.8,*;q=0.5`; without a language, English.
    static func languages(environment: (String) -> String?) -> String {
        var locale = ""
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] where locale.isEmpty { locale = environment(name) ?? "" }
        let parts = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_", omittingEmptySubsequences: false)
        func isCode(_ part: Substring, _ lengths: ClosedRange<Int>) -> Bool {
            lengths.contains(part.utf8.count) && part.utf8.allSatisfy(\.isLetter)
        }
        guard let language = parts.first, isCode(language, 2...3) else { return "en-US,en;q=0.9,*;q=0.5" }
        let name = language.lowercased()
        var fields = [name + ";q=0.9"]
        if parts.count > 1, isCode(parts[1], 2...2) {
            fields.insert(name + "-" + parts[1].uppercased(), at: 0)
        } else {
            fields = [name]
        }
        if name != "en" { fields.append("en;q=0.8") }
        return (fields + ["*;q=0.5"]).joined(separator: ",")
    }

    static func accept(_ purpose: FetchRequest.Purpose) -> String {
        switch purpose {
        case .document: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
        case .styleSheet: "text/css,*/*;q=0.1"
        case .image: "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
        case .font, .media, .track, .other: "*/*"
        }
    }
}
