import Characters
internal import HTML
internal import URLs

/// Writes content as HTML with a list of allowed elements and attributes. Everything else is dropped or shown as text.
///
/// The output is well-formed and nests as a parser of the HTML Standard would nest it, so that parsing it again gives
/// the same tree and no meaning can change (mutation XSS). Inline elements never contain blocks, paragraphs and
/// headings contain only text, and cells are in rows of real tables.
struct ReaderMarkup {
    let content: Content
    private let nodes: [PageTree.Node]
    /// Whether a node contains a block.
    private let holdsBlock: [Bool]
    let links: LinkResolution
    let imageFile: (WebURL) -> String?
    var bytes: [UInt8] = []
    var imageCount = 0
    /// The bytes of the drawings that were written.
    var drawingByteCount = 0
    private var open: [Open] = []
    /// Whether a box that is left out ended or began after the last text, in an item or a cell.
    private var isBetweenBoxes = false
    private let traits = Tag.traits
    private let names = Tag.names

    /// An element that is open in the output, or one that is left out around its content.
    private struct Open {
        /// The index after the node, where the element ends.
        let end: Int32
        /// Its name in the output, or `nil` if it is left out.
        let tag: Tag?
        let kind: Kind
    }

    enum Kind {
        /// Contains blocks. Loose text in it goes into a paragraph.
        case flow
        /// Contains blocks and text (items, cells).
        case mixed
        /// Contains only text and inline elements.
        case text
        case preformatted
        case inline
        /// Contains only its own parts (lists, rows).
        case parts
        /// A paragraph made for loose text.
        case loose
    }

    init(_ content: Content, links: LinkResolution, imageFile: @escaping (WebURL) -> String?) {
        self.content = content
        nodes = content.tree.nodes
        self.links = links
        self.imageFile = imageFile
        var holdsBlock = [Bool](repeating: false, count: content.tree.nodes.count)
        for index in nodes.indices where !content.isDropped[index] {
            let tag = nodes[index].tag
            guard tag != .text, Tag.traits[Int(tag.rawValue)].contains(.block) || tag == .img || tag == .ampImg else {
                continue
            }
            if tag == .img || tag == .ampImg { continue }
            var node = Int(nodes[index].parent)
            while node >= 0, !holdsBlock[node] {
                holdsBlock[node] = true
                node = Int(nodes[node].parent)
            }
        }
        self.holdsBlock = holdsBlock
    }

    mutating func write() {
        for root in content.roots { write(root) }
        closeAll()
        // A rule at the end divides nothing.
        while bytes.suffix(Self.rule.count).elementsEqual(Self.rule) { bytes.removeLast(Self.rule.count) }
    }

    private static let rule = Array("<hr>\n".utf8)

    private mutating func write(_ root: Int) {
        var index = root
        let end = Int(nodes[root].end)
        while index < end {
            while let last = open.last, last.end <= Int32(index) { close() }
            let node = nodes[index]
            if let page = EmbeddedMedia.page(of: index, content.tree, links) {
                writeMedia(index, page)
                index = Int(node.end)
                continue
            }
            if content.isDropped[index] || (Self.isSkipped(node.tag) && !Picture.isOne(index, content.tree))
                || node.tag == .a && BackToTop.isOne(index, in: content.tree)
            {
                // The text after a block that is left out is not of the line before it.
                if traits[Int(node.tag.rawValue)].contains(.block) { _ = endInline() }
                index = Int(node.end)
                continue
            }
            if Picture.isOne(index, content.tree), node.tag != .img, node.tag != .ampImg {
                // Its content is for browsers that cannot show it.
                writeImage(index)
                index = Int(node.end)
                continue
            }
            if content.tree.isFormula(index, content.isDropped) {
                writeFormula(index)
                index = Int(node.end)
                continue
            }
            if node.tag == .text {
                writeText(index)
            } else {
                begin(index, node)
            }
            index += 1
        }
        while let last = open.last, last.end <= Int32(end) { close() }
    }

