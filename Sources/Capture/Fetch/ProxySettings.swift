internal import Glibc
internal import URLs

/// The proxies that the environment names: `http_proxy` (only in lower case: in a web server, HTTP_PROXY is a field
/// of a stranger's request), `https_proxy`, `all_proxy`, `no_proxy`.
///
/// Behind a proxy, the connection goes to the proxy's address, so the address rule is asked before: with the host if
/// it is an address, else with each address that this machine's resolver finds for it. One refused address is enough.
/// A name that this machine cannot resolve is left to the proxy: such networks have no names of their own to protect,
/// or the proxy protects them.
package struct ProxySettings: Sendable {
    var http: String?
    var https: String?
    /// Hosts that are reached without a proxy: a name and those below it, an address, or `*`; optionally with a port.
    var exceptions: [String] = []

    /// No proxies: every connection is direct.
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

    /// The proxies of this process's environment.
    package static func ofProcess() -> ProxySettings {
        ProxySettings { name in getenv(name).map { String(cString: $0) } }
    }

    /// The proxy for a URL; `nil` for a direct connection.
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
