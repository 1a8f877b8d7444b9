import Characters
internal import Glibc
internal import URLs

/// One pass over a document that asks for each reference and writes the new document.
///
/// One property of the output makes it safe: *its tokens are the same in every state into which a tree builder can put
/// the tokenizer*. Raw text is written only for `style`, `title` and `textarea`, always with an end tag, and without a
/// `<` that could begin anything in either reading. The content of `script`, `noscript`, `xmp`, `iframe` and similar
/// elements is never written. There is no CDATA and no comment with markup, and every `<` of a text becomes a
/// reference. So the browser sees exactly the tags that this pass wrote and judged harmless, whatever the source means.
final class PageWalk {
    enum Output {
        case html
        /// SVG stays XML.
        case xml
    }

    let context: PageContext
    let output: Output
    let resolver: ReferenceResolver
    let source: UnsafeBufferPointer<UInt8>
    /// The depth of nested `srcdoc`.
    let depth: Int
    /// For references of an inner document: the offset of its element. Otherwise -1.
    let fixedOffset: Int
    /// The prefix for ids and references to them.
    let idPrefix: [UInt8]
    /// False if only the references are needed.
    private let keepsOutput: Bool

    var tokens: HTMLTokenizer
    var draft = TagDraft()
    var bytes: [UInt8] = []
    var entities: XMLEntities?

    private var needsHead: Bool
    private var hasDoctype = false
    /// The raw text element whose start tag has just been written.
    private var openRaw: HTMLElement?
    /// The open `template` elements. Each has its own ids.
    var scopes: [Int] = [0]
    private var scopeCount = 0
    var sprites = SpriteSet()
    /// The URLs of images from `data-src` and similar attributes.
    var lateImages: Set<[UInt8]> = []
    /// The URLs of pictures outside `noscript`, collected on first use.
    lazy var shownPictures = Self.pictures(of: source, base: resolver.base)

    static let depthLimit = 6

    init(
        _ source: UnsafeBufferPointer<UInt8>, _ context: PageContext, _ output: Output, _ resolver: ReferenceResolver,
        depth: Int = 0, fixedOffset: Int = -1, idPrefix: [UInt8] = [], isFragment: Bool = false,
        keepsOutput: Bool = true
    ) {
        self.source = source
        self.context = context
        self.output = output
        self.resolver = resolver
        self.depth = depth
        self.fixedOffset = fixedOffset
        self.idPrefix = idPrefix
        needsHead = output == .html && depth == 0 && !isFragment
        tokens = HTMLTokenizer(source, isXML: isXML(context, output), isScripting: context.hasRunScripts)
        self.keepsOutput = keepsOutput
        if keepsOutput { bytes.reserveCapacity(source.count + 1024) }
    }

    var isXMLSource: Bool { tokens.isXML }

    func run() -> [UInt8] {
        if needsHead, isXMLSource { bytes += "<!DOCTYPE html>".utf8 }
        while tokens.next() {
            token()
            if !keepsOutput { bytes.removeAll(keepingCapacity: true) }
        }
        closeRaw()
        writeHeadIfMissing()
        return bytes
    }

    private func token() {
        if let raw = openRaw, !(tokens.kind == .rawText && tokens.element == raw) { closeRaw() }
        switch tokens.kind {
        case .text: text()
        case .rawText: rawText()
        case .startTag:
            beforeStartTag()
            startTag()
        case .endTag: endTag()
        case .comment: comment()
        case .doctype: doctype()
        case .cdata:
            writeHeadIfMissing()
            appendEscaped(tokens.innerStart, tokens.innerEnd)
        case .nothing, .processingInstruction, .end: break
        }
    }

    /// The name of the current tag. When XML becomes HTML, without its prefix.
    var tagName: Slice<UnsafeBufferPointer<UInt8>> {
        let name = source[tokens.innerStart..<tokens.innerEnd]
        guard isXMLSource, output == .html, let colon = name.lastIndex(of: 0x3A) else { return name }
        return name[(colon + 1)...]
    }

