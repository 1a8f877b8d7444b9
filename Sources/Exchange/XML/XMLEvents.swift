internal import HTML

/// The elements and texts of an XML file, one after the other.
///
/// A document type and its entities are skipped, and only the references of XML and HTML are resolved: a file can
/// neither expand beyond its bytes nor name another file.
struct XMLEvents {
    enum Event {
        case start(String, [(name: String, value: String)])
        case end(String)
        case text(String)
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var tokenizer: HTMLTokenizer
    private var lines: LineCounter
    /// The end event of an empty element.
    private var pendingEnd: String?
    /// How often each name space was declared, which is no attribute of its element, and the number of comments.
    private var passedOver: [String: Int] = [:]
    /// The prefix of the file's own elements, which is left out of their names: `a:` in `<a:feed xmlns:a="…">`.
    private var ownPrefix = ""
    private var hasRoot = false
    private var rootName = ""
    /// Whether the last token is the root's end.
    private(set) var isAtRootEnd = false
    /// Where a tag begins that the file's end cuts.
    private var cutTag: Int?

    /// - Parameter bytes: must outlive the events.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        tokenizer = HTMLTokenizer(bytes, isXML: true)
        lines = LineCounter(bytes)
    }

    /// Reads a file in the encoding that it declares. At its end, tells of a tag that is cut, and names the declarations
    /// of name spaces and the comments.
    static func read(_ bytes: [UInt8], _ sink: ImportSink, _ take: (inout XMLEvents) throws -> Void) throws {
        let encoding = CharacterEncoding.ofPage(bytes, contentType: nil)
        let text =
            encoding.encoding == .utf8 || encoding.certainty == .guessed
            ? ImportText(bytes).bytes : encoding.encoding.decode(bytes).utf8
        try text.withUnsafeBufferPointer { buffer in
            var events = XMLEvents(buffer)
            try take(&events)
            if let start = events.cutTag {
                try sink(.fault(ImportFault(.line(events.lines.line(of: start)), .endsWithinTag)))
            }
            for (name, count) in events.passedOver.sorted(by: { $0.key < $1.key }) {
                for _ in 0..<count { try sink(.untaken(name)) }
            }
        }
    }

    /// The line of the last element.
    var line: Int {
        mutating get { lines.line(of: tokenizer.start) }
    }

    /// Whether the current element has no contents, so that its end comes next.
    var isEmptyElement: Bool { pendingEnd != nil }
    /// The place behind the current token, and its beginning.
    var tokenEnd: Int { tokenizer.end }
    var tokenStart: Int { tokenizer.start }
    var byteCount: Int { bytes.count }

    /// A part of the file, as written.
    func source(_ start: Int, _ end: Int) -> String { string(start, end) }

    mutating func next() -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name)
        }
        while tokenizer.next() {
            switch tokenizer.kind {
            case .startTag:
                if !hasRoot { readRoot() }
                let name = self.name(tokenizer.innerStart, tokenizer.innerEnd)
                if rootName.isEmpty { rootName = name }
                isAtRootEnd = false
                if tokenizer.isSelfClosing { pendingEnd = name }
                return .start(name, attributes())
            case .endTag:
                let name = self.name(tokenizer.innerStart, tokenizer.innerEnd)
                isAtRootEnd = name.utf8.elementsEqual(rootName.utf8)
                return .end(name)
            case .text: return .text(decoded(tokenizer.start, tokenizer.end, in: .text))
            case .cdata: return .text(string(tokenizer.innerStart, tokenizer.innerEnd))
            case .comment: passedOver["comment", default: 0] += 1
            case .nothing:
                if tokenizer.end == bytes.count, tokenizer.end - tokenizer.start > 1 { cutTag = tokenizer.start }
            default: continue
            }
        }
        return nil
    }

    private mutating func attributes() -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        for attribute in tokenizer.attributes {
            let name = ImportedEntry.cutName(bytes[attribute.nameStart..<attribute.nameEnd])
            if name == "xmlns" || name.utf8.starts(with: "xmlns:".utf8) {
                passedOver[ImportedEntry.cut(name, 60), default: 0] += 1
            } else {
                attributes.append((name, decoded(attribute.valueStart, attribute.valueEnd, in: .attribute)))
            }
        }
        return attributes
    }

    /// A root with a prefix declares it for the elements of its own format. The root of RSS 1.0, `rdf:RDF`, holds others.
    private mutating func readRoot() {
        hasRoot = true
        let root = name(tokenizer.innerStart, tokenizer.innerEnd)
        guard root != "rdf:rdf", let colon = root.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
        ownPrefix = String(root[...colon])
    }

    /// The text up to the end of the current element, without markup.
    mutating func text() -> String {
        var output = ""
        var depth = 1
        while let event = next() {
            switch event {
            case .start: depth += 1
            case .end: depth -= 1
            case .text(let text): output += text
            }
            if depth == 0 { break }
        }
        return ImportText.trimmed(output)
    }

    private func string(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }

    private func name(_ start: Int, _ end: Int) -> String {
        let name = ImportedEntry.cutName(bytes[start..<end]).lowercased()
        return !ownPrefix.isEmpty && name.hasPrefix(ownPrefix) ? String(name.dropFirst(ownPrefix.count)) : name
    }

    private func decoded(_ start: Int, _ end: Int, in place: CharacterReferences.Place) -> String {
        String(
            decoding: CharacterReferences.decoded(UnsafeBufferPointer(rebasing: bytes[start..<end]), in: place),
            as: UTF8.self)
    }
}
