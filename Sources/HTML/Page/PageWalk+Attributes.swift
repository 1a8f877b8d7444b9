import Characters
internal import URLs

extension PageWalk {
    /// Decides about every attribute of the current start tag that is still undecided.
    func judgeAttributes() {
        let element = tokens.element
        let isAnimation = Self.isAnimation(element)
        let isAnimatingLink = isAnimation && animatesLink()
        for index in draft.names.indices {
            guard case .keep = draft.fates[index] else { continue }
            let name = draft.names[index]
            switch name {
            case .style: style(index)
            case .src: source(index, element)
            case .srcset: sourceSet(index, element)
            case .href, .xlinkHref: href(index, name, element)
            case .poster: replace(index, .poster)
            case .data: if element == .object { replace(index, .object) } else { checkText(index) }
            case .background: replace(index, .image)
            case .srcdoc: draft.set(index, .drop)
            case .action, .formaction, .cite, .longdesc: link(index)
            case .autoplay:
                if element != .video || draft.index(of: .muted) == nil { draft.set(index, .drop) }
            case .attributename: if isAnimatingLink { draft.set(index, .drop) }
            case .from, .to, .values, .by:
                if isAnimation { animated(index, isAnimatingLink) } else { checkText(index) }
            case .fill, .stroke, .filter, .mask, .clipPath, .marker, .markerStart, .markerMid, .markerEnd, .cursor:
                presentation(index, isMask: name == .filter || name == .mask || name == .clipPath)
            case .id: if !idPrefix.isEmpty { draft.set(index, .value(idPrefix + value(index))) }
            case .value where element == .param: checkText(index)
            case .xmlLang:
                if output == .html, isXMLSource, draft.index(of: .lang) == nil { draft.add("lang", value(index)) }
            case .charset where element == .link || element == .a: draft.set(index, .drop)
            case .other: checkText(index)
            default: if !name.isText { checkText(index) }
            }
        }
    }

    /// Drops an attribute that should not be a URL but reads like the URL of a script.
    private func checkText(_ index: Int) {
        let attribute = tokens.attributes[index]
        guard attribute.valueEnd - attribute.valueStart > 8 else { return }
        let first = source[attribute.valueStart]
        // Only the first letters of such schemes, and bytes that may hide them.
        guard first <= 0x26 || "jvlmdJVLMD".utf8.contains(first) || first >= 0x7F else { return }
        if source[attribute.nameStart..<attribute.nameEnd].starts(with: "data-".utf8) { return }
        let start = value(index).prefix(512)
        switch URLScheme.ofText(start) {
        case .script: draft.set(index, .drop)
        case .data: if !URLScheme.isPassiveData(start) { draft.set(index, .drop) }
        case .local, .other: break
        }
    }

    // MARK: URLs

    /// The address of a link that must not be followed: a fragment that is nowhere.
    private static let nowhere = Array("#sbfs-none".utf8)

    /// Asks for the replacement of one URL and sets it.
    func replace(
        _ index: Int, _ kind: PageReference.Kind, _ place: ReferenceResolver.Place = .attribute,
        icon: PageReference.Icon? = nil
    ) {
        apply(resolver.answer(to: value(index), kind, place, offset: offset, icon: icon), to: index)
    }

    func apply(_ answer: ReferenceAnswer, to index: Int) {
        switch answer {
        case .keep: break
        case .value(let value): draft.set(index, .value(value))
        case .missing(let url): setMissing(index, url)
        case .sprite(let file, let url):
            if let local = sprite(file, url) { draft.set(index, .value(local)) } else { setMissing(index, []) }
        }
    }

    func setMissing(_ index: Int, _ url: [UInt8]) {
        let attribute = tokens.attributes[index]
        var name = Array("data-sbfs-missing-".utf8)
        for byte in source[attribute.nameStart..<attribute.nameEnd] { name.append(byte == 0x3A ? 0x2D : byte) }
        // Only a URL that can be fetched later is kept.
        draft.set(index, .renamed(name, url.starts(with: "http".utf8) ? url : []))
    }

    /// Keeps the spelling of an attribute that is about to change, if sheets select by it.
    private func keepSpelling(_ index: Int, _ attribute: KeptSpellings) {
        if output == .html, let name = context.spellings.name(for: attribute) {
            draft.add(name, Array(value(index).prefix(KeptSpellings.byteLimit)))
        }
    }

    private func link(_ index: Int) {
        let old = value(index)
        guard let url = resolver.link(old) else { return draft.set(index, .drop) }
        if url != old { draft.set(index, .value(url)) }
    }

