import Characters
internal import Characters
internal import HTML

/// Reads UTF-8 HTML into a `PageTree`: the parts of the HTML Standard's tree construction (13.2.6) that decide which text
/// stands in which element.
///
/// It leaves out what a reader does not need: foster parenting (text in a table stays there), clones of formatting
/// elements (a formatting element that is closed across blocks ends there), quirks, and HTML in SVG (it ends the
/// drawing, but for short labels). Scripts do not run, so the content of `noscript` is markup.
///
/// Time is linear in the page: an end tag whose element is not open costs nothing, and the depth of the stack is
/// limited.
struct PageParser {
    private let source: UnsafeBufferPointer<UInt8>
    private var tokens: HTMLTokenizer
    private var tree = PageTree()
    private var builder = OpenElements()
    /// Whether to ignore a line end that comes next: after the start tag of `pre`.
    private var isBehindPre = false
    /// The outermost drawing that is open, and where it starts. HTML in it may end its element here, but not the drawing.
    private var drawing: (node: Int, start: Int)?
    /// The end of the open label of a drawing.
    private var labelEnd = 0
    /// No label ends between the last one that was looked at and here.
    private var labelsSearchedTo = 0
    private static let labelByteLimit = 1024
    private let traits = Tag.traits
    private let kept = Self.keptAttributes

    private static let keptAttributes = AttributeSet(
        [
            .id, .class, .href, .src, .srcset, .alt, .title, .content, .name, .property, .itemprop, .itemscope,
            .itemtype, .rel, .datetime, .lang, .dir, .type, .role, .style, .hidden, .colspan, .rowspan, .start, .value,
            .charset, .cite, .width, .height, .pubdate, .for, .action, .media, .shadowrootmode, .open, .scope,
            .httpEquiv, .ariaHidden, .ariaLabel, .ariaLevel, .poster, .xmlLang, .dataDatetime, .dataTimestamp,
            .dataDate,
            .dataUnseen, .dataSize, .slot, .dataTestid, .dataComponent, .dataHref, .dataURL, .dataTime,
        ] + AttributeName.lateSources + AttributeName.lateSourceSets)

    /// - Parameter page: UTF-8. Text that is not well-formed is repaired when it is written.
    static func parse(_ page: [UInt8]) -> PageTree {
        page.withUnsafeBufferPointer { source in
            var parser = PageParser(source)
            parser.run()
            parser.tree.source = page
            return parser.tree
        }
    }

    private init(_ source: UnsafeBufferPointer<UInt8>) {
        self.source = source
        tokens = HTMLTokenizer(source)
        // Offsets in the tree have 32 bits. A page is at most 32 MiB, and decoding makes it longer by a fifth at most.
        tree.text.reserveCapacity(source.count / 2)
        tree.nodes.reserveCapacity(source.count / 32)
        tree.attributes.reserveCapacity(source.count / 64)
    }

    private mutating func run() {
        open(.document, attributes: 0)
        while tree.nodes.count < PageTree.nodeLimit, tokens.next() {
            let wasBehindPre = isBehindPre
            isBehindPre = false
            switch tokens.kind {
            case .text:
                let skipsLineEnd = wasBehindPre && source[tokens.start] == 0x0A
                addText(tokens.start + (skipsLineEnd ? 1 : 0), tokens.end)
            case .rawText: addRawText()
            case .startTag: start(tokens.element, attributes: addAttributes())
            case .endTag: end(tokens.element)
            case .comment, .doctype, .cdata, .nothing, .processingInstruction, .end: break
            }
            if !tokens.isInDrawing { endDrawing() }
        }
        endDrawing()
        while !builder.isEmpty { close() }
    }

    private mutating func endDrawing() {
        guard let open = drawing else { return }
        tree.drawings[Int32(open.node)] = .markup(open.start..<tokens.start)
        drawing = nil
    }

    /// Adds the kept attributes of the current tag, the first of each name.
    ///
    /// - Returns: the index of the first one.
    private mutating func addAttributes() -> Int {
        let first = tree.attributes.count
        var seen = AttributeSet()
        for attribute in tokens.attributes {
            let name = AttributeName.of(source, attribute.nameStart, attribute.nameEnd)
            guard kept.contains(name), seen.insert(name) else { continue }
            let from = tree.text.count
            let value = UnsafeBufferPointer(rebasing: source[attribute.valueStart..<attribute.valueEnd])
            CharacterReferences.append(value, in: .attribute, to: &tree.text)
            tree.attributes.append(.init(name: name, start: Int32(from), stop: Int32(tree.text.count)))
        }
        return first
    }

    // MARK: Tree

