/// What sheets ask of custom elements: the names in `:state(NAME)`, and `:defined`.
package struct ElementSelectors {
    package private(set) var states: [String] = []
    package private(set) var namesDefined = false

    private static let limit = 100

    package init() {}

    /// Reads one more sheet.
    package mutating func read(_ sheet: [UInt8]) {
        sheet.withUnsafeBufferPointer { bytes in
            var tokens = CSSTokenizer(bytes)
            while tokens.next() {
                guard tokens.kind == .colon else { continue }
                if let name = tokens.stateName()?.name {
                    let name = String(decoding: name, as: UTF8.self)
                    if states.count < Self.limit, !states.contains(name) { states.append(name) }
                } else if tokens.isBefore("defined") {
                    namesDefined = true
                }
            }
        }
    }
}

extension CSSTokenizer {
    /// The name in `:state(NAME)`, whose colon is the current token, and the tokenizer at its closing bracket.
    func stateName() -> (name: [UInt8], end: CSSTokenizer)? {
        guard end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "s") else { return nil }
        var ahead = self
        var name: [UInt8]?
        guard ahead.next(), ahead.kind == .function,
            CSSText.equals("state", bytes, ahead.innerStart, ahead.innerEnd)
        else { return nil }
        while ahead.next(), ahead.kind != .close {
            if ahead.kind == .space { continue }
            guard ahead.kind == .identifier, name == nil else { return nil }
            name = CSSText.decoded(bytes, ahead.start, ahead.end)
        }
        guard let name, ahead.kind == .close else { return nil }
        return (name, ahead)
    }

    /// Whether a name in lower case is next; its first letter is not escaped.
    func isBefore(_ name: StaticString) -> Bool {
        guard end < bytes.count, bytes[end] | 0x20 == name.withUTF8Buffer({ $0.first }) else { return false }
        var ahead = self
        return ahead.next() && ahead.kind == .identifier && CSSText.equals(name, bytes, ahead.start, ahead.end)
    }
}
