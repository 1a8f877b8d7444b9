package import URLs

/// A URL as the network needs it.
extension WebURL {
    /// Where a request for it goes; port 0, which nothing is fetched from, for schemes without one.
    package var hostPort: HostPort { HostPort(host: hostText, port: effectivePort ?? 0) }

    /// Without user name, password and fragment: what is sent, and what a Referer may tell.
    var spellingWithoutCredentials: String { origin + (path.isEmpty ? "/" : path) + (query.map { "?" + $0 } ?? "") }

    /// The same URL without user name and password, which must not get into an archive.
    var withoutCredentials: WebURL {
        guard hasCredentials else { return self }
        return WebURL(spellingWithoutCredentials + (fragment.map { "#" + $0 } ?? "")) ?? self
    }
}
