import Characters

/// The basic URL parser of the standard (section 4.4), which writes the serialisation while parsing.
///
/// The state machine is written as a recursive descent: each state is a function over the remaining bytes. Validation
/// errors that are no failure are not reported.
struct WebURLParser {
    /// 16 MiB: offsets stay within 32 bits even if every byte is encoded.
    static let byteLimit = 16 << 20

    let input: UnsafeBufferPointer<UInt8>
    let base: WebURL?
    var at = 0
    var output: [UInt8] = []
    var parts = WebURL.Parts()

    static func parse(_ text: UnsafeBufferPointer<UInt8>, base: WebURL?) -> WebURL? {
        var (start, end) = (0, text.count)
        while start < end, text[start] <= 0x20 { start += 1 }
        while end > start, text[end - 1] <= 0x20 { end -= 1 }
        if end - start > byteLimit { return nil }
        let trimmed = UnsafeBufferPointer(rebasing: text[start..<end])
        if trimmed.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) {
            let kept = trimmed.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
            return kept.withUnsafeBufferPointer { run($0, base) }
        }
        return run(trimmed, base)
    }

    private static func run(_ input: UnsafeBufferPointer<UInt8>, _ base: WebURL?) -> WebURL? {
        var parser = WebURLParser(input: input, base: base)
        guard parser.url() else { return nil }
        return WebURL(bytes: parser.output, parts: parser.parts)
    }

    private init(input: UnsafeBufferPointer<UInt8>, base: WebURL?) {
        self.input = input
        self.base = base
        output.reserveCapacity(input.count + (base.map { min($0.bytes.count, 256) } ?? 0) + 8)
    }

    // MARK: Bytes

    var isAtEnd: Bool { at >= input.count }
    func byte(_ offset: Int = 0) -> UInt8? { at + offset < input.count ? input[at + offset] : nil }
    var place: Int32 { Int32(output.count) }

    func isSlash(_ byte: UInt8?) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") && parts.scheme.isSpecial
    }

    func isPathEnd(_ byte: UInt8?) -> Bool {
        byte == nil || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    // MARK: Scheme

    /// - Returns: whether there is a URL.
    private mutating func url() -> Bool {
        guard let end = schemeEnd() else { return withoutScheme() }
        for index in 0..<end {
            let byte = input[index]
            output.append(byte.lowercased)
        }
        parts.schemeEnd = Int32(end)
        parts.scheme = SchemeKind(output[...])
        output.append(UInt8(ascii: ":"))
        at = end + 1
        if parts.scheme == .file { return file(base: base?.parts.scheme == .file ? base : nil) }
        if parts.scheme.isSpecial {
            if let base, base.parts.scheme == parts.scheme,
                !(byte() == UInt8(ascii: "/") && byte(1) == UInt8(ascii: "/"))
            {
                return relative(to: base)
            }
            return specialAuthority()
        }
        if byte() == UInt8(ascii: "/") {
            if byte(1) == UInt8(ascii: "/") {
                at += 2
                return authority()
            }
            withoutHost()
            path(from: place)
            return true
        }
        withoutHost()
        opaquePath()
        return true
    }

    private func schemeEnd() -> Int? {
        guard let first = byte(), first.isLetter else { return nil }
        for index in 1..<input.count {
            switch input[index] {
            case UInt8(ascii: ":"): return index
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                continue
            default: return nil
            }
        }
        return nil
    }

    private mutating func withoutScheme() -> Bool {
        guard let base else { return false }
        if base.parts.hasOpaquePath {
            guard byte() == UInt8(ascii: "#") else { return false }
            copy(base, to: base.parts.fragmentStart)
            fragment()
            return true
        }
        copyScheme(base)
        return parts.scheme == .file ? file(base: base) : relative(to: base)
    }

    // MARK: Parts of the base

    private mutating func copyScheme(_ base: WebURL) {
        parts.schemeEnd = base.parts.schemeEnd
        parts.scheme = base.parts.scheme
        output += base.bytes[...Int(base.parts.schemeEnd)]
    }

    /// Copies the base's parts up to an offset.
    mutating func copy(_ base: WebURL, to end: Int32) {
        output.removeAll(keepingCapacity: true)
        output += base.bytes[..<Int(end)]
        parts = base.parts
        parts.queryStart = min(parts.queryStart, end)
        parts.fragmentStart = min(parts.fragmentStart, end)
    }

    /// Copies scheme, user, host and port.
    mutating func copyAuthority(_ base: WebURL) {
        copy(base, to: base.parts.pathStart)
        if base.parts.host == .none {
            // Without the `/.` that may precede its path.
            output.removeSubrange(Int(base.parts.schemeEnd) + 1..<output.count)
            withoutHost()
        }
    }

    mutating func copyPath(_ base: WebURL) {
        parts.pathStart = place
        output += base.bytes[Int(base.parts.pathStart)..<Int(base.parts.queryStart)]
    }

    // MARK: Relative

    private mutating func relative(to base: WebURL) -> Bool {
        if isSlash(byte()) {
            if isSlash(byte(1)) {
                at += 2
                if parts.scheme.isSpecial { skipSlashes() }
                return authority()
            }
            copyAuthority(base)
            path(from: place)
            return true
        }
        rest(of: base)
        return true
    }

    /// The rest of a URL that has the authority of its base: another fragment, query or path.
    mutating func rest(of base: WebURL) {
        if isPathEnd(byte()) {
            copy(base, to: byte() == UInt8(ascii: "?") ? base.parts.queryStart : base.parts.fragmentStart)
            if !isAtEnd { queryAndFragment() }
            return
        }
        copyAuthority(base)
        if parts.scheme == .file, hasDrive() { return path(from: place) }
        copyPath(base)
        shorten()
        path(from: parts.pathStart)
    }

    // MARK: Authority

    private mutating func specialAuthority() -> Bool {
        skipSlashes()
        return authority()
    }

    private mutating func skipSlashes() {
        while isSlash(byte()) { at += 1 }
    }

    mutating func withoutHost() {
        let place = place
        parts.usernameStart = place
        parts.usernameEnd = place
        parts.passwordStart = place
        parts.passwordEnd = place
        parts.hostStart = place
        parts.hostEnd = place
        parts.port = -1
        parts.host = .none
    }

    /// Parses from after the two slashes on.
    private mutating func authority() -> Bool {
        output += "//".utf8
        withoutHost()
        var end = at
        var userEnd: Int?
        while end < input.count, !isSlash(input[end]), !isPathEnd(input[end]) {
            if input[end] == UInt8(ascii: "@") { userEnd = end }
            end += 1
        }
        if let userEnd {
            credentials(at, userEnd)
            at = userEnd + 1
            if at == end { return false }
        }
        parts.hostStart = place
        var (hostEnd, isInBrackets) = (at, false)
        while hostEnd < end, isInBrackets || input[hostEnd] != UInt8(ascii: ":") {
            if input[hostEnd] == UInt8(ascii: "[") { isInBrackets = true }
            if input[hostEnd] == UInt8(ascii: "]") { isInBrackets = false }
            hostEnd += 1
        }
        if hostEnd == at, hostEnd < end || parts.scheme.isSpecial { return false }
        guard host(UnsafeBufferPointer(rebasing: input[at..<hostEnd])) else { return false }
        if hostEnd < end {
            var (port, isGiven) = (Int32(0), false)
            for index in hostEnd + 1..<end {
                guard input[index].isDigit else { return false }
                port = port * 10 + Int32(input[index] - 0x30)
                if port > 65535 { return false }
                isGiven = true
            }
            if isGiven, port != parts.scheme.defaultPort {
                parts.port = port
                output += ":\(port)".utf8
            }
        }
        at = end
        path(from: place)
        return true
    }

    private mutating func credentials(_ start: Int, _ end: Int) {
        let colon = input[start..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
        for index in start..<colon {
            PercentEncoding.append(input[index], encoding: PercentEncoding.userinfo, to: &output)
        }
        parts.usernameEnd = place
        parts.passwordStart = place
        parts.passwordEnd = place
        if colon + 1 < end {
            output.append(UInt8(ascii: ":"))
            parts.passwordStart = place
            for index in colon + 1..<end {
                PercentEncoding.append(input[index], encoding: PercentEncoding.userinfo, to: &output)
            }
            parts.passwordEnd = place
        }
        if parts.passwordEnd > parts.usernameStart { output.append(UInt8(ascii: "@")) }
    }

    mutating func host(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let kind = HostParser.append(text, isSpecial: parts.scheme.isSpecial, to: &output) else { return false }
        parts.host = kind
        parts.hostEnd = place
        return true
    }
}
