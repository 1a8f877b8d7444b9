import Characters
internal import Characters

/// The line of a block under construction: white space collapsed, signs of emphasis around words, links.
struct MarkdownInline {
    private struct Open {
        let tag: MarkupTag
        /// The start of its sign in the line; `nil` until it is written.
        var start: Int?
        var target: [UInt8] = []
    }

    private(set) var bytes: [UInt8] = []
    private var opened: [Open] = []
    /// Open elements of a kind that is open already, or beyond the limit.
    private var ignored: [MarkupTag: Int] = [:]
    private var hasSpace = false
    private var pendingBreak: [UInt8] = []
    private static let limit = 16

    var isEmpty: Bool { bytes.isEmpty }

    // MARK: Elements

    mutating func open(_ tag: MarkupTag, target: [UInt8] = []) {
        if opened.count >= Self.limit || opened.contains(where: { $0.tag == tag }) {
            ignored[tag, default: 0] += 1
        } else {
            opened.append(Open(tag: tag, target: target))
        }
    }

    mutating func close(_ tag: MarkupTag) {
        if let count = ignored[tag], count > 0 {
            ignored[tag] = count - 1
            return
        }
        guard let place = opened.lastIndex(where: { $0.tag == tag }) else { return }
        closeSigns(from: place)
        opened.remove(at: place)
    }

    /// Ends the signs from the innermost to `place`. Signs that stay open begin again with the next word.
    private mutating func closeSigns(from place: Int) {
        for index in opened.indices.reversed() where index >= place {
            guard let start = opened[index].start else { continue }
            opened[index].start = nil
            let tag = opened[index].tag
            let sign = tag == .link ? "[" : tag.sign?.open ?? ""
            if bytes.count == start + sign.utf8.count {
                bytes.removeLast(sign.utf8.count)
            } else if tag == .link {
                bytes += Array("](".utf8) + opened[index].target + Array(")".utf8)
                // A link does not continue in another block.
                opened[index].target = []
            } else {
                bytes += Array((tag.sign?.close ?? "").utf8)
            }
        }
    }

    private mutating func beginWord() {
        if !pendingBreak.isEmpty {
            bytes += pendingBreak
            pendingBreak = []
        } else if hasSpace, !bytes.isEmpty, bytes.last != 0x20, bytes.last != 0x0A {
            bytes.append(0x20)
        }
        hasSpace = false
        for index in opened.indices where opened[index].start == nil {
            if opened[index].tag == .link {
                if opened[index].target.isEmpty { continue }
                opened[index].start = bytes.count
                bytes.append(UInt8(ascii: "["))
            } else if let sign = opened[index].tag.sign {
                opened[index].start = bytes.count
                bytes += Array(sign.open.utf8)
            }
        }
    }

    // MARK: Words

    /// Adds text; its white space becomes single spaces.
    mutating func add(_ text: [UInt8]) {
        var at = 0
        while at < text.count {
            if Self.isSpace(text[at]) {
                hasSpace = true
                at += 1
                continue
            }
            var end = at
            while end < text.count, !Self.isSpace(text[end]) { end += 1 }
            beginWord()
            escape(text, at..<end)
            at = end
        }
    }

    /// Adds text that is already Markdown: an image, code.
    mutating func addMarkdown(_ markdown: [UInt8]) {
        if markdown.isEmpty { return }
        beginWord()
        bytes += markdown
    }

    /// Ends the line within its block, if more follows.
    mutating func breakLine(_ sign: [UInt8]) {
        hasSpace = false
        if bytes.isEmpty { return }
        closeSigns(from: 0)
        pendingBreak = sign
    }

    /// Returns the line and begins the next one.
    mutating func take() -> [UInt8] {
        closeSigns(from: 0)
        hasSpace = false
        pendingBreak = []
        while bytes.last == 0x20 { bytes.removeLast() }
        defer { bytes = [] }
        return bytes
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }

    // MARK: Escapes

    /// Adds a word, with a backslash before characters that Markdown would read as a sign.
    private mutating func escape(_ text: [UInt8], _ word: Range<Int>) {
        let isLineStart = bytes.isEmpty || bytes.last == 0x0A
        for at in word {
            let byte = text[at]
            let next = at + 1 < word.upperBound ? text[at + 1] : 0
            let isFirst = at == word.lowerBound
            var isSign = false
            switch byte {
            case UInt8(ascii: "*"), UInt8(ascii: "`"): isSign = true
            case UInt8(ascii: "_"): isSign = isFirst || next == 0
            case UInt8(ascii: "~"): isSign = next == byte
            case UInt8(ascii: "\\"): isSign = next == 0 || Self.isSign(next)
            case UInt8(ascii: "["): isSign = true
            case UInt8(ascii: "]"): isSign = true
            case UInt8(ascii: "<"): isSign = next == 0x2F || next == 0x21 || next == 0x3F || next.isLetter
            case UInt8(ascii: "&"): isSign = next == 0x23 || next.isLetter
            case UInt8(ascii: "#"):
                isSign = isLineStart && isFirst && word.count <= 6 && text[word].allSatisfy { $0 == byte }
            case UInt8(ascii: ">"): isSign = isLineStart && isFirst
            case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="):
                isSign = isLineStart && isFirst && text[word].allSatisfy { $0 == byte }
            case UInt8(ascii: "."), UInt8(ascii: ")"):
                isSign =
                    isLineStart && at == word.upperBound - 1 && !isFirst && word.count <= 10
                    && text[word.lowerBound..<at].allSatisfy(\.isDigit)
            default: break
            }
            if byte < 0x20 || byte == 0x7F { continue }
            if isSign { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !byte.isLetter && !byte.isDigit
    }
}