    private static func isSkipped(_ tag: Tag) -> Bool {
        switch tag {
        case .script, .style, .svg, .math, .permalink, .template, .object, .embed, .applet, .iframe, .frame: true
        case .select, .textarea, .datalist, .head, .title, .noembed, .noframes, .xmp, .audio, .video, .canvas, .map:
            true
        default: false
        }
    }

    // MARK: Elements

    var kind: Kind { open.last { $0.kind != .inline && $0.tag != nil }?.kind ?? .flow }

    private mutating func begin(_ index: Int, _ node: PageTree.Node) {
        let tag = node.tag
        switch tag {
        case .br:
            if kind == .preformatted {
                bytes.append(0x0A)
            } else if kind != .parts, kind != .flow, !bytes.suffix(3).elementsEqual("<p>".utf8) {
                // A break before the text of a paragraph would be an empty line.
                prepareInline()
                bytes += "<br>".utf8
            }
        case .hr:
            if endInline(), kind == .flow || kind == .mixed { bytes += Self.rule }
        case .img, .ampImg: writeImage(index)
        case .h1, .h2, .h3, .h4, .h5, .h6: beginBlock(index, tag == .h1 ? .h2 : tag, .text)
        case .p: beginBlock(index, holdsBlock[index] ? nil : .p, .text)
        case .pre, .plaintext: beginBlock(index, .pre, .preformatted)
        case .blockquote: beginBlock(index, .blockquote, .flow)
        case .ul, .ol, .menu, .dir: beginList(index, tag == .ol ? .ol : .ul)
        case .li: beginPart(index, .li, in: [.ul, .ol], .mixed)
        case .dl: beginBlock(index, hasChild(index, .dd) ? .dl : nil, .parts)
        case .dt: beginPart(index, .dt, in: [.dl], .text)
        case .dd: beginPart(index, .dd, in: [.dl], .mixed)
        case .figure: beginBlock(index, .figure, .flow)
        case .figcaption, .legend: beginPart(index, .figcaption, in: [.figure], .text)
        // Without words to open it by, it is not closed either.
        case .details: beginBlock(index, hasSummary(index) ? .details : nil, .flow)
        case .summary: beginPart(index, .summary, in: [.details], .text)
        case .table: beginBlock(index, isDataTable(index) ? .table : nil, .parts)
        case .caption: beginPart(index, .caption, in: [.table], .text)
        case .thead, .tbody, .tfoot: beginPart(index, tag, in: [.table], .parts)
        case .tr: beginPart(index, .tr, in: [.table, .thead, .tbody, .tfoot], .parts)
        case .td, .th: beginPart(index, tag, in: [.tr], .mixed)
        case .a, .em, .i, .strong, .b, .u, .s, .del, .ins, .sub, .sup, .mark, .small, .code, .kbd, .samp, .var, .q,
            .cite, .abbr,
            .dfn, .time, .bdi, .bdo, .ruby, .rt, .rp:
            beginInline(index, tag)
        default:
            // Left out around its content. A block ends the line of text before it.
            if traits[Int(tag.rawValue)].contains(.block) {
                _ = endInline()
                isBetweenBoxes = true
                open.append(Open(end: node.end, tag: nil, kind: .flow))
            }
        }
    }

    /// Ends a paragraph of loose text and the inline elements in it. False where only text is allowed.
    mutating func endInline() -> Bool {
        while let last = open.last, last.kind == .loose || last.kind == .inline {
            if last.kind == .inline, !open.contains(where: { $0.kind == .loose }) { break }
            close()
        }
        switch kind {
        case .text, .preformatted:
            // A block in a heading or similar. A space separates its words from those before.
            if let last = bytes.last, last > 0x20, last != UInt8(ascii: ">") { bytes.append(0x20) }
            return false
        case .inline, .loose: return false
        default: return true
        }
    }

    private mutating func beginBlock(_ index: Int, _ tag: Tag?, _ newKind: Kind) {
        let end = nodes[index].end
        guard endInline(), let tag, kind == .flow || kind == .mixed else {
            open.append(Open(end: end, tag: nil, kind: .flow))
            return
        }
        start(tag, index)
        open.append(Open(end: end, tag: tag, kind: newKind))
    }

