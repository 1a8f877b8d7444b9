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

    /// - Parameter bytes: must outlive the events.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        tokenizer = HTMLTokenizer(bytes, isXML: true)
        lines = LineCounter(bytes)
    }

    /// Reads a file in the encoding that it declares.
    static func read(_ bytes: [UInt8], _ take: (inout XMLEvents) throws -> Void) throws {
        let encoding = CharacterEncoding.ofPage(bytes, contentType: nil)
        let text =
            encoding.encoding == .utf8 || encoding.certainty == .guessed
            ? ImportText(bytes).bytes : encoding.encoding.decode(bytes).utf8
        try text.withUnsafeBufferPointer { buffer in
            var events = XMLEvents(buffer)
            try take(&events)
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
                let name = self.name(tokenizer.innerStart, tokenizer.innerEnd)
                if tokenizer.isSelfClosing { pendingEnd = name }
                return .start(
                    name,
                    tokenizer.attributes.map {
                        (
                            ImportedEntry.cutName(bytes[$0.nameStart..<$0.nameEnd]),
                            decoded($0.valueStart, $0.valueEnd, in: .attribute)
                        )
                    })
            case .endTag: return .end(name(tokenizer.innerStart, tokenizer.innerEnd))
            case .text: return .text(decoded(tokenizer.start, tokenizer.end, in: .text))
            case .cdata: return .text(string(tokenizer.innerStart, tokenizer.innerEnd))
            default: continue
            }
        }
        return nil
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

    private func name(_ start: Int, _ end: Int) -> String { ImportedEntry.cutName(bytes[start..<end]).lowercased() }

    private func decoded(_ start: Int, _ end: Int, in place: CharacterReferences.Place) -> String {
        String(
            decoding: CharacterReferences.decoded(UnsafeBufferPointer(rebasing: bytes[start..<end]), in: place),
            as: UTF8.self)
    }
}
