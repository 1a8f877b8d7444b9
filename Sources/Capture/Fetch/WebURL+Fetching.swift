package import URLs

/// Parts of a URL for the network.
extension WebURL {
    /// The host and port for a request; port 0, from which nothing is fetched, for schemes without one.
    package var hostPort: HostPort { HostPort(host: hostText, port: effectivePort ?? 0) }

    /// Without user name, password and fragment, as it is sent and as a Referer may reveal it.
    var spellingWithoutCredentials: String { origin + (path.isEmpty ? "/" : path) + (query.map { "?" + $0 } ?? "") }

    /// The URL without user name and password, which must not get into an archive.
    var withoutCredentials: WebURL {
        guard hasCredentials else { return self }
        return WebURL(spellingWithoutCredentials + (fragment.map { "#" + $0 } ?? "")) ?? self
    }
}
