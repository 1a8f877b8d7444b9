package import Time
package import URLs

/// The cookies of one capture: those of the person's file, and those that answers set, which live as long as the jar.
///
/// Not `Sendable`: it belongs to the fetcher's thread.
package final class CookieJar {
    /// By domain, so that a request looks only at those of its own host and the ones above it.
    private var cookies: [String: [Cookie]] = [:]
    private var count = 0
    /// Rises with each change, so that a redirect back is known to be worth following.
    package private(set) var changes = 0

    /// As many more than those of the file.
    private let limit: Int
    /// As many as browsers keep.
    static let limitOfDomain = 180
    /// Of a cookie with its attributes.
    static let byteLimit = 4096

    package init(_ cookies: [Cookie] = []) {
        limit = cookies.count + 3000
        for cookie in cookies { store(cookie) }
        changes = 0
    }

    /// All cookies, for a browser's context.
    package var all: [Cookie] { cookies.keys.sorted().flatMap { cookies[$0] ?? [] } }

    /// The field Cookie of a request, or `nil` without any: longer paths first (RFC 6265, 5.4).
    package func header(for url: WebURL, at time: Timestamp) -> String? {
        if count == 0 { return nil }
        let host = CookieHost(url)
        let path = url.path
        let isSecure = url.scheme == "https"
        var found: [Cookie] = []
        var domain = host.text[...]
        while true {
            for cookie in cookies[String(domain)] ?? []
            where cookie.matches(host: host, path: path, isSecure: isSecure, at: time) {
                found.append(cookie)
            }
            guard !host.isAddress, let dot = domain.firstIndex(of: ".") else { break }
            domain = domain[domain.index(after: dot)...]
        }
        if found.isEmpty { return nil }
        let order = found.indices.sorted {
            (-found[$0].path.utf8.count, $0) < (-found[$1].path.utf8.count, $1)
        }
        return order.map { found[$0].name.isEmpty ? found[$0].value : found[$0].name + "=" + found[$0].value }
            .joined(separator: "; ")
    }

    /// Takes what an answer sets; what the URL's host may not set is passed over.
    package func take(setCookie field: String, from url: WebURL, at time: Timestamp) {
        guard let cookie = Cookie(setCookie: field, from: url, at: time) else { return }
        store(cookie, isExpired: cookie.expires.map { $0 <= time } ?? false)
    }

    private func store(_ cookie: Cookie, isExpired: Bool = false) {
        let place = cookies[cookie.domain]?.firstIndex {
            $0.name == cookie.name && $0.path == cookie.path && $0.isHostOnly == cookie.isHostOnly
        }
        if let place {
            if cookies[cookie.domain]?[place] == cookie, !isExpired { return }
            if isExpired {
                cookies[cookie.domain]?.remove(at: place)
                count -= 1
            } else {
                cookies[cookie.domain]?[place] = cookie
            }
        } else {
            if isExpired || count >= limit || (cookies[cookie.domain]?.count ?? 0) >= Self.limitOfDomain { return }
            cookies[cookie.domain, default: []].append(cookie)
            count += 1
        }
        changes += 1
    }
}

extension Cookie {
    /// Reads a field Set-Cookie: RFC 6265, 5.2 and 5.3, with the prefixes and the rule for plain http of RFC 6265bis.
    ///
    /// A list of public suffixes is not at hand. A Domain that is a top-level name, or a short name below the top level of a
    /// country (co.uk, com.au), is not accepted; that some suffixes pass (github.io) does no harm to a jar that holds
    /// only one capture.
    init?(setCookie field: String, from url: WebURL, at time: Timestamp) {
        guard field.utf8.count <= CookieJar.byteLimit, field.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 })
        else { return nil }
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        guard let (name, value) = Self.pair(parts[0]), !(name.isEmpty && value.isEmpty) else { return nil }
        let host = CookieHost(url)
        var domain: String?
        var path: String?
        var isSecure = false
        var isHTTPOnly = false
        var maximumAge: Int64?
        var expires: Timestamp?
        for part in parts.dropFirst() {
            guard let (key, text) = Self.pair(part, whole: true) else { continue }
            switch key.lowercased() {
            case "domain": domain = text.hasPrefix(".") ? String(text.dropFirst()).lowercased() : text.lowercased()
            case "path": path = text.hasPrefix("/") ? text : nil
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "max-age": maximumAge = Self.seconds(text) ?? maximumAge
            case "expires": expires = HTTPDate.cookieDate(text) ?? expires
            default: break
            }
        }
        var isHostOnly = true
        if let domain, !domain.isEmpty, domain != host.text {
            guard host.isBelow(domain), Self.mayBeShared(domain) else { return nil }
            isHostOnly = false
        } else if domain == host.text, !host.isAddress {
            isHostOnly = !Self.mayBeShared(host.text)
        }
        let isHTTPS = url.scheme == "https"
        if isSecure, !isHTTPS { return nil }
        if name.hasPrefix("__Secure-"), !isSecure { return nil }
        if name.hasPrefix("__Host-"), !isSecure || !isHostOnly || path != "/" { return nil }
        if let maximumAge {
            expires = Timestamp(milliseconds: maximumAge <= 0 ? 0 : time.milliseconds + maximumAge * 1000)
        }
        self.init(
            name: name, value: value, domain: isHostOnly ? host.text : domain ?? host.text, isHostOnly: isHostOnly,
            path: path ?? Self.defaultPath(url.path), isSecure: isSecure, isHTTPOnly: isHTTPOnly, expires: expires)
    }

    /// `name=value` without the white space around; a part without `=` is a value, or with `whole` a name.
    private static func pair(_ part: Substring, whole: Bool = false) -> (String, String)? {
        guard let equals = part.firstIndex(of: "=") else {
            let text = trimmed(part)
            return text.isEmpty ? nil : whole ? (text, "") : ("", text)
        }
        return (trimmed(part[..<equals]), trimmed(part[part.index(after: equals)...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }

    private static func seconds(_ text: String) -> Int64? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        if text.hasPrefix("-") { return 0 }
        // A year is longer than any capture.
        return digits.utf8.count > 8 ? 31_536_000 : Int64(digits)
    }

    private static func mayBeShared(_ domain: String) -> Bool {
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, !labels.contains("") else { return false }
        return !(labels.count == 2 && labels[1].utf8.count == 2 && labels[0].utf8.count <= 3)
    }

    /// RFC 6265, 5.1.4.
    private static func defaultPath(_ path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
