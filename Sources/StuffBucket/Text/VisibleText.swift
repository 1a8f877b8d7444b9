internal import HTML

/// What a person sees of an HTML page, as text: for searching, not for showing.
///
/// Tags are dropped, those of blocks become line ends; scripts, styles, templates, drawings and the head are left out;
/// character references are decoded. It is no parser: it goes through the bytes once, forward, and takes whatever is
/// there, in the way in which the HTML Standard's tokenizer does (https://html.spec.whatwg.org/#tokenization). The text
/// is longer than the page, decoded, by a fifth at the most.
public enum VisibleText {
    /// Bytes of a page that are looked at: 16 MiB.
    public static let byteLimit = 16 << 20

    /// The text of a page in UTF-8; bytes that are not of the page's encoding become U+FFFD or stay as they are.
    public static func of(_ page: [UInt8]) -> [UInt8] {
        let page = utf8(page.count > byteLimit ? Array(page[..<byteLimit]) : page)
        // A reference of five bytes, `&nGt;`, may become six.
        return [UInt8](unsafeUninitializedCapacity: page.count + page.count / 5 + 8) { output, count in
            guard let to = output.baseAddress else { return }
            page.withUnsafeBufferPointer { bytes in
                guard let from = bytes.baseAddress else { return }
                var scanner = PageScanner(from, bytes.count, to)
                scanner.run()
                count = scanner.written
            }
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

/// One pass through a page's bytes.
private struct PageScanner {
    private let bytes: UnsafePointer<UInt8>
    private let count: Int
    private let output: UnsafeMutablePointer<UInt8>
    private(set) var written = 0
    private var at = 0
    /// The element whose content is left out, and how many of its name are open; 0 if none.
    private var skipped: UInt64 = 0
    private var depth = 0
    /// Whether the rest has no `]]>`, so that it is looked for once.
    private var hasNoSectionEnd = false
    private let elements = PageElements.shared

    init(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ output: UnsafeMutablePointer<UInt8>) {
        self.bytes = bytes
        self.count = count
        self.output = output
    }

    mutating func run() {
        while at < count {
            let start = at
            while at < count, bytes[at] != 0x3C, bytes[at] != 0x26 { at &+= 1 }
            copy(start, at)
            if at >= count { return }
            if bytes[at] == 0x26 { reference() } else { markup() }
        }
    }

    private mutating func copy(_ start: Int, _ end: Int) {
        if skipped != 0 || end <= start { return }
        (output + written).update(from: bytes + start, count: end - start)
        written += end - start
    }

    private mutating func put(_ byte: UInt8) {
        if skipped != 0 { return }
        output[written] = byte
        written += 1
    }

    private mutating func lineEnd() {
        if written > 0, output[written - 1] != 0x0A { put(0x0A) }
    }

    // MARK: Markup

    private mutating func markup() {
        let next = at + 1 < count ? bytes[at + 1] : 0
        if Self.isLetter(next) {
            tag(isEnd: false)
        } else if next == 0x2F {
            if at + 2 < count, Self.isLetter(bytes[at + 2]) { tag(isEnd: true) } else { leave(after: 0x3E) }
        } else if next == 0x21 {
            declaration()
        } else if next == 0x3F {
            leave(after: 0x3E)
        } else {
            put(0x3C)
            at += 1
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }

    /// Moves past the next `byte`, or to the end.
    private mutating func leave(after byte: UInt8) {
        while at < count, bytes[at] != byte { at &+= 1 }
        at = min(at + 1, count)
    }

    private func stands(_ text: StaticString, _ place: Int) -> Bool {
        guard place + text.utf8CodeUnitCount <= count else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[place + index] != text.utf8Start[index] { return false }
        return true
    }

    private mutating func declaration() {
        if stands("<!--", at) {
            // `<!-->` and `<!--->` are whole comments.
            at += 4
            if stands(">", at) || stands("->", at) { return leave(after: 0x3E) }
            while at < count {
                while at < count, bytes[at] != 0x2D { at &+= 1 }
                if stands("-->", at) || stands("--!>", at) { return leave(after: 0x3E) }
                at += 1
            }
            at = min(at, count)
        } else if stands("<![CDATA[", at), !hasNoSectionEnd {
            var end = at + 9
            while end < count, !(bytes[end] == 0x5D && stands("]]>", end)) { end += 1 }
            if end < count {
                copy(at + 9, end)
                at = end + 3
            } else {
                hasNoSectionEnd = true
                leave(after: 0x3E)
            }
        } else {
            leave(after: 0x3E)
        }
    }

    private mutating func tag(isEnd: Bool) {
        at += isEnd ? 2 : 1
        var name: UInt64 = 0
        var length = 0
        while at < count {
            let byte = bytes[at]
            if byte == 0x3E || byte == 0x2F || byte <= 0x20 { break }
            if length < 8 { name |= UInt64(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) << UInt64(length * 8) }
            length += 1
            at += 1
        }
        let isClosed = attributes()
        let kind = elements.kind(name)
        if skipped != 0 {
            if isEnd ? name == skipped : name == skipped && !isClosed && name != PageElements.head {
                depth += isEnd ? -1 : 1
                if depth == 0 { skipped = 0 }
                return
            }
            // A head that was never closed ends where something stands that cannot be in one.
            let isHead = skipped == PageElements.head
            if isHead, !isEnd, kind == .inline || kind == .block {
                skipped = 0
            } else {
                if !isEnd, !isClosed, kind == .raw || isHead && kind == .skipped { leaveRaw(name, length) }
                return
            }
        }
        switch kind {
        case .block: lineEnd()
        case .raw: if !isEnd { leaveRaw(name, length) }
        case .skipped:
            if !isEnd, !isClosed {
                skipped = name
                depth = 1
            }
        case .inline, .inHead: break
        }
    }

    /// Moves past the tag's `>`. Quotes count only where a value begins.
    ///
    /// - Returns: whether the tag ends `/>`.
    private mutating func attributes() -> Bool {
        while at < count {
            let byte = bytes[at]
            at &+= 1
            if byte == 0x3E { return at >= 2 && bytes[at - 2] == 0x2F }
            if byte != 0x3D { continue }
            while at < count, bytes[at] <= 0x20 { at &+= 1 }
            if at < count, bytes[at] == 0x22 || bytes[at] == 0x27 {
                let quote = bytes[at]
                at += 1
                leave(after: quote)
            } else {
                while at < count, bytes[at] > 0x20, bytes[at] != 0x3E { at &+= 1 }
            }
        }
        return false
    }

    /// Moves past the end tag of an element that holds no markup, or to the end.
    private mutating func leaveRaw(_ name: UInt64, _ length: Int) {
        while at < count {
            while at < count, bytes[at] != 0x3C { at &+= 1 }
            if at + 2 + length <= count, bytes[at + 1] == 0x2F, isName(name, length, at + 2) {
                at += 2 + length
                _ = attributes()
                return
            }
            at += 1
        }
        at = count
    }

    private func isName(_ name: UInt64, _ length: Int, _ place: Int) -> Bool {
        for index in 0..<min(length, 8) {
            let wanted = UInt8(truncatingIfNeeded: name >> UInt64(index * 8))
            if bytes[place + index] | 0x20 != wanted { return false }
        }
        let end = place + length
        return end >= count || bytes[end] <= 0x20 || bytes[end] == 0x3E || bytes[end] == 0x2F
    }

    // MARK: Character references

    private mutating func reference() {
        guard
            let reference = CharacterReferences.reference(
                in: UnsafeBufferPointer(start: bytes, count: count), at: at, .text)
        else {
            put(0x26)
            at += 1
            return
        }
        if skipped == 0 { written += reference.write(to: output + written) }
        at += reference.byteCount
    }
}
