package import Time

/// One cookie, with the attributes of a cookie file and of a browser.
package struct Cookie: Sendable, Hashable {
    package let name: String
    package let value: String
    /// In lower case, without a leading dot.
    package let domain: String
    /// Whether only the host `domain` gets it, and not the hosts below.
    package let isHostOnly: Bool
    /// Starts with `/`.
    package let path: String
    /// Sent only over https, or to this machine.
    package let isSecure: Bool
    package let isHTTPOnly: Bool
    /// `nil` for a session cookie.
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

    /// The cookie as a line of a cookie file, without the line end.
    var line: String {
        // 0 would mean a session cookie.
        let seconds = expires.map { max(1, $0.milliseconds / 1000) } ?? 0
        let owner = (isHTTPOnly ? "#HttpOnly_" : "") + (isHostOnly ? "" : ".") + domain
        return [owner, isHostOnly ? "FALSE" : "TRUE", path, isSecure ? "TRUE" : "FALSE", "\(seconds)", name, value]
            .joined(separator: "\t")
    }
}
