internal import Glibc
internal import URLs

/// The proxies that the environment names: `http_proxy` (in lower case only: a web server's variable HTTP_PROXY is a
/// field of a stranger's request), `https_proxy`, `all_proxy`, `no_proxy`.
///
/// Behind a proxy the address that is connected to is the proxy's, so the rule for addresses is asked before: with the host
/// where it is an address, else with each address that this machine's name lookup finds for it; one refused address
/// is enough. A name that this machine cannot look up is left to the proxy: such networks have no names of their own to
/// hide, or the proxy guards them.
package struct ProxySettings: Sendable {
    var http: String?
    var https: String?
    /// Hosts that are reached without: a name and those below it, an address, or `*`; perhaps with a port.
    var exceptions: [String] = []

    /// None: every connection is made directly.
    package init() {}

    package init(environment: (String) -> String?) {
        func first(_ names: String...) -> String? {
            for name in names {
                if let value = environment(name), !value.isEmpty { return value }
            }
            return nil
        }
        http = first("http_proxy", "all_proxy", "ALL_PROXY")
        https = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = (first("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0.isWhitespace }.map {
            $0.lowercased()
        }
    }

    /// Those of this process.
    package static func ofProcess() -> ProxySettings {
        ProxySettings { name in getenv(name).map { String(cString: $0) } }
    }

    /// The proxy for a URL, or `nil` for a direct connection.
    func proxy(for url: WebURL) -> String? {
        guard let proxy = url.scheme == "https" ? https : http else { return nil }
        let target = url.hostPort
        return exceptions.contains { Self.covers($0, target) } ? nil : proxy
    }

    private static func covers(_ exception: String, _ target: HostPort) -> Bool {
        if exception == "*" { return true }
        if let pair = HostPort(exception) { return pair.port == target.port && covers(host: pair.host, target.host) }
        return covers(host: exception, target.host)
    }

    private static func covers(host exception: String, _ host: String) -> Bool {
        let name = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
        if name.isEmpty { return false }
        if let address = NetworkAddress(name) { return address == NetworkAddress(host) }
        return host == name || (NetworkAddress(host) == nil && host.hasSuffix("." + name))
    }
}
