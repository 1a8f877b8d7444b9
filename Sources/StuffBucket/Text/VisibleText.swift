internal import Characters
internal import HTML

/// The visible text of an HTML page: for searching, not for showing.
///
/// Tags are dropped, and tags of blocks become line ends. Scripts, styles, titles, templates and `noscript` are left out, and of
/// drawings all but their texts. Readings of characters (`rt`) follow the line that they are in, so that they do not part its words, and
/// their parentheses (`rp`) are left out. A template that declares a shadow root is shown. Character references are decoded. There is no tree: one pass reads the tokens. The text is longer than the
/// decoded page by a fifth at most.
package enum VisibleText: Sendable {
    /// Bytes of a page that are read: 16 MiB.
    package static let byteLimit = 16 << 20

    /// The text of a page in UTF-8. Bytes that are invalid in the encoding of the page become U+FFFD or stay unchanged.
    package static func of(_ page: [UInt8]) -> [UInt8] {
        let page = utf8(page.count > byteLimit ? Array(page[..<byteLimit]) : page)
        return page.withUnsafeBufferPointer { bytes in
            var reading = TextReading(bytes)
            reading.run()
            return reading.output
        }
    }

    /// The frames of a page whose text it shows too: documents in `srcdoc`, and paths of files beside the page.
    package static func frames(of page: [UInt8]) -> [(document: [UInt8]?, path: String)] {
        guard page.firstRange(ofBytes: "rame") != nil || page.firstRange(ofBytes: "RAME") != nil else { return [] }
        return FrameInlining.frames(of: utf8(page.count > byteLimit ? Array(page[..<byteLimit]) : page)).map {
            ($0.document, String(decoding: $0.source, as: UTF8.self))
        }
    }

    private static func utf8(_ page: [UInt8]) -> [UInt8] {
        let (encoding, certainty) = CharacterEncoding.ofPage(page, contentType: nil)
        if encoding == .utf8 { return page.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(page.dropFirst(3)) : page }
        // A page that was converted to UTF-8 often keeps its old encoding declaration.
        if certainty == .declared, encoding != .iso2022JP, UTF8Text.isWellFormed(page) { return page }
        return encoding.decode(page).utf8
    }
}

