/// The elements of an SVG file that have an id.
struct SpriteFile {
    private static let depthLimit = 512
    private static let spanLimit = 64

    private let bytes: [UInt8]
    private var spans: [[UInt8]: Range<Int>] = [:]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        spans = bytes.withUnsafeBufferPointer(Self.read)
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