    private func source(_ index: Int, _ element: HTMLElement) {
        keepSpelling(index, .src)
        switch element {
        case .img, .image: replace(index, .image)
        case .input:
            if text(of: .type).lowercased() == "image" { replace(index, .image) } else { draft.set(index, .drop) }
        case .video, .audio, .source: replace(index, .media)
        case .track: replace(index, .track)
        case .embed: replace(index, .object)
        case .iframe, .frame: break
        case .portal, .fencedframe, .bgsound: draft.set(index, .drop)
        default: checkText(index)
        }
    }

    private func href(_ index: Int, _ name: AttributeName, _ element: HTMLElement) {
        switch element {
        case .use: replace(index, .sprite, .sprite)
        case .image, .feimage: replace(index, .image, .style)
        case .link: if name == .xlinkHref { draft.set(index, .drop) }
        case .a, .area:
            if name == .href { keepSpelling(index, .href) }
            link(index)
            // Without an address it would not look like a link.
            if name == .href, case .drop = draft.fates[index] { draft.set(index, .value(Self.nowhere)) }
        default:
            let value = value(index)
            guard value.first == 0x23 else {
                // Browsers take no gradients, paths or animations from other files.
                if isXMLSource || tokens.isInForeignContent { return local(index, value) }
                return link(index)
            }
        }
        if !idPrefix.isEmpty, case .keep = draft.fates[index] {
            let value = value(index)
            if value.first == 0x23 { draft.set(index, .value([0x23] + idPrefix + value.dropFirst())) }
        }
    }

    /// A reference that may only point into the document itself.
    private func local(_ index: Int, _ value: [UInt8]) {
        if let url = resolver.link(value), url.first == 0x23 { return draft.set(index, .value(url)) }
        setMissing(index, [])
    }

    private func sourceSet(_ index: Int, _ element: HTMLElement) {
        guard element == .img || element == .source else { return draft.set(index, .drop) }
        apply(sourceSet: value(index), to: index)
    }

    func apply(sourceSet value: [UInt8], to index: Int) {
        if let rewritten = rewritten(sourceSet: value) {
            draft.set(index, .value(rewritten))
        } else {
            setMissing(index, [])
        }
    }

    /// - Returns: `nil` if no candidate is left.
    func rewritten(sourceSet value: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        for candidate in SourceSet.candidates(value) {
            let url: [UInt8]
            let old = value[candidate.url]
            switch resolver.answer(to: old, .image, .attribute, offset: offset) {
            case .keep: url = Array(old)
            case .value(let value): url = value
            case .missing, .sprite: continue
            }
            if !output.isEmpty { output += ", ".utf8 }
            output += url
            if !candidate.descriptors.isEmpty {
                output.append(0x20)
                output += value[candidate.descriptors]
            }
        }
        return output.isEmpty ? nil : output
    }

    // MARK: Style

    private func style(_ index: Int) {
        checkText(index)
        guard case .keep = draft.fates[index] else { return }
        let attribute = tokens.attributes[index]
        // Without a parenthesis there is no URL, and without a backslash it cannot be hidden.
        let raw = source[attribute.valueStart..<attribute.valueEnd]
        guard raw.contains(where: { $0 == 0x28 || $0 == 0x26 || $0 == 0x5C }) else { return }
        declarations(index, isMask: false)
    }

    private func presentation(_ index: Int, isMask: Bool) {
        checkText(index)
        guard case .keep = draft.fates[index] else { return }
        let attribute = tokens.attributes[index]
        guard source[attribute.valueStart..<attribute.valueEnd].contains(where: { $0 == 0x28 || $0 == 0x26 }) else {
            return
        }
        declarations(index, isMask: isMask)
    }

    private func declarations(_ index: Int, isMask: Bool) {
        let rewritten = value(index).withUnsafeBufferPointer {
            StyleWalk.rewritten($0, resolver, for: .attribute, offset: offset, isMask: isMask, idPrefix: idPrefix)
        }
        if let rewritten { draft.set(index, .value(rewritten)) }
    }

    // MARK: Animation

    static func isAnimation(_ element: HTMLElement) -> Bool {
        switch element {
        case .animate, .set, .animatetransform, .animatemotion, .animatecolor: true
        default: false
        }
    }

    /// Whether the current element animates a link, an event handler or a source.
    private func animatesLink() -> Bool {
        guard let value = value(of: .attributename) else { return false }
        let name = value.filter { $0 > 0x20 }.map(\.lowercased)
        let text = String(decoding: name, as: UTF8.self)
        return text.hasSuffix("href") || text.hasPrefix("on") || text.hasSuffix("src") || text.hasSuffix("srcdoc")
    }

    private func animated(_ index: Int, _ isAnimatingLink: Bool) {
        if isAnimatingLink { return draft.set(index, .drop) }
        let value = value(index)
        for part in value.split(separator: 0x3B) {
            switch URLScheme.ofText(part) {
            case .script, .data, .local: return draft.set(index, .drop)
            case .other: continue
            }
        }
        presentation(index, isMask: false)
    }
}