/// Collects the text of one page from its tokens.
private struct TextReading {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var tokens: HTMLTokenizer
    private(set) var output: [UInt8] = []
    /// The number of open `template` elements that are not shown, and of those in them.
    private var templateDepth = 0
    /// The number of open elements with text in drawings: labels of charts.
    private var labelDepth = 0
    private var formula = FormulaMarks()
    /// The `rt` or `rp` that is open; `nil` outside of both.
    private var reading: HTMLElement?
    /// The readings of characters in the current line, a space before each.
    private var readings: [UInt8] = []
    /// Whether the text that follows is raised, behind a number.
    private var mayBePower = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        // Readers of the page may run its scripts, so `noscript` is not visible.
        tokens = HTMLTokenizer(bytes, isScripting: true, keepsAttributes: false)
        output.reserveCapacity(bytes.count / 4)
    }

    mutating func run() {
        while tokens.next() {
            switch tokens.kind {
            case .text: if isShown { addText() }
            case .rawText: if isShown { addRawText() }
            case .cdata: if isShown { output.append(contentsOf: span(tokens.innerStart, tokens.innerEnd)) }
            case .startTag: start(tokens.element)
            case .endTag: end(tokens.element)
            case .comment, .doctype, .nothing, .processingInstruction, .end: break
            }
        }
        if !readings.isEmpty {
            output.append(0x0A)
            endReadings()
        }
    }

    private var isShown: Bool { templateDepth == 0 && (!tokens.isInDrawing || labelDepth > 0) }

    private func span(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    private mutating func addText() {
        let text = span(tokens.start, tokens.end)
        // Before the first word, white space is only layout of the source of the head.
        if output.isEmpty, text.allSatisfy({ $0 <= 0x20 }) { return }
        if formula.isOpen, formula.isSource { return }
        if let reading {
            if reading == .rt { CharacterReferences.append(text, in: .text, to: &readings) }
            return
        }
        // Ten to the sixth is not the number 106.
        if mayBePower, let first = text.first, first.isDigit || first == 0x2D || text.starts(with: "−".utf8) {
            output.append(UInt8(ascii: "^"))
        }
        mayBePower = false
        CharacterReferences.append(text, in: .text, to: &output)
    }

    private mutating func addRawText() {
        let text = span(tokens.innerStart, tokens.innerEnd)
        switch tokens.element {
        case .textarea: CharacterReferences.append(text, in: .text, to: &output)
        case .xmp, .plaintext: output.append(contentsOf: text)
        default: break
        }
    }

    private mutating func start(_ element: HTMLElement) {
        if element == .template, !tokens.isInForeignContent {
            if templateDepth == 0, isShadowRoot { beginLine(.div) } else { templateDepth += 1 }
        } else if tokens.isInDrawing {
            if isLabel, !tokens.isSelfClosing {
                setLabelDepth(labelDepth + 1)
            } else if labelDepth > 0 {
                beginLine(element)
            }
        } else if isShown {
            labelDepth = 0
            mayBePower = element == .sup && (output.last?.isDigit ?? false)
            if element == .math || formula.isOpen {
                formula.open(name, isMath: element == .math, isEmpty: tokens.isSelfClosing, &output)
            }
            beginLine(element)
            if element == .rt || element == .rp {
                reading = element
                if element == .rt { readings.append(0x20) }
            } else if element == .ruby || reading != nil && Self.endsReading(name) {
                reading = nil
            }
        }
    }

    private mutating func end(_ element: HTMLElement) {
        if element == .template, templateDepth > 0 || !tokens.isInForeignContent {
            // A shadow root is in no template that is open.
            if templateDepth == 0 { beginLine(.div) } else { templateDepth -= 1 }
        } else if tokens.isInDrawing {
            if isLabel, labelDepth > 0 {
                setLabelDepth(labelDepth - 1)
            } else if labelDepth > 0 {
                beginLine(element)
            }
        } else if isShown {
            labelDepth = 0
            mayBePower = false
            if formula.isOpen { formula.close(name, isMath: element == .math) }
            if element == .rt || element == .rp || element == .ruby { reading = nil }
            beginLine(element)
        }
    }

    /// Whether the current `template` tag declares a shadow root.
    private var isShadowRoot: Bool {
        var tag = HTMLTokenizer(span(tokens.start, tokens.end))
        guard tag.next(), let mode = tag.value(of: .shadowrootmode) else { return false }
        return ["open", "closed"].contains(String(decoding: mode, as: UTF8.self).lowercased())
    }

    private var isLabel: Bool {
        let name = name
        return name.elementsEqual("text".utf8)
            || name.elementsEqual("foreignObject".utf8, by: { $0 | 0x20 == $1 | 0x20 })
    }

    /// A label begins a line, and what follows it does.
    private mutating func setLabelDepth(_ depth: Int) {
        labelDepth = depth
        if let last = output.last, last != 0x0A { output.append(0x0A) }
    }

    /// The name of the current tag.
    private var name: UnsafeBufferPointer<UInt8> { span(tokens.innerStart, tokens.innerEnd) }

    private mutating func beginLine(_ element: HTMLElement) {
        guard element.isBlock || element == .br else { return }
        reading = nil
        if let last = output.last, last != 0x0A { output.append(0x0A) }
        endReadings()
    }

    /// Whether a tag of this name ends a reading that is open: `rb`, `rtc`.
    private static func endsReading(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        (2...3).contains(name.count) && ["rb", "rtc"].contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    /// Writes the readings of the line before as a line of its own.
    private mutating func endReadings() {
        if readings.isEmpty { return }
        if readings.contains(where: { $0 > 0x20 }) {
            output.append(contentsOf: readings.dropFirst())
            output.append(0x0A)
        }
        readings = []
    }
}
