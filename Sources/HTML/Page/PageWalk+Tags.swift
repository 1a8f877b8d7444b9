internal import URLs

extension PageWalk {
    var offset: Int { fixedOffset >= 0 ? fixedOffset : tokens.start }

    func startTag() {
        switch tokens.element {
        case .script, .handler, .listener: return dropScript()
        case .base: return
        case .noembed, .noframes: return isXMLSource ? skipContent(of: tokens.element) : ()
        case .noscript: return noscript()
        default: break
        }
        nameAttributes()
        switch tokens.element {
        case .link: if !link() { return }
        case .meta: if !meta() { return }
        case .iframe, .frame: frame()
        case .img, .image, .source: lateImage()
        default: break
        }
        judgeAttributes()
        switch tokens.element {
        case .style:
            // An empty element in SVG, but the start of raw text in HTML. Without the `/` both read the same.
            if tokens.isSelfClosing, tokens.isInForeignContent || isXMLSource { return }
            draft.touch()
            write(name: nil, isClosing: false)
            openRawText(.style)
        case .title where output == .html, .textarea where output == .html:
            if tokens.isSelfClosing, tokens.isInForeignContent { return }
            draft.touch()
            write(name: nil, isClosing: false)
            openRawText(tokens.element)
        case .xmp, .plaintext:
            write(name: "pre", isClosing: tokens.isSelfClosing && isXMLSource)
        case .iframe:
            write(name: nil, isClosing: false)
            bytes += "</iframe>".utf8
            if isXMLSource { skipContent(of: .iframe) }
        default:
            write(name: nil, isClosing: tokens.isSelfClosing)
            if tokens.element == .head { writeHeadIfMissing() }
            if tokens.element == .template, !tokens.isSelfClosing { openScope() }
        }
    }

    // MARK: What is not written

    private func dropScript() {
        if isXMLSource { return skipContent(of: tokens.element) }
        // In SVG it is not raw text for the tree builder, but its content is not wanted either.
        if tokens.element == .script, tokens.isInForeignContent, !tokens.isSelfClosing { tokens.beginRawText(.script) }
    }

    // MARK: Attributes

    private func nameAttributes() {
        draft.begin()
        // A `<` in an attribute is markup for a parser that miscounts quotes. The rewritten tag has a reference
        // instead.
        if tokens.hasMoreAttributes || source[(tokens.start + 1)..<tokens.end].contains(0x3C) { draft.touch() }
        var seen = AttributeSet()
        for (index, attribute) in tokens.attributes.enumerated() {
            var (start, end) = (attribute.nameStart, attribute.nameEnd)
            if isXMLSource, let colon = source[start..<end].lastIndex(of: 0x3A) { start = colon + 1 }
            var name = AttributeName.of(source, start, end)
            if isXMLSource, start > attribute.nameStart {
                // Of prefixed attributes, only links are recognised by their local names.
                switch name {
                case .href: name = .xlinkHref
                case .lang: name = .xmlLang
                default: name = source.equals("xml:base", attribute.nameStart, end) ? .xmlBase : .other
                }
            }
            end = attribute.nameEnd
            draft.append(name)
            let isEvent = source.matches("on", at: start) || source.matches("on", at: attribute.nameStart)
            // After a name and a space, `=` would begin the value of that name, and the rest of this name would be
            // further names.
            let isMarkup = source[attribute.nameStart..<end].contains(0x3C) || source[attribute.nameStart] == 0x3D
            if isEvent || isMarkup || name.isNeverKept { draft.set(index, .drop) }
            if name == .other { continue }
            // Only the first of its name counts.
            if !seen.insert(name) { draft.set(index, .drop) }
        }
    }

    func value(_ index: Int) -> [UInt8] {
        let attribute = tokens.attributes[index]
        var value = Array(source[attribute.valueStart..<attribute.valueEnd])
        guard value.contains(0x26) else { return value }
        if let entities { value = entities.expanded(value) }
        return CharacterReferences.decoded(value[...], in: .attribute)
    }

    func value(of name: AttributeName) -> [UInt8]? { draft.index(of: name).map(value) }

    func text(of name: AttributeName) -> String { String(decoding: value(of: name) ?? [], as: UTF8.self) }

    // MARK: Writing

    /// Writes the start tag, unchanged if no attribute changed.
    func write(name: StaticString?, isClosing: Bool) {
        guard canBeWritten else { return }
        let becomesPair = isClosing && output == .html && isXMLSource && !tokens.element.isVoid
        if !draft.isChanged, name == nil, !isXMLSource || output == .xml, entities == nil,
            tokens.isSelfClosing == isClosing, !becomesPair
        {
            bytes += source[tokens.start..<tokens.end]
            return
        }
        bytes.append(0x3C)
        if let name {
            bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        } else {
            bytes += tagName
        }
        for (index, attribute) in tokens.attributes.enumerated() {
            let original = source[attribute.nameStart..<attribute.nameEnd]
            switch draft.fates[index] {
            case .drop: continue
            case .keep:
                bytes.append(0x20)
                bytes += original
                if attribute.hasValue { writeRawValue(attribute) }
            case .value(let value):
                bytes.append(0x20)
                bytes += original
                write(value: value)
            case .renamed(let name, let value):
                bytes.append(0x20)
                bytes += name
                write(value: value)
            }
        }
        for (name, value) in draft.added {
            bytes.append(0x20)
            bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            write(value: value)
        }
        if becomesPair, !tokens.isInForeignContent {
            bytes += "></".utf8
            bytes += tagName
            bytes.append(0x3E)
        } else {
            bytes += isClosing ? "/>".utf8 : ">".utf8
        }
    }

    private func write(value: [UInt8]) {
        bytes += [0x3D, 0x22]
        Markup.appendValue(value, to: &bytes)
        bytes.append(0x22)
    }

    /// The value in quotes, with its references.
    private func writeRawValue(_ attribute: HTMLTokenizer.Attribute) {
        let raw = source[attribute.valueStart..<attribute.valueEnd]
        let quote = attribute.quote == 0x27 ? UInt8(0x27) : 0x22
        bytes += [0x3D, quote]
        let expanded = entities.map { $0.expanded(Array(raw)) }
        for byte in expanded ?? Array(raw) {
            if byte == quote {
                bytes += "&quot;".utf8
            } else if byte == 0x3C {
                bytes += "&lt;".utf8
            } else {
                bytes.append(byte)
            }
        }
        bytes.append(quote)
    }
}