    /// A name with a first byte that only XML allows would be text in HTML, and its attributes markup. A browser could
    /// drop the NUL from a name and read another name.
    var canBeWritten: Bool {
        (output == .xml || tagName.first?.isLetter == true) && !tagName.contains { $0 == 0x3C || $0 == 0 }
    }

    // MARK: Text

    private func text() {
        let span = source[tokens.start..<tokens.end]
        if needsHead {
            if span.allSatisfy(\.isHTMLSpace) {
                if mayComeBeforeHead(span.count) { bytes += span }
                return
            }
            writeHeadIfMissing()
        }
        appendText(span)
    }

    /// Text with its references. Only `<` is escaped.
    func appendText(_ span: Slice<UnsafeBufferPointer<UInt8>>) {
        if let entities, span.contains(0x26) {
            return appendTextWithout(entities.expanded(Array(span)))
        }
        guard let base = source.baseAddress, memchr(base + span.startIndex, 0x3C, span.count) != nil else {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: span))
            return
        }
        appendTextWithout(Array(span))
    }

    private func appendTextWithout(_ text: [UInt8]) {
        for byte in text {
            if byte == 0x3C { bytes += "&lt;".utf8 } else { bytes.append(byte) }
        }
    }

    /// Characters as text: `&` and `<` are escaped.
    func appendEscaped(_ start: Int, _ end: Int) { Markup.appendText(source[start..<end], to: &bytes) }

    private func rawText() {
        switch tokens.element {
        case .style:
            appendStyle(Array(source[tokens.innerStart..<tokens.innerEnd]), isForeign: tokens.isInForeignContent)
        case .title, .textarea: appendText(source[tokens.innerStart..<tokens.innerEnd])
        case .xmp, .plaintext: appendEscaped(tokens.innerStart, tokens.innerEnd)
        default: break
        }
    }

    /// - Parameter isForeign: whether references and CDATA have a meaning in it.
    func appendStyle(_ text: [UInt8], isForeign: Bool) {
        var text = text
        if isForeign {
            text = CDATA.unwrapped(text)
            text = CharacterReferences.decoded(text[...], in: .text)
        }
        let offset = fixedOffset >= 0 ? fixedOffset : tokens.start
        let result = text.withUnsafeBufferPointer {
            StyleWalk.rewritten($0, resolver, for: .element, offset: offset, idPrefix: idPrefix)
        }
        if output == .xml { Markup.appendText(result ?? text, to: &bytes) } else { bytes += result ?? text }
    }

    private func closeRaw() {
        guard let raw = openRaw else { return }
        openRaw = nil
        bytes += "</\(raw)>".utf8
    }

    /// Writes the text and the end tag of a raw text element after its start tag.
    func openRawText(_ element: HTMLElement) {
        if isXMLSource {
            let name = Array(tagName)
            if !tokens.isSelfClosing { appendContentAsText(of: element) }
            bytes += [0x3C, 0x2F] + name + [0x3E]
        } else {
            tokens.beginRawText(element)
            openRaw = element
        }
    }

    /// In XML: the text of an element up to its end tag, with the text of all elements in it.
    private func appendContentAsText(of element: HTMLElement) {
        var text: [UInt8] = []
        var level = 1
        while tokens.next() {
            switch tokens.kind {
            case .text:
                let span = Array(source[tokens.start..<tokens.end])
                text += CharacterReferences.decoded((entities?.expanded(span) ?? span)[...], in: .text)
            case .cdata: text += source[tokens.innerStart..<tokens.innerEnd]
            case .startTag: if tokens.element == element, !tokens.isSelfClosing { level += 1 }
            case .endTag: if tokens.element == element { level -= 1 }
            default: break
            }
            if level == 0 { break }
        }
        if element == .style { appendStyle(text, isForeign: false) } else { Markup.appendText(text, to: &bytes) }
    }

    /// In XML: moves past an element's content and its end tag.
    func skipContent(of element: HTMLElement) {
        if tokens.isSelfClosing { return }
        var level = 1
        while tokens.next() {
            if tokens.kind == .startTag, tokens.element == element, !tokens.isSelfClosing { level += 1 }
            if tokens.kind == .endTag, tokens.element == element { level -= 1 }
            if level == 0 { return }
        }
    }

    // MARK: Comments and the like

    /// A comment stays if it reads the same in every state. Otherwise an empty comment replaces it.
    private func comment() {
        let inner = source[tokens.innerStart..<tokens.innerEnd]
        let isWhole = tokens.end - tokens.innerEnd == 3 && source.matches("-->", at: tokens.innerEnd)
        let isPlain = isWhole && inner.first != 0x2D && inner.last != 0x2D
        if needsHead, !mayComeBeforeHead(inner.count + 7) { return }
        if isPlain, source.matches("<!--", at: tokens.start), Markup.isPlainComment(inner) {
            bytes += source[tokens.start..<tokens.end]
        } else {
            bytes += "<!---->".utf8
        }
    }

    private func doctype() {
        if output == .xml {
            entities = XMLEntities(source, tokens.innerStart, tokens.innerEnd)
            return
        }
        // A second one, or one in the middle, has no effect.
        guard needsHead, !hasDoctype, !isXMLSource, tokens.end > tokens.innerEnd, tokens.end - tokens.start < 300,
            !source[(tokens.start + 1)..<tokens.end].contains(0x3C)
        else { return }
        hasDoctype = true
        bytes += source[tokens.start..<tokens.end]
    }

    // MARK: The head

    /// Whether the character set is still in the first 1024 bytes, where browsers look for it (HTML Standard, section
    /// 13.2.3.2), if this many bytes and a document type come first. White space and comments that do not fit are left
    /// out. Long tags come after it.
    private func mayComeBeforeHead(_ count: Int) -> Bool { bytes.count + count <= 600 }

    private func beforeStartTag() {
        guard needsHead else { return }
        switch tokens.element {
        case .html where mayComeBeforeHead(tokens.end - tokens.start): break
        case .head where mayComeBeforeHead(tokens.end - tokens.start): break
        default: writeHeadIfMissing()
        }
    }

    /// Writes the archive's own lines, once.
    func writeHeadIfMissing() {
        guard needsHead else { return }
        needsHead = false
        bytes += ArchiveHead.lines.utf8
        if depth == 0 {
            for mark in context.marks { bytes += ArchiveHead.line(mark).utf8 }
        }
    }

    // MARK: End tags

    private func endTag() {
        let element = tokens.element
        switch element {
        // Their start tags were not written, or their end tags are already written.
        case .script, .style, .title, .textarea, .noscript, .noembed, .noframes, .iframe, .base, .handler, .listener:
            if !(output == .xml && (element == .title || element == .textarea)) { return }
        case .plaintext: return
        case .xmp:
            bytes += "</pre>".utf8
            return
        case .html, .head, .body: if needsHead, element != .head { writeHeadIfMissing() }
        case .template: if scopes.count > 1 { scopes.removeLast() }
        default: if output == .html, isXMLSource, element.isVoid { return }
        }
        if needsHead { writeHeadIfMissing() }
        // Everything in an end tag but the name has no effect.
        guard canBeWritten else { return }
        bytes += [0x3C, 0x2F]
        bytes += tagName
        bytes.append(0x3E)
    }

    func openScope() {
        guard scopes.count < 512 else { return }
        scopeCount += 1
        scopes.append(scopeCount)
    }
}

private func isXML(_ context: PageContext, _ output: PageWalk.Output) -> Bool {
    output == .xml || context.syntax == .xhtml
}
