internal import URLs

/// The field Content-Disposition: RFC 6266, with the extended values of RFC 8187 (formerly 5987).
package struct ContentDisposition: Sendable, Equatable {
    /// Whether to save the answer instead of showing it: true for any type but `inline`.
    package let isAttachment: Bool
    /// The file name that the sender proposes, `filename*` before `filename`: the part after the last `/` or `\`,
    /// without control characters. The caller replaces characters that a file system does not allow.
    package let fileName: String?

    package init?(_ field: String) {
        var scanner = ParameterScanner(field)
        guard let type = scanner.token() else { return nil }
        isAttachment = type != "inline"
        var plain: String?
        var extended: String?
        while let (name, value) = scanner.parameter() {
            switch name {
            case "filename" where plain == nil: plain = value
            case "filename*" where extended == nil: extended = Self.decode(extended: value)
            default: break
            }
        }
        fileName = (extended ?? plain.map(Self.decode(plain:))).flatMap(Self.lastPart)
    }

    /// `charset'language'percent-encoded`, in UTF-8 or ISO 8859-1.
    private static func decode(extended value: String) -> String? {
        let parts = value.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = strictlyDecoded(parts[2]) else { return nil }
        switch String(parts[0])?.lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }

    /// Browsers decode percent signs in the plain form too; a name that is then no UTF-8 stays as it is.
    private static func decode(plain value: String) -> String {
        String(validating: PercentEncoding.decoded(value.utf8), as: UTF8.self) ?? value
    }

    /// - Returns: `nil` if a `%` is not followed by two digits.
    private static func strictlyDecoded(_ text: Substring.UTF8View) -> [UInt8]? {
        let bytes = Array(text)
        let isSound = bytes.indices.allSatisfy {
            bytes[$0] != UInt8(ascii: "%") || PercentEncoding.byte(escapedAt: $0, in: bytes[...]) != nil
        }
        return isSound ? PercentEncoding.decoded(bytes) : nil
    }

    private static func lastPart(_ name: String) -> String? {
        let part = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
        let kept = String(part.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        return kept.isEmpty || kept == "." || kept == ".." ? nil : kept
    }
}

/// Scans `type; name=value; name="value"`.
private struct ParameterScanner {
    private var rest: Substring.UTF8View

    init(_ field: String) { rest = Substring(field.prefix(4096)).utf8 }

    /// The token in lower case.
    mutating func token() -> String? {
        skipSpace()
        let token = rest.prefix(while: HeaderFields.isToken)
        rest = rest.dropFirst(token.count)
        return token.isEmpty ? nil : String(token)?.lowercased()
    }

    mutating func parameter() -> (name: String, value: String)? {
        while !rest.isEmpty {
            // Skips to the next semicolon, over invalid text.
            rest = rest.drop { $0 != UInt8(ascii: ";") }.dropFirst()
            guard let name = token() else { continue }
            skipSpace()
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst()
            skipSpace()
            return (name, value())
        }
        return nil
    }

    private mutating func value() -> String {
        var bytes: [UInt8] = []
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst()
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                // A backslash before any other character is meant literally: it separates folders on another system.
                if byte == UInt8(ascii: "\\"), let next = rest.first, next == byte || next == UInt8(ascii: "\"") {
                    bytes.append(next)
                    rest = rest.dropFirst()
                } else {
                    bytes.append(byte)
                }
            }
        } else {
            bytes = Array(rest.prefix { $0 != UInt8(ascii: ";") })
            rest = rest.dropFirst(bytes.count)
            while let last = bytes.last, last == 0x20 || last == 9 { bytes.removeLast() }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 9 } }
}
