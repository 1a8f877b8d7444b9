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
            throw error("at most \(limits.byteCount) bytes", found: "\(bytes.count) bytes", at: 0)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        nodes.reserveCapacity(64)
        try parseValue(depth: 0, expected: "a JSON value")
        skipSpace()
        if offset < bytes.count { throw error("the end of the file") }
    }

    private mutating func parseValue(depth: Int, expected: String) throws(JSONError) {
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
                throw error(nodes.count == object + 1 ? "a key in double quotes or \"}\"" : "a key in double quotes")
            }
            let key = nodes.count
            try parseString()
            if !keys.insert(key, of: object, bytes, nodes) {
                let name = String(decoding: KeyTable.text(key, bytes, nodes), as: UTF8.self)
                throw error(
                    "a key that this object does not have yet", found: "\"\(name)\" a second time",
                    at: Int(nodes[key].start))
            }
            skipSpace()
            guard peek == UInt8(ascii: ":") else { throw error("\":\" after the key") }
            offset += 1
            try parseValue(depth: depth + 1, expected: "a value after \":\"")
            skipSpace()
            if try close("}", object) { return }
            guard peek == UInt8(ascii: ",") else { throw error("\",\" or \"}\"") }
            offset += 1
        }
    }

    private mutating func parseArray(depth: Int) throws(JSONError) {
        let array = try open(.array, depth: depth)
        skipSpace()
        if try close("]", array) { return }
        while true {
            try parseValue(depth: depth + 1, expected: "a value")
            skipSpace()
            if try close("]", array) { return }
            guard peek == UInt8(ascii: ",") else { throw error("\",\" or \"]\"") }
            offset += 1
        }
    }

    private mutating func open(_ kind: JSONDocument.Kind, depth: Int) throws(JSONError) -> Int {
        if depth >= limits.depth {
            throw error("at most \(limits.depth) nested levels", found: "one more")
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
                throw error(
                    "a closing quote for the text that began here", found: "the end of the file",
                    at: Int(node.start))
            }
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                node.isEscaped = true
                try skipEscape()
            } else if byte < 0x20 {
                throw error(
                    byte == 0x0A || byte == 0x0D
                        ? "a closing quote before the end of the line"
                        : "an escape such as \\u0000 for a control character")
            } else if byte < 0x80 {
                offset += 1
            } else {
                let length = UTF8Sequence.length(in: bytes, at: offset)
                if length == 0 { throw error("valid UTF-8") }
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
                    throw error("four hexadecimal digits after \\u")
                }
                offset += 1
            }
        default: throw error("one of \" \\ / b f n r t u after \\")
        }
    }

    private mutating func parseNumber() throws(JSONError) {
        var node = JSONDocument.Node(kind: .number, start: UInt32(offset))
        if peek == UInt8(ascii: "-") { offset += 1 }
        if peek == UInt8(ascii: "0") {
            offset += 1
            if let byte = peek, byte.isDigit { throw error("a number without leading zeros") }
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
        guard let byte = peek, byte.isDigit else { throw error("a digit") }
        while let byte = peek, byte.isDigit { offset += 1 }
    }

    private mutating func parseWord(
        _ word: StaticString, _ kind: JSONDocument.Kind, _ expected: String
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

    private func error(_ expected: String, found: String? = nil, at place: Int? = nil) -> JSONError {
        let place = place ?? offset
        return JSONError(at: place, in: bytes, expected: expected, found: found ?? describe(place))
    }

    /// Describes the text at a byte offset, safe to print.
    private func describe(_ place: Int) -> String {
        guard place < bytes.count else { return "the end of the file" }
        switch bytes[place] {
        case 0x0A, 0x0D: return "the end of the line"
        case 0x00..<0x20, 0x7F: return "control character 0x" + Hexadecimal.pair(bytes[place])
        case UInt8(ascii: "'"): return "a single quote"
        case UInt8(ascii: "}") where previousSignificant(place) == UInt8(ascii: ","),
            UInt8(ascii: "]") where previousSignificant(place) == UInt8(ascii: ","):
            return "\"\(Character(Unicode.Scalar(bytes[place])))\" after a trailing comma"
        case UInt8(ascii: "/"): return "\"/\" (JSON has no comments)"
        case 0x80...: break
        default:
            let word = bytes[place...].prefix(20).prefix { $0 > 0x20 && $0 < 0x7F && !"{}[]:,\"".utf8.contains($0) }
            return "\"\(String(decoding: word.isEmpty ? bytes[place...place] : word, as: UTF8.self))\""
        }
        let length = UTF8Sequence.length(in: bytes, at: place)
        if length == 0 { return "byte 0x" + Hexadecimal.pair(bytes[place]) }
        let scalar = String(decoding: bytes[place..<place + length], as: UTF8.self).unicodeScalars.first
        let digits = String(scalar?.value ?? 0, radix: 16, uppercase: true)
        return "character U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private func previousSignificant(_ place: Int) -> UInt8? {
        bytes[..<place].last { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    }
}
