import Characters
internal import HTML

/// One pass through the tokens of a page, which writes its Markdown.
struct MarkupWalk {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var tokenizer: HTMLTokenizer
    private(set) var lines = MarkdownLines()
    private(set) var lost: [String] = []
    private var line = MarkdownInline()
    private var heading = 0
    /// Whether the position is in a drawing or a formula, whose contents are left out.
    private var isInForeignContent = false
    /// The tokenizer reads the words of a formula as HTML.
    private var isInFormula = false
    private var pre: Preformatted?
    private var code: (bytes: [UInt8], depth: Int)?
    /// Open levels: quotes, lists and items.
    private var levels: [MarkupTag] = []
    /// The number of open levels beyond the limit.
    private var deeperLevels = 0
    private static let levelLimit = 200
    private var tables = TableKinds()
    private var table: MarkdownTable?
    /// Whether each open table contains data.
    private var openTables: [Bool] = []

    private struct Preformatted {
        var bytes: [UInt8] = []
        var language: [UInt8] = []
        var depth = 1
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        tokenizer = HTMLTokenizer(bytes)
        tables = TableKinds(bytes)
    }

    mutating func run() {
        while tokenizer.next() {
            let wasInForeignContent = isInForeignContent
            isInForeignContent = tokenizer.isInForeignContent
            if wasInForeignContent, isInForeignContent || tokenizer.kind == .endTag {
                if tokenizer.kind == .endTag, tag() == .formula { isInFormula = false }
                continue
            }
            if isInFormula {
                let isTag = tokenizer.kind == .startTag || tokenizer.kind == .endTag
                // A block ends elements without an end tag.
                guard isTag, tag() == .formula || tag().isBlock else { continue }
                isInFormula = false
                if tag() == .formula { continue }
            }
            switch tokenizer.kind {
            case .text, .cdata: addText(tokenizer.kind == .text)
            case .rawText: rawText()
            case .startTag: start()
            case .endTag: end(tag())
            case .comment: lose("comments in HTML")
            default: break
            }
        }
        endCode()
        endPre()
        flush()
        endTable()
    }

    private func tag() -> MarkupTag { MarkupTag(tokenizer.element) }

    private mutating func lose(_ name: String?) {
        if let name, !lost.contains(name) { lost.append(name) }
    }

    // MARK: Text

    private mutating func addText(_ hasReferences: Bool) {
        let raw = UnsafeBufferPointer(
            rebasing: hasReferences
                ? bytes[tokenizer.start..<tokenizer.end] : bytes[tokenizer.innerStart..<tokenizer.innerEnd])
        let text = hasReferences ? CharacterReferences.decoded(raw, in: .text) : Array(raw)
        if pre != nil {
            pre?.bytes += text
        } else if code != nil {
            code?.bytes += text
        } else {
            line.add(text)
        }
    }

    /// Adds raw text if its element shows it.
    private mutating func rawText() {
        switch tokenizer.element {
        case .xmp, .plaintext: pre?.bytes += Array(bytes[tokenizer.start..<tokenizer.end])
        default: break
        }
    }

    // MARK: Tags

    private mutating func start() {
        let tag = tag()
        if tag == .formula {
            isInFormula = !tokenizer.isSelfClosing
            // The formula as a line of text, which most programs write too.
            if let words = attribute("alttext"), !words.isEmpty { return line.add(Array(words.utf8)) }
        }
        if tag != .input { lose(tag.lossName) }
        for name in ["data-citation", "data-annotation"] where attribute(name) != nil { lose("\(name) in HTML") }
        if pre != nil {
            if tag == .pre { pre?.depth += 1 }
            if tag == .lineBreak { pre?.bytes.append(0x0A) }
            if tag == .code, let name = language() { pre?.language = name }
            if tag == .image || tag == .link { lose("links and images in code") }
            if !tag.isBlock || tag == .block { return }
            if tag != .pre { endPre() } else { return }
        }
        if code != nil {
            if tag == .code { code?.depth += 1 }
            if tag == .lineBreak { code?.bytes.append(0x20) }
            if !tag.isBlock, tag != .image { return }
            endCode()
        }
        if tag.isBlock { startBlock(tag) } else { startInline(tag) }
    }

