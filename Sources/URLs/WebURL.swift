/// A URL as browsers read it: parsed, resolved and serialised by the WHATWG URL Standard
/// (https://url.spec.whatwg.org/).
///
/// It holds its serialisation and the offsets of its parts, so two URLs are equal exactly if their `href` is. Queries
/// are encoded as UTF-8, whatever the page's encoding.
package struct WebURL: Hashable, Sendable {
    /// The serialisation; ASCII.
    let bytes: [UInt8]
    let parts: Parts

    /// Byte offsets in the serialisation. Absent parts are empty; only its `?` or `#` shows that a query or fragment
    /// exists.
    struct Parts: Sendable {
        /// The offset of the colon.
        var schemeEnd: Int32 = 0
        var usernameStart: Int32 = 0
        var usernameEnd: Int32 = 0
        var passwordStart: Int32 = 0
        var passwordEnd: Int32 = 0
        var hostStart: Int32 = 0
        var hostEnd: Int32 = 0
        /// -1 for none or the scheme's default port.
        var port: Int32 = -1
        var pathStart: Int32 = 0
        /// The offset of the `?`, or of the place for it.
        var queryStart: Int32 = 0
        /// The offset of the `#`, or the end.
        var fragmentStart: Int32 = 0
        var host = HostKind.none
        var hasOpaquePath = false
        var scheme = SchemeKind.other
    }

    enum HostKind: UInt8, Sendable { case none, empty, domain, ipv4, ipv6, opaque }

    /// Resolves a text against a base.
    ///
    /// - Returns: `nil` if the standard reports a failure, and above 16 MiB.
    package init?(_ text: String, base: WebURL? = nil) {
        var text = text
        guard let url = text.withUTF8({ WebURLParser.parse($0, base: base) }) else { return nil }
        self = url
    }

    /// Resolves UTF-8; ill-formed sequences read as U+FFFD.
    package init?(utf8 bytes: UnsafeBufferPointer<UInt8>, base: WebURL? = nil) {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            guard let url = WebURLParser.parse(bytes, base: base) else { return nil }
            self = url
        } else {
            self.init(String(decoding: bytes, as: UTF8.self), base: base)
        }
    }

    /// Resolves UTF-8; ill-formed sequences read as U+FFFD.
    package init?(utf8 bytes: some Collection<UInt8>, base: WebURL? = nil) {
        let url = bytes.withContiguousStorageIfAvailable { WebURL(utf8: $0, base: base) }
        guard let url = url ?? Array(bytes).withUnsafeBufferPointer({ WebURL(utf8: $0, base: base) }) else {
            return nil
        }
        self = url
    }

    init(bytes: [UInt8], parts: Parts) {
        self.bytes = bytes
        self.parts = parts
    }

    package static func == (a: WebURL, b: WebURL) -> Bool { a.bytes == b.bytes }
    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    // MARK: Parts

    package var href: String { String(decoding: bytes, as: UTF8.self) }
    /// The bytes of `href`.
    package var utf8: [UInt8] { bytes }

    /// In lower case, without the colon.
    package var scheme: String { text(0, parts.schemeEnd) }
    /// Percent-encoded, as are password, path, query and fragment.
    package var username: String { text(parts.usernameStart, parts.usernameEnd) }
    package var password: String { text(parts.passwordStart, parts.passwordEnd) }
    /// As written in the URL, IPv6 in brackets; empty without a host.
    package var hostText: String { text(parts.hostStart, parts.hostEnd) }
    /// `nil` for the scheme's default port.
    package var port: Int? { parts.port < 0 ? nil : Int(parts.port) }
    /// The port for a connection; `nil` for schemes without one.
    package var effectivePort: Int? { port ?? parts.scheme.defaultPort.map(Int.init) }
    package var path: String { text(parts.pathStart, parts.queryStart) }
    /// Without the `?`; `nil` if there is none.
    package var query: String? { optionalText(parts.queryStart, parts.fragmentStart) }
    /// Without the `#`; `nil` if there is none.
    package var fragment: String? { optionalText(parts.fragmentStart, Int32(bytes.count)) }

    /// http or https.
    package var isHTTP: Bool { parts.scheme == .http || parts.scheme == .https }
    /// Whether the path is not a list of segments, as in `data:` and `mailto:`.
    package var hasOpaquePath: Bool { parts.hasOpaquePath }
    package var hasCredentials: Bool {
        parts.usernameEnd > parts.usernameStart || parts.passwordEnd > parts.passwordStart
    }

    package var host: Host? {
        switch parts.host {
        case .none: return nil
        case .empty: return .empty
        case .domain: return .domain(hostText)
        case .opaque: return .opaque(hostText)
        case .ipv4:
            return bytes[Int(parts.hostStart)..<Int(parts.hostEnd)].withUnsafeBufferPointer { IPAddressText.ipv4($0) }
                .map(Host.ipv4)
        case .ipv6:
            return bytes[Int(parts.hostStart) + 1..<Int(parts.hostEnd) - 1].withUnsafeBufferPointer {
                IPAddressText.ipv6($0)
            }.map(Host.ipv6)
        }
    }

    /// Scheme, host and port as one text, or `null` for a URL without an origin (also for file:). A blob: URL has the
    /// origin of the http(s) URL in it.
    package var origin: String {
        switch parts.scheme {
        case .http, .https, .ws, .wss, .ftp: scheme + "://" + hostText + (port.map { ":\($0)" } ?? "")
        case .file: "null"
        case .other:
            if scheme == "blob", let inner = WebURL(path), inner.isHTTP { inner.origin } else { "null" }
        }
    }

    package var withoutFragment: WebURL {
        let end = Int(parts.fragmentStart)
        return end == bytes.count ? self : WebURL(bytes: Array(bytes[..<end]), parts: parts)
    }

    private func text(_ start: Int32, _ end: Int32) -> String {
        String(decoding: bytes[Int(start)..<Int(end)], as: UTF8.self)
    }

    private func optionalText(_ start: Int32, _ end: Int32) -> String? { end > start ? text(start + 1, end) : nil }
}

extension WebURL: CustomStringConvertible {
    package var description: String { href }
}

/// The schemes that the standard calls special, and all others.
enum SchemeKind: UInt8, Sendable {
    case http, https, ws, wss, ftp, file, other

    init(_ name: ArraySlice<UInt8>) {
        self =
            switch name.count {
            case 2: name.elementsEqual("ws".utf8) ? .ws : .other
            case 3: name.elementsEqual("wss".utf8) ? .wss : name.elementsEqual("ftp".utf8) ? .ftp : .other
            case 4: name.elementsEqual("http".utf8) ? .http : name.elementsEqual("file".utf8) ? .file : .other
            case 5: name.elementsEqual("https".utf8) ? .https : .other
            default: .other
            }
    }

    var isSpecial: Bool { self != .other }

    var defaultPort: Int32? {
        switch self {
        case .http, .ws: 80
        case .https, .wss: 443
        case .ftp: 21
        case .file, .other: nil
        }
    }
}