    private mutating func addText(_ start: Int, _ end: Int) {
        if start == end { return }
        let parent = builder.current
        var isBlank = true
        for index in start..<end where !source[index].isHTMLSpace {
            isBlank = false
            break
        }
        if isBlank {
            switch tree.nodes[parent].tag {
            case .document, .html, .head, .ul, .ol, .dl, .table, .tbody, .thead, .tfoot, .tr, .select: return
            default: break
            }
        } else if builder.isOpen(.head), !builder.isOpen(.title), !builder.isOpen(.noscript), !builder.isForeign {
            closeThrough(.head)
        }
        let from = tree.text.count
        CharacterReferences.append(UnsafeBufferPointer(rebasing: source[start..<end]), in: .text, to: &tree.text)
        let owner = builder.current
        let last = tree.nodes.count - 1
        if tree.nodes[last].tag == .text, Int(tree.nodes[last].parent) == owner, Int(tree.nodes[last].stop) == from {
            tree.nodes[last].stop = Int32(tree.text.count)
            return
        }
        tree.nodes.append(
            .init(
                tag: .text, parent: Int32(owner), end: Int32(tree.nodes.count + 1), start: Int32(from),
                stop: Int32(tree.text.count)))
    }

    private mutating func open(_ tag: Tag, attributes first: Int) {
        let index = tree.nodes.count
        tree.nodes.append(
            .init(
                tag: tag, parent: Int32(builder.isEmpty ? -1 : builder.current), end: Int32(index + 1),
                start: Int32(first), stop: Int32(tree.attributes.count)))
        builder.push(tag, index)
    }

    private mutating func addVoid(_ tag: Tag, attributes first: Int) {
        tree.nodes.append(
            .init(
                tag: tag, parent: Int32(builder.current), end: Int32(tree.nodes.count + 1), start: Int32(first),
                stop: Int32(tree.attributes.count)))
    }

    private mutating func close() {
        let index = builder.pop()
        tree.nodes[index].end = Int32(tree.nodes.count)
    }

    /// Closes open elements up to and including the nearest one with this tag.
    private mutating func closeThrough(_ tag: Tag) {
        guard builder.isOpen(tag) else { return }
        while builder.count > 1 {
            let closed = builder.currentTag
            close()
            if closed == tag { return }
        }
    }

    private mutating func closeDown(to depth: Int) {
        while builder.count > depth { close() }
    }

    /// Whether a tag ends the drawing or formula around it. All blocks do, not only those of the standard.
    private func breaksOut(_ tag: Tag) -> Bool {
        if tokens.start < labelEnd { return false }
        // HTML inside a drawing, such as in its title, does not end it.
        return (tag.endsForeignContent && !tokens.isInDrawing)
            || (traits[Int(tag.rawValue)].contains(.closesParagraph) && tag != .main)
    }

    private mutating func start(_ element: HTMLElement, attributes first: Int) {
        if builder.isForeign {
            if element == .foreignobject, tokens.start >= labelEnd { findLabelEnd() }
            if !breaksOut(element) {
                // In svg or math, names have other meanings and a `/` closes the element.
                if tokens.isSelfClosing || builder.count >= PageTree.depthLimit {
                    return addVoid(.other, attributes: first)
                }
                open(element == .svg || element == .math ? element : .other, attributes: first)
                // What a formula would be in another language is not shown.
                if isAnnotation(element) { tree.nodes[builder.current].tag = .template }
                if builder.isOpen(.math) { tree.formulaParts[Int32(builder.current)] = formulaPart(element) }
                return
            }
            closeForeign()
        }
        let tag = element == .image ? .img : element
        let trait = traits[Int(tag.rawValue)]
        let isRaw = tag == .plaintext || !trait.isDisjoint(with: [.rawText, .escapableText])
        // The tokenizer may still count the tag as part of a drawing.
        if isRaw { tokens.beginRawText(tag) }
        switch tag {
        case .html, .body:
            if tag == .body { closeThrough(.head) }
            if builder.wasSeen(tag) { return }
        case .head:
            if builder.wasSeen(.head) { return }
        default:
            if !trait.contains(.inHead), builder.isOpen(.head), !builder.isOpen(.noscript), !builder.isOpen(.template) {
                closeThrough(.head)
            }
        }
        builder.prepare(for: tag, trait, traits)
        if let depth = builder.wantedDepth { closeDown(to: depth) }
        if builder.refuses(tag) { return }
        if tag == .td || tag == .th, [.table, .tbody, .thead, .tfoot].contains(builder.currentTag) {
            open(.tr, attributes: tree.attributes.count)
        }
        if trait.contains(.void) { return addVoid(tag, attributes: first) }
        if (tag == .svg || tag == .math), tokens.isSelfClosing { return addVoid(tag, attributes: first) }
        // Browsers do not nest deeper. The element stays empty, and what follows goes to its parent.
        if builder.count >= PageTree.depthLimit { return addVoid(tag, attributes: first) }
        open(tag, attributes: first)
        if tag == .template, tree.value(builder.current, .shadowrootmode) != nil {
            // A shadow root is shown in the place of its host. It ends as a template does.
            tree.nodes[builder.current].tag = .div
            tree.shadowRoots.append(builder.current)
        }
        if tag == .svg, drawing == nil { drawing = (builder.current, tokens.start) }
        // What a browser did not show is not read.
        if tree.value(builder.current, .dataUnseen) != nil { tree.nodes[builder.current].tag = .template }
        if tag == .a, isPlace(builder.current) { tree.nodes[builder.current].tag = .span }
        // A formula is text of its sentence.
        if tag == .math {
            tree.nodes[builder.current].tag = .other
            tree.formulaParts[Int32(builder.current)] = .math
        }
        // Elements that are still open at its end, such as `<iframe/>`, end there.
        if tag == .noscript { tokens.confine(to: tokens.endOfNoscript()) }
        isBehindPre = tag == .pre
    }