    /// A list without items is left out around its content, because loose text is not allowed in it.
    private mutating func beginList(_ index: Int, _ tag: Tag) {
        beginBlock(index, hasChild(index, .li) ? tag : nil, .parts)
    }

    private mutating func beginPart(_ index: Int, _ tag: Tag, in parents: [Tag], _ newKind: Kind) {
        let end = nodes[index].end
        let isInPlace = endInline() && (open.last { $0.tag != nil }?.tag).map(parents.contains) ?? false
        if isInPlace {
            start(tag, index)
            open.append(Open(end: end, tag: tag, kind: newKind))
        } else {
            open.append(Open(end: end, tag: nil, kind: .flow))
        }
    }

    private func hasChild(_ index: Int, _ tag: Tag) -> Bool {
        var child = index + 1
        while child < Int(nodes[index].end) {
            if nodes[child].tag == tag, !content.isDropped[child] { return true }
            child = Int(nodes[child].end)
        }
        return false
    }

    private func hasSummary(_ index: Int) -> Bool {
        var child = index + 1
        while child < Int(nodes[index].end) {
            if nodes[child].tag == .summary {
                return !content.isDropped[child] && !content.tree.collapsedText(child, limit: 1).isEmpty
            }
            child = Int(nodes[child].end)
        }
        return false
    }

    /// Whether a table contains data and is not for layout: several short cells that hold something in a row, and no table
    /// in a cell.
    private func isDataTable(_ index: Int) -> Bool {
        var rows = 0
        var cells = 0
        var filled = 0
        var text = 0
        var hasHeader = false
        var isEmpty = true
        for node in index + 1..<max(index + 1, Int(nodes[index].end)) {
            switch nodes[node].tag {
            case .table: return false
            case .tr: rows += 1
            case .th, .td:
                if nodes[node].tag == .th { hasHeader = true }
                cells += 1
                isEmpty = true
            case .text:
                text += Int(nodes[node].stop - nodes[node].start)
                if isEmpty, cells > filled, content.tree.bytes(node).contains(where: { !$0.isHTMLSpace }) {
                    filled += 1
                    isEmpty = false
                }
            case .img where isEmpty && cells > filled:
                filled += 1
                isEmpty = false
            default: break
            }
        }
        if rows == 0 || cells < 2 { return false }
        return hasHeader || (filled > rows && text / cells < 300)
    }

    private mutating func beginInline(_ index: Int, _ tag: Tag) {
        let node = nodes[index]
        if holdsBlock[index] || kind == .parts || node.end == Int32(index + 1) { return }
        var target: [UInt8]?
        if tag == .a {
            guard let href = content.tree.value(index, .href).flatMap({ links.href($0) }), !isInLink else { return }
            target = href
        }
        prepareInline()
        bytes.append(UInt8(ascii: "<"))
        bytes += names[Int(tag.rawValue)]
        if let target { attribute("href", target[...]) }
        if tag == .abbr, let title = content.tree.value(index, .title) { attribute("title", title) }
        if tag == .time, let time = content.tree.value(index, .datetime) { attribute("datetime", time) }
        addDirection(index)
        addIdentifier(index)
        bytes.append(UInt8(ascii: ">"))
        open.append(Open(end: node.end, tag: tag, kind: .inline))
    }

    private var isInLink: Bool { open.contains { $0.tag == .a } }

    private mutating func start(_ tag: Tag, _ index: Int) {
        bytes.append(UInt8(ascii: "<"))
        bytes += names[Int(tag.rawValue)]
        if tag == .td || tag == .th {
            for (name, key) in [(AttributeName.colspan, "colspan"), (.rowspan, "rowspan")] {
                if let value = content.tree.string(index, name).flatMap({ Int($0) }), (2...100).contains(value) {
                    attribute(key, Array(String(value).utf8)[...])
                }
            }
        }
        if tag == .ol, let value = content.tree.string(index, .start).flatMap({ Int($0) }),
            (-9999...9999).contains(value)
        {
            attribute("start", Array(String(value).utf8)[...])
        }
        if tag == .p, bytes.count == 2, isLead(index) { attribute("class", Array("lead".utf8)[...]) }
        if tag == .details, content.tree.value(index, .open) != nil { bytes += " open".utf8 }
        addDirection(index)
        addIdentifier(index)
        bytes.append(UInt8(ascii: ">"))
    }

