import Characters
internal import Characters

/// Whether two URLs are the same link: FORMAT.md § Identity of links.
///
/// Two links are the same if they are equal after these changes: scheme and host in lower case, the host in its ASCII
/// form (IDN), the default port dropped, dot segments removed, percent-encoding normalised, an empty path as `/`, and
/// the fragment dropped unless it starts with `/` or `!` (RFC 3986, sections 5.2.4, 6.2.2 and 6.2.3; RFC 3492).
/// Nothing else is ever treated as equal: not `www.`, not a final slash, not tracking parameters, not http and https.
public struct LinkIdentity: Hashable, Sendable {
    /// The normal form; only for comparing, never for fetching.
    public let normalized: String
    /// The host in lower-case ASCII, with brackets for IPv6.
    public let host: String

    /// Whether a text looks like a link by its scheme and the start of its host; a quick test for reading many items.
    package static func isPlausible(_ url: String) -> Bool {
        var url = url
        return url.withUTF8 { bytes in
            let isSecure = bytes.count > 4 && bytes[4] | 0x20 == UInt8(ascii: "s")
            let start = isSecure ? 8 : 7
            guard bytes.count > start,
                zip(bytes, isSecure ? "https://".utf8 : "http://".utf8).allSatisfy({
                    $0 == $1 || ($0 | 0x20 == $1 && $0 >= 0x41)
                })
            else { return false }
            return !"/?#\\:".utf8.contains(bytes[start]) && !bytes.contains { $0 <= 0x20 || $0 == 0x7F }
        }
    }

    /// - Returns: `nil` for anything but an http or https URL with a host, and for URLs with control characters or
    ///   spaces.
    public init?(_ url: String) {
        let bytes = Array(url.utf8)
        guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }), let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        guard scheme == "http" || scheme == "https", bytes[(colon + 1)...].starts(with: "//".utf8) else { return nil }
        let rest = bytes[(colon + 3)...]
        let authorityEnd = rest.firstIndex { "/?#\\".utf8.contains($0) } ?? rest.endIndex
        guard let authority = Self.authority(rest[..<authorityEnd], scheme: scheme) else { return nil }
        host = authority.host
        let tail = rest[authorityEnd...]
        let fragmentStart = tail.firstIndex(of: UInt8(ascii: "#")) ?? tail.endIndex
        let queryStart = tail[..<fragmentStart].firstIndex(of: UInt8(ascii: "?")) ?? fragmentStart
        var path = Self.normalizePercent(tail[..<queryStart], keeping: Self.pathBytes)
        if path.first != UInt8(ascii: "/") { path.insert(UInt8(ascii: "/"), at: 0) }
        path = Self.removeDotSegments(path)
        var text = Array((scheme + "://" + authority.text).utf8) + path
        text += Self.normalizePercent(tail[queryStart..<fragmentStart], keeping: Self.queryBytes)
        let fragment = tail[fragmentStart...].dropFirst()
        if fragment.first == UInt8(ascii: "/") || fragment.first == UInt8(ascii: "!") {
            text.append(UInt8(ascii: "#"))
            text += Self.normalizePercent(fragment, keeping: Self.queryBytes)
        }
        normalized = String(decoding: text, as: UTF8.self)
    }

    private static func authority(
        _ bytes: ArraySlice<UInt8>, scheme: String
    ) -> (text: String, host: String)? {
        let userEnd = bytes.lastIndex(of: UInt8(ascii: "@"))
        let user = userEnd.map { String(decoding: bytes[bytes.startIndex...$0], as: UTF8.self) } ?? ""
        var hostBytes = bytes[(userEnd.map { $0 + 1 } ?? bytes.startIndex)...]
        var port = ""
        let bracketEnd = hostBytes.lastIndex(of: UInt8(ascii: "]")) ?? hostBytes.startIndex
        if let colon = hostBytes[bracketEnd...].lastIndex(of: UInt8(ascii: ":")) {
            port = String(decoding: hostBytes[(colon + 1)...], as: UTF8.self)
            guard port.utf8.allSatisfy(\.isDigit), port.isEmpty || (Int(port) ?? 65536) < 65536
            else { return nil }
            hostBytes = hostBytes[..<colon]
        }
        let number = Int(port)
        let isDefault = number == nil || (scheme == "http" && number == 80) || (scheme == "https" && number == 443)
        guard let host = normalizeHost(hostBytes) else { return nil }
        return (user + host + (isDefault ? "" : ":\(number ?? 0)"), host)
    }

    private static func normalizeHost(_ bytes: ArraySlice<UInt8>) -> String? {
        if bytes.isEmpty { return nil }
        if bytes.first == UInt8(ascii: "[") {
            return bytes.last == UInt8(ascii: "]") ? String(decoding: bytes, as: UTF8.self).lowercased() : nil
        }
        guard let decoded = String(validating: PercentEncoding.decoded(bytes), as: UTF8.self) else { return nil }
        if decoded.unicodeScalars.contains(where: {
            $0.value <= 0x20 || $0.value == 0x7F || "/?#@:[]\\<>^|%".unicodeScalars.contains($0)
        }) {
            return nil
        }
        return InternationalHost.ascii(decoded)
    }

    // MARK: Percent-encoding

    /// Unreserved characters, and those that RFC 3986 allows in a path: they stay unencoded.
    private static let pathBytes = byteSet("-._~!$&'()*+,;=:@/")
    private static let queryBytes = byteSet("-._~!$&'()*+,;=:@/?")
    private static let unreserved = byteSet("-._~")

    private static func byteSet(_ extra: String) -> [Bool] {
        var set = [Bool](repeating: false, count: 256)
        let letters = Array(UInt8(ascii: "a")...UInt8(ascii: "z")) + Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
        for byte in letters + Array(UInt8(ascii: "0")...UInt8(ascii: "9")) + Array(extra.utf8) { set[Int(byte)] = true }
        return set
    }

    /// Decodes characters that need no encoding, encodes those that do, and writes digits in upper case.
    private static func normalizePercent(_ bytes: ArraySlice<UInt8>, keeping allowed: [Bool]) -> [UInt8] {
        var output: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if let byte = PercentEncoding.byte(escapedAt: index, in: bytes) {
                if unreserved[Int(byte)] { output.append(byte) } else { output += "%".utf8 + upperPair(byte) }
                index += 3
                continue
            }
            let byte = bytes[index]
            // A leading "?" and a stray "%" stay unchanged.
            if allowed[Int(byte)] || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "%") {
                output.append(byte)
            } else {
                output += "%".utf8 + upperPair(byte)
            }
            index += 1
        }
        return output
    }

    private static func upperPair(_ byte: UInt8) -> [UInt8] { Array(Hexadecimal.pair(byte).uppercased().utf8) }

    // MARK: Dot segments

    /// RFC 3986, section 5.2.4, on an absolute path.
    private static func removeDotSegments(_ path: [UInt8]) -> [UInt8] {
        guard path.first == UInt8(ascii: "/") else { return path }
        var output: [ArraySlice<UInt8>] = []
        let segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if segment.elementsEqual(".".utf8) {
                if isLast { output.append([]) }
            } else if segment.elementsEqual("..".utf8) {
                _ = output.popLast()
                if isLast { output.append([]) }
            } else {
                output.append(segment)
            }
        }
        return output.flatMap { [UInt8(ascii: "/")] + $0 }
    }
}
