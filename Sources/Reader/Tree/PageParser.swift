internal import Characters
internal import Glibc

/// Reads UTF-8 HTML into a `PageTree`: tokens after the HTML Standard, section 13.2.5, and the parts of tree construction
/// (13.2.6) that decide which text stands in which element.
///
/// Not done, since a reader does not need it: foster parenting (text in a table stays there), clones of formatting elements
/// (a formatting element that is closed across blocks ends there), quirks. Scripts do not run, so `noscript` is markup.
///
/// Time is linear in the page: an end tag whose element is not open costs nothing, and the stack has a bound.
struct PageParser {
    private let source: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var tree = PageTree()
    private var builder = OpenElements()
    /// The attributes that the current tag has, bit by bit: only the first of a name counts.
    private var seen: UInt64 = 0
    private let tags = Self.tagTable
    private let names = Self.attributeTable
    private let traits = Tag.traits

    private static let tagTable = NameTable<Tag>(
        Tag.allCases.dropFirst(4).map { ($0.name, $0) } + [("image", .img)])
    private static let attributeTable = NameTable<AttributeName>(AttributeName.allCases.map { ($0.name, $0) })

    /// - Parameter page: UTF-8; what is not well-formed is repaired where text is written.
    static func parse(_ page: [UInt8]) -> PageTree {
        page.withUnsafeBufferPointer { source in
            var parser = PageParser(source)
            parser.run()
            return parser.tree
        }
    }

    private init(_ source: UnsafeBufferPointer<UInt8>) {
        self.source = source
        // Offsets in the tree are 32 bits wide; decoded text is never longer than its source.
        tree.text.reserveCapacity(source.count / 2)
        tree.nodes.reserveCapacity(source.count / 32)
        tree.attributes.reserveCapacity(source.count / 64)
    }

    private mutating func run() {
        open(.document, attributes: 0)
        while place < source.count, tree.nodes.count < PageTree.nodeLimit {
            let start = place
            place = find(UInt8(ascii: "<"), from: place)
            if place > start { addText(start, place) }
            if place >= source.count { break }
            readMarkup()
        }
        while !builder.isEmpty { close() }
    }

    private func find(_ byte: UInt8, from start: Int) -> Int {
        guard start < source.count, let base = source.baseAddress else { return source.count }
        guard let found = memchr(base + start, Int32(byte), source.count - start) else { return source.count }
        return UnsafeRawPointer(base).distance(to: found)
    }

    // MARK: Tokens

    private mutating func readMarkup() {
        let next = place + 1 < source.count ? source[place + 1] : 0
        if isLetter(next) {
            readStartTag()
        } else if next == UInt8(ascii: "/") {
            if place + 2 < source.count, isLetter(source[place + 2]) {
                readEndTag()
            } else {
                place = min(source.count, find(UInt8(ascii: ">"), from: place + 2) + 1)
            }
        } else if next == UInt8(ascii: "!") {
            readDeclaration()
        } else if next == UInt8(ascii: "?") {
            place = min(source.count, find(UInt8(ascii: ">"), from: place + 1) + 1)
        } else {
            addText(place, place + 1)
            place += 1
        }
    }

    private mutating func readDeclaration() {
        if place + 3 < source.count, source[place + 2] == 0x2D, source[place + 3] == 0x2D {
            var at = place + 4
            if at < source.count, source[at] == UInt8(ascii: ">") {
                place = at + 1
                return
            }
            if at + 1 < source.count, source[at] == 0x2D, source[at + 1] == UInt8(ascii: ">") {
                place = at + 2
                return
            }
            while true {
                at = find(UInt8(ascii: ">"), from: at)
                if at >= source.count { break }
                if source[at - 1] == 0x2D, source[at - 2] == 0x2D, at - 2 >= place + 4 { break }
                if source[at - 1] == UInt8(ascii: "!"), source[at - 2] == 0x2D, source[at - 3] == 0x2D,
                    at - 3 >= place + 4
                {
                    break
                }
                at += 1
            }
            place = min(source.count, at + 1)
            return
        }
        if builder.isForeign, source[(place + 2)...].starts(with: "[CDATA[".utf8) {
            var at = place + 9
            while at < source.count {
                at = find(UInt8(ascii: "]"), from: at)
                if at + 2 < source.count, source[at + 1] == 0x5D, source[at + 2] == UInt8(ascii: ">") { break }
                at += 1
            }
            place = min(source.count, at + 3)
            return
        }
        place = min(source.count, find(UInt8(ascii: ">"), from: place + 2) + 1)
    }

