package import Time
package import URLs

/// One cookie, of a file or of an answer's Set-Cookie; matched as RFC 6265 section 5 says.
package struct Cookie: Sendable, Equatable {
    package let name: String
    package let value: String
    /// In lower case, without a leading dot.
    package let domain: String
    /// Whether only the host `domain` itself gets it, not those below.
    package let isHostOnly: Bool
    /// Begins with `/`.
    package let path: String
    /// Only over https.
    package let isSecure: Bool
    package let isHTTPOnly: Bool
    /// `nil` for a cookie of the session.
    package let expires: Timestamp?

    package init(
        name: String, value: String, domain: String, isHostOnly: Bool, path: String = "/", isSecure: Bool = false,
        isHTTPOnly: Bool = false, expires: Timestamp? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.expires = expires
    }

    /// Whether a request for the URL carries it.
    package func matches(_ url: WebURL, at time: Timestamp) -> Bool {
        matches(host: CookieHost(url), path: url.path, isSecure: url.scheme == "https", at: time)
    }

    func matches(host: CookieHost, path requestPath: String, isSecure secureRequest: Bool, at time: Timestamp) -> Bool {
        if isSecure, !secureRequest { return false }
        if let expires, expires <= time { return false }
        return (isHostOnly || host.isAddress ? host.text == domain : host.isBelow(domain))
            && Self.covers(path, requestPath)
    }

    /// Path-match of RFC 6265, 5.1.4.
    static func covers(_ path: String, _ requestPath: String) -> Bool {
        let cookie = path.utf8
        let request = requestPath.isEmpty ? "/".utf8 : requestPath.utf8
        guard request.starts(with: cookie) else { return false }
        return request.count == cookie.count || cookie.last == UInt8(ascii: "/")
            || request.dropFirst(cookie.count).first == UInt8(ascii: "/")
    }
}

/// A host as cookies compare it: in lower case, without brackets and a final dot.
struct CookieHost: Hashable {
    let text: String
    /// Addresses have no hosts below them.
    let isAddress: Bool

    init(_ host: String) {
        var text = host.lowercased()
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        if text.hasSuffix(".") { text.removeLast() }
        self.text = text
        isAddress = NetworkAddress(text) != nil
    }

    init(_ url: WebURL) { self.init(url.hostText) }

    /// Domain-match of RFC 6265, 5.1.3: the host itself, or one below the domain.
    func isBelow(_ domain: String) -> Bool {
        text == domain || (!isAddress && !domain.isEmpty && text.hasSuffix("." + domain))
    }
}
