import Characters
internal import HTML
internal import URLs

/// An `svg` of a page as an SVG file of its own, for `img`: without scripts, HTML, and references to other files.
///
/// Time and memory are linear in the source.
struct DrawingFile {
    private let source: UnsafeBufferPointer<UInt8>
    private var tokens: HTMLTokenizer
    private var output: [UInt8] = []
    /// The names of the open elements.
    private var open: [Range<Int>] = []
    /// The element that is left out with all that is in it, and how many of its name are open.
    private var leftOut: (name: Range<Int>, count: Int)?
    /// The words of a label in HTML that is left out, and the middle of its place.
    private var label: [UInt8] = []
    private var labelPlace: (x: Double, y: Double)?
    /// The number of open elements around the outermost one that only defines shapes.
    private var definitionDepth = Int.max
    private var hasShape = false
    /// The ids of what it only defines, and those that it uses.
    private var defined: Set<[UInt8]> = []
    private var used: Set<[UInt8]> = []

    private static let depthLimit = 128
    private static let labelByteLimit = 1024
    /// Bytes of the source.
    private static let byteLimit = 4 << 20

    /// A `data:` URL of the drawing in a part of a page, or `nil` if it draws nothing by itself.
    static func url(of drawing: Range<Int>, in page: [UInt8]) -> [UInt8]? {
        guard drawing.count <= byteLimit, let base = WebURL("about:blank") else { return nil }
        let file = page.withUnsafeBufferPointer { page in
            var file = DrawingFile(UnsafeBufferPointer(rebasing: page[drawing]))
            file.write()
            return file.hasShape || !file.used.isDisjoint(with: file.defined) ? file.output : nil
        }
        guard let file else { return nil }
        return Array("data:image/svg+xml;base64,".utf8)
            + Base64.encoded(SVGDocument.rewritten(file, url: base) { _ in .missing })
    }

    private init(_ source: UnsafeBufferPointer<UInt8>) {
        self.source = source
        tokens = HTMLTokenizer(source)
    }

    private mutating func write() {
        while tokens.next() {
            switch tokens.kind {
            case .startTag: if leftOut == nil { start() } else { deepen(by: tokens.isSelfClosing ? 0 : 1) }
            case .endTag: if leftOut == nil { end() } else { deepen(by: -1) }
            case .text:
                var text: [UInt8] = []
                CharacterReferences.append(
                    UnsafeBufferPointer(rebasing: source[tokens.start..<tokens.end]), in: .text, to: &text)
                if leftOut == nil {
                    append(text)
                } else if labelPlace != nil {
                    MarkupText.appendCollapsed(text[...], to: &label)
                }
            case .cdata where leftOut == nil:
                append(Array(source[tokens.innerStart..<tokens.innerEnd]))
            default: break
            }
            if open.isEmpty, leftOut == nil { return }
        }
        while !open.isEmpty { close() }
    }

    // MARK: Elements

    private var name: Range<Int> { tokens.innerStart..<tokens.innerEnd }

    private func isSame(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        source[first].lazy.map(\.lowercased).elementsEqual(source[second].lazy.map(\.lowercased))
    }

    private mutating func deepen(by count: Int) {
        // A block, or a line end, separates words.
        if labelPlace != nil, tokens.element.isBlock || tokens.element == .br {
            MarkupText.appendCollapsed([0x20], to: &label)
        }
        guard let left = leftOut, isSame(left.name, name) else { return }
        leftOut = left.count + count > 0 ? (left.name, left.count + count) : nil
        if leftOut == nil { writeLabel() }
    }

    /// Writes the words of HTML in the drawing as a text of SVG, such as the names in the boxes of a diagram.
    private mutating func writeLabel() {
        // More is text of the page.
        if let (x, y) = labelPlace, !label.isEmpty, label.count <= Self.labelByteLimit {
            output += "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"middle\" dominant-baseline=\"central\">".utf8
            output += label
            output += "</text>".utf8
        }
        labelPlace = nil
        label = []
    }

    /// The middle of the current element.
    private func middle() -> (x: Double, y: Double)? {
        func number(_ name: String) -> Double? {
            let found = tokens.attributes.first { source[$0.nameStart..<$0.nameEnd].elementsEqual(name.utf8) }
            return found.flatMap {
                Double(String(decoding: source[$0.valueStart..<$0.valueEnd].prefix(32), as: UTF8.self))
            }
        }
        guard let width = number("width"), let height = number("height") else { return nil }
        return ((number("x") ?? 0) + width / 2, (number("y") ?? 0) + height / 2)
    }

