/// The basic URL parser of the standard (section 4.4), which writes the serialisation while parsing.
///
/// The state machine is written as a recursive descent: each state is a function over the remaining bytes. Validation
/// errors that are no failure are not reported.
struct WebURLParser {
    /// 16 MiB: offsets stay within 32 bits even if every byte is encoded.
    static let byteLimit = 16 << 20

    private let input: UnsafeBufferPointer<UInt8>
    private let base: WebURL?
    private var at = 0
    private var output: [UInt8] = []
    private var parts = WebURL.Parts()

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

    private var isAtEnd: Bool { at >= input.count }
    private func byte(_ offset: Int = 0) -> UInt8? { at + offset < input.count ? input[at + offset] : nil }
    private var place: Int32 { Int32(output.count) }

    private func isSlash(_ byte: UInt8?) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") && parts.scheme.isSpecial
    }

    private func isPathEnd(_ byte: UInt8?) -> Bool {
        byte == nil || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    // MARK: Scheme

    /// - Returns: whether there is a URL.
    private mutating func url() -> Bool {
        guard let end = schemeEnd() else { return withoutScheme() }
        for index in 0..<end {
            let byte = input[index]
            output.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
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
        guard let first = byte(), (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else { return nil }
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
    private mutating func copy(_ base: WebURL, to end: Int32) {
        output.removeAll(keepingCapacity: true)
        output += base.bytes[..<Int(end)]
        parts = base.parts
        parts.queryStart = min(parts.queryStart, end)
        parts.fragmentStart = min(parts.fragmentStart, end)
    }

    /// Copies scheme, user, host and port.
    private mutating func copyAuthority(_ base: WebURL) {
        copy(base, to: base.parts.pathStart)
        if base.parts.host == .none {
            // Without the `/.` that may precede its path.
            output.removeSubrange(Int(base.parts.schemeEnd) + 1..<output.count)
            withoutHost()
        }
    }

    private mutating func copyPath(_ base: WebURL) {
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
        if isPathEnd(byte()) {
            copy(base, to: byte() == UInt8(ascii: "?") ? base.parts.queryStart : base.parts.fragmentStart)
            if !isAtEnd { queryAndFragment() }
            return true
        }
        copyAuthority(base)
        copyPath(base)
        shorten()
        path(from: parts.pathStart)
        return true
    }

    // MARK: Authority

    private mutating func specialAuthority() -> Bool {
        skipSlashes()
        return authority()
    }

    private mutating func skipSlashes() {
        while isSlash(byte()) { at += 1 }
    }

    private mutating func withoutHost() {
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
                guard input[index] >= 0x30, input[index] <= 0x39 else { return false }
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

    private mutating func host(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let kind = HostParser.append(text, isSpecial: parts.scheme.isSpecial, to: &output) else { return false }
        parts.host = kind
        parts.hostEnd = place
        return true
    }

    // MARK: file:

    private mutating func file(base: WebURL?) -> Bool {
        if isSlash(byte()) {
            at += 1
            if isSlash(byte()) {
                at += 1
                return fileHost()
            }
            // The base's host and, unless the text has one, its drive.
            let drive = base.flatMap { hasDrive() ? nil : Self.drive(of: $0) }
            if let base { copyAuthority(base) } else { emptyFileHost() }
            parts.pathStart = place
            at -= 1
            if let drive { output += [UInt8(ascii: "/")] + drive }
            path(from: parts.pathStart)
            return true
        }
        guard let base else {
            emptyFileHost()
            path(from: place)
            return true
        }
        if isPathEnd(byte()) {
            copy(base, to: byte() == UInt8(ascii: "?") ? base.parts.queryStart : base.parts.fragmentStart)
            if !isAtEnd { queryAndFragment() }
            return true
        }
        copyAuthority(base)
        if hasDrive() {
            path(from: place)
        } else {
            copyPath(base)
            shorten()
            path(from: parts.pathStart)
        }
        return true
    }

    private mutating func emptyFileHost() {
        output += "//".utf8
        withoutHost()
        parts.host = .empty
    }

    private mutating func fileHost() -> Bool {
        emptyFileHost()
        var end = at
        while end < input.count, !isSlash(input[end]), !isPathEnd(input[end]) { end += 1 }
        // A drive letter in place of the host is the path's first segment.
        if end - at == 2, Self.isDrive(input[at], input[at + 1]) {
            path(from: place)
            return true
        }
        if end > at {
            guard host(UnsafeBufferPointer(rebasing: input[at..<end])) else { return false }
            if output[Int(parts.hostStart)...].elementsEqual("localhost".utf8) {
                output.removeSubrange(Int(parts.hostStart)...)
                parts.hostEnd = place
                parts.host = .empty
            }
        }
        at = end
        path(from: place)
        return true
    }

    private static func isDrive(_ letter: UInt8, _ mark: UInt8) -> Bool {
        (letter | 0x20) >= 0x61 && (letter | 0x20) <= 0x7A && (mark == UInt8(ascii: ":") || mark == UInt8(ascii: "|"))
    }

    /// Whether the remaining text starts with a Windows drive letter.
    private func hasDrive() -> Bool {
        guard let letter = byte(), let mark = byte(1), Self.isDrive(letter, mark) else { return false }
        return byte(2) == nil || isSlash(byte(2)) || isPathEnd(byte(2))
    }

    private static func drive(of base: WebURL) -> [UInt8]? {
        let path = base.bytes[Int(base.parts.pathStart)..<Int(base.parts.queryStart)]
        let segment = path.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        guard segment.count == 2, let letter = segment.first, segment.last == UInt8(ascii: ":"),
            isDrive(letter, UInt8(ascii: ":"))
        else { return nil }
        return Array(segment)
    }

    // MARK: Path

    /// Removes the last segment, but no drive letter.
    private mutating func shorten() {
        let start = Int(parts.pathStart)
        guard let slash = output[start...].lastIndex(of: UInt8(ascii: "/")) else { return }
        if parts.scheme == .file, slash == start, output.count == start + 3,
            Self.isDrive(output[start + 1], output[start + 2]), output[start + 2] == UInt8(ascii: ":")
        {
            return
        }
        output.removeSubrange(slash...)
    }

    /// Parses a list of segments, then query and fragment. The path so far, each segment after its slash, starts at
    /// `start`.
    private mutating func path(from start: Int32) {
        parts.pathStart = start
        if isSlash(byte()) {
            at += 1
            segments()
        } else if parts.scheme.isSpecial || !isPathEnd(byte()) {
            segments()
        }
        // A path must not be read as an authority.
        if parts.host == .none, output.count > Int(start) + 1, output[Int(start)] == UInt8(ascii: "/"),
            output[Int(start) + 1] == UInt8(ascii: "/")
        {
            output.insert(contentsOf: "/.".utf8, at: Int(start))
            parts.pathStart += 2
        }
        parts.queryStart = place
        parts.fragmentStart = place
        queryAndFragment()
    }

    private mutating func segments() {
        while true {
            let start = at
            while at < input.count, !isSlash(input[at]), !isPathEnd(input[at]) { at += 1 }
            let hasMore = at < input.count && isSlash(input[at])
            switch dots(start, at) {
            case 2:
                shorten()
                if !hasMore { output.append(UInt8(ascii: "/")) }
            case 1:
                if !hasMore { output.append(UInt8(ascii: "/")) }
            default:
                let isFirst = output.count == Int(parts.pathStart)
                output.append(UInt8(ascii: "/"))
                if parts.scheme == .file, isFirst, at - start == 2, Self.isDrive(input[start], input[start + 1]) {
                    output.append(input[start])
                    output.append(UInt8(ascii: ":"))
                } else {
                    for index in start..<at {
                        PercentEncoding.append(input[index], encoding: PercentEncoding.path, to: &output)
                    }
                }
            }
            if !hasMore { return }
            at += 1
        }
    }

    /// 1 or 2 for a segment of one or two dots, each of which may be `%2e`; 0 for others.
    private func dots(_ start: Int, _ end: Int) -> Int {
        if end == start || end - start > 6 { return 0 }
        var (index, count) = (start, 0)
        while index < end {
            if input[index] == UInt8(ascii: ".") {
                index += 1
            } else if input[index] == UInt8(ascii: "%"), index + 2 < end, input[index + 1] == UInt8(ascii: "2"),
                input[index + 2] | 0x20 == UInt8(ascii: "e")
            {
                index += 3
            } else {
                return 0
            }
            count += 1
        }
        return count <= 2 ? count : 0
    }

    private mutating func opaquePath() {
        parts.pathStart = place
        parts.hasOpaquePath = true
        while !isPathEnd(byte()) {
            if input[at] == 0x20 {
                // A last space would be lost if the text is parsed again.
                let next = byte(1)
                if next == UInt8(ascii: "?") || next == UInt8(ascii: "#") {
                    output += "%20".utf8
                } else {
                    output.append(0x20)
                }
            } else {
                PercentEncoding.append(input[at], encoding: PercentEncoding.control, to: &output)
            }
            at += 1
        }
        parts.queryStart = place
        parts.fragmentStart = place
        queryAndFragment()
    }

    // MARK: Query and fragment

    private mutating func queryAndFragment() {
        if byte() == UInt8(ascii: "?") {
            parts.queryStart = place
            output.append(UInt8(ascii: "?"))
            at += 1
            let set = parts.scheme.isSpecial ? PercentEncoding.specialQuery : PercentEncoding.query
            while at < input.count, input[at] != UInt8(ascii: "#") {
                PercentEncoding.append(input[at], encoding: set, to: &output)
                at += 1
            }
            parts.fragmentStart = place
        }
        fragment()
    }

    private mutating func fragment() {
        guard byte() == UInt8(ascii: "#") else { return }
        parts.fragmentStart = place
        output.append(UInt8(ascii: "#"))
        at += 1
        while at < input.count {
            PercentEncoding.append(input[at], encoding: PercentEncoding.fragment, to: &output)
            at += 1
        }
    }
}