    /// Whether the page names a paragraph, or the element that holds nothing else, as what leads into the article.
    private func isLead(_ index: Int) -> Bool {
        let parent = Int(nodes[index].parent)
        // White space may follow the paragraph.
        let isAlone = parent == index - 1 && nodes[parent].end <= nodes[index].end + 1
        return [index, isAlone ? parent : index].contains { node in
            content.tree.value(node, .class).map { Hints.of($0, .shared).contains(.summary) } ?? false
        }
    }

    private mutating func close() {
        guard let last = open.popLast() else { return }
        guard let tag = last.tag else {
            isBetweenBoxes = true
            return
        }
        if tag == .p, bytes.suffix(3).elementsEqual("<p>".utf8) {
            // Nothing in it is shown.
            bytes.removeLast(3)
            return
        }
        bytes += "</".utf8
        bytes += names[Int(tag.rawValue)]
        bytes.append(UInt8(ascii: ">"))
        if last.kind != .inline { bytes.append(0x0A) }
    }

    private mutating func closeAll() {
        while !open.isEmpty { close() }
    }

    // MARK: Attributes

    mutating func attribute(_ name: String, _ value: ArraySlice<UInt8>) {
        bytes.append(0x20)
        bytes += name.utf8
        bytes += "=\"".utf8
        MarkupText.append(value, to: &bytes)
        bytes.append(0x22)
    }

    private mutating func addDirection(_ index: Int) {
        if let dir = content.tree.string(index, .dir)?.lowercased(), ["ltr", "rtl", "auto"].contains(dir) {
            attribute("dir", Array(dir.utf8)[...])
        }
        if let lang = content.tree.value(index, .lang), lang.count < 36, !lang.isEmpty,
            lang.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D })
        {
            attribute("lang", lang)
        }
    }

    /// The names of link targets in the page. A prefix keeps them apart from names of reader.html itself.
    private mutating func addIdentifier(_ index: Int) {
        guard let id = content.tree.value(index, .id), let name = LinkResolution.localName(id) else { return }
        attribute("id", name[...])
    }

    // MARK: Text

    mutating func prepareInline() {
        defer { isBetweenBoxes = false }
        if isBetweenBoxes, kind == .mixed, let last = bytes.last(where: { $0 > 0x20 }),
            last != UInt8(ascii: ">") || endsInline
        {
            while bytes.last == 0x20 { bytes.removeLast() }
            bytes += "<br>".utf8
        }
        if open.isEmpty || kind == .flow {
            bytes += "<p>".utf8
            // It ends together with the block around it.
            let end = open.last { $0.kind != .inline }?.end ?? Int32.max
            open.append(Open(end: end, tag: .p, kind: .loose))
        }
    }

    /// Whether the markup ends with the end of an element within a line.
    private var endsInline: Bool {
        Self.inlineEnds.contains { bytes.suffix($0.count).elementsEqual($0) }
    }

    private static let inlineEnds = [
        "a", "b", "i", "em", "strong", "code", "time", "small", "span", "cite", "kbd", "samp", "var", "abbr", "sup",
        "sub", "mark", "u", "s", "q",
    ].map { Array("</\($0)>".utf8) }

    private mutating func writeText(_ index: Int) {
        let text = content.tree.bytes(index)
        if kind == .preformatted {
            MarkupText.append(text, to: &bytes)
            return
        }
        if text.allSatisfy(\.isHTMLSpace) {
            // Between blocks it has no effect.
            if kind == .flow || kind == .parts { return }
            if let last = bytes.last, last > 0x20 { bytes.append(0x20) }
            return
        }
        if kind == .parts { return }
        prepareInline()
        MarkupText.appendCollapsed(text, to: &bytes)
    }
}
