import Characters

/// `file:` URLs: the host, and the drive letters of Windows.
extension WebURLParser {
    mutating func file(base: WebURL?) -> Bool {
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
        rest(of: base)
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

    static func isDrive(_ letter: UInt8, _ mark: UInt8) -> Bool {
        letter.isLetter && (mark == UInt8(ascii: ":") || mark == UInt8(ascii: "|"))
    }

    /// Whether the remaining text starts with a Windows drive letter.
    func hasDrive() -> Bool {
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
}
