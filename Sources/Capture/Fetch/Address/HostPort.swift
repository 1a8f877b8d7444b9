import Characters

/// A host as spelt in a URL, and a port.
///
/// Names are compared in lower case; an IPv6 address has no brackets.
package struct HostPort: Hashable, Sendable {
    package let host: String
    /// 0–65535.
    package let port: Int

    package init(host: String, port: Int) {
        var host = host.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        // Two spellings of an IPv6 address are the same host.
        if host.utf8.contains(UInt8(ascii: ":")), let address = NetworkAddress(host) { host = address.description }
        self.host = host
        self.port = port
    }

    /// Reads `host:port`, `[::1]:port` or `a.b:port`; `nil` for anything else, such as a missing port.
    package init?(_ text: some StringProtocol) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        let host = text[..<colon]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit),
            let port = Int(digits), port <= 65535, !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            !host.contains("/"), !host.contains("@")
        else { return nil }
        if host.contains(":"), !(host.hasPrefix("[") && host.hasSuffix("]")) { return nil }
        self.init(host: String(host), port: port)
    }
}

extension HostPort: CustomStringConvertible {
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The list in the variable CAPTURE_ALLOW: `host:port` pairs, separated by commas or white space.
package struct HostPortList: Sendable, Equatable {
    package let pairs: Set<HostPort>
    /// Parts that are not `host:port`, as spelt.
    package let unreadable: [String]

    package init(_ text: String) {
        var pairs: Set<HostPort> = []
        var unreadable: [String] = []
        for part in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isWhitespace }) {
            if let pair = HostPort(part) { pairs.insert(pair) } else { unreadable.append(String(part)) }
        }
        self.pairs = pairs
        self.unreadable = unreadable
    }
}
