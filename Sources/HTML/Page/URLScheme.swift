import Characters

/// Which schemes and types are harmless. Judges a text before it is parsed, by the strictest way in which a browser may
/// read it.
enum URLScheme {
    enum Group {
        /// Runs code where it is followed.
        case script
        case data
        /// Names something that belongs to the browser or the machine: `file`, `blob`, `filesystem`, `chrome` …
        case local
        case other
    }

    private static let scripts = ["javascript", "vbscript", "livescript", "mocha", "jscript", "view-source", "jar"]
    private static let locals = ["file", "blob", "filesystem", "chrome", "resource", "about", "res", "ms-its", "mhtml"]

    /// A value without surrounding controls and spaces (URL Standard, section 4.4, step 1).
    static func trimmed(_ value: some Collection<UInt8>) -> [UInt8] {
        var value = Array(value.drop { $0 <= 0x20 })
        while let last = value.last, last <= 0x20 { value.removeLast() }
        return value
    }

    /// Ignores all controls and white space. The standard ignores only some of them.
    static func ofText(_ value: some Collection<UInt8>) -> Group {
        var name: [UInt8] = []
        for byte in value {
            if byte == 0x3A { return group(name) }
            if byte <= 0x20 || byte >= 0x7F { continue }
            guard name.count < 16, byte.isLetter || byte.isDigit || byte == 0x2D || byte == 0x2B || byte == 0x2E else {
                return .other
            }
            name.append(byte.lowercased)
        }
        return .other
    }

    static func isScript(_ scheme: String) -> Bool { scripts.contains(scheme) }

    private static func group(_ name: [UInt8]) -> Group {
        let name = String(decoding: name, as: UTF8.self)
        if name == "data" { return .data }
        if isScript(name) { return .script }
        return locals.contains(name) ? .local : .other
    }

    // MARK: Types

    /// Whether a `data:` URL has a type that a browser only shows or plays.
    static func isPassiveData(_ value: some Collection<UInt8>, mayBeSheet: Bool = false) -> Bool {
        isPassive(type: String(decoding: type(ofData: value), as: UTF8.self), mayBeSheet: mayBeSheet)
    }

    static func isSVGData(_ value: some Collection<UInt8>) -> Bool { type(ofData: value).contains { $0 == 0x2B } }

    /// Between the colon and the first `;` or `,`, in lower case and without white space.
    private static func type(ofData value: some Collection<UInt8>) -> [UInt8] {
        guard let colon = value.prefix(64).firstIndex(of: 0x3A) else { return [] }
        return value[value.index(after: colon)...].prefix(256).prefix { $0 != 0x3B && $0 != 0x2C }.filter { $0 > 0x20 }
            .map(\.lowercased)
    }

    static func isPassive(type: String, mayBeSheet: Bool) -> Bool {
        let type = type.lowercased()
        for family in ["image/", "font/", "audio/", "video/", "application/font", "application/x-font"]
        where type.hasPrefix(family) { return true }
        if mayBeSheet && type == "text/css" { return true }
        switch type {
        case "", "text/plain", "text/vtt", "application/octet-stream", "application/vnd.ms-fontobject",
            "application/ogg", "application/x-mpegurl", "application/vnd.apple.mpegurl":
            return true
        default: return false
        }
    }
}
