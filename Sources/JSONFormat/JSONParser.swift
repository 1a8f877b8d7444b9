import Characters
internal import Characters

/// The recursive-descent parser of `JSONDocument`.
struct JSONParser {
    let bytes: [UInt8]
    var nodes: [JSONDocument.Node] = []
    private var offset = 0
    private let limits: JSONDocument.Limits

    init(bytes: [UInt8], limits: JSONDocument.Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func parseDocument() throws(JSONError) {
        if bytes.count > limits.byteCount {
            throw error(.byteCount(limit: limits.byteCount), found: .byteCount(bytes.count), at: 0)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        nodes.reserveCapacity(64)
        try parseValue(depth: 0, expected: .document)
        skipSpace()
        if offset < bytes.count { throw error(.endOfFile) }
    }

    private mutating func parseValue(depth: Int, expected: JSONError.Expectation) throws(JSONError) {
        skipSpace()
        guard offset < bytes.count else { throw error(expected) }
        switch bytes[offset] {
        case UInt8(ascii: "{"): try parseObject(depth: depth)
        case UInt8(ascii: "["): try parseArray(depth: depth)
        case UInt8(ascii: "\""): try parseString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
        case UInt8(ascii: "t"): try parseWord("true", .true, expected)
        case UInt8(ascii: "f"): try parseWord("false", .false, expected)
        case UInt8(ascii: "n"): try parseWord("null", .null, expected)
        default: throw error(expected)
        }
    }

    private mutating func parseObject(depth: Int) throws(JSONError) {
        let object = try open(.object, depth: depth)
        var keys = UniqueKeys()
        skipSpace()
        if try close("}", object) { return }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else {
                throw error(nodes.count == object + 1 ? .keyOrEndOfObject : .key)
            }
            let key = nodes.count
            try parseString()
            if !keys.insert(key, of: object, bytes, nodes) {
                let name = String(decoding: KeyTable.text(key, bytes, nodes), as: UTF8.self)
                throw error(.newKey, found: .repeatedKey(name), at: Int(nodes[key].start))
            }
            skipSpace()
            guard peek == UInt8(ascii: ":") else { throw error(.colon) }
            offset += 1
            try parseValue(depth: depth + 1, expected: .valueAfterColon)
            skipSpace()
            if try close("}", object) { return }
            guard peek == UInt8(ascii: ",") else { throw error(.commaOrEndOfObject) }
            offset += 1
        }
    }

    private mutating func parseArray(depth: Int) throws(JSONError) {
        let array = try open(.array, depth: depth)
        skipSpace()
        if try close("]", array) { return }
        while true {
            try parseValue(depth: depth + 1, expected: .value)
            skipSpace()
            if try close("]", array) { return }
            guard peek == UInt8(ascii: ",") else { throw error(.commaOrEndOfList) }
            offset += 1
        }
    }

    private mutating func open(_ kind: JSONDocument.Kind, depth: Int) throws(JSONError) -> Int {
        if depth >= limits.depth {
            throw error(.depth(limit: limits.depth), found: .oneMoreLevel)
        }
        nodes.append(.init(kind: kind, start: UInt32(offset)))
        offset += 1
        return nodes.count - 1
    }

    /// Ends the array or object if its closing character is next.
    private mutating func close(_ character: Unicode.Scalar, _ node: Int) throws(JSONError) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        offset += 1
        nodes[node].end = UInt32(offset)
        nodes[node].next = UInt32(nodes.count)
        return true
    }

    private mutating func parseString() throws(JSONError) {
        var node = JSONDocument.Node(kind: .string, start: UInt32(offset))
        offset += 1
        while true {
            guard offset < bytes.count else {
                throw error(.closingQuote, found: .endOfFile, at: Int(node.start))
            }
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                node.isEscaped = true
                try skipEscape()
            } else if byte < 0x20 {
                throw error(byte == 0x0A || byte == 0x0D ? .closingQuoteBeforeEndOfLine : .escapedControlCharacter)
            } else if byte < 0x80 {
                offset += 1
            } else {
                let length = UTF8Sequence.length(in: bytes, at: offset)
                if length == 0 { throw error(.validUTF8) }
                offset += length
            }
        }
        offset += 1
        append(&node)
    }

    private mutating func skipEscape() throws(JSONError) {
        offset += 1
        switch peek {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 1
        case UInt8(ascii: "u"):
            offset += 1
            for _ in 0..<4 {
                guard let byte = peek, Hexadecimal.value(of: byte) != nil else {
                    throw error(.hexadecimalDigits)
                }
                offset += 1
            }
        default: throw error(.escape)
        }
    }

    private mutating func parseNumber() throws(JSONError) {
        var node = JSONDocument.Node(kind: .number, start: UInt32(offset))
        if peek == UInt8(ascii: "-") { offset += 1 }
        if peek == UInt8(ascii: "0") {
            offset += 1
            if let byte = peek, byte.isDigit { throw error(.numberWithoutLeadingZeros) }
        } else {
            try skipDigits()
        }
        if peek == UInt8(ascii: ".") {
            offset += 1
            try skipDigits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            offset += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
            try skipDigits()
        }
        append(&node)
    }

    private mutating func skipDigits() throws(JSONError) {
        guard let byte = peek, byte.isDigit else { throw error(.digit) }
        while let byte = peek, byte.isDigit { offset += 1 }
    }

    private mutating func parseWord(
        _ word: StaticString, _ kind: JSONDocument.Kind, _ expected: JSONError.Expectation
    ) throws(JSONError) {
        var node = JSONDocument.Node(kind: kind, start: UInt32(offset))
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[offset..<end].elementsEqual(String(describing: word).utf8) else {
            throw error(expected)
        }
        offset = end
        append(&node)
    }

    private mutating func append(_ node: inout JSONDocument.Node) {
        node.end = UInt32(offset)
        node.next = UInt32(nodes.count + 1)
        nodes.append(node)
    }

    // MARK: Bytes

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    private func error(
        _ expected: JSONError.Expectation, found: JSONError.Found? = nil, at place: Int? = nil
    ) -> JSONError {
        let place = place ?? offset
        return JSONError(at: place, in: bytes, expected: expected, found: found ?? self.found(at: place))
    }

    /// What is at a byte offset.
    private func found(at place: Int) -> JSONError.Found {
        guard place < bytes.count else { return .endOfFile }
        switch bytes[place] {
        case 0x0A, 0x0D: return .endOfLine
        case 0x00..<0x20, 0x7F: return .controlCharacter(bytes[place])
        case UInt8(ascii: "'"): return .singleQuote
        case UInt8(ascii: "}") where previousSignificant(place) == UInt8(ascii: ","),
            UInt8(ascii: "]") where previousSignificant(place) == UInt8(ascii: ","):
            return .bracketAfterComma(bytes[place])
        case UInt8(ascii: "/"): return .slash
        case 0x80...: break
        default:
            let word = bytes[place...].prefix(20).prefix { $0 > 0x20 && $0 < 0x7F && !"{}[]:,\"".utf8.contains($0) }
            return .text(String(decoding: word.isEmpty ? bytes[place...place] : word, as: UTF8.self))
        }
        let length = UTF8Sequence.length(in: bytes, at: place)
        if length == 0 { return .byte(bytes[place]) }
        return .scalar(String(decoding: bytes[place..<place + length], as: UTF8.self).unicodeScalars.first ?? "\0")
    }

    private func previousSignificant(_ place: Int) -> UInt8? {
        bytes[..<place].last { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    }
}