    private mutating func startInline(_ tag: MarkupTag) {
        switch tag {
        case .link: line.open(.link, target: target("href") ?? [])
        case .lineBreak: line.breakLine(heading > 0 ? [0x20] : table != nil ? Array("<br>".utf8) : Array("\\\n".utf8))
        case .image: image()
        case .code: code = ([], 1)
        case .video, .audio, .frame, .object, .source: media(tag)
        case .input:
            if attribute("type")?.lowercased() == "checkbox" {
                line.addMarkdown(Array((attribute("checked") != nil ? "[x] " : "[ ] ").utf8))
            } else if attribute("type")?.lowercased() != "hidden" {
                lose(tag.lossName)
            }
        case .bold, .italic, .strike, .sub, .sup, .underline, .mark, .inserted: line.open(tag)
        default: break
        }
    }

    private mutating func startBlock(_ tag: MarkupTag) {
        if table != nil { return startInTable(tag) }
        flush()
        switch tag {
        case .h1, .h2, .h3, .h4, .h5, .h6: heading = Int(tag.rawValue - MarkupTag.h1.rawValue) + 1
        case .quote: open(tag) { $0.openQuote() }
        case .list: open(tag) { $0.openList(from: nil) }
        case .numbered:
            let first = attribute("start").flatMap { Int($0) } ?? 1
            if attribute("reversed") != nil { lose("reversed numbers of lists in HTML") }
            open(tag) { $0.openList(from: min(max(first, 0), 999_999_999)) }
        case .item:
            // An item without an end tag ends at the next one.
            if let last = levels.last(where: { [.item, .list, .numbered].contains($0) }), last == .item {
                close(.item)
            }
            open(tag) { $0.openItem() }
        case .pre: pre = Preformatted(language: language() ?? [])
        case .rule: lines.add([Array("---".utf8)])
        case .term: line.open(.bold)
        case .table:
            let isData = tables.next()
            openTables.append(isData)
            if isData { table = MarkdownTable() } else { lose("tables that lay out a page in HTML") }
        default: break
        }
        if lines.isTooDeep { lose("levels of quotes and lists beyond \(MarkdownLines.levelLimit) in HTML") }
    }

    private mutating func open(_ tag: MarkupTag, _ body: (inout MarkdownLines) -> Void) {
        if levels.count >= Self.levelLimit {
            deeperLevels += 1
            return
        }
        levels.append(tag)
        body(&lines)
    }

    /// Ends a level and those opened within it.
    private mutating func close(_ tag: MarkupTag) {
        if deeperLevels > 0 {
            deeperLevels -= 1
            return
        }
        guard let place = levels.lastIndex(of: tag) else { return }
        for _ in place..<levels.count { lines.close() }
        levels.removeSubrange(place...)
    }

    private mutating func end(_ tag: MarkupTag) {
        if pre != nil {
            if tag == .pre {
                pre?.depth -= 1
                if pre?.depth == 0 { endPre() }
            }
            return
        }
        if code != nil {
            if tag == .code {
                code?.depth -= 1
                if code?.depth == 0 { endCode() }
                return
            }
            if !tag.isBlock { return }
            endCode()
        }
        if !tag.isBlock {
            line.close(tag)
        } else if table != nil {
            endInTable(tag)
        } else {
            endBlock(tag)
        }
    }

    private mutating func endBlock(_ tag: MarkupTag) {
        if tag == .term {
            flush()
            line.close(.bold)
            return
        }
        flush()
        switch tag {
        case .quote, .list, .numbered, .item: close(tag)
        case .table: if !openTables.isEmpty { openTables.removeLast() }
        default: break
        }
    }

