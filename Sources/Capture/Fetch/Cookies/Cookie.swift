package import Time

/// One cookie, as a cookie file and a browser know it.
package struct Cookie: Sendable, Hashable {
    package let name: String
    package let value: String
    /// In lower case, without a leading dot.
    package let domain: String
    /// Whether only the host `domain` itself gets it, not those below.
    package let isHostOnly: Bool
    /// Begins with `/`.
    package let path: String
    /// Only over https, and to this machine itself.
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

    func hasExpired(at time: Timestamp) -> Bool { expires.map { $0 <= time } ?? false }

    /// As a line of a cookie file, without its end.
    var line: String {
        // 0 would be a cookie of the session.
        let seconds = expires.map { max(1, $0.milliseconds / 1000) } ?? 0
        let owner = (isHTTPOnly ? "#HttpOnly_" : "") + (isHostOnly ? "" : ".") + domain
        return [owner, isHostOnly ? "FALSE" : "TRUE", path, isSecure ? "TRUE" : "FALSE", "\(seconds)", name, value]
            .joined(separator: "\t")
    }
}