    /// Short HTML in a drawing is a label of it, such as the name in a box of a diagram. Longer HTML is text of the page.
    private mutating func findLabelEnd() {
        let start = max(tokens.end, labelsSearchedTo)
        let end = min(source.count, tokens.end + Self.labelByteLimit)
        if start >= end || tokens.isSelfClosing { return }
        let mark: StaticString = "</foreignObject"
        if let found = UnsafeBufferPointer(rebasing: source[start..<end]).firstRange(ofBytes: mark) {
            labelEnd = start + found.lowerBound
        } else {
            labelsSearchedTo = max(start, end - mark.utf8CodeUnitCount)
        }
    }

    /// Whether an `a` is a place that links lead to, and no link. DocBook never closes `<a id="intro"/>` in the eyes of an
    /// HTML parser, so that it holds the paragraphs behind it. With a class or a role it may be a button of a script.
    private func isPlace(_ node: Int) -> Bool {
        tree.value(node, .href) == nil && (tree.value(node, .id) != nil || tree.value(node, .name) != nil)
            && tree.value(node, .class) == nil && tree.value(node, .role) == nil
    }

    /// Whether a script holds data that metadata are read from.
    private func isData(_ node: Int) -> Bool {
        guard tree.nodes[node].tag == .script, let type = tree.value(node, .type) else { return false }
        return type.count < 64 && String(decoding: type, as: UTF8.self).lowercased().contains(text: "ld+json")
    }

    /// Adds the content of the raw text element that is open, if anything reads it.
    private mutating func addRawText() {
        // An element that is too deep or in a drawing has no content.
        guard builder.currentTag == tokens.element else { return }
        let from = tree.text.count
        let content = UnsafeBufferPointer(rebasing: source[tokens.innerStart..<tokens.innerEnd])
        if traits[Int(tokens.element.rawValue)].contains(.escapableText) {
            CharacterReferences.append(content, in: .text, to: &tree.text)
        } else if tokens.element == .plaintext || isData(builder.current) {
            tree.text.append(contentsOf: content)
        } else {
            return
        }
        tree.nodes.append(
            .init(
                tag: .text, parent: Int32(builder.current), end: Int32(tree.nodes.count + 1), start: Int32(from),
                stop: Int32(tree.text.count)))
    }

    private func isAnnotation(_ element: HTMLElement) -> Bool {
        element == .annotationXML
            || source[tokens.innerStart..<tokens.innerEnd].elementsEqual("annotation".utf8)
    }

    /// What the current tag is in a formula.
    private func formulaPart(_ element: HTMLElement) -> FormulaPart? {
        let name = String(decoding: source[tokens.innerStart..<tokens.innerEnd].map(\.lowercased), as: UTF8.self)
        if name != "annotation" { return name == "math" || name == "source" ? nil : FormulaPart(rawValue: name) }
        let isTeX = tokens.attributes.contains {
            source[$0.nameStart..<$0.nameEnd].map(\.lowercased).elementsEqual("encoding".utf8)
                && ["application/x-tex", "tex", "latex"].contains(
                    String(decoding: source[$0.valueStart..<$0.valueEnd].map(\.lowercased), as: UTF8.self))
        }
        return isTeX ? .source : nil
    }

    private mutating func closeForeign() {
        while builder.isForeign { close() }
    }

    private mutating func end(_ tag: Tag) {
        if builder.isForeign {
            if tag == .svg || tag == .math {
                closeThrough(tag)
            } else if !breaksOut(tag) {
                if builder.currentTag == .other { close() }
            } else if builder.isOpen(tag) {
                closeForeign()
                end(tag)
            }
            return
        }
        switch tag {
        case .html, .body: return
        case .br: return addVoid(.br, attributes: tree.attributes.count)
        default:
            if let depth = builder.depthToClose(tag, traits) { closeDown(to: depth) }
        }
    }
}