    /// Writes the line as a paragraph or a heading.
    private mutating func flush() {
        let text = line.take()
        defer { heading = 0 }
        if text.isEmpty { return }
        if heading > 0 {
            lines.add([Array(repeating: UInt8(ascii: "#"), count: heading) + [0x20] + text])
        } else {
            lines.add(text.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) })
        }
    }

    // MARK: Code

    private func language() -> [UInt8]? { attribute("class").flatMap(MarkdownCode.language(ofClass:)) }

    private mutating func endPre() {
        guard let block = pre else { return }
        pre = nil
        let written = MarkdownCode.block(block.bytes, language: block.language)
        if !written.isEmpty { lines.add(written) }
    }

    private mutating func endCode() {
        guard let found = code else { return }
        code = nil
        let text = MarkdownCode.span(found.bytes)
        if text.isEmpty { return line.add([0x20]) }
        if found.bytes.first.map({ $0 <= 0x20 }) == true { line.add([0x20]) }
        line.addMarkdown(text)
        if found.bytes.last.map({ $0 <= 0x20 }) == true { line.add([0x20]) }
    }

    // MARK: Links and images

    /// The first attribute with a name, decoded; empty if it has no value.
    private func attribute(_ name: String) -> String? {
        for attribute in tokenizer.attributes where attribute.nameEnd - attribute.nameStart == name.utf8.count {
            let isIt = zip(bytes[attribute.nameStart..<attribute.nameEnd], name.utf8).allSatisfy {
                $0.lowercased == $1
            }
            if !isIt { continue }
            let value = UnsafeBufferPointer(rebasing: bytes[attribute.valueStart..<attribute.valueEnd])
            return String(decoding: CharacterReferences.decoded(value, in: .attribute), as: UTF8.self)
        }
        return nil
    }

    /// An attribute's address for a link in Markdown; `nil` if there is none, or it would run a script.
    private mutating func target(_ name: String) -> [UInt8]? { attribute(name).flatMap { address($0) } }

    private mutating func address(_ value: String) -> [UInt8]? {
        switch MarkdownAddress(value) {
        case .written(let address): return address
        case .runsScript: lose("links that run a script in HTML")
        case .empty: break
        }
        return nil
    }

    private static func words(_ text: String) -> [UInt8] {
        var inline = MarkdownInline()
        inline.add(Array(text.utf8))
        return inline.take()
    }

    private mutating func image() {
        guard let address = pictureAddress() else { return }
        line.addMarkdown(
            Array("![".utf8) + Self.words(attribute("alt") ?? "") + Array("](".utf8) + address + Array(")".utf8))
    }

    /// The most likely address of a picture. The `src` of a lazy picture is a placeholder, often a `data:` URL; the last
    /// address of a `srcset` is usually the largest picture.
    private mutating func pictureAddress() -> [UInt8]? {
        for name in AttributeName.lateSources + [.src] {
            if let found = target(name.spelling), name != .src || !found.starts(with: "data:".utf8) { return found }
        }
        for name in [.srcset] + AttributeName.lateSourceSets {
            guard let set = attribute(name.spelling).map({ Array($0.utf8) }) else { continue }
            for candidate in SourceSet.candidates(set).reversed() {
                let url = String(decoding: set[candidate.url], as: UTF8.self)
                if let found = address(url), !found.starts(with: "data:".utf8) { return found }
            }
        }
        return target("src")
    }

    /// Adds a link to a video, a sound or an embedded page.
    private mutating func media(_ tag: MarkupTag) {
        guard let address = target("src") ?? target("data") else { return }
        let name =
            switch tag {
            case .video: "video"
            case .audio: "audio"
            case .frame: "embedded page"
            case .source: "file"
            default: "embedded file"
            }
        line.addMarkdown(Array("[\(name)](".utf8) + address + Array(")".utf8))
        line.add([0x20])
    }

    // MARK: Tables

    private mutating func startInTable(_ tag: MarkupTag) {
        switch tag {
        case .row:
            endCell()
            table?.beginRow()
        case .headerCell, .cell:
            endCell()
            for name in ["colspan", "rowspan"] where (attribute(name).flatMap { Int($0) } ?? 1) > 1 {
                lose("cells over several rows or columns in HTML")
            }
            table?.isInCell = true
        case .table:
            _ = tables.next()
            openTables.append(false)
        case .pre: break
        default: if table?.isInCell == true { line.breakLine(Array("<br>".utf8)) }
        }
    }

    private mutating func endInTable(_ tag: MarkupTag) {
        switch tag {
        case .headerCell, .cell: endCell()
        case .row: endCell()
        case .table:
            if !openTables.isEmpty { openTables.removeLast() }
            endTable()
        default: if table?.isInCell == true { line.breakLine(Array("<br>".utf8)) }
        }
    }

    private mutating func endCell() {
        guard let isInCell = table?.isInCell else { return }
        let text = line.take()
        if isInCell {
            table?.addCell(text)
        } else if !text.isEmpty {
            // A caption, or text outside of cells.
            lines.add([text])
        }
        table?.isInCell = false
    }

    private mutating func endTable() {
        guard table != nil else { return }
        endCell()
        let rows = table?.lines() ?? []
        table = nil
        if !rows.isEmpty { lines.add(rows) }
    }
}