    private mutating func start() {
        let written = Self.spelling(of: source[name])
        guard let written, !Self.unwanted.contains(written), open.count < Self.depthLimit else {
            if !tokens.isSelfClosing { leftOut = (name, 1) }
            if leftOut != nil, tokens.element == .foreignobject { labelPlace = middle() }
            return
        }
        if Self.definitions.contains(written) { definitionDepth = min(definitionDepth, open.count) }
        if definitionDepth == .max, Self.shapes.contains(written) { hasShape = true }
        output.append(UInt8(ascii: "<"))
        output += written
        if open.isEmpty { output += " xmlns=\"http://www.w3.org/2000/svg\"".utf8 }
        writeAttributes(of: written)
        if tokens.isSelfClosing { output.append(UInt8(ascii: "/")) }
        output.append(UInt8(ascii: ">"))
        open.append(name)
        if tokens.isSelfClosing { pop() }
    }

    private mutating func end() {
        guard let place = open.lastIndex(where: { isSame($0, name) }) else { return }
        while open.count > place { close() }
    }

    private mutating func close() {
        guard let last = open.last else { return }
        output += "</".utf8
        output += Self.spelling(of: source[last]) ?? []
        output.append(UInt8(ascii: ">"))
        pop()
    }

    private mutating func pop() {
        open.removeLast()
        if open.count <= definitionDepth { definitionDepth = .max }
    }

    // MARK: Attributes

    private mutating func writeAttributes(of element: [UInt8]) {
        var seen: Set<[UInt8]> = [Array("xmlns".utf8)]
        /// The element's own style, and what the sheets of the page make of it.
        var style: [UInt8] = []
        for attribute in tokens.attributes {
            let raw = source[attribute.nameStart..<attribute.nameEnd]
            let isLink = raw.elementsEqual("xlink:href".utf8)
            guard let name = isLink ? Array("href".utf8) : Self.spelling(of: raw), seen.insert(name).inserted,
                !name.starts(with: "on".utf8)
            else { continue }
            let value = CharacterReferences.decoded(
                UnsafeBufferPointer(rebasing: source[attribute.valueStart..<attribute.valueEnd]), in: .attribute)
            if name.elementsEqual("style".utf8) || name.elementsEqual("data-sbfs-style".utf8) {
                style += (style.isEmpty ? [] : [UInt8(ascii: ";")]) + value
            } else if name.elementsEqual("href".utf8) {
                if definitionDepth == .max, element.elementsEqual("use".utf8) { used.insert(Array(value.dropFirst())) }
                if value.first == UInt8(ascii: "#") || PixelPicture.isURL(value[...]) { write(name, value) }
            } else if !name.starts(with: "data-".utf8) {
                if definitionDepth < .max, name.elementsEqual("id".utf8) { defined.insert(value) }
                write(name, value)
            }
        }
        if !style.isEmpty { write(Array("style".utf8), style) }
    }

    private mutating func write(_ name: [UInt8], _ value: [UInt8]) {
        output.append(0x20)
        output += name
        output += "=\"".utf8
        append(value)
        output.append(0x22)
    }

    /// Writes text of XML, which has no U+FFFE and U+FFFF (XML 1.0, section 2.2).
    private mutating func append(_ text: [UInt8]) {
        var start = 0
        for place in text.indices.dropFirst(2)
        where text[place] >= 0xBE && text[place - 1] == 0xBF && text[place - 2] == 0xEF {
            MarkupText.append(text[start..<place - 2], to: &output)
            start = place + 1
        }
        MarkupText.append(text[start...], to: &output)
    }

    // MARK: Names

    /// A name as XML has it; `nil` for one that is none, or has a prefix.
    private static func spelling(of name: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
        guard name.first?.isLetter ?? false, name.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F })
        else { return nil }
        let name = name.map(\.lowercased)
        return spellings[name] ?? name
    }

    /// HTML has the names in any case (HTML Standard, section 13.2.6.1 and 13.2.6.5), XML in this one.
    private static let spellings = Dictionary(
        names(
            "animateMotion animateTransform attributeName baseFrequency calcMode clipPath clipPathUnits diffuseConstant"
                + " edgeMode feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting"
                + " feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur"
                + " feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile"
                + " feTurbulence filterUnits gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints"
                + " keySplines keyTimes lengthAdjust limitingConeAngle linearGradient markerHeight markerUnits markerWidth"
                + " maskContentUnits maskUnits numOctaves pathLength patternContentUnits patternTransform patternUnits"
                + " preserveAlpha preserveAspectRatio primitiveUnits radialGradient refX refY repeatCount repeatDur"
                + " specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale"
                + " systemLanguage tableValues targetX targetY textLength textPath viewBox xChannelSelector"
                + " yChannelSelector foreignObject"
        ).map { ($0.map(\.lowercased), $0) }, uniquingKeysWith: { first, _ in first })

    private static let shapes = Set(names("path rect circle ellipse line polyline polygon text image"))
    private static let definitions = Set(
        names("defs symbol clipPath mask pattern marker linearGradient radialGradient filter"))
    /// What runs, is HTML, or says nothing to the eye.
    private static let unwanted = Set(
        names("script handler listener foreignObject iframe audio video canvas object embed title desc metadata"))

    private static func names(_ list: String) -> [[UInt8]] {
        list.utf8.split(separator: 0x20).map(Array.init)
    }
}