    private mutating func readName() -> NameKey {
        var key = NameKey()
        while place < source.count {
            let byte = source[place]
            if isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { break }
            key.append(lowered(byte))
            place += 1
        }
        return key
    }

    private mutating func readEndTag() {
        place += 2
        let key = readName()
        let tag = tags.find(key) ?? .other
        skipAttributes()
        end(tag)
    }

    /// Goes behind the `>` that ends the tag.
    private mutating func skipAttributes() {
        while place < source.count, source[place] != UInt8(ascii: ">") {
            _ = readAttribute(keep: false)
        }
        place = min(source.count, place + 1)
    }

    private mutating func readStartTag() {
        place += 1
        let key = readName()
        let tag = tags.find(key) ?? .other
        let first = tree.attributes.count
        seen = 0
        var isSelfClosing = false
        while place < source.count, source[place] != UInt8(ascii: ">") {
            isSelfClosing = readAttribute(keep: true)
        }
        place = min(source.count, place + 1)
        if place == source.count, source[source.count - 1] != UInt8(ascii: ">") {
            // The page ends inside a tag: there is no tag.
            tree.attributes.removeLast(tree.attributes.count - first)
            return
        }
        start(tag, attributes: first, isSelfClosing: isSelfClosing)
    }

    /// Reads one attribute, or the space or `/` before one.
    ///
    /// - Returns: whether it was a `/`, which closes a foreign element where it comes last.
    private mutating func readAttribute(keep: Bool) -> Bool {
        let byte = source[place]
        if isSpace(byte) || byte == UInt8(ascii: "/") {
            place += 1
            return byte == UInt8(ascii: "/")
        }
        var key = NameKey()
        repeat {
            key.append(lowered(source[place]))
            place += 1
        } while place < source.count && !isNameEnd(source[place])
        var look = place
        while look < source.count, isSpace(source[look]) { look += 1 }
        let name = keep ? names.find(key) : nil
        guard look < source.count, source[look] == UInt8(ascii: "=") else {
            if let name { addAttribute(name, 0, 0) }
            return false
        }
        place = look + 1
        while place < source.count, isSpace(source[place]) { place += 1 }
        guard place < source.count else { return false }
        let quote = source[place]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let end = find(quote, from: place + 1)
            if let name { addAttribute(name, place + 1, end) }
            place = min(source.count, end + 1)
        } else {
            let first = place
            while place < source.count, !isSpace(source[place]), source[place] != UInt8(ascii: ">") { place += 1 }
            if let name { addAttribute(name, first, place) }
        }
        return false
    }

    private func isNameEnd(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }

    private mutating func addAttribute(_ name: AttributeName, _ start: Int, _ end: Int) {
        let bit = UInt64(1) << UInt64(name.rawValue)
        if seen & bit != 0 { return }
        seen |= bit
        let from = tree.text.count
        if start < end {
            TextDecoding.append(UnsafeBufferPointer(rebasing: source[start..<end]), to: &tree.text, inAttribute: true)
        }
        tree.attributes.append(.init(name: name, start: Int32(from), stop: Int32(tree.text.count)))
    }

    // MARK: Tree

    private mutating func addText(_ start: Int, _ end: Int) {
        let parent = builder.current
        var isBlank = true
        for index in start..<end where !isSpace(source[index]) {
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
        TextDecoding.append(UnsafeBufferPointer(rebasing: source[start..<end]), to: &tree.text, inAttribute: false)
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

    /// Closes open elements down to the nearest one with this tag, and that.
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

    private mutating func start(_ tag: Tag, attributes first: Int, isSelfClosing: Bool) {
        let trait = traits[Int(tag.rawValue)]
        if builder.isForeign, !trait.contains(.closesParagraph) || tag == .main {
            // Inside svg or math: names mean something else there and a `/` closes.
            if isSelfClosing { return addVoid(.other, attributes: first) }
            return open(tag == .svg || tag == .math ? tag : .other, attributes: first)
        }
        if builder.isForeign { closeForeign() }
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
        if (tag == .svg || tag == .math), isSelfClosing { return addVoid(tag, attributes: first) }
        if builder.count >= PageTree.depthLimit {
            // Deeper than browsers go: the element stays without content, what follows goes to the one around it.
            if trait.contains(.rawText) || trait.contains(.escapableText) { skipRawText(tag) }
            return addVoid(tag, attributes: first)
        }
        open(tag, attributes: first)
        if tag == .plaintext {
            addText(place, source.count)
            place = source.count
        } else if trait.contains(.rawText) || trait.contains(.escapableText) {
            let from = place
            let end = skipRawText(tag)
            if trait.contains(.escapableText) || isData(builder.current), end > from { addRawText(from, end, trait) }
            close()
        } else if tag == .pre || tag == .textarea, place < source.count, source[place] == 0x0A {
            place += 1
        }
    }

    /// Whether a script holds data that metadata are read from.
    private func isData(_ node: Int) -> Bool {
        guard tree.nodes[node].tag == .script, let type = tree.value(node, .type) else { return false }
        return type.count < 64 && String(decoding: type, as: UTF8.self).lowercased().contains(text: "ld+json")
    }

    private mutating func addRawText(_ start: Int, _ end: Int, _ trait: Tag.Traits) {
        let from = tree.text.count
        let content = UnsafeBufferPointer(rebasing: source[start..<end])
        if trait.contains(.escapableText) {
            TextDecoding.append(content, to: &tree.text, inAttribute: false)
        } else {
            tree.text.append(contentsOf: content)
        }
        tree.nodes.append(
            .init(
                tag: .text, parent: Int32(builder.current), end: Int32(tree.nodes.count + 1), start: Int32(from),
                stop: Int32(tree.text.count)))
    }

    /// Goes behind the end tag of an element whose content is not markup.
    ///
    /// - Returns: where the end tag begins; the end of the page if there is none.
    @discardableResult
    private mutating func skipRawText(_ tag: Tag) -> Int {
        let name = Tag.names[Int(tag.rawValue)]
        var at = place
        var isEscaped = false
        /// Up to where comment marks were looked for, and whether one is open there.
        var checked = place
        var isInComment = false
        while true {
            at = find(UInt8(ascii: "<"), from: at)
            if at >= source.count {
                place = source.count
                return source.count
            }
            if at + 1 < source.count, source[at + 1] == UInt8(ascii: "/"), matches(name, at: at + 2) {
                if isEscaped {
                    isEscaped = false
                } else {
                    let end = at
                    place = at + 2 + name.count
                    skipAttributes()
                    return end
                }
            } else if tag == .script, matches(name, at: at + 1) {
                trackComment(to: at, &checked, &isInComment)
                if !isInComment {
                    at += 1
                    continue
                }
                // The "script data double escaped" state: `<!-- <script>` needs an end tag of its own.
                isEscaped = true
            }
            at += 1
        }
    }

    private func matches(_ name: [UInt8], at start: Int) -> Bool {
        guard start + name.count < source.count else { return false }
        for index in 0..<name.count where lowered(source[start + index]) != name[index] { return false }
        return isSpace(source[start + name.count]) || source[start + name.count] == UInt8(ascii: ">")
            || source[start + name.count] == UInt8(ascii: "/")
    }

    /// Follows the marks `<!--` and `-->` up to a place; every byte is looked at once.
    private func trackComment(to end: Int, _ checked: inout Int, _ isInComment: inout Bool) {
        while checked + 2 < end {
            if isInComment {
                if source[checked] == 0x2D, source[checked + 1] == 0x2D, source[checked + 2] == UInt8(ascii: ">") {
                    isInComment = false
                }
            } else if source[checked] == UInt8(ascii: "<"), checked + 3 < end, source[checked + 1] == UInt8(ascii: "!"),
                source[checked + 2] == 0x2D, source[checked + 3] == 0x2D
            {
                isInComment = true
            }
            checked += 1
        }
    }

    private mutating func closeForeign() {
        while builder.isForeign { close() }
    }

    private mutating func end(_ tag: Tag) {
        if builder.isForeign {
            if tag == .svg || tag == .math {
                closeThrough(tag)
            } else if tag == .other || !traits[Int(tag.rawValue)].contains(.closesParagraph) {
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
