import HTML

/// Searches a page for anything that could run, without trusting where the page's tags start.
enum ActiveContent {
    private static let forbidden: Set<String> = [
        "script", "base", "noscript", "xmp", "noembed", "noframes", "plaintext", "handler", "listener",
    ]
    private static let texts: Set<String> = [
        "content", "rel", "srcdoc", "alt", "lang", "xml:lang", "title", "placeholder", "label", "name", "property",
        "itemprop", "id", "type", "sizes", "media",
    ]
    private static let schemes = ["javascript:", "vbscript:", "data:text/html", "view-source:", "jar:"]

    /// Reads each `<` as the start of a token, in case a browser reads it as one.
    ///
    /// - Parameter isXML: whether any prefix may precede a name, as in SVG documents.
    static func findings(_ page: [UInt8], isXML: Bool = false) -> [String] {
        page.withUnsafeBufferPointer { bytes in
            var findings: [String] = []
            for place in bytes.indices where bytes[place] == 0x3C {
                guard place + 1 < bytes.count else {
                    findings.append("a < at the end")
                    continue
                }
                switch bytes[place + 1] {
                // Style sheets may compare; these characters start no tag.
                case 0x20, 0x3D, 0x30...0x39: continue
                default: break
                }
                var tokens = HTMLTokenizer(UnsafeBufferPointer(rebasing: bytes[place...]), isXML: isXML)
                _ = tokens.next()
                findings += Self.findings(token: tokens, at: place, isXML)
            }
            return findings
        }
    }

    private static func findings(token: HTMLTokenizer, at place: Int, _ isXML: Bool) -> [String] {
        let bytes = token.bytes
        func text(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }
        switch token.kind {
        case .doctype: return []
        case .comment:
            let inner = bytes[token.innerStart..<token.innerEnd]
            let isPlain = text(0, token.end).hasPrefix("<!--") && !inner.contains(0x3C) && !inner.contains(0x3E)
            return isPlain ? [] : ["comment \(text(0, token.end))"]
        case .endTag, .startTag: break
        default: return ["\(token.kind) at \(place): \(text(0, min(bytes.count, 40)))"]
        }
        var name = text(token.innerStart, token.innerEnd).lowercased()
        if isXML, let colon = name.lastIndex(of: ":") { name = String(name[name.index(after: colon)...]) }
        var findings: [String] = []
        if forbidden.contains(name) { findings.append("<\(name)>") }
        if bytes[1..<token.end].contains(0x3C) { findings.append("< in \(text(0, token.end))") }
        for attribute in token.attributes where token.kind == .startTag {
            let attributeName = text(attribute.nameStart, attribute.nameEnd).lowercased()
            let raw = Array(bytes[attribute.valueStart..<attribute.valueEnd])
            let value = CharacterReferences.decoded(raw[...], in: .attribute)
            if attributeName.hasPrefix("on") { findings.append("\(name) \(attributeName)") }
            let squeezed = String(decoding: value.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self).lowercased()
            // Text that is no URL may start like one.
            if attributeName != "value" || name == "param", !texts.contains(attributeName),
                !attributeName.hasSuffix("data-src"),
                schemes.contains(where: squeezed.hasPrefix)
            {
                findings.append("\(name) \(attributeName)=\(squeezed.prefix(30))")
            }
            if attributeName == "srcdoc" { findings += Self.findings(value) }
            if name == "meta", attributeName == "http-equiv", squeezed == "refresh" { findings.append("refresh") }
            if ["iframe", "frame", "embed"].contains(name) && attributeName == "src"
                || name == "object" && attributeName == "data" && !value.isEmpty
            {
                findings.append("\(name) \(attributeName)=\(squeezed.prefix(40))")
            }
        }
        return findings
    }
}
