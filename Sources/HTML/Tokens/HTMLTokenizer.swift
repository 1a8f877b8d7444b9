import Characters
internal import Glibc

/// The tokenizer of the HTML Standard (section 13.2.5) as a scanner that emits spans of the source.
///
/// There is no tree. The standard's tree builder tells its tokenizer where raw text and CDATA begin. This tokenizer
/// decides it by the last start tag and by the open `svg` and `math` elements. Markup that breaks the nesting can
/// mislead it, so safety must not depend on it. Tokens tile the source: each begins where the last one ended. Time is
/// linear. Memory grows only for a tag with more attributes than any tag before it, to 3 MB at most.
package struct HTMLTokenizer {
    package enum Kind: Sendable {
        case text
        /// The content of a raw text element. `element` is that element.
        case rawText
        case startTag, endTag
        case comment
        case doctype
        /// `<![CDATA[…]]>` in foreign content or XML.
        case cdata
        /// Source that adds nothing to the document: `</>`, and a tag that the end of the source cut off.
        case nothing
        /// XML only.
        case processingInstruction
        case end
    }

    package struct Attribute: Sendable {
        package var nameStart = 0
        package var nameEnd = 0
        /// The value without its quotes. Without a value, an empty span at the end of the name.
        package var valueStart = 0
        package var valueEnd = 0
        /// `"`, `'`, or 0 where the value is not quoted.
        package var quote: UInt8 = 0
        package var hasValue = false
    }

    /// The source. While reading is confined, the part of it before the limit.
    package internal(set) var bytes: UnsafeBufferPointer<UInt8>
    private let source: UnsafeBufferPointer<UInt8>
    package let isXML: Bool
    /// Whether `noscript` is raw text.
    package let isScripting: Bool
    private let attributeLimit: Int

    package internal(set) var kind = Kind.nothing
    /// The token's span.
    package internal(set) var start = 0
    package internal(set) var end = 0
    /// The inner text: of a comment or a CDATA section without its marks, of a tag its name.
    package internal(set) var innerStart = 0
    package internal(set) var innerEnd = 0
    /// The element of a tag or of raw text. In XML, the local name decides.
    package internal(set) var element = HTMLElement.other
    package internal(set) var isSelfClosing = false
    /// The first attributes of a tag. `hasMoreAttributes` is true if there are others; code that writes the tag must
    /// leave those out.
    package internal(set) var attributes: [Attribute] = []
    package internal(set) var hasMoreAttributes = false

    /// No real page comes near it. Without it, a page of nothing but attributes would take twenty times its size.
    package static let attributeLimit = 1 << 16

    var foreign = ForeignContent()
    private var rawElement: HTMLElement?
    private var noscriptEnd = 0

    /// - Parameters:
    ///   - bytes: must outlive the tokenizer.
    ///   - keepsAttributes: whether to fill `attributes`. Reading is faster without.
    package init(
        _ bytes: UnsafeBufferPointer<UInt8>, isXML: Bool = false, isScripting: Bool = false,
        keepsAttributes: Bool = true
    ) {
        self.bytes = bytes
        source = bytes
        self.isXML = isXML
        self.isScripting = isScripting
        attributeLimit = keepsAttributes ? Self.attributeLimit : 0
        attributes.reserveCapacity(min(attributeLimit, 16))
    }

    /// Whether the text after this token is in SVG or MathML.
    package var isInForeignContent: Bool { foreign.isForeign }
    /// Whether the text after this token is in an `svg`, including HTML inside the `svg`.
    package var isInDrawing: Bool { foreign.isInDrawing }

    /// The decoded value of the tag's first attribute with a name, or `nil`.
    package func value(of name: AttributeName) -> [UInt8]? {
        attributes.first { AttributeName.of(bytes, $0.nameStart, $0.nameEnd) == name }.map {
            CharacterReferences.decoded(
                UnsafeBufferPointer(rebasing: bytes[$0.valueStart..<$0.valueEnd]), in: .attribute)
        }
    }

    /// Reads the next token.
    ///
    /// - Returns: false at the end.
    package mutating func next() -> Bool {
        start = end
        if start >= bytes.count {
            if bytes.count == source.count {
                kind = .end
                return false
            }
            bytes = source
            rawElement = nil
        }
        if let raw = rawElement {
            rawElement = nil
            readRawText(raw)
            if end > start { return true }
        }
        if bytes[start] != 0x3C {
            readText(from: start)
        } else {
            readMarkup()
        }
        return true
    }

    /// Reads the source after the current start tag as raw text of an element, wherever the tag is.
    package mutating func beginRawText(_ element: HTMLElement) { rawElement = element }

    /// Reads the source as part of an `svg`.
    mutating func enterSVG() { foreign.enterSVG() }

    /// Reads the source after the current start tag as markup, although its element holds raw text.
    package mutating func beginMarkup() { rawElement = nil }

    /// Reads up to a place as if the source ended there, and then the rest.
    package mutating func confine(to end: Int) { bytes = UnsafeBufferPointer(rebasing: source[..<end]) }

    /// Where the current `noscript` ends for a browser that runs scripts: at the next end tag of that name. Each end
    /// tag is searched for once.
    package mutating func endOfNoscript() -> Int {
        if noscriptEnd < end { noscriptEnd = RawText.end(of: .noscript, source, from: end) }
        return noscriptEnd
    }

    // MARK: Text

    private mutating func readText(from place: Int) {
        kind = .text
        var place = place
        while place < bytes.count {
            guard let found = find(0x3C, from: place) else {
                place = bytes.count
                break
            }
            if startsMarkup(found) {
                place = found
                break
            }
            place = found + 1
        }
        end = place
    }

    @inline(__always)
    private func startsMarkup(_ place: Int) -> Bool {
        guard place + 1 < bytes.count else { return false }
        let byte = bytes[place + 1]
        if byte.isLetter || byte == 0x21 || byte == 0x3F { return true }
        if byte == 0x2F { return place + 2 < bytes.count }
        // XML names may begin with `_`, `:` and what is not ASCII.
        return isXML && (byte == 0x5F || byte == 0x3A || byte >= 0x80)
    }

    @inline(__always)
    func find(_ byte: UInt8, from place: Int) -> Int? {
        guard place < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + place, Int32(byte), bytes.count - place)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    // MARK: Markup

    private mutating func readMarkup() {
        guard startsMarkup(start) else { return readText(from: start + 1) }
        switch bytes[start + 1] {
        case 0x21: readDeclaration()
        case 0x3F: isXML ? readInstruction() : readBogusComment(start + 1)
        case 0x2F:
            let byte = bytes[start + 2]
            if byte == 0x3E {
                kind = .nothing
                end = start + 3
            } else if byte.isLetter || (isXML && (byte == 0x5F || byte == 0x3A || byte >= 0x80)) {
                readTag(nameStart: start + 2, isEnd: true)
            } else {
                readBogusComment(start + 2)
            }
        default: readTag(nameStart: start + 1, isEnd: false)
        }
    }

    // MARK: Tags

    private mutating func readTag(nameStart: Int, isEnd: Bool) {
        if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
        hasMoreAttributes = false
        isSelfClosing = false
        var place = nameStart
        var localStart = nameStart
        while place < bytes.count {
            let byte = bytes[place]
            if byte.isHTMLSpace || byte == 0x2F || byte == 0x3E { break }
            place += 1
            if byte == 0x3A, isXML { localStart = place }
        }
        innerStart = nameStart
        innerEnd = place
        guard let close = readAttributes(place) else {
            kind = .nothing
            end = bytes.count
            return
        }
        end = close + 1
        kind = isEnd ? .endTag : .startTag
        element = HTMLElement.of(bytes, localStart, innerEnd)
        if isXML {
            // XML names are case-sensitive. This comparison ignores case, which is stricter.
            return
        }
        if isEnd {
            foreign.end(element)
        } else {
            let isHTML = foreign.start(element, isSelfClosing: isSelfClosing)
            if isHTML, isRawText(element) { rawElement = element }
        }
    }

    private func isRawText(_ element: HTMLElement) -> Bool {
        switch element {
        case .script, .style, .title, .textarea, .xmp, .iframe, .noembed, .noframes, .plaintext: true
        case .noscript: isScripting
        default: false
        }
    }

    /// - Returns: where the tag's `>` is; `nil` if the source ends before.
    private mutating func readAttributes(_ from: Int) -> Int? {
        var place = from
        let count = bytes.count
        while place < count {
            let byte = bytes[place]
            if byte == 0x3E { return place }
            if byte.isHTMLSpace {
                place += 1
                continue
            }
            if byte == 0x2F {
                place += 1
                if place < count, bytes[place] == 0x3E {
                    isSelfClosing = true
                    return place
                }
                continue
            }
            var attribute = Attribute()
            attribute.nameStart = place
            // A name may begin with `=`.
            place += 1
            while place < count {
                let byte = bytes[place]
                if byte == 0x3D || byte == 0x3E || byte == 0x2F || byte.isHTMLSpace { break }
                place += 1
            }
            attribute.nameEnd = place
            attribute.valueStart = place
            attribute.valueEnd = place
            var after = place
            while after < count, bytes[after].isHTMLSpace { after += 1 }
            if after < count, bytes[after] == 0x3D {
                place = after + 1
                while place < count, bytes[place].isHTMLSpace { place += 1 }
                guard place < count else { return nil }
                attribute.hasValue = true
                let quote = bytes[place]
                if quote == 0x22 || quote == 0x27 {
                    guard let close = find(quote, from: place + 1) else { return nil }
                    attribute.quote = quote
                    attribute.valueStart = place + 1
                    attribute.valueEnd = close
                    place = close + 1
                } else {
                    attribute.valueStart = place
                    while place < count {
                        let byte = bytes[place]
                        if byte == 0x3E || byte.isHTMLSpace { break }
                        place += 1
                    }
                    attribute.valueEnd = place
                }
            }
            if attributes.count < attributeLimit { attributes.append(attribute) } else { hasMoreAttributes = true }
        }
        return nil
    }

    // MARK: Raw text

    private mutating func readRawText(_ raw: HTMLElement) {
        kind = .rawText
        element = raw
        innerStart = start
        if raw == .plaintext {
            end = bytes.count
        } else if raw == .script {
            end = ScriptText.end(bytes, from: start)
        } else {
            end = RawText.end(of: raw, bytes, from: start)
        }
        innerEnd = end
    }
}
