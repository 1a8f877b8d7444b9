/// The elements of an SVG file that have an id.
struct SpriteFile {
    private static let depthLimit = 512
    private static let spanLimit = 64

    private static let sheetLimit = 64 << 10

    private let bytes: [UInt8]
    private var spans: [[UInt8]: Range<Int>] = [:]
    /// The text of its `style` elements, which style what is taken from it.
    let sheet: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        spans = bytes.withUnsafeBufferPointer(Self.read)
        sheet = bytes.withUnsafeBufferPointer(Self.readSheet)
    }

    private static func readSheet(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var sheet: [UInt8] = []
        var tokens = HTMLTokenizer(bytes, isXML: true, keepsAttributes: false)
        var isInside = false
        while tokens.next(), sheet.count <= sheetLimit {
            switch tokens.kind {
            case .startTag: isInside = tokens.element == .style && !tokens.isSelfClosing
            case .endTag: isInside = false
            case .text where isInside:
                let text = UnsafeBufferPointer(rebasing: bytes[tokens.start..<tokens.end])
                sheet += CharacterReferences.decoded(text, in: .text)
            case .cdata where isInside: sheet += bytes[tokens.innerStart..<tokens.innerEnd]
            default: break
            }
        }
        return sheet.count <= sheetLimit && isClosed(sheet) ? sheet : []
    }

    /// Whether each brace has its other one, so that the sheet can stand in a block.
    private static func isClosed(_ sheet: [UInt8]) -> Bool {
        var depth = 0
        for byte in sheet {
            if byte == UInt8(ascii: "{") { depth += 1 }
            if byte == UInt8(ascii: "}") { depth -= 1 }
            if depth < 0 { return false }
        }
        return depth == 0 && sheet.contains(UInt8(ascii: "{"))
    }

    /// The ids of elements that were found by `spans`.
    func ids(of found: [Range<Int>]) -> [[UInt8]] {
        spans.filter { found.contains($0.value) }.map(\.key).sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> [[UInt8]: Range<Int>] {
        var spans: [[UInt8]: Range<Int>] = [:]
        var open: [(start: Int, id: [UInt8]?)] = []
        /// The number of open elements beyond those in `open`.
        var uncounted = 0
        var tokens = HTMLTokenizer(bytes, isXML: true)
        while tokens.next() {
            switch tokens.kind {
            case .startTag:
                let id = tokens.value(of: .id)
                if tokens.isSelfClosing {
                    if let id, spans[id] == nil { spans[id] = tokens.start..<tokens.end }
                } else if open.count < depthLimit {
                    open.append((tokens.start, id))
                } else {
                    uncounted += 1
                }
            case .endTag:
                if uncounted > 0 {
                    uncounted -= 1
                } else if let (start, id) = open.popLast(), let id, spans[id] == nil {
                    spans[id] = start..<tokens.end
                }
            default: break
            }
        }
        return spans
    }

    /// The element with an id, and the elements that it refers to by `#id`, in the order of the file. None contains
    /// another.
    ///
    /// - Returns: `nil` if there is no such element.
    func spans(of id: [UInt8]) -> [Range<Int>]? {
        guard let first = spans[id] else { return nil }
        var found = [first]
        var next = 0
        while next < found.count, found.count < Self.spanLimit {
            for name in names(in: found[next]) {
                guard let span = spans[name], !found.contains(where: { $0.contains(span.lowerBound) }) else { continue }
                found.append(span)
            }
            next += 1
        }
        // An element that was found later may contain an earlier one.
        return found.filter { span in
            !found.contains { $0 != span && $0.lowerBound <= span.lowerBound && $0.upperBound >= span.upperBound }
        }.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The texts from a `#` to the end of a value, at most 64.
    private func names(in span: Range<Int>) -> [[UInt8]] {
        var names: [[UInt8]] = []
        var place = span.lowerBound
        while place < span.upperBound, names.count < Self.spanLimit {
            place += 1
            guard bytes[place - 1] == 0x23 else { continue }
            let name = bytes[place..<span.upperBound].prefix(256).prefix {
                $0 > 0x20 && $0 != 0x22 && $0 != 0x27 && $0 != 0x29 && $0 != 0x26
            }
            if spans[Array(name)] != nil { names.append(Array(name)) }
            place = name.endIndex
        }
        return names
    }
}
